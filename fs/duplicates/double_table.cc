#include "fs/duplicates/double_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/sectioned_content.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::NameKind;

constexpr std::size_t kLinesOfSection = 1000;

// A game, and its kept game, as their databases have them.
struct StoredGame {
  const Database& database;
  const Double& game;
  GameEntry entry;

  std::string_view name(NameKind kind, std::uint32_t id) const {
    return database.names()[kind].text(id);
  }
};

// Returns whether two games have the same name.
bool share_name(const StoredGame& a, const StoredGame& b, NameKind kind,
                std::uint32_t GameEntry::*id) {
  if (&a.database == &b.database) return a.entry.*id == b.entry.*id;
  return a.name(kind, a.entry.*id) == b.name(kind, b.entry.*id);
}

// Returns what a game has in common with the kept game of its group.
std::string why(const StoredGame& game, const StoredGame& kept) {
  const bool are_named_alike = share_name(game, kept, NameKind::Player, &GameEntry::white) &&
                               share_name(game, kept, NameKind::Player, &GameEntry::black);
  std::string why(are_named_alike ? "players" : "players under other names");
  if (game.game.plies == kept.game.plies) {
    why += ", moves";
  } else {
    why += fmt::format(", the first {} moves", game.game.plies);
  }
  const codec::Date date = game.entry.date;
  if (date == kept.entry.date && !date.empty()) {
    why += ", date";
  } else if (!date.empty() && !kept.entry.date.empty()) {
    why += ", date as far as known";
  }
  // No group has two games whose known results differ.
  const codec::Result result = game.entry.result;
  if (result == kept.entry.result && result != codec::Result::Unknown) why += ", result";
  if (share_name(game, kept, NameKind::Event, &GameEntry::event) &&
      share_name(game, kept, NameKind::Site, &GameEntry::site)) {
    why += ", event";
  }
  return why;
}

struct DoubleRow {
  std::size_t group = 0;
  const StoredGame& stored;
  const StoredGame& kept;
  const GameNumbers& numbers;
  const GameSet& parts;

  const Double& game() const { return stored.game; }
  const GameEntry& entry() const { return stored.entry; }
  GameOfPart place() const { return numbers.at(game().game); }
  const DatabaseGames& part() const { return parts[place().part]; }
};

std::string_view yes(bool is_so) { return is_so ? "yes" : ""; }

// Appends the number of a game that is not one of the line's database.
void append_other(const DoubleRow& row, std::string& out) {
  if (row.game().other == kNoGame) return;
  const GameOfPart other = row.numbers.at(row.game().other);
  out += game_id(row.parts[other.part], other.game);
}

constexpr TsvColumns kDoubleColumns{
    TsvColumn{"group", [](const DoubleRow& row) { return row.group + 1; }},
    TsvColumn{"number", [](const DoubleRow& row) { return row.place().game + 1; }},
    TsvColumn{"why",
              [](const DoubleRow& row) {
                return row.game().is_kept ? std::string() : why(row.stored, row.kept);
              }},
    TsvColumn{
        "white",
        [](const DoubleRow& row) { return row.stored.name(NameKind::Player, row.entry().white); }},
    TsvColumn{
        "black",
        [](const DoubleRow& row) { return row.stored.name(NameKind::Player, row.entry().black); }},
    TsvColumn{"date", [](const DoubleRow& row) { return codec::to_string(row.entry().date); }},
    TsvColumn{"result",
              [](const DoubleRow& row) { return codec::result_token(row.entry().result); }},
    TsvColumn{"plies", [](const DoubleRow& row) { return row.game().plies; }},
    TsvColumn{"longest", [](const DoubleRow& row) { return yes(row.game().is_longest); }},
    TsvColumn{"comments", [](const DoubleRow& row) { return row.game().comments; }},
    TsvColumn{"variations", [](const DoubleRow& row) { return row.game().variations; }},
    TsvColumn{"nags", [](const DoubleRow& row) { return row.game().nags; }},
    TsvColumn{"kept", [](const DoubleRow& row) { return yes(row.game().is_kept); }},
    TsvColumn{"other", [](const DoubleRow& row, std::string& out) { append_other(row, out); }},
    TsvColumn{"path", [](const DoubleRow& row) { return game_path(row.part(), row.place().game); }},
};

// The lines of a table, in sections.
class DoubleLines {
 public:
  DoubleLines(std::shared_ptr<const Doubles> doubles, GameSet parts)
      : doubles_(std::move(doubles)), parts_(std::move(parts)) {}

  std::size_t sections() const {
    const std::size_t lines = doubles_->games().size();
    return std::max<std::size_t>(1, (lines + kLinesOfSection - 1) / kLinesOfSection);
  }

  // Appends a section; the first one includes the header line.
  void append(std::size_t section, std::string& out) const {
    if (section == 0) {
      out += kDoubleColumns.header();
      add_database_column(parts_, out);
    }
    std::size_t i = section * kLinesOfSection;
    const std::size_t end = std::min(i + kLinesOfSection, doubles_->games().size());
    while (i < end) {
      const std::size_t number = doubles_->group_of(i);
      const std::span<const Double> group = doubles_->group(number);
      const std::size_t first = static_cast<std::size_t>(group.data() - doubles_->games().data());
      const StoredGame kept = stored(*std::ranges::find(group, true, &Double::is_kept));
      for (; i < std::min(first + group.size(), end); ++i) {
        const StoredGame game = stored(doubles_->games()[i]);
        const DoubleRow row{.group = number,
                            .stored = game,
                            .kept = kept,
                            .numbers = doubles_->numbers(),
                            .parts = parts_};
        kDoubleColumns.append_row(row, out);
        add_database(row.part(), out);
      }
    }
  }

 private:
  StoredGame stored(const Double& game) const {
    const GameOfPart place = doubles_->numbers().at(game.game);
    const Database& database = *doubles_->numbers().part(place.part);
    return {.database = database, .game = game, .entry = database.entry(place.game)};
  }

  std::shared_ptr<const Doubles> doubles_;
  GameSet parts_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_double_table(std::shared_ptr<const Doubles> doubles,
                                                           GameSet parts,
                                                           const WorkBudget& budget) {
  if (!budget.spend(doubles->games().size() / kDoubleLinesOfGame)) return WorkBudget::exceeded();
  const DoubleLines lines(std::move(doubles), std::move(parts));
  const auto append = [lines](std::size_t section, std::string& out) {
    lines.append(section, out);
    return absl::OkStatus();
  };
  const std::size_t sections = lines.sections();
  ASSIGN_OR_RETURN(SectionEnds ends,
                   measure_sections(sections, workers_for(budget, sections), budget, append));
  return std::make_unique<SectionedContent>(std::move(ends), append);
}

}  // namespace scidfs::fs
