#include "fs/columns/array_files.h"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

#include "codec/bytes.h"
#include "codec/scid/game_arrays.h"
#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/columns/numpy_header.h"
#include "fs/content/sectioned_content.h"
#include "fs/scan/set_sections.h"

namespace scidfs::fs {
namespace {

using codec::TextBuffer;
using codec::scid::GameArrays;
using Rows = ArrayLayout::Rows;
using Column = PackedIndex::Column;

// By ArrayFile.
constexpr std::array<ArrayLayout, kArrayFiles> kLayouts = {{
    {.name = "numbers.npy", .type = "<u4", .item_bytes = 4},
    {.name = "results.npy", .type = "|i1", .item_bytes = 1},
    {.name = "elos.npy", .type = "<u2", .item_bytes = 2, .cell = {2}},
    {.name = "databases.npy", .type = "<u2", .item_bytes = 2},
    {.name = "offsets.npy", .type = "<u8", .item_bytes = 8, .rows = Rows::Offsets},
    {.name = "moves.npy", .type = "<u2", .item_bytes = 2, .rows = Rows::Plies},
    {.name = "boards.npy", .type = "|i1", .item_bytes = 1, .rows = Rows::Positions, .cell = {8, 8}},
    {.name = "state.npy", .type = "|u1", .item_bytes = 1, .rows = Rows::Positions, .cell = {4}},
}};

// By codec::Result.
constexpr std::int8_t kUnknownResult = -128;
std::int8_t number_of(codec::Result result) {
  switch (result) {
    case codec::Result::WhiteWins:
      return 1;
    case codec::Result::Draw:
      return 0;
    case codec::Result::BlackWins:
      return -1;
    case codec::Result::Unknown:
      break;
  }
  return kUnknownResult;
}

template <class Number>
void append_number(Number number, TextBuffer& out) {
  char* const at = out.room(sizeof(std::uint64_t));
  codec::store_little_word(number, at);
  out.commit(at + sizeof number);
}

// An array of a set. Section 0 is the header; each other is that of a section of the set, and the
// last of the offsets is where all end.
class ArrayMaker {
 public:
  ArrayMaker(ArrayFile file, SetSectionsPtr sections, std::shared_ptr<const SetPlies> plies)
      : file_(file), sections_(std::move(sections)), plies_(std::move(plies)) {}

  // Returns the ends of all sections. Errors: Cancelled.
  absl::StatusOr<SectionEnds> ends(const WorkBudget& budget) {
    std::vector<std::uint64_t> of_games;
    if (plies_ == nullptr) {
      ASSIGN_OR_RETURN(of_games, sections_->game_ends(budget));
    }
    const std::vector<std::uint64_t>& games = plies_ == nullptr ? of_games : plies_->game_ends;
    const std::uint64_t all = games.empty() ? 0 : games.back();
    const ArrayLayout& layout = array_layout(file_);
    header_ = numpy_header(layout.type,
                           array_shape(file_, all, plies_ == nullptr ? 0 : plies_->all_plies()));
    std::vector<std::uint64_t> ends = {header_.size()};
    for (std::size_t section = 0; section < games.size(); ++section) {
      const std::uint64_t rows = layout.rows == Rows::Plies ? plies_->ply_ends[section]
                                 : layout.rows == Rows::Positions
                                     ? plies_->ply_ends[section] + games[section]
                                     : games[section];
      ends.push_back(header_.size() + rows * layout.row_bytes());
    }
    if (layout.rows == Rows::Offsets) ends.push_back(ends.back() + layout.row_bytes());
    return std::make_shared<const std::vector<std::uint64_t>>(std::move(ends));
  }

  absl::Status append(std::size_t section, const WorkBudget& budget, std::string& out) const {
    if (section == 0) {
      out += header_;
      return absl::OkStatus();
    }
    TextBuffer room;
    RETURN_IF_ERROR(make(section - 1, budget, room));
    out += room.view();
    return absl::OkStatus();
  }

 private:
  absl::Status make(std::size_t section, const WorkBudget& budget, TextBuffer& out) const {
    switch (file_) {
      case ArrayFile::Offsets:
        append_offsets(section, out);
        return absl::OkStatus();
      case ArrayFile::Moves:
      case ArrayFile::Boards:
      case ArrayFile::States:
        return append_decoded(section, budget, out);
      default:
        return sections_->visit(section, [&](std::span<const GameIndex> games) {
          append_columns(section, games, out);
          return absl::OkStatus();
        });
    }
  }
  void append_columns(std::size_t section, std::span<const GameIndex> games, TextBuffer& out) const;
  void append_offsets(std::size_t section, TextBuffer& out) const;
  absl::Status append_decoded(std::size_t section, const WorkBudget& budget, TextBuffer& out) const;

  const ArrayFile file_;
  const SetSectionsPtr sections_;
  const std::shared_ptr<const SetPlies> plies_;
  std::string header_;
};

void ArrayMaker::append_columns(std::size_t section, std::span<const GameIndex> games,
                                TextBuffer& out) const {
  const PackedIndex& index = sections_->part_of(section).database()->index();
  PackedIndex::Values white{};
  PackedIndex::Values black{};
  if (file_ == ArrayFile::Results) index.values(games, Column::Result, white);
  if (file_ == ArrayFile::Elos) {
    index.values(games, Column::WhiteRating, white);
    index.values(games, Column::BlackRating, black);
  }
  const auto database = static_cast<std::uint16_t>(sections_->number_of_part(section));
  for (std::size_t i = 0; i < games.size(); ++i) {
    switch (file_) {
      case ArrayFile::Results:
        append_number(static_cast<std::uint8_t>(number_of(static_cast<codec::Result>(white[i]))),
                      out);
        break;
      case ArrayFile::Elos:
        append_number(static_cast<std::uint16_t>(PackedIndex::elo_of(white[i])), out);
        append_number(static_cast<std::uint16_t>(PackedIndex::elo_of(black[i])), out);
        break;
      case ArrayFile::Databases:
        append_number(database, out);
        break;
      default:
        append_number(static_cast<std::uint32_t>(games[i] + 1), out);
    }
  }
}

void ArrayMaker::append_offsets(std::size_t section, TextBuffer& out) const {
  std::uint64_t at = section == 0 ? 0 : plies_->ply_ends[section - 1];
  if (section == plies_->game_ends.size()) return append_number(at, out);
  const std::uint64_t begin = section == 0 ? 0 : plies_->game_ends[section - 1];
  for (std::uint64_t game = begin; game < plies_->game_ends[section]; ++game) {
    append_number(at, out);
    at += plies_->plies[game];
  }
}

absl::Status ArrayMaker::append_decoded(std::size_t section, const WorkBudget& budget,
                                        TextBuffer& out) const {
  const Database& database = *sections_->part_of(section).database();
  GameArrays arrays(database.files().format().castling);
  return visit_records(*sections_, section, budget, [&](GameIndex game, codec::Bytes record) {
    switch (file_) {
      case ArrayFile::Moves:
        arrays.append_moves(record, database.sizes().is_whole(game), out);
        break;
      case ArrayFile::Boards:
        arrays.append_boards(record, out);
        break;
      default:
        arrays.append_states(record, out);
    }
  });
}

}  // namespace

std::size_t ArrayLayout::row_bytes() const {
  std::size_t items = 1;
  for (const std::uint64_t length : cell) items *= length == 0 ? 1 : length;
  return items * item_bytes;
}

const ArrayLayout& array_layout(ArrayFile file) { return kLayouts[static_cast<std::size_t>(file)]; }

bool needs_plies(ArrayFile file) { return array_layout(file).rows != Rows::Games; }

std::vector<std::uint64_t> array_shape(ArrayFile file, std::uint64_t games, std::uint64_t plies) {
  const ArrayLayout& layout = array_layout(file);
  std::vector<std::uint64_t> shape = {layout.rows == Rows::Plies       ? plies
                                      : layout.rows == Rows::Positions ? plies + games
                                      : layout.rows == Rows::Offsets   ? games + 1
                                                                       : games};
  for (const std::uint64_t length : layout.cell) {
    if (length != 0) shape.push_back(length);
  }
  return shape;
}

absl::StatusOr<std::unique_ptr<Content>> open_array(const GameSet& games, ArrayFile file,
                                                    std::shared_ptr<const SetPlies> plies,
                                                    const WorkBudget& budget) {
  if (file == ArrayFile::Databases && games.size() > std::numeric_limits<std::uint16_t>::max()) {
    return absl::UnimplementedError("too many databases are together");
  }
  ASSIGN_OR_RETURN(SetSectionsPtr sections, SetSections::over(games, kGamesOfArraySection, budget));
  const auto maker = std::make_shared<ArrayMaker>(file, std::move(sections), std::move(plies));
  ASSIGN_OR_RETURN(SectionEnds ends, maker->ends(budget));
  const bool is_decoded =
      file == ArrayFile::Moves || file == ArrayFile::Boards || file == ArrayFile::States;
  return text_of_sections(
      std::move(ends),
      [maker](std::size_t section, const WorkBudget& section_budget, std::string& out) {
        return maker->append(section, section_budget, out);
      },
      is_decoded ? PackedIndex::kBlock : 0);
}

}  // namespace scidfs::fs
