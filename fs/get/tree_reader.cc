#include "fs/get/tree_reader.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <future>
#include <memory>
#include <system_error>
#include <utility>

#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/library/folder_snapshot.h"
#include "fs/requests/caller.h"
#include "fs/requests/failures.h"

namespace scidfs::fs {
namespace {

// The program itself. A signal that ends its wait ends the process.
class Waiter final : public Caller {
 public:
  uid_t user() const override { return ::geteuid(); }
  bool is_cancelled() const override { return false; }
  bool claim() override { return !is_claimed_.exchange(true); }

 private:
  std::atomic<bool> is_claimed_ = false;
};

}  // namespace

template <class Ask>
auto TreeReader::answer(Inode inode, Ask ask) const {
  using Answer = std::invoke_result_t<const Ask&, const WorkBudget&>;
  if (runner_ == nullptr) return Answer(ask(*budget_));
  const auto promise = std::make_shared<std::promise<Answer>>();
  std::future<Answer> future = promise->get_future();
  runner_->run([] { return std::make_shared<Waiter>(); }, inode, std::move(ask),
               [promise](const Answer& answer) { promise->set_value(answer); });
  return future.get();
}

absl::StatusOr<Attributes> TreeReader::attributes(Inode inode) const {
  return answer(inode,
                [=, this](const WorkBudget& budget) { return tree_.attributes(inode, budget); });
}

absl::StatusOr<Entry> TreeReader::find(Inode directory, const std::string& name,
                                       UnknownSize unknown) const {
  return answer(directory, [=, this](const WorkBudget& budget) {
    return tree_.lookup(directory, name, budget, unknown);
  });
}

absl::StatusOr<std::vector<ListedName>> TreeReader::list(Inode directory, std::size_t most) const {
  using Names = std::vector<ListedName>;
  return answer(directory, [=, this](const WorkBudget& budget) -> absl::StatusOr<Names> {
    Names names;
    RETURN_IF_ERROR(tree_.list(directory, 0, budget, [&](const DirectoryEntry& entry) {
      names.push_back({.name = std::string(entry.name),
                       .is_directory = entry.is_directory,
                       .inode = entry.inode});
      return names.size() < most;
    }));
    std::ranges::sort(names, {}, &ListedName::name);
    return names;
  });
}

std::string TreeReader::why_rejected(const std::string& name) const {
  const std::vector<RejectedNames::RejectedName> all = rejected_.all();
  const auto last = std::find_if(
      all.rbegin(), all.rend(),
      [clean = codec::clean_line(name)](const auto& one) { return one.name == clean; });
  return last != all.rend() ? last->reason : "";
}

absl::StatusOr<Slice> TreeReader::read(Inode file, std::uint64_t offset, std::size_t size) const {
  return answer(
      file, [=, this](const WorkBudget& budget) { return tree_.read(file, offset, size, budget); });
}

std::vector<std::string> TreeReader::nearest(Inode directory, const std::string& name) const {
  return answer(
             directory,
             [=, this](const WorkBudget& budget) { return tree_.nearest(directory, name, budget); })
      .value_or(std::vector<std::string>());
}

absl::StatusOr<bool> TreeReader::is_of_source(Inode file) const {
  return answer(file, [=, this](const WorkBudget&) { return tree_.is_of_source(file); });
}

bool TreeReader::is_live(Inode directory, std::string_view name, Inode file) const {
  constexpr std::array<std::string_view, 4> kTexts = {kStatusName, kReadmeName, kFolderInfoName,
                                                      kPageFiles.front()};
  const bool is_of_version = directory == kRootInode || unpack(directory).place == LocalId{};
  return is_of_version && std::ranges::find(kTexts, name) != kTexts.end() &&
         !is_of_source(file).value_or(false);
}

absl::StatusOr<bool> TreeReader::has_damaged_games(Inode file) const {
  return answer(
      file, [=, this](const WorkBudget& budget) { return tree_.has_damaged_games(file, budget); });
}

absl::Status read_file(const TreeReader& reader, Inode file, std::string_view path,
                       absl::FunctionRef<absl::Status(std::string_view bytes)> take) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  for (std::uint64_t offset = 0;;) {
    const auto slice = reader.read(file, offset, kAtOnce);
    if (!slice.ok()) {
      return absl::UnknownError(fmt::format("{}: {}", printable(path),
                                            std::string(as_on_mount(slice.status()).message())));
    }
    if (slice->bytes.empty()) return absl::OkStatus();
    offset += slice->bytes.size();
    RETURN_IF_ERROR(take(slice->bytes));
  }
}

bool log_damage(const TreeReader& reader, Inode file, std::string_view path) {
  // A file that cannot be opened any more has been read.
  if (!reader.has_damaged_games(file).value_or(false)) return false;
  log_error(fmt::format("{}: a game is damaged, and its text says where", printable(path)));
  return true;
}

absl::Status as_on_mount(const absl::Status& error) {
  const int number = to_errno(error);
  const std::string text = std::generic_category().message(number);
  return number == ENOENT ? absl::NotFoundError(text) : absl::UnknownError(text);
}

}  // namespace scidfs::fs
