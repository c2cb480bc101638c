#include "fs/columns/game_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/date.h"
#include "codec/eco.h"
#include "fs/base/filename.h"
#include "fs/base/status_macros.h"
#include "fs/base/tsv.h"
#include "fs/scan/set_sections.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::scid::Flag;
using codec::scid::IndexEntry;
using codec::scid::NameKind;
using Packed = PackedIndex::Column;

// The games of a set in one block of the index.
class GameBlock {
 public:
  GameBlock(const DatabaseGames& part, std::span<const GameIndex> games,
            std::span<const IndexEntry> entries)
      : part_(part), games_(games), entries_(entries) {}

  const DatabaseGames& part() const { return part_; }
  std::span<const GameIndex> games() const { return games_; }
  // Returns the entries of the index file, for the columns that need them.
  std::span<const IndexEntry> entries() const { return entries_; }
  // Returns a column of the index in memory. Valid until the next call.
  std::span<const std::uint32_t> values(Packed column) {
    part_.database()->index().values(games_, column, values_);
    return std::span(values_).first(games_.size());
  }

 private:
  const DatabaseGames& part_;
  const std::span<const GameIndex> games_;
  const std::span<const IndexEntry> entries_;
  PackedIndex::Values values_{};
};

struct GameColumn {
  std::string_view name;
  ParquetType type;
  void (*add)(GameBlock& block, ChunkValues& out);  // the cells of all games
  // Returns the text that a number stands for; null: the cells are what they are.
  std::string (*text_of)(const DatabaseGames& part, std::int64_t number) = nullptr;
  bool has_nulls = false;
  bool is_distinct = false;
  bool needs_entries = false;
};

// The numbers of a column of the index; those for which is_known() is false are null.
template <Packed kColumn, bool (*kIsKnown)(std::uint32_t)>
void add_known(GameBlock& block, ChunkValues& out) {
  for (const std::uint32_t value : block.values(kColumn)) {
    kIsKnown(value) ? out.add(value) : out.add_null();
  }
}
bool is_any(std::uint32_t) { return true; }
bool is_not_zero(std::uint32_t value) { return value != 0; }
bool is_elo(std::uint32_t value) { return PackedIndex::elo_of(value) != 0; }
bool is_other_rating(std::uint32_t value) {
  return value > PackedIndex::kMostElo && value % (PackedIndex::kMostElo + 1) != 0;
}

template <NameKind kKind, Packed kColumn>
void add_names(GameBlock& block, ChunkValues& out) {
  const auto& names = block.part().database()->files().names()[kKind];
  for (const std::uint32_t id : block.values(kColumn)) {
    known_name(names.text(id)).empty() ? out.add_null() : out.add(id);
  }
}
template <NameKind kKind>
std::string name_of(const DatabaseGames& part, std::int64_t id) {
  return std::string(part.database()->files().names()[kKind].text(static_cast<std::uint32_t>(id)));
}

std::string result_of(const DatabaseGames&, std::int64_t result) {
  return std::string(codec::result_token(static_cast<codec::Result>(result)));
}

std::string rating_of(const DatabaseGames&, std::int64_t number) {
  const auto type = static_cast<codec::RatingType>(number >> PackedIndex::kRatingBits);
  return fmt::format("{} {}", codec::rating_name(type), number & PackedIndex::kMostElo);
}

codec::Date unpacked(std::int64_t packed) {
  return codec::unpack_date(static_cast<std::uint32_t>(packed));
}
std::string date_of(const DatabaseGames&, std::int64_t packed) {
  std::array<char, codec::kDateLength> text{};
  codec::write_date(unpacked(packed), text.data());
  return {text.data(), text.size()};
}
void add_days(GameBlock& block, ChunkValues& out) {
  for (const std::uint32_t packed : block.values(Packed::Date)) {
    const codec::Date date = unpacked(packed);
    const auto day =
        std::chrono::year(date.year) / static_cast<int>(date.month) / static_cast<int>(date.day);
    if (date.year == 0 || !day.ok()) {
      out.add_null();
    } else {
      out.add(std::chrono::sys_days(day).time_since_epoch().count());
    }
  }
}

bool is_code(std::uint32_t eco) { return eco != 0 && eco <= codec::kMaxEco; }
std::string code_of(const DatabaseGames&, std::int64_t eco) {
  return codec::eco_to_string(static_cast<codec::EcoCode>(eco));
}
std::string opening_of(const DatabaseGames& part, std::int64_t eco) {
  const OpeningNames& names = *part.database()->reference().openings;
  return std::string(names.name_of(static_cast<codec::EcoCode>(eco)));
}
void add_openings(GameBlock& block, ChunkValues& out) {
  const OpeningNames* const names = block.part().database()->reference().openings.get();
  for (const std::uint32_t eco : block.values(Packed::Eco)) {
    const bool has_name =
        names != nullptr && !names->name_of(static_cast<codec::EcoCode>(eco)).empty();
    has_name ? out.add(eco) : out.add_null();
  }
}

void add_numbers(GameBlock& block, ChunkValues& out) {
  for (const GameIndex game : block.games()) out.add(std::int64_t{game} + 1);
}

void add_paths(GameBlock& block, ChunkValues& out) {
  const IndexTsvLines& lines = block.part().database()->loaded().tsv_lines();
  const std::string directory = games_directory(block.part());
  std::array<PackedIndex::Values, 4> values{};
  std::size_t next = 0;
  for (const Packed column : {Packed::White, Packed::Black, Packed::Date, Packed::Result}) {
    std::ranges::copy(block.values(column), values[next++].begin());
  }
  for (std::size_t i = 0; i < block.games().size(); ++i) {
    codec::scid::GameEntry entry;
    entry.white = values[0][i];
    entry.black = values[1][i];
    entry.date = codec::unpack_date(values[2][i]);
    entry.result = static_cast<codec::Result>(values[3][i]);
    out.add_written(directory.size() + IndexTsvLines::kPathRoom, [&](char* at) {
      return lines.write_path(block.games()[i], entry, directory, at);
    });
  }
}

void add_offsets(GameBlock& block, ChunkValues& out) {
  PackedIndex::Values high{};
  std::ranges::copy(block.values(Packed::OffsetHigh), high.begin());
  const auto low = block.values(Packed::Offset);
  for (std::size_t i = 0; i < low.size(); ++i) out.add(std::int64_t{high[i]} << 32 | low[i]);
}

template <unsigned kFlag>
void add_flags(GameBlock& block, ChunkValues& out) {
  for (const std::uint32_t flags : block.values(Packed::Flags)) out.add(flags >> kFlag & 1);
}

// Queens, rooks, bishops, knights, pawns of a side.
template <unsigned kShift>
void add_material(GameBlock& block, ChunkValues& out) {
  for (const IndexEntry& entry : block.entries()) {
    const std::uint32_t bits = entry.material >> kShift;
    out.add_list(std::to_array<std::int64_t>(
        {bits >> 10 & 3, bits >> 8 & 3, bits >> 6 & 3, bits >> 4 & 3, bits & 0xF}));
  }
}

void add_home_pawns(GameBlock& block, ChunkValues& out) {
  for (const IndexEntry& entry : block.entries()) {
    out.add_written(codec::scid::kHomePawnsRoom,
                    [&](char* at) { return codec::scid::write_home_pawns(entry, at); });
  }
}

template <auto kCode>
void add_counts(GameBlock& block, ChunkValues& out) {
  for (const IndexEntry& entry : block.entries()) out.add(codec::scid::shown_count(entry.*kCode));
}

template <auto kField>
void add_fields(GameBlock& block, ChunkValues& out) {
  for (const IndexEntry& entry : block.entries()) out.add(entry.*kField);
}

void add_databases(GameBlock& block, ChunkValues& out) { out.add_run(0, block.games().size()); }
std::string database_of(const DatabaseGames& part, std::int64_t) {
  return std::string(part.database_path());
}

constexpr GameColumn flag_column(std::string_view name, void (*add)(GameBlock&, ChunkValues&)) {
  return {.name = name, .type = ParquetType::Bool, .add = add};
}
template <NameKind kKind, Packed kColumn>
constexpr GameColumn name_column(std::string_view name) {
  return {.name = name,
          .type = ParquetType::Text,
          .add = &add_names<kKind, kColumn>,
          .text_of = &name_of<kKind>,
          .has_nulls = true};
}
template <Packed kColumn>
constexpr GameColumn elo_column(std::string_view name) {
  return {.name = name,
          .type = ParquetType::Int32,
          .add = &add_known<kColumn, &is_elo>,
          .has_nulls = true};
}
template <Packed kColumn>
constexpr GameColumn rating_column(std::string_view name) {
  return {.name = name,
          .type = ParquetType::Text,
          .add = &add_known<kColumn, &is_other_rating>,
          .text_of = &rating_of,
          .has_nulls = true};
}
constexpr GameColumn entry_column(std::string_view name, ParquetType type,
                                  void (*add)(GameBlock&, ChunkValues&)) {
  return {.name = name, .type = type, .add = add, .needs_entries = true};
}

constexpr auto kColumns = std::to_array<GameColumn>({
    {.name = "number", .type = ParquetType::Int32, .add = &add_numbers, .is_distinct = true},
    name_column<NameKind::Player, Packed::White>("white"),
    elo_column<Packed::WhiteRating>("white_elo"),
    name_column<NameKind::Player, Packed::Black>("black"),
    elo_column<Packed::BlackRating>("black_elo"),
    {.name = "result",
     .type = ParquetType::Text,
     .add = &add_known<Packed::Result, &is_any>,
     .text_of = &result_of},
    {.name = "date",
     .type = ParquetType::Text,
     .add = &add_known<Packed::Date, &is_any>,
     .text_of = &date_of},
    name_column<NameKind::Round, Packed::Round>("round"),
    name_column<NameKind::Event, Packed::Event>("event"),
    name_column<NameKind::Site, Packed::Site>("site"),
    {.name = "eco",
     .type = ParquetType::Text,
     .add = &add_known<Packed::Eco, &is_code>,
     .text_of = &code_of,
     .has_nulls = true},
    entry_column("plies", ParquetType::Int32, &add_fields<&IndexEntry::plies>),
    {.name = "path", .type = ParquetType::Text, .add = &add_paths, .is_distinct = true},
    {.name = "event_date",
     .type = ParquetType::Text,
     .add = &add_known<Packed::EventDate, &is_not_zero>,
     .text_of = &date_of,
     .has_nulls = true},
    flag_column("own_start", &add_flags<Flag::kFlagStart>),
    flag_column("promotion", &add_flags<Flag::kFlagPromotion>),
    flag_column("underpromotion", &add_flags<Flag::kFlagUnderpromotion>),
    flag_column("deleted", &add_flags<Flag::kFlagDeleted>),
    flag_column("white_opening", &add_flags<Flag::kFlagWhiteOpening>),
    flag_column("black_opening", &add_flags<Flag::kFlagBlackOpening>),
    flag_column("middlegame", &add_flags<Flag::kFlagMiddlegame>),
    flag_column("endgame", &add_flags<Flag::kFlagEndgame>),
    flag_column("novelty", &add_flags<Flag::kFlagNovelty>),
    flag_column("pawn_structure", &add_flags<Flag::kFlagPawnStructure>),
    flag_column("tactics", &add_flags<Flag::kFlagTactics>),
    flag_column("kingside", &add_flags<Flag::kFlagKingside>),
    flag_column("queenside", &add_flags<Flag::kFlagQueenside>),
    flag_column("brilliancy", &add_flags<Flag::kFlagBrilliancy>),
    flag_column("blunder", &add_flags<Flag::kFlagBlunder>),
    flag_column("user", &add_flags<Flag::kFlagUser>),
    flag_column("custom1", &add_flags<Flag::kFlagCustom1>),
    flag_column("custom2", &add_flags<Flag::kFlagCustom1 + 1>),
    flag_column("custom3", &add_flags<Flag::kFlagCustom1 + 2>),
    flag_column("custom4", &add_flags<Flag::kFlagCustom1 + 3>),
    flag_column("custom5", &add_flags<Flag::kFlagCustom1 + 4>),
    flag_column("custom6", &add_flags<Flag::kFlagCustom1 + 5>),
    entry_column("variations", ParquetType::Int32, &add_counts<&IndexEntry::variation_code>),
    entry_column("comments", ParquetType::Int32, &add_counts<&IndexEntry::comment_code>),
    entry_column("nags", ParquetType::Int32, &add_counts<&IndexEntry::nag_code>),
    entry_column("stored_line", ParquetType::Int32, &add_fields<&IndexEntry::stored_line>),
    entry_column("white_material", ParquetType::Lists, &add_material<12>),
    entry_column("black_material", ParquetType::Lists, &add_material<0>),
    entry_column("home_pawns", ParquetType::Text, &add_home_pawns),
    {.name = "offset", .type = ParquetType::Int64, .add = &add_offsets, .is_distinct = true},
    {.name = "length", .type = ParquetType::Int32, .add = &add_known<Packed::Length, &is_any>},
    {.name = "opening",
     .type = ParquetType::Text,
     .add = &add_openings,
     .text_of = &opening_of,
     .has_nulls = true},
    {.name = "iso_date", .type = ParquetType::Date, .add = &add_days, .has_nulls = true},
    rating_column<Packed::WhiteRating>("white_rating"),
    rating_column<Packed::BlackRating>("black_rating"),
    // The last, which a set of one database lacks.
    {.name = "database", .type = ParquetType::Text, .add = &add_databases, .text_of = &database_of},
});

std::vector<ParquetColumn> columns_of(const GameSet& games) {
  std::vector<ParquetColumn> columns;
  columns.reserve(kColumns.size());
  for (const GameColumn& column : kColumns) {
    columns.push_back({.name = std::string(column.name),
                       .type = column.type,
                       .has_nulls = column.has_nulls,
                       .is_distinct = column.is_distinct});
  }
  if (!are_of_several(games)) columns.pop_back();
  return columns;
}

class GameTable : public ParquetTable {
 public:
  GameTable(const GameSet& games, SetSectionsPtr sections, std::vector<std::uint64_t> ends)
      : ParquetTable(columns_of(games)), sections_(std::move(sections)), ends_(std::move(ends)) {}

  std::size_t groups() const override { return ends_.size(); }
  std::uint64_t rows_of(std::size_t group) const override {
    return ends_[group] - (group == 0 ? 0 : ends_[group - 1]);
  }
  std::uint64_t rows() const override { return ends_.empty() ? 0 : ends_.back(); }
  bool is_by_column() const override { return true; }
  std::size_t rows_of_game() const override { return 5; }

  absl::Status fill(std::size_t group, std::size_t first, std::span<ChunkValues> columns,
                    const WorkBudget& budget) const override {
    const DatabaseGames& part = sections_->part_of(group);
    const IndexFile& index = part.database()->files().index_file();
    const auto wanted = std::span(kColumns).subspan(first, columns.size());
    const bool needs_entries = std::ranges::any_of(wanted, &GameColumn::needs_entries);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i].text_of == nullptr) continue;
      columns[i].set_texts([&part, text_of = wanted[i].text_of](std::int64_t number) {
        return text_of(part, number);
      });
    }
    std::vector<IndexEntry> entries;
    return sections_->visit(group, [&](std::span<const GameIndex> games) {
      if (budget.is_cancelled()) return WorkBudget::cancelled();
      if (needs_entries) {
        const std::size_t block = games.front() / PackedIndex::kBlock;
        RETURN_IF_ERROR(index.read_entries(block, games, entries));
      }
      GameBlock of_block(part, games, entries);
      for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i].add(of_block, columns[i]);
      return absl::OkStatus();
    });
  }

 private:
  const SetSectionsPtr sections_;
  const std::vector<std::uint64_t> ends_;  // rows up to the end of each group
};

}  // namespace

absl::StatusOr<std::shared_ptr<const ParquetTable>> game_table(const GameSet& games,
                                                               const WorkBudget& budget) {
  ASSIGN_OR_RETURN(SetSectionsPtr sections, SetSections::over(games, kRowsOfGroup, budget));
  ASSIGN_OR_RETURN(std::vector<std::uint64_t> ends, sections->game_ends(budget));
  return std::make_shared<const GameTable>(games, std::move(sections), std::move(ends));
}

}  // namespace scidfs::fs
