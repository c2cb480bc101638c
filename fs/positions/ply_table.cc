#include "fs/positions/ply_table.h"

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "codec/bytes.h"
#include "codec/scid/game_plies.h"
#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/content/sectioned_content.h"
#include "fs/database/decoding.h"
#include "fs/scan/set_sections.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::scid::GamePlies;
using codec::scid::PlyColumns;

// No section ends inside a block of the index, so each has one.
constexpr std::size_t kGamesOfSection = 1;

// Returns section 0, of which games.uci has none.
std::string header(const GameSet& parts, PlyText text) {
  if (text == PlyText::Uci) return {};
  std::string line = "number\tply\tsan\tuci\tfen\teval\tclock\tnag\n";
  add_database_column(parts, line);
  return line;
}

// The texts of the games of a set, one after the other.
class GameTexts {
 public:
  GameTexts(const DatabaseGames& set, PlyText text)
      : text_(text),
        last_(database_field(set)),
        plies_(set.database()->files().format().castling) {}

  // Returns the text of a game, valid until the next call.
  std::string_view text(GameIndex game, codec::Bytes record) {
    room_.clear();
    if (text_ == PlyText::Uci) {
      plies_.append_uci(record, room_);
    } else {
      plies_.append_rows(game + 1, record, PlyColumns::All, last_, room_);
    }
    return room_.view();
  }
  // Returns its length.
  std::size_t length(GameIndex game, codec::Bytes record) {
    if (text_ == PlyText::Uci) return text(game, record).size();
    return plies_.rows_length(game + 1, record, last_);
  }

 private:
  const PlyText text_;
  const std::string last_;
  GamePlies plies_;
  codec::TextBuffer room_;
};

// Calls visit(texts, game, record) for each game of a section but the header. A record that cannot
// be read is empty: a line of games.uci belongs to each game.
absl::Status visit_section(
    const SetSections& sections, std::size_t section, PlyText text, const WorkBudget& budget,
    absl::FunctionRef<void(GameTexts& texts, GameIndex game, codec::Bytes record)> visit) {
  GameTexts texts(sections.part_of(section - 1), text);
  return visit_records(sections, section - 1, budget,
                       [&](GameIndex game, codec::Bytes record) { visit(texts, game, record); });
}

absl::StatusOr<std::uint64_t> length_of_section(const SetSections& sections, std::size_t section,
                                                PlyText text, const WorkBudget& budget) {
  if (section == 0) return header(sections.parts(), text).size();
  std::uint64_t length = 0;
  RETURN_IF_ERROR(visit_section(sections, section, text, budget,
                                [&](GameTexts& texts, GameIndex game, codec::Bytes record) {
                                  length += texts.length(game, record);
                                }));
  return length;
}

AppendSection append_sections(SetSectionsPtr sections, PlyText text) {
  return [sections = std::move(sections), text](std::size_t section, const WorkBudget& budget,
                                                std::string& out) {
    if (section == 0) {
      out += header(sections->parts(), text);
      return absl::OkStatus();
    }
    return visit_section(*sections, section, text, budget,
                         [&](GameTexts& texts, GameIndex game, codec::Bytes record) {
                           out += texts.text(game, record);
                         });
  };
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PlySizes>> measure_plies(const GameSet& games, PlyText text,
                                                              const WorkBudget& budget) {
  for (const DatabaseGames& part : games) {
    RETURN_IF_ERROR(begin_decoding(*part.database(), part.list(), budget));
  }
  ASSIGN_OR_RETURN(const SetSectionsPtr sections,
                   SetSections::over(games, kGamesOfSection, budget));
  const std::size_t count = sections->count() + 1;
  ASSIGN_OR_RETURN(
      SectionEnds ends,
      ends_of_sections(count, workers_for(budget, count), budget, [&](std::size_t section) {
        return length_of_section(*sections, section, text, budget);
      }));
  return std::make_shared<const PlySizes>(PlySizes{.ends = std::move(ends)});
}

absl::StatusOr<std::unique_ptr<Content>> open_plies(const GameSet& games, PlyText text,
                                                    const PlySizes& sizes,
                                                    const WorkBudget& budget) {
  ASSIGN_OR_RETURN(SetSectionsPtr sections, SetSections::over(games, kGamesOfSection, budget));
  return text_of_sections(sizes.ends, append_sections(std::move(sections), text),
                          PackedIndex::kBlock);
}

}  // namespace scidfs::fs
