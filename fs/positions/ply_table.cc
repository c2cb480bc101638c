#include "fs/positions/ply_table.h"

#include <absl/functional/function_ref.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/scid/game_plies.h"
#include "codec/text_buffer.h"
#include "fs/content/sectioned_content.h"
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

using TakeText = absl::FunctionRef<void(std::string_view text)>;

// Passes the text of each game to `take`.
absl::Status visit_games(const GameSet& set, std::span<const GameIndex> games, PlyText text,
                         const WorkBudget& budget, TakeText take) {
  const Database& database = *set.database();
  GamePlies plies(database.files().format().castling);
  codec::TextBuffer text_of_game;
  const std::string last = database_field(set);
  // A line belongs to each game, also if its record cannot be read.
  std::size_t next = 0;
  const auto skip_to = [&](std::size_t i) {
    for (; text == PlyText::Uci && next < i; ++next) take("\n");
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
    take(text_of_game.view());
  });
  skip_to(games.size());
  return status;
}

// Passes the text of a section to `take`, in pieces. Section 0 is the header, which games.uci has
// none of.
absl::Status visit_section(const SetSections& sections, std::size_t section, PlyText text,
                           const WorkBudget& budget, TakeText take) {
  if (section == 0) {
    if (text == PlyText::Table) take(header(sections.parts()));
    return absl::OkStatus();
  }
  const GameSet& part = sections.part_of(section - 1);
  return sections.visit(section - 1, [&](std::span<const GameIndex> games) {
    return visit_games(part, games, text, budget, take);
  });
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
  const std::size_t count = (*sections)->count() + 1;
  absl::StatusOr<SectionEnds> ends =
      ends_of_sections(count, workers_for(budget, count), budget,
                       [&](std::size_t section) -> absl::StatusOr<std::uint64_t> {
                         std::uint64_t length = 0;
                         absl::Status status =
                             visit_section(**sections, section, text, budget,
                                           [&](std::string_view piece) { length += piece.size(); });
                         if (!status.ok()) return status;
                         return length;
                       });
  if (!ends.ok()) return ends.status();
  return std::make_shared<const PlySizes>(PlySizes{.ends = *std::move(ends)});
}

absl::StatusOr<std::unique_ptr<Content>> open_plies(const GameSets& games, PlyText text,
                                                    const PlySizes& sizes,
                                                    const WorkBudget& budget) {
  absl::StatusOr<SetSectionsPtr> sections =
      SetSections::over(games.parts(), kGamesOfSection, budget);
  if (!sections.ok()) return sections.status();
  return text_of_sections(
      sizes.ends,
      [sections = *std::move(sections), text](std::size_t section, const WorkBudget& wanted,
                                              std::string& out) {
        return visit_section(*sections, section, text, wanted,
                             [&](std::string_view piece) { out += piece; });
      },
      PackedIndex::kBlock);
}

}  // namespace scidfs::fs
