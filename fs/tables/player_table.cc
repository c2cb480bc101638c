#include "fs/tables/player_table.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/content/memory_claim.h"
#include "fs/scan/parts_scan.h"
#include "fs/tables/identities.h"
#include "fs/tables/person_text.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using Column = PackedIndex::Column;

Identities::Of counted_by(PlayerTable::Rows rows) {
  return rows == PlayerTable::Rows::Spellings ? Identities::Of::Spellings : Identities::Of::Persons;
}

constexpr std::size_t kLinesOfSection = 1000;

std::size_t sections_of(std::size_t players) {
  return std::max<std::size_t>(1, (players + kLinesOfSection - 1) / kLinesOfSection);
}

// A player, and the tables for the player's name.
struct PlayerRow {
  const PlayerScore& player;
  const Identities& who;
  const Score results = player.score.results();
};

// A player whom the spelling file describes.
struct PersonRow : PlayerRow {
  const std::uint32_t number = who.person(player.player);
  const SpellingIndex::Person person = who.people()->spelling().person(number);
};

std::optional<Tenths> score_of(const Score& score) {
  if (score.decided() == 0) return std::nullopt;
  return Tenths{tenths_of_percent(score.points(), std::uint64_t{2} * score.decided())};
}

void append_spellings(const PersonRow& row, std::string& out) {
  std::string_view separator;
  for (const std::uint32_t player : row.who.people()->spellings(row.number)) {
    out += separator;
    out += row.who.players().names().text(player);
    separator = "; ";
  }
}

constexpr TsvColumns kPlayerColumns{
    TsvColumn{"name",
              [](const PlayerRow& row) { return known_name(row.who.name(row.player.player)); }},
    TsvColumn{"games", [](const PlayerRow& row) { return row.player.score.games(); }},
    TsvColumn{"white", [](const PlayerRow& row) { return row.player.score[Color::White].all(); }},
    TsvColumn{"black", [](const PlayerRow& row) { return row.player.score[Color::Black].all(); }},
    TsvColumn{"wins", [](const PlayerRow& row) { return row.results[Outcome::Win]; }},
    TsvColumn{"draws", [](const PlayerRow& row) { return row.results[Outcome::Draw]; }},
    TsvColumn{"losses", [](const PlayerRow& row) { return row.results[Outcome::Loss]; }},
    TsvColumn{"points", [](const PlayerRow& row) { return Tenths{row.results.points() * 5}; }},
    TsvColumn{"score", [](const PlayerRow& row) { return score_of(row.results); }},
    TsvColumn{"first_year", [](const PlayerRow& row) { return known(row.player.first_year); }},
    TsvColumn{"last_year", [](const PlayerRow& row) { return known(row.player.last_year); }},
    TsvColumn{"highest_elo", [](const PlayerRow& row) { return known(row.player.highest_elo); }},
    TsvColumn{"path", [](const PlayerRow& row,
                         std::string& out) { row.who.append_path(row.player.player, out); }},
    TsvColumn{"white_score",
              [](const PlayerRow& row) { return score_of(row.player.score[Color::White]); }},
    TsvColumn{"black_score",
              [](const PlayerRow& row) { return score_of(row.player.score[Color::Black]); }},
};

constexpr TsvColumns kPersonColumns =
    kPlayerColumns +
    TsvColumns{
        TsvColumn{
            "title",
            [](const PersonRow& row) { return codec::scid::titles_to_string(row.person.titles); }},
        TsvColumn{"country", [](const PersonRow& row) { return row.person.countries; }},
        TsvColumn{"born", [](const PersonRow& row) { return known_date(row.person.born); }},
        TsvColumn{"died", [](const PersonRow& row) { return known_date(row.person.died); }},
        TsvColumn{"id", [](const PersonRow& row) { return known(row.person.fide_id); }},
        TsvColumn{"spellings", append_spellings},
    };

std::string header_of(PlayerTable::Rows rows) {
  return rows == PlayerTable::Rows::Persons ? kPersonColumns.header() : kPlayerColumns.header();
}

std::span<const PlayerScore> players_of(std::span<const PlayerScore> all, std::size_t section) {
  const std::size_t first = std::min(section * kLinesOfSection, all.size());
  return all.subspan(first, std::min(kLinesOfSection, all.size() - first));
}

// Appends a section of the lines; the first one includes the header line.
void append_lines(const Identities& who, std::span<const PlayerScore> all, PlayerTable::Rows rows,
                  std::size_t section, std::string& out) {
  if (section == 0) out += header_of(rows);
  for (const PlayerScore& player : players_of(all, section)) {
    if (rows == PlayerTable::Rows::Persons) {
      kPersonColumns.append_row(PersonRow{{player, who}}, out);
    } else {
      kPlayerColumns.append_row(PlayerRow{player, who}, out);
    }
  }
}

absl::StatusOr<std::vector<PlayerScore>> count_players(const GameSet& parts, const PartsScan& scan,
                                                       const Identities& who, Subjects subjects,
                                                       PlayerTable::Rows rows,
                                                       const WorkBudget& budget) {
  PlayerTally tally(who, scan.games(), subjects);
  std::vector<ColumnBatch> batches(
      tally.workers(workers_for(budget, scan.chunks())),
      ColumnBatch{Column::White, Column::Black, Column::WhiteRating, Column::BlackRating,
                  Column::Result, Column::Date, Column::Event});
  RETURN_IF_ERROR(scan.visit_all(batches.size(), budget,
                                 [&](std::size_t worker, std::size_t part, std::size_t block,
                                     std::span<const GameIndex> games) {
                                   batches[worker].read(parts[part].database()->index(), block,
                                                        games);
                                   tally.add(part, batches[worker]);
                                   return absl::OkStatus();
                                 }));
  std::vector<PlayerScore> scores = std::move(tally).scores();
  if (rows == PlayerTable::Rows::Persons) {
    std::erase_if(scores, [&who](const PlayerScore& score) {
      return who.person(score.player) == People::kNobody;
    });
  }
  return scores;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PlayerTable>> PlayerTable::make(const GameSet& parts,
                                                                     Subjects subjects, Rows rows,
                                                                     const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const PartsScan scan, PartsScan::over(parts, kPlayerEntriesOfGame, budget));
  const Identities who(parts, counted_by(rows));
  MemoryClaim memory(budget);
  absl::Status status = memory.grow_to(PlayerTally::memory(who, scan.games()));
  if (!status.ok()) return status;
  ASSIGN_OR_RETURN(std::vector<PlayerScore> scores,
                   count_players(parts, scan, who, subjects, rows, budget));
  if (!budget.spend(scores.size() / kPlayerLinesOfGame)) return WorkBudget::exceeded();
  status = sort_by_games(who, budget, scores);
  if (!status.ok()) return status;
  const std::size_t sections = sections_of(scores.size());
  ASSIGN_OR_RETURN(SectionEnds ends,
                   measure_sections(sections, workers_for(budget, sections), budget,
                                    [&](std::size_t section, std::string& out) {
                                      append_lines(who, scores, rows, section, out);
                                      return absl::OkStatus();
                                    }));
  return std::shared_ptr<const PlayerTable>(
      new PlayerTable(rows, std::move(scores), std::move(ends)));
}

void PlayerTable::append_section(CommonPlayersPtr players, std::size_t section,
                                 std::string& out) const {
  append_lines(Identities(std::move(players), counted_by(rows_)), scores_, rows_, section, out);
}

std::unique_ptr<Content> open_player_table(CommonPlayersPtr players,
                                           std::shared_ptr<const PlayerTable> table) {
  const SectionEnds& ends = table->section_ends();
  return std::make_unique<SectionedContent>(
      ends, [players = std::move(players), table = std::move(table)](std::size_t section,
                                                                     std::string& out) {
        table->append_section(players, section, out);
        return absl::OkStatus();
      });
}

}  // namespace scidfs::fs
