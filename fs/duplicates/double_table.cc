#include "fs/duplicates/double_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "fs/base/tsv.h"
#include "fs/content/sectioned_content.h"
#include "fs/scan/game_scan.h"
#include "fs/tables/paths.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::NameKind;

constexpr std::size_t kLinesOfSection = 1000;

// Returns what a game has in common with the kept game of its group.
std::string why(const Double& game, const GameEntry& entry, const Double& kept,
                const GameEntry& kept_entry) {
  const bool are_named_alike = entry.white == kept_entry.white && entry.black == kept_entry.black;
  std::string why(are_named_alike ? "players" : "players under other names");
  if (game.plies == kept.plies) {
    why += ", moves";
  } else {
    fmt::format_to(std::back_inserter(why), ", the first {} moves", game.plies);
  }
  if (entry.date == kept_entry.date && !entry.date.empty()) {
    why += ", date";
  } else if (!entry.date.empty() && !kept_entry.date.empty()) {
    why += ", date as far as known";
  }
  // No group has two games whose known results differ.
  if (entry.result == kept_entry.result && entry.result != codec::Result::Unknown)
    why += ", result";
  if (entry.event == kept_entry.event && entry.site == kept_entry.site) why += ", event";
  return why;
}

struct DoubleRow {
  std::size_t group = 0;
  const Double& game;
  const GameEntry entry;
  const Double& kept;
  const GameEntry& kept_entry;
  const codec::scid::NameTable& players;
};

std::string_view yes(bool is_so) { return is_so ? "yes" : ""; }

constexpr TsvColumns kDoubleColumns{
    TsvColumn{"group", [](const DoubleRow& row) { return row.group + 1; }},
    TsvColumn{"number", [](const DoubleRow& row) { return row.game.game + 1; }},
    TsvColumn{"why",
              [](const DoubleRow& row) {
                if (row.game.is_kept) return std::string();
                return why(row.game, row.entry, row.kept, row.kept_entry);
              }},
    TsvColumn{"white", [](const DoubleRow& row) { return row.players.text(row.entry.white); }},
    TsvColumn{"black", [](const DoubleRow& row) { return row.players.text(row.entry.black); }},
    TsvColumn{"date", [](const DoubleRow& row) { return codec::to_string(row.entry.date); }},
    TsvColumn{"result", [](const DoubleRow& row) { return codec::result_token(row.entry.result); }},
    TsvColumn{"plies", [](const DoubleRow& row) { return row.game.plies; }},
    TsvColumn{"longest", [](const DoubleRow& row) { return yes(row.game.is_longest); }},
    TsvColumn{"comments", [](const DoubleRow& row) { return row.game.comments; }},
    TsvColumn{"variations", [](const DoubleRow& row) { return row.game.variations; }},
    TsvColumn{"nags", [](const DoubleRow& row) { return row.game.nags; }},
    TsvColumn{"kept", [](const DoubleRow& row) { return yes(row.game.is_kept); }},
    TsvColumn{"other",
              [](const DoubleRow& row) {
                return row.game.other == kNoGame ? std::nullopt : std::optional(row.game.other + 1);
              }},
    TsvColumn{"path", [](const DoubleRow& row) { return game_path(Part::Shown, row.game.game); }},
};

class Lines {
 public:
  Lines(const Database& database, const Doubles& doubles)
      : database_(database), doubles_(doubles) {}

  static std::size_t sections(const Doubles& doubles) {
    return std::max<std::size_t>(1,
                                 (doubles.games().size() + kLinesOfSection - 1) / kLinesOfSection);
  }

  // Appends a section; the first one includes the header line.
  void append(std::size_t section, std::string& out) const {
    if (section == 0) out += kDoubleColumns.header();
    std::size_t i = section * kLinesOfSection;
    const std::size_t end = std::min(i + kLinesOfSection, doubles_.games().size());
    while (i < end) {
      const std::size_t number = doubles_.group_of(i);
      const std::span<const Double> group = doubles_.group(number);
      const std::size_t first = static_cast<std::size_t>(group.data() - doubles_.games().data());
      const Double& kept = *std::ranges::find(group, true, &Double::is_kept);
      const GameEntry kept_entry = database_.entry(kept.game);
      for (; i < std::min(first + group.size(), end); ++i) {
        const Double& game = doubles_.games()[i];
        kDoubleColumns.append_row(DoubleRow{.group = number,
                                            .game = game,
                                            .entry = database_.entry(game.game),
                                            .kept = kept,
                                            .kept_entry = kept_entry,
                                            .players = database_.names()[NameKind::Player]},
                                  out);
      }
    }
  }

 private:
  const Database& database_;
  const Doubles& doubles_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_double_table(DatabasePtr database,
                                                           std::shared_ptr<const Doubles> doubles,
                                                           const WorkBudget& budget) {
  if (!budget.spend(doubles->games().size() / kDoubleLinesOfGame)) return WorkBudget::exceeded();
  const std::size_t sections = Lines::sections(*doubles);
  absl::StatusOr<SectionEnds> ends = measure_sections(
      sections, workers_for(budget, sections), budget, [&](std::size_t section, std::string& out) {
        Lines(*database, *doubles).append(section, out);
        return absl::OkStatus();
      });
  if (!ends.ok()) return ends.status();
  return std::make_unique<SectionedContent>(
      *std::move(ends), [database = std::move(database), doubles = std::move(doubles)](
                            std::size_t section, std::string& out) {
        Lines(*database, *doubles).append(section, out);
        return absl::OkStatus();
      });
}

}  // namespace scidfs::fs
