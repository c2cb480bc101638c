// Reads games of one database and turns them into text.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "codec/game_visitor.h"
#include "codec/scid/game_epd.h"
#include "codec/scid/game_text.h"
#include "codec/text_buffer.h"
#include "fs/database/database_files.h"

namespace scidfs::fs {

// Returns whether a game's record lies in a game file of that size.
constexpr bool lies_within(const codec::scid::GameEntry& entry, std::uint64_t file_size) {
  return entry.length != 0 && entry.offset <= file_size && entry.length <= file_size - entry.offset;
}

// The parts of a database that games are made from.
struct GameSource {
  std::string_view name;  // of the database, for messages
  const DatabaseFiles& files;
  const PackedIndex& index;
  const DatabaseOptions& options;

  // Returns the names for Opening tags; null: there are none.
  const OpeningNames* openings() const {
    return options.pgn.opening ? options.reference->openings.get() : nullptr;
  }
};

// A reader with buffers for one thread at a time; see ReaderPool. Reads the game
// file in windows, since the records of adjacent games usually lie side by side. Records nothing in
// the database: it returns all its results.
class GameReader {
 public:
  // The parts that `source` refers to must outlive the reader.
  explicit GameReader(const GameSource& source)
      : source_(source),
        text_(source.options.pgn, source.files.format().castling),
        positions_(source.files.format().castling) {}

  // Says that about this many games in a row will be read next, so that reading ahead pays.
  void expect(std::size_t games) { expected_ = games; }

  // Sets how record() checks from now on, until rest(). The default is GameFile::Check::Now.
  void check(GameFile::Check when) {
    if (when != check_) window_offset_ = kNoWindow;
    check_ = when;
  }

  // Appends the text of a game. Returns its damage, if any. Errors as those of GameFile::read();
  // then nothing is appended.
  absl::StatusOr<std::optional<codec::Damage>> append(GameIndex game, codec::TextBuffer& out);

  // Passes a game to a visitor, with null moves as moves. Returns its damage, if any. Errors as for
  // append().
  absl::StatusOr<std::optional<codec::Damage>> visit(GameIndex game, codec::GameVisitor& visitor);

  // The length of the text that append() gives, and whether it reports damage, found without
  // writing the moves. Also whether the index signature in the index file is verified
  // (GameText::length()); it is not if it cannot be read. Errors as for append().
  struct Measure {
    std::size_t length = 0;
    bool is_damaged = false;
    bool has_verified_signature = false;
  };
  absl::StatusOr<Measure> measure(GameIndex game);

  // Returns the FIDE ids in the tags of the game for which append() or measure() was called last.
  // REQUIRES: that was the last call of any method.
  codec::scid::FideIds fide_ids() const { return text_.fide_ids(); }

  // Returns the result of `are_wanted` for the comments of a game: see GameText::has_comments(). A
  // record that does not lie in the game file has none. Errors as for append().
  absl::StatusOr<bool> has_comments(
      GameIndex game, absl::FunctionRef<bool(std::span<const codec::Bytes>)> are_wanted);

  // Appends the positions of a game, or measures that text. The text is empty if the record does
  // not say where the game starts. Errors as those of GameFile::read().
  absl::Status append_positions(GameIndex game, codec::TextBuffer& out);
  absl::StatusOr<std::size_t> measure_positions(GameIndex game);

  // Frees the memory that unusual games have taken. Call this when the reader is not in use.
  void rest();
  // Returns the bytes of a game's record; valid until the next call of any method. Returns nothing
  // if the record does not lie in the game file, and DataLoss if it cannot be read.
  absl::StatusOr<std::optional<codec::Bytes>> record(const codec::scid::GameEntry& entry);

  codec::TextBuffer& scratch() { return scratch_; }

 private:
  // Returns the entry of a game in the index file, valid until the next call; null if it cannot be
  // read.
  const codec::scid::IndexEntry* index_entry(GameIndex game);
  codec::GameTags tags_of(const codec::scid::GameEntry& entry) const;
  // Does the same as record(); an error names the game.
  absl::StatusOr<std::optional<codec::Bytes>> record_of(GameIndex game,
                                                        const codec::scid::GameEntry& entry);
  // Reads a record, and its surroundings if they can be read, into window_.
  absl::Status fill_window(const codec::scid::GameEntry& entry);

  const GameSource source_;
  codec::scid::GameText text_;
  codec::scid::GameEpd positions_;
  codec::TextBuffer scratch_;
  // A part of the game file, from `window_offset_`; kNoWindow while it is empty.
  static constexpr std::uint64_t kNoWindow = ~std::uint64_t{0};
  std::vector<std::uint8_t> window_;
  std::uint64_t window_offset_ = kNoWindow;
  // The chunks that could not be read last. As each attempt may take a disk half a minute, the
  // records that begin there are read one at a time: a bad place costs only its games.
  std::size_t bad_begin_ = 0;
  std::size_t bad_end_ = 0;
  std::size_t expected_ = 1;
  GameFile::Check check_ = GameFile::Check::Now;
  // A block of the index file, which games in order share; none if it cannot be read.
  static constexpr std::size_t kNoBlock = ~std::size_t{0};
  std::vector<codec::scid::IndexEntry> entries_;
  std::size_t entries_block_ = kNoBlock;
  std::vector<codec::scid::IndexEntry> entry_;  // of only one game
};

// Lends readers to threads and keeps some that are not in use. Thread-safe.
class ReaderPool {
 public:
  // The parts that `source` refers to must outlive the pool.
  explicit ReaderPool(const GameSource& source) : source_(source) { idle_.reserve(kMostIdle); }

  // Returns a reader to the pool, which must still exist.
  struct Return {
    const ReaderPool* pool;
    void operator()(GameReader* reader) const;
  };
  using Loan = std::unique_ptr<GameReader, Return>;
  // Lends a reader to the calling thread until the loan is destroyed.
  Loan borrow() const;

 private:
  static constexpr std::size_t kMostIdle = 16;

  const GameSource source_;
  mutable cache::Mutex mutex_;
  // Has capacity for all idle readers, so that returning one cannot fail.
  mutable std::vector<std::unique_ptr<GameReader>> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
