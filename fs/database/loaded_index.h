// The index of a database in memory, and what it says about all games together.
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "fs/database/database_files.h"
#include "fs/database/index_tsv_line.h"
#include "fs/database/unknown_names.h"

namespace scidfs::fs {

class StoredIndex;
class StoredParts;
struct StoredFacts;

// The two parts of a database: the games of games/ and those of deleted/. With show_deleted a
// deleted game is in both.
enum class Part : std::uint8_t { Shown, Deleted };
inline constexpr std::size_t kParts = 2;
constexpr std::string_view directory_of(Part part) {
  return part == Part::Shown ? "games" : "deleted";
}

// The first and the last of some dates. Dates without a year do not count.
struct DateRange {
  codec::Date first;
  codec::Date last;

  void add(codec::Date date) {
    if (date.year == 0) return;
    if (first.empty() || date < first) first = date;
    last = std::max(last, date);
  }
};

// The packed index, the parts of the database, and everything else that one pass over the entries
// finds. In the packed index all unknown names of a kind have one id (UnknownNames). Immutable once
// loaded; any number of threads may read.
class LoadedIndex {
 public:
  // The files must outlive this.
  LoadedIndex(const DatabaseFiles& files, const DatabaseOptions& options);
  // Reads all entries. Call this once, before anything below, with the index file of `files`.
  // Errors: those of IndexFile::load().
  absl::Status load(IndexFile& file, const std::function<bool()>& is_cancelled);

  // Sets what load() finds from an index file instead, which outlives this. Returns false, and
  // changes nothing, if it does not fit.
  bool adopt(const StoredIndex& stored, IndexFile& file);
  // Adds what load() has found to an index file. `facts`: the same, in numbers.
  void store(StoredParts& parts, StoredFacts& facts) const;
  // Returns the index file; null if there is none.
  const StoredIndex* stored() const { return stored_; }
  // Returns what the entries say about names and records.
  const DatabaseFiles::Records& records() const { return records_; }

  const PackedIndex& packed() const { return packed_; }
  // Returns the number of games with an index entry.
  GameIndex games() const { return files_.index_file().games(); }

  // Returns whether a game with these flags belongs to a part.
  bool holds(Part part, std::uint32_t flags) const {
    const bool deleted = (flags >> codec::scid::kFlagDeleted & 1) != 0;
    return part == Part::Deleted ? deleted : !deleted || shows_deleted_;
  }
  bool has(Part part, GameIndex game) const {
    return holds(part, packed_.value(game, PackedIndex::Column::Flags));
  }
  GameList shown() const {
    return GameList::all_but(games(),
                             shows_deleted_ ? std::span<const std::uint8_t>() : deleted_.bytes());
  }
  GameList deleted() const { return GameList::of(deleted_.bytes()); }
  std::size_t shown_count() const { return games() - (shows_deleted_ ? 0 : deleted_.size()); }
  std::size_t deleted_count() const { return deleted_.size(); }
  // Calls visit(game, values) for each shown game from `first`, which begins a block, to `last`-1,
  // with its values of some columns.
  template <std::size_t kCount, class Visit>
  void for_each_shown(GameIndex first, GameIndex last,
                      const std::array<PackedIndex::Column, kCount>& columns,
                      const Visit& visit) const {
    const bool leaves_out_deleted = shown_count() != games();
    PackedIndex::Values flags{};
    std::array<PackedIndex::Values, kCount> values{};
    std::array<std::uint32_t, kCount> row;
    for (GameIndex begin = first; begin < last; begin += PackedIndex::kBlock) {
      const std::size_t block = begin / PackedIndex::kBlock;
      if (leaves_out_deleted) packed_.values(block, PackedIndex::Column::Flags, flags);
      for (std::size_t i = 0; i < kCount; ++i) packed_.values(block, columns[i], values[i]);
      const std::size_t count = std::min<std::size_t>(PackedIndex::kBlock, last - begin);
      for (std::size_t game = 0; game < count; ++game) {
        if (leaves_out_deleted && (flags[game] >> codec::scid::kFlagDeleted & 1) != 0) continue;
        for (std::size_t i = 0; i < kCount; ++i) row[i] = values[i][game];
        visit(static_cast<GameIndex>(begin + game), row);
      }
    }
  }

  // Returns whether any shown game has a flag. Builds no list.
  bool has_flag(codec::scid::Flag flag) const { return (shown_flags_ >> flag & 1) != 0; }
  // Returns whether any shown game has comments, variations or NAGs, by the counts of the index.
  bool has_annotated() const { return has_annotated_; }
  // Returns the dates of all shown games.
  const DateRange& shown_dates() const { return shown_dates_; }
  // Returns whether a player has a shown game, and so is in GameLists::player_set(). Accepts any
  // id.
  bool is_shown_player(std::uint32_t id) const {
    return id < is_shown_player_.size() && is_shown_player_[id] != 0;
  }

  // Return the writer of the lines of index.tsv, and the bytes of all lines of a part for each
  // block of the index.
  const IndexTsvLines& tsv_lines() const { return tsv_lines_; }
  std::span<const std::uint32_t> tsv_bytes(Part part) const {
    return tsv_bytes_[static_cast<std::size_t>(part)];
  }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  const DatabaseFiles& files_;
  const bool shows_deleted_;
  const StoredIndex* stored_ = nullptr;
  DatabaseFiles::Records records_;
  PackedIndex packed_;
  DeltaList deleted_;
  std::uint32_t shown_flags_ = 0;  // of all shown games together
  bool has_annotated_ = false;
  DateRange shown_dates_;
  std::vector<std::uint8_t> is_shown_player_;  // by id
  const IndexTsvLines tsv_lines_;
  std::array<std::vector<std::uint32_t>, kParts> tsv_bytes_;
};

}  // namespace scidfs::fs
