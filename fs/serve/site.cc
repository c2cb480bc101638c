#include "fs/serve/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "codec/ending.h"
#include "codec/number.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/get/missing_name.h"
#include "fs/get/tree_reader.h"
#include "fs/serve/answers.h"
#include "fs/serve/client.h"
#include "fs/serve/dav.h"
#include "fs/serve/file_answer.h"
#include "fs/serve/media_type.h"

namespace scidfs::fs {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kOk = 200;
constexpr unsigned kMultiStatus = 207;
constexpr unsigned kMovedPermanently = 301;
constexpr unsigned kNotModified = 304;
constexpr unsigned kMisdirected = 421;

constexpr std::string_view kPage = "index.html";

// Returns whether a Host is an address or the name that all machines have for themselves.
bool is_own_host(std::string_view host) {
  if (host.empty()) return true;  // of HTTP/1.0
  const std::size_t port = host.rfind(':');
  if (port != std::string_view::npos &&
      host.find_first_not_of("0123456789", port + 1) == std::string_view::npos) {
    host = host.substr(0, port);
  }
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (parse_client(host).has_value()) return true;
  std::string name = codec::in_small_letters(host);
  if (name.ends_with('.')) name.pop_back();
  const bool is_name =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-.") == std::string::npos;
  return is_name && (name == "localhost" || name.ends_with(".localhost"));
}

bool wants(std::string_view accept, std::string_view type) {
  return accept.find(type) != std::string_view::npos;
}
// Returns false for browsers, which take JSON besides pages.
bool wants_json(std::string_view accept) {
  return wants(accept, "application/json") && !wants(accept, "text/html");
}

// Lets pages of other sites read the answer.
void open_to_all(HttpAnswer& answer) {
  answer.fields.emplace_back("Access-Control-Allow-Origin", "*");
}

std::string tree_path(std::span<const std::string> names) {
  return names.empty() ? std::string(kTopPath) : fmt::to_string(fmt::join(names, "/"));
}

}  // namespace

// A file or a directory, with the names that lead there.
struct Site::Place {
  Entry entry;
  std::string name;
};

bool Site::is_about_server(std::string_view raw_target) const {
  return raw_target == path_of({"healthz"}, false) || raw_target == path_of({"metrics"}, false);
}

absl::StatusOr<HttpAnswer> Site::answer(const HttpRequest& request, const WorkBudget& budget,
                                        WalkState& state) const {
  const bool is_of_server = request.raw_target == "*" && request.method == "OPTIONS";
  const absl::StatusOr<RequestTarget> target =
      parse_target(is_of_server ? "/" : with_plain_id(request.raw_target, path_of({}, true)));
  if (!target.ok()) return error_answer(request, target.status());
  if (options_.is_private && !is_own_host(request.host)) {
    return message_answer(
        request, kMisdirected,
        "This server answers at localhost only; behind a proxy it wants --proxy.");
  }
  if (request.method == "OPTIONS") {
    // MS-Author-Via: for Windows, which else asks for extensions of FrontPage.
    HttpAnswer answer{.status = 204,
                      .fields = {{"Allow", known_methods()},
                                 {"DAV", "1"},
                                 {"MS-Author-Via", "DAV"},
                                 {"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"},
                                 {"Access-Control-Allow-Headers", "Authorization, Content-Type"}},
                      .body = {}};
    open_to_all(answer);
    return answer;
  }
  assert(is_known_method(request.method));
  absl::StatusOr<HttpAnswer> answer = read_answer(request, *target, budget, state);
  if (answer.ok() || is_asked_again(answer.status())) return answer;
  return error_answer(request, answer.status());
}

absl::StatusOr<HttpAnswer> Site::read_answer(const HttpRequest& request, RequestTarget target,
                                             const WorkBudget& budget, WalkState& state) const {
  const std::vector<std::string>& base = options_.base;
  if (target.names.size() < base.size() ||
      !std::equal(base.begin(), base.end(), target.names.begin())) {
    return absl::NotFoundError(fmt::format("This site begins at {}", encode_path(base, true)));
  }
  const bool is_base = target.names.size() == base.size();
  target.names.erase(target.names.begin(),
                     target.names.begin() + static_cast<std::ptrdiff_t>(base.size()));
  if (request.method == "PROPFIND") return dav_answer(request, target, budget, state);
  if (is_base && !target.is_directory) {
    return HttpAnswer{
        .status = kMovedPermanently, .fields = {{"Location", location(target)}}, .body = {}};
  }
  return answer_below_base(request, target, budget, state);
}

absl::StatusOr<HttpAnswer> Site::answer_below_base(const HttpRequest& request,
                                                   const RequestTarget& target,
                                                   const WorkBudget& budget,
                                                   WalkState& state) const {
  if (target.is_directory) return path_answer(request, target, budget, state);
  const std::string path = '/' + tree_path(target.names);
  if (path == "/healthz") {
    return HttpAnswer{.status = kOk, .fields = {{"Content-Type", "text/plain"}}, .body = "ok\n"};
  }
  if (path == "/metrics" && options_.metrics) {
    return HttpAnswer{.status = kOk,
                      .fields = {{"Content-Type", "text/plain; version=0.0.4"}},
                      .body = options_.metrics()};
  }
  if (is_explorer_address(path)) return explorer_answer(request, target, budget, state);
  return path_answer(request, target, budget, state);
}

absl::StatusOr<HttpAnswer> Site::dav_answer(const HttpRequest& request, const RequestTarget& target,
                                            const WorkBudget& budget, WalkState& state) const {
  constexpr std::size_t kMostEntries = 100'000;
  if (request.depth != "0" && request.depth != "1") {
    return absl::PermissionDeniedError("PROPFIND is answered with Depth 0 or 1 only.");
  }
  ASSIGN_OR_RETURN(const DavQuestion question, parse_propfind(request.body));
  ASSIGN_OR_RETURN(const Place place, find(target.names, budget, state));
  Multistatus found(question);
  const Attributes& top = place.entry.attributes;
  bool has_room = found.add(path_of(target.names, top.is_directory), place.name, top);
  if (request.depth == "1" && top.is_directory) {
    std::vector<std::string> names;
    RETURN_IF_ERROR(tree_.list(top.inode, 0, budget, [&names](const DirectoryEntry& entry) {
      names.emplace_back(entry.name);
      return names.size() <= kMostEntries;
    }));
    if (names.size() > kMostEntries) {
      return absl::PermissionDeniedError("This directory has more than 100,000 entries.");
    }
    std::vector<std::string> path = target.names;
    for (const std::string& name : names) {
      if (budget.is_cancelled()) return WorkBudget::cancelled();
      if (!has_room) break;
      const absl::StatusOr<Entry> entry = look_up(top.inode, name, budget, state);
      if (absl::IsNotFound(entry.status())) continue;  // it has gone meanwhile
      if (!entry.ok()) return entry.status();
      path.push_back(name);
      has_room = found.add(path_of(path, entry->attributes.is_directory), name, entry->attributes);
      path.pop_back();
    }
  }
  if (!has_room) return absl::PermissionDeniedError("The answer would be too long.");
  return HttpAnswer{.status = kMultiStatus,
                    .fields = {{"Content-Type", "application/xml; charset=utf-8"}},
                    .body = found.take_text(),
                    .kind = AnswerKind::Dav};
}

absl::StatusOr<HttpAnswer> Site::path_answer(const HttpRequest& request,
                                             const RequestTarget& target, const WorkBudget& budget,
                                             WalkState& state) const {
  if (target.names.empty()) return directory_answer(request, target, kRootInode, budget, state);
  ASSIGN_OR_RETURN(const Place place, find(target.names, budget, state));
  const Attributes& attributes = place.entry.attributes;
  if (attributes.is_directory) {
    if (target.is_directory) {
      return directory_answer(request, target, attributes.inode, budget, state);
    }
    return HttpAnswer{
        .status = kMovedPermanently, .fields = {{"Location", location(target)}}, .body = {}};
  }
  if (target.is_directory) {
    return absl::NotFoundError(fmt::format("{} is a file", printable(place.name)));
  }
  return file_answer(request, place.name, place.entry, budget);
}

absl::StatusOr<HttpAnswer> Site::directory_answer(const HttpRequest& request,
                                                  const RequestTarget& target, Inode directory,
                                                  const WorkBudget& budget,
                                                  WalkState& state) const {
  const bool wants_list =
      target.query == "list" || target.query.starts_with("list&") || wants_json(request.accept);
  if (wants_list) return list_answer(directory, target.query, budget);
  const absl::StatusOr<Entry> page = look_up(directory, std::string(kPage), budget, state);
  if (absl::IsNotFound(page.status())) return list_answer(directory, target.query, budget);
  if (!page.ok()) return page.status();
  absl::StatusOr<HttpAnswer> answer = file_answer(request, kPage, *page, budget);
  if (answer.ok()) answer->fields.emplace_back("Vary", "Accept");
  return answer;
}

// {"entries": [{"name": "games", "directory": true}, ...], "next": POSITION}; `next` is there if
// the list goes on with ?list&from=POSITION.
absl::StatusOr<HttpAnswer> Site::list_answer(Inode directory, std::string_view query,
                                             const WorkBudget& budget) const {
  constexpr std::size_t kMostEntries = 10'000;
  std::uint64_t first = 0;
  for (const auto& [name, value] : parse_parameters(query)) {
    if (name != "from") continue;
    const auto position = codec::parse_number<std::uint64_t>(value);
    if (!position.has_value()) {
      return absl::InvalidArgumentError("`from` is the number that the list before ended with");
    }
    first = *position;
  }
  Json entries = Json::array();
  std::optional<std::uint64_t> next;
  std::uint64_t last = first;
  RETURN_IF_ERROR(tree_.list(directory, first, budget, [&](const DirectoryEntry& entry) {
    if (entries.size() == kMostEntries) {
      next = last;
      return false;
    }
    entries.push_back({{"name", entry.name}, {"directory", entry.is_directory}});
    last = entry.next;
    return true;
  }));
  Json list = {{"entries", std::move(entries)}};
  if (next.has_value()) list["next"] = *next;
  HttpAnswer answer = json_answer(list);
  answer.fields.emplace_back("Vary", "Accept");
  return answer;
}

absl::StatusOr<HttpAnswer> Site::file_answer(const HttpRequest& request, std::string_view name,
                                             const Entry& entry, const WorkBudget& budget) const {
  HttpAnswer answer = answer_of_file(request, name, entry);
  // A page that an archive contains must not run: its scripts could read all of the site.
  if (may_have_scripts(media_type(name)) &&
      tree_.is_of_source(entry.attributes.inode).value_or(true)) {
    answer.fields.emplace_back("Content-Security-Policy", "sandbox");
  }
  auto* const body = std::get_if<FileBody>(&answer.body);
  const bool has_head_alone = request.is_head() || answer.status == kNotModified;
  if (has_head_alone || body == nullptr || body->parts.empty()) return answer;
  // Most files are shorter than this, and are answered as a whole.
  constexpr std::size_t kBegin = std::size_t{256} << 10;
  ASSIGN_OR_RETURN(body->begin,
                   tree_.read(body->inode, body->parts.front().range.first, kBegin, budget));
  return answer;
}

absl::StatusOr<HttpAnswer> Site::explorer_answer(const HttpRequest& request,
                                                 const RequestTarget& target,
                                                 const WorkBudget& budget, WalkState& state) const {
  auto answer = [&]() -> absl::StatusOr<HttpAnswer> {
    ASSIGN_OR_RETURN(
        const ExplorerQuestion question,
        explorer_question('/' + tree_path(target.names), parse_parameters(target.query)));
    ASSIGN_OR_RETURN(std::vector<std::string> names, explorer_database(question, budget, state));
    names.insert(names.end(), question.names.begin(), question.names.end());
    absl::StatusOr<Place> place = find(names, budget, state);
    if (!place.ok()) {
      // All names but that of a game are made of parameters.
      const bool is_wrong = absl::IsNotFound(place.status()) && !question.is_game;
      return is_wrong ? absl::InvalidArgumentError(place.status().message()) : place.status();
    }
    if (question.is_game) return file_answer(request, place->name, place->entry, budget);
    const Attributes& file = place->entry.attributes;
    ASSIGN_OR_RETURN(const std::string text, text_of(file.inode, file.size, budget));
    return HttpAnswer{.status = kOk,
                      .fields = {{"Content-Type",
                                  question.is_stream ? "application/x-ndjson" : "application/json"},
                                 {"Cache-Control", "no-cache"}},
                      .body = cut_explorer_json(text, question),
                      .kind = AnswerKind::Explorer};
  }();
  if (!answer.ok() && is_asked_again(answer.status())) return answer;
  HttpAnswer result;
  if (answer.ok()) {
    result = *std::move(answer);
  } else {
    result = json_answer({{"error", std::string(answer.status().message())}});
    result.status = status_of(answer.status());
    result.kind = AnswerKind::Explorer;
  }
  open_to_all(result);
  return result;
}

absl::StatusOr<std::vector<std::string>> Site::explorer_database(const ExplorerQuestion& question,
                                                                 const WorkBudget& budget,
                                                                 WalkState& state) const {
  constexpr std::array kAll = {"", "together"};
  const std::string positions = "positions";
  if (!question.database.empty()) return question.database;
  for (const std::string name : kAll) {
    Inode directory = kRootInode;
    if (!name.empty()) {
      const absl::StatusOr<Entry> found = look_up(kRootInode, name, budget, state);
      if (absl::IsNotFound(found.status())) continue;
      if (!found.ok()) return found.status();
      directory = found->attributes.inode;
    }
    const absl::StatusOr<Entry> has_positions = look_up(directory, positions, budget, state);
    if (has_positions.ok()) return name.empty() ? std::vector<std::string>() : std::vector{name};
    if (!absl::IsNotFound(has_positions.status())) return has_positions.status();
  }
  std::vector<std::string> names;
  RETURN_IF_ERROR(tree_.list(kRootInode, 0, budget, [&names](const DirectoryEntry& entry) {
    if (entry.is_directory) names.emplace_back(entry.name);
    return true;
  }));
  std::vector<std::string> databases;
  for (const std::string& name : names) {
    const absl::StatusOr<Entry> found = look_up(kRootInode, name, budget, state);
    if (!found.ok()) return found.status();
    const absl::StatusOr<Entry> has_positions =
        look_up(found->attributes.inode, positions, budget, state);
    if (has_positions.ok()) databases.push_back(name);
    if (!has_positions.ok() && !absl::IsNotFound(has_positions.status())) {
      return has_positions.status();
    }
  }
  if (databases.size() == 1) return databases;
  return absl::InvalidArgumentError(databases.empty()
                                        ? "there is no database"
                                        : "there are several databases: choose one by db=NAME");
}

// Follows names from the top. Errors: NotFound, with the reason for people.
absl::StatusOr<Site::Place> Site::find(const std::vector<std::string>& names,
                                       const WorkBudget& budget, WalkState& state) const {
  Place place{.entry = {}, .name = "chess"};
  ASSIGN_OR_RETURN(place.entry.attributes, tree_.attributes(kRootInode, budget));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!place.entry.attributes.is_directory) {
      return absl::NotFoundError(fmt::format("{} is a file", printable(place.name)));
    }
    const Inode directory = place.entry.attributes.inode;
    const absl::StatusOr<Entry> entry = look_up(directory, names[i], budget, state);
    if (entry.ok()) {
      place = {.entry = *entry, .name = names[i]};
      continue;
    }
    const absl::Status& error = entry.status();
    if (!absl::IsNotFound(error) && !absl::IsInvalidArgument(error)) return error;
    // The search for the reason may take long.
    if (!budget.is_unlimited()) return WorkBudget::exceeded();
    const TreeReader reader(tree_, budget, rejected_);
    const std::string name = printable(names[i]);
    for (const std::string& why :
         {reader.why_rejected(names[i]), reader.why_refused(directory, names[i])}) {
      if (!why.empty()) return absl::NotFoundError(fmt::format("{}: {}", name, why));
    }
    std::vector<std::string> meant =
        names_meant(reader, {.path = tree_path(std::span(names).first(i)),
                             .directory = directory,
                             .name = names[i],
                             .next = i + 1 < names.size() ? names[i + 1] : ""});
    for (std::string& one : meant) one = printable(one);
    return absl::NotFoundError(meant.empty()
                                   ? fmt::format("There is no {} here.", name)
                                   : fmt::format("There is no {} here. Did you mean {}?", name,
                                                 fmt::to_string(fmt::join(meant, ", "))));
  }
  return place;
}

absl::StatusOr<Entry> Site::look_up(Inode directory, const std::string& name,
                                    const WorkBudget& budget, WalkState& state) const {
  state.last = {.directory = directory, .name = name};
  if (state.waited != state.last) {
    const std::optional<PendingChanges::Request> changes = tree_.query(directory, name);
    state.is_restless = changes.has_value() && tree_.pending_changes().concerns(*changes);
    if (state.is_restless) return WorkBudget::exceeded();
  }
  return tree_.lookup(directory, name, budget);
}

absl::StatusOr<std::string> Site::text_of(Inode file, std::uint64_t size,
                                          const WorkBudget& budget) const {
  std::string text;
  while (text.size() < size) {
    ASSIGN_OR_RETURN(const Slice slice, tree_.read(file, text.size(), size - text.size(), budget));
    if (slice.bytes.empty()) break;
    text += slice.bytes;
  }
  return text;
}

std::string Site::path_of(const std::vector<std::string>& names, bool is_directory) const {
  std::vector<std::string> all = options_.base;
  all.insert(all.end(), names.begin(), names.end());
  return encode_path(all, is_directory);
}

// Returns the path of a directory, with what was asked of it.
std::string Site::location(const RequestTarget& target) const {
  const std::string path = path_of(target.names, true);
  return target.query.empty() ? path : path + '?' + target.query;
}

}  // namespace scidfs::fs
