// Reads games of one database and turns them into text.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/scid/game_epd.h"
#include "codec/scid/game_text.h"
#include "codec/text_buffer.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Whether a game's record lies in a game file of that size.
constexpr bool lies_within(const codec::scid::GameEntry& entry, std::uint64_t file_size) {
  return entry.length != 0 && entry.offset <= file_size && entry.length <= file_size - entry.offset;
}

// Working room for one thread at a time; see Database::borrow_reader(). Reads the game file in
// windows, since the records of neighbouring games lie side by side as a rule.
class GameReader {
 public:
  explicit GameReader(const Database& database)
      : database_(database),
        text_(database.options().pgn, database.format().castling),
        positions_(database.format().castling) {}

  // From here on about this many games in a row will be wanted, so that reading ahead pays.
  void expect(std::size_t games) { expected_ = games; }

  // Appends the text of a game. Returns what is damaged in it, if anything. Errors as those of
  // GameFile::read(); then nothing is appended.
  absl::StatusOr<std::optional<codec::Damage>> append(GameIndex game, codec::TextBuffer& out);

  // As append(), and checks the length against the size on record (or makes the record). DataLoss
  // if they differ: never a byte more or less than stat(2) said.
  absl::Status append_checked(GameIndex game, codec::TextBuffer& out);

  // Finds out the size of a game's text and records it.
  absl::Status measure(GameIndex game);

  // Appends the positions of a game, or finds out how long that text is. Nothing if the record does
  // not say where the game starts. Errors as those of GameFile::read().
  absl::Status append_positions(GameIndex game, codec::TextBuffer& out);
  absl::StatusOr<std::size_t> measure_positions(GameIndex game);

  // Before it is laid aside: reads ahead no more and gives back what unusual games have taken.
  void rest();
  // The bytes of a game's record; valid until the next call of any method. Nothing: it does not lie
  // in the game file. DataLoss if it cannot be read.
  absl::StatusOr<std::optional<codec::Bytes>> record(const codec::scid::GameEntry& entry);

  codec::TextBuffer& scratch() { return scratch_; }

 private:
  // As record(); a failure names the game.
  absl::StatusOr<std::optional<codec::Bytes>> record_of(GameIndex game,
                                                        const codec::scid::GameEntry& entry);
  // Reads a record, and what is around it if that can be read, into window_.
  absl::Status fill_window(const codec::scid::GameEntry& entry);

  const Database& database_;
  codec::scid::GameText text_;
  codec::scid::GameEpd positions_;
  codec::TextBuffer scratch_;
  std::vector<std::uint8_t> window_;
  std::uint64_t window_offset_ = 0;
  // The chunks that could not be read last. As each attempt may take a disk half a minute, the
  // records that begin there are read one at a time: a bad place costs only the games in it.
  std::size_t bad_begin_ = 0;
  std::size_t bad_end_ = 0;
  std::size_t expected_ = 1;
};

}  // namespace scidfs::fs
