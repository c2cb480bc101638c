#include "fs/views/line_files.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "codec/text.h"
#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/positions/line_bounds.h"
#include "fs/positions/line_text.h"
#include "fs/positions/move_table.h"
#include "fs/search/query.h"
#include "fs/views/bounded_file.h"
#include "fs/views/known_position.h"
#include "fs/views/position_set.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kPgn = ".pgn";

// Parses the name of a file with bounds. Errors: InvalidArgument, with a reason for users.
absl::StatusOr<LineBounds> parse_name(std::string_view name) {
  const std::optional<std::string_view> stem = strip_suffix(name, kPgn);
  if (!stem.has_value()) return absl::InvalidArgumentError("the name ends in .pgn");
  return parse_line_bounds(*stem);
}

// Returns a key that distinguishes the text from all others of the mount.
std::string key_of(const Set& set, const LineStart& start, const LineBounds& bounds) {
  std::string key =
      fmt::format("{}:{}:{}:{}:{}", set.version().id, static_cast<unsigned>(kSetLines),
                  set.answer_key(), line_bounds_text(bounds), start.first.fen());
  for (const codec::Move& move : start.moves) key += fmt::format(" {}", number_of(move));
  return key;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_lines_of(const Set& set, const WorkBudget& budget) {
  const QueryPtr asked = set.asked();
  const LineBounds bounds = parse_name(asked->file).value_or(LineBounds{});
  const PositionSet* const position = set.at_position();
  LineStart start;
  if (position != nullptr) {
    const Line& line = *asked->line;
    start = {.position = position->target(), .first = line.root.position, .moves = line.moves};
  }
  const auto known = [&](const codec::TargetPosition& target) -> std::shared_ptr<const MoveTable> {
    if (position != nullptr) return position->known_table(target);
    return set.has_all_games() ? known_table(set.version(), target) : nullptr;
  };
  ASSIGN_OR_RETURN(const std::shared_ptr<const LineText> text,
                   set.version().searches->results.get<LineText>(
                       key_of(set, start, bounds), budget,
                       [&]() -> absl::StatusOr<std::shared_ptr<const LineText>> {
                         ASSIGN_OR_RETURN(const GameSet games,
                                          position == nullptr ? set.games(budget)
                                                              : position->games_of_tree(budget));
                         return LineText::make(games, start, bounds, budget, known);
                       }));
  absl::StatusOr<std::string> game = text->with_title(set.title());
  if (!game.ok()) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Lines,
                                                line_bounds_text(bounds).append(kPgn),
                                                std::string(game.status().message()));
    return game.status();
  }
  return std::make_unique<TextContent>(*std::move(game));
}

std::optional<Child> find_lines_of(const Set& set, std::string_view name) {
  const absl::StatusOr<LineBounds> bounds = parse_name(name);
  if (bounds.ok()) {
    return bounded_file(set, "lines", kSetLines, line_bounds_text(*bounds).append(kPgn), name);
  }
  if (name.find('=') != std::string_view::npos) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Lines, codec::clean_line(name),
                                                std::string(bounds.status().message()));
  }
  return std::nullopt;
}

}  // namespace scidfs::fs
