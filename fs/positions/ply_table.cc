#include "fs/positions/ply_table.h"

#include <span>
#include <string>
#include <utility>

#include "codec/scid/game_plies.h"
#include "codec/text_buffer.h"
#include "fs/database/decoding.h"
#include "fs/scan/game_records.h"
#include "fs/scan/set_sections.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::scid::GamePlies;
using codec::scid::PlyColumns;

// No section ends inside a block of the index, so each has one.
constexpr std::size_t kGamesOfSection = 1;

std::string header(SetParts parts) {
  std::string text = "number\tply\tsan\tuci\tfen\teval\tclock\tnag\n";
  add_database_column(parts, text);
  return text;
}

absl::Status append_games(const GameSet& set, std::span<const GameIndex> games, PlyText text,
                          const WorkBudget& budget, std::string& out) {
  const Database& database = *set.database();
  GamePlies plies(database.files().format().castling);
  codec::TextBuffer text_of_game;
  const std::string last = database_field(set);
  // A line belongs to each game, also if its record cannot be read.
  std::size_t next = 0;
  const auto skip_to = [&](std::size_t i) {
    for (; text == PlyText::Uci && next < i; ++next) out += '\n';
    next = i + 1;
  };
  GameRecords records(database, GameFile::Check::Now, budget);
  absl::Status status = records.for_each(games, [&](std::size_t i, codec::Bytes record) {
    skip_to(i);
    text_of_game.clear();
    if (text == PlyText::Uci) {
      plies.append_uci(record, text_of_game);
    } else {
      plies.append_rows(games[i] + 1, record, PlyColumns::All, last, text_of_game);
    }
    out += text_of_game.view();
  });
  skip_to(games.size());
  return status;
}

// Section 0 is the header, which games.uci has none of.
AppendSection append_sections(SetSectionsPtr sections, PlyText text) {
  return [sections = std::move(sections), text](std::size_t section, const WorkBudget& budget,
                                                std::string& out) {
    if (section == 0) {
      if (text == PlyText::Table) out += header(sections->parts());
      return absl::OkStatus();
    }
    const GameSet& part = sections->part_of(section - 1);
    return sections->visit(section - 1, [&](std::span<const GameIndex> games) {
      return append_games(part, games, text, budget, out);
    });
  };
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PlySizes>> measure_plies(const GameSets& games, PlyText text,
                                                              const WorkBudget& budget) {
  for (const GameSet& part : games.parts()) {
    absl::Status status = begin_decoding(*part.database(), part.list(), budget);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<SetSectionsPtr> sections =
      SetSections::over(games.parts(), kGamesOfSection, budget);
  if (!sections.ok()) return sections.status();
  absl::StatusOr<SectionEnds> ends =
      measure_text((*sections)->count() + 1, append_sections(*sections, text), budget);
  if (!ends.ok()) return ends.status();
  return std::make_shared<const PlySizes>(PlySizes{.ends = *std::move(ends)});
}

absl::StatusOr<std::unique_ptr<Content>> open_plies(const GameSets& games, PlyText text,
                                                    const PlySizes& sizes,
                                                    const WorkBudget& budget) {
  absl::StatusOr<SetSectionsPtr> sections =
      SetSections::over(games.parts(), kGamesOfSection, budget);
  if (!sections.ok()) return sections.status();
  return text_of_sections(sizes.ends, append_sections(*std::move(sections), text),
                          PackedIndex::kBlock);
}

}  // namespace scidfs::fs
