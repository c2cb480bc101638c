#include "fs/columns/ply_tables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/game_arrays.h"
#include "codec/scid/game_plies.h"
#include "fs/base/status_macros.h"
#include "fs/scan/set_sections.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::PieceType;
using codec::Position;
using codec::scid::GameArrays;
using codec::scid::GamePlies;
using Column = PackedIndex::Column;

// A game, or its part in a group.
struct PlyGame {
  GameIndex game;
  codec::Bytes record;
  std::size_t skipped = 0;  // its first rows, which are not of the group
  std::size_t rows = 0;     // after these
};

// The columns in the order of the table, each the next.
class RowCells {
 public:
  explicit RowCells(std::span<ChunkValues> columns) : columns_(columns) {}

  void begin_at(std::size_t column) { next_ = column; }
  ChunkValues& next() { return columns_[next_++]; }
  void number(std::int64_t value) { next().add(value); }
  void text(const codec::scid::PlyFields::Text& value) {
    const std::int64_t number = short_text({value.data(), value.size()});
    number == 0 ? next().add_null() : next().add(number);
  }
  template <class Number>
  void known(const std::optional<Number>& value) {
    value.has_value() ? next().add(*value) : next().add_null();
  }

 private:
  const std::span<ChunkValues> columns_;
  std::size_t next_ = 0;
};

constexpr std::array<PieceType, codec::kPieceTypes> kPieces = {PieceType::Pawn,   PieceType::Knight,
                                                               PieceType::Bishop, PieceType::Rook,
                                                               PieceType::Queen,  PieceType::King};

std::vector<ParquetColumn> columns_of(PlyTableKind kind, const GameSet& games) {
  std::vector<ParquetColumn> columns;
  const auto add = [&](std::string name, ParquetType type, bool has_nulls = false) {
    columns.push_back({.name = std::move(name), .type = type, .has_nulls = has_nulls});
  };
  add("number", ParquetType::Int32);
  add("ply", ParquetType::Int32);
  if (kind == PlyTableKind::Plies) {
    for (const char* const name : {"san", "uci"}) add(name, ParquetType::Text, true);
    add("eval", ParquetType::Double, true);
    add("clock", ParquetType::Int64, true);
    add("nag", ParquetType::Lists);
    add("result", ParquetType::Text);
    for (const char* const name : {"white_elo", "black_elo"}) add(name, ParquetType::Int32, true);
  } else {
    for (const char* const side : {"white_", "black_"}) {
      for (const char* const piece : {"pawns", "knights", "bishops", "rooks", "queens", "kings"}) {
        add(std::string(side) + piece, ParquetType::UInt64);
      }
    }
    for (const char* const name : {"side", "castling"}) add(name, ParquetType::Int32);
    add("en_passant", ParquetType::Int32, true);
    add("halfmove_clock", ParquetType::Int32);
  }
  add("damaged", ParquetType::Bool);
  if (are_of_several(games)) add("database", ParquetType::Text);
  return columns;
}

// The rows of one section after the other. Used by one thread. Columns in which all rows of a game
// have the same cell get them at once.
class PlyRows {
 public:
  PlyRows(PlyTableKind kind, const DatabaseGames& part, std::size_t number_of_part,
          std::span<ChunkValues> columns)
      : kind_(kind),
        part_(part),
        number_of_part_(static_cast<std::int64_t>(number_of_part)),
        plies_(part.database()->files().format().castling),
        arrays_(part.database()->files().format().castling),
        columns_(columns),
        out_(columns) {}

  void add(const PlyGame& game) {
    kind_ == PlyTableKind::Plies ? add_plies(game) : add_positions(game);
    const bool is_damaged = part_.database()->sizes().is_damaged(game.game);
    columns_[0].add_run(std::int64_t{game.game} + 1, game.rows);
    const std::size_t last = columns_.size() - (part_.database_path().empty() ? 1 : 2);
    columns_[last].add_run(is_damaged ? 1 : 0, game.rows);
    if (last + 1 == columns_.size()) return;
    columns_[last + 1].add_run(number_of_part_, game.rows);
  }

 private:
  // After `number`: ply san uci eval clock nag result white_elo black_elo.
  void add_plies(const PlyGame& game) {
    const auto fields = plies_.fields(game.record);
    for (std::size_t row = game.skipped; row < game.skipped + game.rows; ++row) {
      out_.begin_at(1);
      out_.number(static_cast<std::int64_t>(row));
      add_ply(row < fields.size() ? fields[row] : codec::scid::PlyFields());
    }
    const PackedIndex& index = part_.database()->index();
    const auto add_elos = [&](Column column) {
      const std::uint32_t elo = PackedIndex::elo_of(index.value(game.game, column));
      elo == 0 ? out_.next().add_null(game.rows) : out_.next().add_run(elo, game.rows);
    };
    out_.next().add_run(index.value(game.game, Column::Result), game.rows);
    add_elos(Column::WhiteRating);
    add_elos(Column::BlackRating);
  }
  void add_ply(const codec::scid::PlyFields& fields) {
    out_.text(fields.san);
    out_.text(fields.uci);
    if (fields.notes.eval.has_value()) {
      out_.next().add_double(*fields.notes.eval / 100.0);
    } else {
      out_.next().add_null();
    }
    out_.known(fields.notes.clock);
    nags_.assign(fields.nags().begin(), fields.nags().end());
    out_.next().add_list(nags_);
  }

  void add_positions(const PlyGame& game) {
    std::size_t rows = 0;
    arrays_.for_each_position(game.record, [&](std::uint32_t ply, const Position& position) {
      if (ply < game.skipped || rows == game.rows) return;
      ++rows;
      out_.begin_at(1);
      out_.number(ply);
      for (const Color color : {Color::White, Color::Black}) {
        for (const PieceType piece : kPieces) {
          out_.number(static_cast<std::int64_t>(position.pieces(color, piece)));
        }
      }
      add_state(codec::scid::state_bytes(position));
    });
    if (rows == game.rows) return;
    out_.begin_at(1);  // no position is known
    for (std::size_t i = 0; i < 1 + 2 * kPieces.size(); ++i) out_.number(0);
    add_state({0, 0, codec::kNoSquare, 0});
  }
  void add_state(const codec::scid::ByteState& state) {
    out_.number(state[0]);
    out_.number(state[1]);
    state[2] == codec::kNoSquare ? out_.next().add_null() : out_.number(state[2]);
    out_.number(state[3]);
  }

  const PlyTableKind kind_;
  const DatabaseGames& part_;
  const std::int64_t number_of_part_;
  GamePlies plies_;
  GameArrays arrays_;
  const std::span<ChunkValues> columns_;
  RowCells out_;
  std::vector<std::int64_t> nags_;
};

class PlyTable : public ParquetTable {
 public:
  PlyTable(const GameSet& games, PlyTableKind kind, SetSectionsPtr sections,
           std::shared_ptr<const SetPlies> plies)
      : ParquetTable(columns_of(kind, games)),
        kind_(kind),
        sections_(std::move(sections)),
        plies_(std::move(plies)) {}

  std::size_t groups() const override { return (rows() + kRowsOfGroup - 1) / kRowsOfGroup; }
  std::uint64_t rows_of(std::size_t group) const override {
    return std::min<std::uint64_t>(kRowsOfGroup, rows() - group * std::uint64_t{kRowsOfGroup});
  }
  std::uint64_t rows() const override { return plies_->all_positions(); }
  bool is_by_column() const override { return false; }
  std::size_t rows_of_game() const override { return 40; }

  absl::Status fill(std::size_t group, std::size_t, std::span<ChunkValues> columns,
                    const WorkBudget& budget) const override {
    const std::uint64_t begin = group * std::uint64_t{kRowsOfGroup};
    const std::uint64_t end = begin + rows_of(group);
    set_texts(columns);
    for (std::size_t section = section_at(begin); begin_of(section) < end; ++section) {
      const DatabaseGames& part = sections_->part_of(section);
      PlyRows rows(kind_, part, sections_->number_of_part(section), columns);
      std::uint64_t at = begin_of(section);
      std::size_t number = section == 0 ? 0 : plies_->game_ends[section - 1];
      RETURN_IF_ERROR(
          visit_records(*sections_, section, budget, [&](GameIndex game, codec::Bytes record) {
            const std::uint64_t next = at + plies_->plies[number++] + 1;
            const std::uint64_t first = std::max(at, begin);
            const std::uint64_t last = std::min(next, end);
            if (first < last) {
              rows.add(
                  {.game = game, .record = record, .skipped = first - at, .rows = last - first});
            }
            at = next;
          }));
      if (section + 1 == plies_->game_ends.size()) break;
    }
    return absl::OkStatus();
  }

 private:
  void set_texts(std::span<ChunkValues> values) const {
    for (std::size_t column = 0; column < values.size(); ++column) {
      const std::string& name = columns()[column].name;
      if (name == "san" || name == "uci") values[column].set_texts(&text_of_short);
      if (name == "result") {
        values[column].set_texts([](std::int64_t result) {
          return std::string(codec::result_token(static_cast<codec::Result>(result)));
        });
      }
      if (name == "database") {
        values[column].set_texts([this](std::int64_t part) {
          return std::string(sections_->parts()[static_cast<std::size_t>(part)].database_path());
        });
      }
    }
  }
  // Returns the rows before a section.
  std::uint64_t begin_of(std::size_t section) const {
    return section == 0 ? 0 : plies_->ply_ends[section - 1] + plies_->game_ends[section - 1];
  }
  // Returns the section of a row.
  std::size_t section_at(std::uint64_t row) const {
    std::size_t low = 0;
    for (std::size_t high = plies_->game_ends.size(); low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      begin_of(middle + 1) <= row ? low = middle + 1 : high = middle;
    }
    return low;
  }

  const PlyTableKind kind_;
  const SetSectionsPtr sections_;
  const std::shared_ptr<const SetPlies> plies_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const ParquetTable>> ply_table(const GameSet& games,
                                                              PlyTableKind kind,
                                                              std::shared_ptr<const SetPlies> plies,
                                                              const WorkBudget& budget) {
  ASSIGN_OR_RETURN(SetSectionsPtr sections, SetSections::over(games, kGamesOfArraySection, budget));
  return std::make_shared<const PlyTable>(games, kind, std::move(sections), std::move(plies));
}

}  // namespace scidfs::fs
