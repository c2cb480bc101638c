#include "fs/views/polyglot_book_file.h"

#include <fmt/format.h>

#include <array>

#include "fs/positions/polyglot_book.h"
#include "fs/positions/polyglot_counts.h"
#include "fs/views/bounded_file.h"
#include "fs/views/kept_text.h"

namespace scidfs::fs {
namespace {

constexpr auto kBounds = std::to_array<FileBound>(
    {{.key = "plies", .least = 1, .most = 65535},
     {.key = "games", .least = 1, .most = PolyglotCounts::kMostGames - 1}});
constexpr BoundedFiles kBooks = {
    .directory = "book", .suffix = ".bin", .file = kSetBook, .bounds = kBounds};

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_polyglot_book(const Set& set,
                                                            const WorkBudget& budget) {
  const FileBounds in_name = bounds_of(set, kBooks);
  PolyglotBounds bounds;
  bounds.plies = in_name[0].value_or(bounds.plies);
  bounds.games = in_name[1].value_or(bounds.games);
  return open_kept_text(set, fmt::format("book/{},{}", bounds.plies, bounds.games), budget,
                        [&](const GameSet& games) { return polyglot_book(games, bounds, budget); });
}

std::optional<Child> find_polyglot_book(const Set& set, std::string_view name) {
  return find_bounded_file(set, kBooks, name);
}

}  // namespace scidfs::fs
