// The main line of a game as EPD: a line for each position, for users who look for a position.
//
//   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id "12345.1"; sm e4;
//   rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 id "12345.3"; c0 "1-0";
//
// Each line has the fields of a FEN without its counters. Then come `id`, with the number of the
// game and of the ply that follows, and `sm`, the move that was played. EPD has no null moves: they
// are written as `c2 "null move"` instead. The last position has the game's result in `c0` instead
// of a move, and if the game is damaged there, `c1` says what is wrong.
//
// Text is written through a bare pointer into room that the caller has provided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/epd_fields.h"
#include "codec/position.h"
#include "codec/san.h"
#include "codec/types.h"

namespace scidfs::codec {

// A writer of EPD lines. Write-only and sequential; make one per game.
class EpdWriter {
 public:
  // The most bytes that one position takes, and that the end of a game takes without its remark and
  // a prefix of its id.
  static constexpr std::size_t kLineRoom = EpdFields::kRoom + 64;

  // Begins at `out` with the position of a game after `ply` moves. `id_prefix` comes before the
  // number in `id`, and is as strings have it: with `"` and `\` escaped.
  void begin(std::uint32_t game, std::uint32_t ply, const Position& position, char* out,
             std::string_view id_prefix = {});
  // Writes a move, which led to `after`.
  template <Color kUs>
  void move(const Position& after, const Move& move, bool check);
  // Turns the `+` of the last move into `#`. REQUIRES: it gave check, or was a null move.
  void mark_mate() {
    if (check_mark_ != nullptr) *check_mark_ = '#';
  }
  // Writes the result, and `remark` if there is any. Returns the end of the text.
  char* end(Result result, std::string_view remark);

 private:
  void put(std::string_view text);
  void put_id();

  char* out_ = nullptr;
  char* check_mark_ = nullptr;
  EpdFields fields_;
  std::string id_;  // ` id "12345.`
  std::uint32_t ply_ = 0;
};

// A counter of the bytes that an EpdWriter would write.
class EpdMeter {
 public:
  void begin(std::uint32_t game, const Position& start);
  template <Color kUs>
  void move(const Position& after, const Move& move, bool check);
  std::size_t end(Result result, std::string_view remark) const;

 private:
  // The length of a line without position and move, including the digits of its ply.
  std::size_t line_ = 0;
  std::size_t length_ = 0;
  std::uint32_t ply_ = 1;
  std::uint32_t next_power_ = 10;
};

namespace internal {

inline constexpr std::string_view kEpdMove = "\"; sm";  // a blank comes with the move
inline constexpr std::string_view kEpdNullMove = R"("; c2 "null move")";
inline constexpr std::string_view kEpdEnd = ";\n";

}  // namespace internal

template <Color kUs>
inline void EpdWriter::move(const Position& after, const Move& move, bool check) {
  put_id();
  if (move.kind == MoveKind::Null) [[unlikely]] {
    put(internal::kEpdNullMove);
    check_mark_ = nullptr;
  } else {
    put(internal::kEpdMove);
    out_ = find_san<kUs>(after, move).write(out_);
    check_mark_ = out_;
    if (check) *out_++ = '+';
  }
  put(internal::kEpdEnd);
  fields_.move(after, move);
  out_ = fields_.write(after, out_);
}

template <Color kUs>
inline void EpdMeter::move(const Position& after, const Move& move, bool check) {
  length_ += line_ + after.epd_fields_length();
  if (move.kind == MoveKind::Null) [[unlikely]] {
    length_ += internal::kEpdNullMove.size() - internal::kEpdMove.size();
  } else {
    length_ += find_san<kUs>(after, move).size() + (check ? 1 : 0);
  }
  if (++ply_ == next_power_) {
    next_power_ *= 10;
    ++line_;
  }
}

}  // namespace scidfs::codec
