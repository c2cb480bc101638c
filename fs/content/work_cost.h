// The price of work: how much of it takes about as long as the decoding of one game, the unit of a
// WorkBudget.
#pragma once

#include <cstddef>

namespace scidfs::fs {

// Bytes of records, for games that are longer than usual (games_of_records()).
inline constexpr std::size_t kRecordBytesOfGame = 256;

// Entries of the index in memory, of which a few columns are read, one after the other.
inline constexpr std::size_t kMemoryEntriesOfGame = 1000;
// Entries whose players are counted: the counters are scattered over memory.
inline constexpr std::size_t kPlayerEntriesOfGame = 20;
// Entries of an event: they are unpacked for its crosstable, or sorted by round.
inline constexpr std::size_t kEventEntriesOfGame = 10;
// Entries in the index file, which are read and parsed. GameScan::spend_blocks() counts each block
// as a game, too, since one entry costs the read of its block.
inline constexpr std::size_t kFileEntriesOfGame = 20;

// Known sizes of texts: numbers in memory that are added up.
inline constexpr std::size_t kSizesOfGame = 1000;

// Names that are searched or looked up: each lies somewhere else in memory. Long ones count by
// their bytes.
inline constexpr std::size_t kNamesOfGame = 200;
inline constexpr std::size_t kNameBytesOfGame = 8000;
// Names that are copied, folded and sorted.
inline constexpr std::size_t kFoldedNamesOfGame = 50;

// Lines of a table, which are measured and written; players are sorted first.
inline constexpr std::size_t kPlayerLinesOfGame = 10;
inline constexpr std::size_t kDoubleLinesOfGame = 20;
// Bytes of a table that are written in another form.
inline constexpr std::size_t kTableBytesOfGame = 4096;

}  // namespace scidfs::fs
