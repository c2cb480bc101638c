// The answers to all requests: what the tree has at a path, as HTTP shows it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/search/query_context.h"
#include "fs/serve/explorer_address.h"
#include "fs/serve/http_request.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// A name in a directory.
struct WalkStep {
  Inode directory = kRootInode;
  std::string name{};

  friend bool operator==(const WalkStep&, const WalkStep&) = default;
};

// How far an attempt to answer has come, for the next attempt.
struct WalkState {
  WalkStep last{};  // that was looked up
  // The answer must wait until a scan has looked at changes there (RequestRunner::run_when_calm()).
  bool is_restless = false;
  // The step that the answer has waited for, and does not again.
  std::optional<WalkStep> waited{};
};

// Thread-safe. RFC 9110 says which status and fields an answer has.
class Site {
 public:
  struct Options {
    // The names that the paths of requests begin with (--base).
    std::vector<std::string> base{};
    // Answers only requests whose Host is an address or `localhost`: the name of another site that
    // leads to this machine (DNS rebinding) would let that site's pages read everything here.
    bool is_private = false;
    std::function<std::string()> metrics{};  // the text of /metrics; null: there is none
  };

  // The references outlive this.
  Site(Tree& tree, const RejectedNames& rejected, Options options)
      : tree_(tree), rejected_(rejected), options_(std::move(options)) {}

  // Answers a request, whose method is known (fs/serve/answers.h). Errors: Unavailable if that
  // exceeds the budget, so that the request must be asked again with an unlimited one; or if
  // `state.is_restless`, after the scan. All other faults are answers.
  absl::StatusOr<HttpAnswer> answer(const HttpRequest& request, const WorkBudget& budget,
                                    WalkState& state) const;

  // Returns whether a target is /healthz or /metrics, which are answered at once and never refused.
  bool is_about_server(std::string_view raw_target) const;

 private:
  struct Place;

  absl::StatusOr<HttpAnswer> read_answer(const HttpRequest& request, RequestTarget target,
                                         const WorkBudget& budget, WalkState& state) const;
  absl::StatusOr<HttpAnswer> answer_below_base(const HttpRequest& request,
                                               const RequestTarget& target,
                                               const WorkBudget& budget, WalkState& state) const;
  absl::StatusOr<HttpAnswer> dav_answer(const HttpRequest& request, const RequestTarget& target,
                                        const WorkBudget& budget, WalkState& state) const;
  absl::StatusOr<HttpAnswer> path_answer(const HttpRequest& request, const RequestTarget& target,
                                         const WorkBudget& budget, WalkState& state) const;
  absl::StatusOr<HttpAnswer> directory_answer(const HttpRequest& request,
                                              const RequestTarget& target, Inode directory,
                                              const WorkBudget& budget, WalkState& state) const;
  absl::StatusOr<HttpAnswer> list_answer(Inode directory, std::string_view query,
                                         const WorkBudget& budget) const;
  absl::StatusOr<HttpAnswer> file_answer(const HttpRequest& request, std::string_view name,
                                         const Entry& entry, const WorkBudget& budget) const;
  absl::StatusOr<HttpAnswer> explorer_answer(const HttpRequest& request,
                                             const RequestTarget& target, const WorkBudget& budget,
                                             WalkState& state) const;
  // Returns the names of the directory whose games an explorer's question is about.
  absl::StatusOr<std::vector<std::string>> explorer_database(const ExplorerQuestion& question,
                                                             const WorkBudget& budget,
                                                             WalkState& state) const;
  absl::StatusOr<Place> find(const std::vector<std::string>& names, const WorkBudget& budget,
                             WalkState& state) const;
  absl::StatusOr<Entry> look_up(Inode directory, const std::string& name, const WorkBudget& budget,
                                WalkState& state) const;
  absl::StatusOr<std::string> text_of(Inode file, std::uint64_t size,
                                      const WorkBudget& budget) const;
  // Returns the path of the names below the base, for links.
  std::string path_of(const std::vector<std::string>& names, bool is_directory) const;
  std::string location(const RequestTarget& target) const;

  Tree& tree_;
  const RejectedNames& rejected_;
  const Options options_;
};

}  // namespace scidfs::fs
