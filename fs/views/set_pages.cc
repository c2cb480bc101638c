#include "fs/views/set_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/pages/list_page.h"
#include "fs/pages/set_page.h"
#include "fs/search/facet.h"
#include "fs/tables/chart.h"
#include "fs/tables/set_findings.h"
#include "fs/views/database_files.h"
#include "fs/views/directory_pages.h"
#include "fs/views/event_set.h"
#include "fs/views/findings.h"
#include "fs/views/position_set.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

// A promotion has a `=`, too.
bool is_condition(std::string_view name) { return parse_facet(name).ok(); }

// Returns the path of a query without one of its conditions, and without a search/ that has no
// other condition.
std::string path_without(std::vector<std::string_view> names, std::size_t condition) {
  const bool is_last = condition + 1 == names.size() || !is_condition(names[condition + 1]);
  const bool is_first = condition > 0 && names[condition - 1] == "search";
  const auto at = names.begin() + static_cast<std::ptrdiff_t>(condition);
  if (is_first && is_last) {
    names.erase(at - 1, at + 1);
  } else {
    names.erase(at);
  }
  return fmt::format("{}", fmt::join(names, "/"));
}

std::vector<std::string_view> names_of(std::string_view path) {
  std::vector<std::string_view> names;
  while (true) {
    const std::size_t slash = path.find('/');
    names.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return names;
    path.remove_prefix(slash + 1);
  }
}

std::vector<PageCondition> conditions_of(const Query& query) {
  const std::vector<std::string_view> names = names_of(query.path);
  std::vector<PageCondition> conditions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_condition(names[i])) continue;
    const std::string rest = path_without(names, i);
    const Link base = Link().up(names.size());
    conditions.push_back({.text = codec::clean_line(names[i]),
                          .without = (rest.empty() ? base : base.path(rest)).page()});
  }
  return conditions;
}

// Returns the pages of the directories in the directory of a set. A position lists its moves above,
// and no tree/: a crawler would go down tree/tree/tree/ to the end of what a path may hold.
absl::StatusOr<std::vector<PageFile>> pages_below(const Set& set, const WorkBudget& budget) {
  std::vector<PageFile> pages;
  if (set.at_position() == nullptr) {
    pages.push_back({.name = "tree/index.html", .words = "the moves from the first position"});
  }
  pages.push_back({.name = "positions/index.html", .words = "any position"});
  pages.push_back({.name = "search/index.html", .words = "any condition"});
  if (set.has_subject()) pages.push_back({.name = "against/index.html", .words = "opponents"});
  if (set.at_position() != nullptr) return pages;
  const std::size_t fixed = pages.size();
  RETURN_IF_ERROR(set.list(0, budget, [&](const Child& child, std::uint64_t) {
    std::string name = fmt::format("{}/index.html", child.name);
    const auto is_same = [&](const PageFile& page) { return page.name == name; };
    if (child.is_directory && has_page(child.place) &&
        std::none_of(pages.begin(), pages.begin() + fixed, is_same)) {
      pages.push_back({.name = std::move(name)});
    }
    return true;
  }));
  return pages;
}

// Returns the files of the directory but the page and those for programs. A copy of a mount whose
// pages are listed has only listed files.
std::vector<PageFile> files_of(const Set& set) {
  std::vector<PageFile> files;
  const Listing listing = set.listing();
  const bool is_for_copies = set.version().options().pages == PagesMode::Listed;
  const std::string_view games =
      listing == Listing::AllGames || listing == Listing::Database ? "all.pgn" : "games.pgn";
  for (const SetFile& file : set_files()) {
    if (file.directory != kSet || file.open == nullptr || file.name.empty() ||
        file.name.starts_with('.') || file.is_of_pages || file.is_costly || !has_file(set, file)) {
      continue;
    }
    if (file.entry == kSetGames && file.name != games) continue;
    if (is_for_copies && (file.listed & SetFile::in(listing)) == 0) continue;
    const auto is_same = [&](const PageFile& other) { return other.name == file.name; };
    if (std::ranges::none_of(files, is_same)) files.push_back({.name = std::string(file.name)});
  }
  for (std::uint64_t i = 0; set.is_database(); ++i) {
    std::optional<Child> file = database_file(set.version(), i);
    if (!file.has_value()) break;
    files.push_back({.name = std::move(file->name)});
  }
  return files;
}

// Returns the whole text of a file.
absl::StatusOr<std::string> text_of(absl::StatusOr<std::unique_ptr<Content>> content) {
  if (!content.ok()) return content.status();
  std::string text;
  RETURN_IF_ERROR((*content)->read(0, (*content)->size(), text));
  return text;
}

absl::StatusOr<PageHead> head_of(const Set& set, const WorkBudget& budget) {
  PageHead head{.title = codec::clean_line(set.title()),
                .crumbs = crumbs_of(set.version(), set.directory()),
                .levels = levels_of(set.version(), set.directory()),
                .has_subject = set.has_subject()};
  const QueryPtr asked = set.asked();
  if (!asked->path.empty()) head.conditions = conditions_of(*asked);
  ASSIGN_OR_RETURN(std::string text, set.event() != nullptr
                                         ? text_of(open_crosstable(set, budget))
                                         : set.introduction(set.version(), budget));
  head.text = std::move(text);
  ASSIGN_OR_RETURN(std::vector<PageFile> pages, pages_below(set, budget));
  head.files = std::move(pages);
  std::ranges::move(files_of(set), std::back_inserter(head.files));
  return head;
}

absl::StatusOr<std::string> page_of_position(const PageHead& head, const PositionSet& set,
                                             const CountedSet& counted, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const std::shared_ptr<const MoveTable> table, set.table(budget));
  ASSIGN_OR_RETURN(const NotableGames notable, notable_games(counted.games.only(), set.target(),
                                                             kPageNotable, kPageNotable, budget));
  return position_page(head, counted.games.only(), counted.who, *counted.findings, set.position(),
                       *table, set.named(), notable);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_page(const Set& set, const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PageHead head, head_of(set, budget));
  ASSIGN_OR_RETURN(const CountedSet counted, count_set(set, budget));
  ASSIGN_OR_RETURN(std::string text,
                   set.at_position() != nullptr
                       ? page_of_position(head, *set.at_position(), counted, budget)
                       : set_page(head, counted.games.only(), counted.who, *counted.findings));
  return std::make_unique<TextContent>(std::move(text));
}

absl::StatusOr<std::unique_ptr<Content>> open_search_page(const Set& set, const WorkBudget&) {
  return std::make_unique<TextContent>(
      search_page("search", crumbs_of(set.version(), set.below(kSetSearch))));
}

absl::StatusOr<std::unique_ptr<Content>> open_positions_page(const Set& set, const WorkBudget&) {
  // As in pages_below().
  const Link first = set.at_position() != nullptr ? Link() : Link().up(1).path("tree").page();
  return std::make_unique<TextContent>(positions_page(
      "positions", crumbs_of(set.version(), set.below(kSetPositions)), "/index.html", first));
}

absl::StatusOr<std::unique_ptr<Content>> open_against_page(const Set& set,
                                                           const WorkBudget& budget) {
  constexpr std::size_t kMostOpponents = 1000;
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
  // The names in against/ are spellings.
  const Identities who(games, Identities::Of::Spellings);
  ASSIGN_OR_RETURN(const SetFindings findings,
                   find_out(games, who, subject, kMostOpponents, budget));
  std::vector<PageEntry> entries;
  for (const PlayerScore& opponent : findings.players) {
    std::string path;
    who.append_path(opponent.player, path);
    if (path.empty()) continue;
    const std::string file = path.substr(path.rfind('/') + 1).append(kGameSuffix);
    entries.push_back({.name = file,
                       .link = Link().name(file),
                       .words = counted(opponent.score.games(), "game")});
  }
  return std::make_unique<TextContent>(list_page(
      "against", crumbs_of(set.version(), set.below(kSetAgainst)),
      "The games against an opponent. The table ../opponents.tsv has all opponents.\n", entries));
}

}  // namespace scidfs::fs
