#include "codec/scid/game_plies.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>

#include "codec/epd_fields.h"
#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/scid/move_notes.h"
#include "codec/uci.h"
#include "codec/write.h"

namespace scidfs::codec::scid {
namespace {

// The most bytes of a line, but for the text at its end. The last one of a game may be a line more
// than it has bytes.
constexpr std::size_t kNagRoom = 4 * Notes::kMaxNags;
constexpr std::size_t kRowRoom =
    EpdFields::kRoom + 4 * kMaxDigits + kMaxSanLength + kMaxUciLength + kNagRoom + 32;

char* write_eval(std::int32_t eval, char* out) {
  constexpr std::uint32_t kHundred = 100;
  const auto size = static_cast<std::uint32_t>(std::abs(eval));
  if (eval < 0) *out++ = '-';
  out = write_number(size / kHundred, out);
  *out++ = '.';
  *out++ = static_cast<char>('0' + size % kHundred / 10);
  *out++ = static_cast<char>('0' + size % 10);
  return out;
}

// Writes the SAN of a move that led to `after`, with `+` if it gives check.
template <bool kWithCheck>
char* write_san(const Position& after, const Move& move, char* out) {
  const Color us = ~after.side_to_move();
  const ShortText san = us == Color::White ? find_san<Color::White>(after, move)
                                           : find_san<Color::Black>(after, move);
  // A blank comes with it, where the tab before the field belongs.
  char* const tab = out - 1;
  out = san.write(tab);
  *tab = '\t';
  if (kWithCheck && move.kind != MoveKind::Null && after.in_check(~us)) *out++ = '+';
  return out;
}

// A visitor of a walk with notes (move_notes.h) that writes lines; or one that counts their bytes,
// for which it writes each to the same place, and none of the FENs.
template <PlyColumns kColumns, bool kCounts = false>
class RowWriter {
 public:
  // Writes to `out`, which has room for all lines, or for the one that is being counted.
  RowWriter(std::string_view number, std::string_view last, char* out)
      : number_(number), last_(last), begin_(out), out_(out) {}

  char* end() const { return out_; }
  std::size_t count() const { return count_; }

  void start(const Position& position) {
    out_ = begin_;
    count_ = 0;
    ply_ = 0;
    san_end_ = nullptr;
    begin_line();
    *out_++ = '\t';
    if constexpr (kIsAll) {
      homes_ = chess960_homes(position);
      *out_++ = '\t';
      if constexpr (!kCounts) fields_.begin(position);
      put_fields(position);
    }
  }
  void move(const Position& after, const Move& move) {
    ++ply_;
    begin_line();
    out_ = write_san<kIsAll>(after, move, out_);
    san_end_ = out_;
    *out_++ = '\t';
    if constexpr (kIsAll) {
      out_ = write_uci(move, homes_, out_);
      *out_++ = '\t';
      if constexpr (!kCounts) fields_.move(after, move);
      put_fields(after);
    }
  }
  void nags(std::span<const std::uint8_t> nags) { nags_ = nags; }
  void notes(const MoveNotes& notes) {
    if (!kIsAll && !notes.eval.has_value() && !notes.clock.has_value()) {
      out_ = line_;
      return;
    }
    if constexpr (kIsAll) *out_++ = '\t';
    if (notes.eval.has_value()) out_ = write_eval(*notes.eval, out_);
    *out_++ = '\t';
    if (notes.clock.has_value()) out_ = write_number(*notes.clock, out_);
    if constexpr (kIsAll) put_nags();
    out_ = write_text(last_, out_);
    *out_++ = '\n';
    if constexpr (kCounts) {
      count_ += static_cast<std::size_t>(out_ - line_);
      out_ = line_;
    }
  }
  // The last position: only there a check can be mate.
  void end(const Position& last) {
    if (kIsAll && san_end_ != nullptr && san_end_[-1] == '+' && is_checkmate(last)) {
      san_end_[-1] = '#';
    }
  }

 private:
  static constexpr bool kIsAll = kColumns == PlyColumns::All;

  void begin_line() {
    line_ = out_;
    out_ = write_text(number_, out_);
    *out_++ = '\t';
    out_ = write_number(ply_, out_);
    *out_++ = '\t';
  }
  void put_fields(const Position& position) {
    if constexpr (kCounts) {
      count_ += position.epd_fields_length();
    } else {
      out_ = fields_.write(position, out_);
    }
  }
  void put_nags() {
    *out_++ = '\t';
    // PGN text has none before the first move.
    for (std::size_t i = 0; ply_ > 0 && i < nags_.size(); ++i) {
      if (i > 0) *out_++ = ' ';
      out_ = write_number(nags_[i], out_);
    }
  }

  const std::string_view number_, last_;
  char* const begin_;
  char* out_;
  char* line_ = nullptr;     // where the line begins
  char* san_end_ = nullptr;  // of the last move
  std::uint32_t ply_ = 0;
  std::size_t count_ = 0;
  std::optional<CastlingHomes> homes_;
  EpdFields fields_;
  std::span<const std::uint8_t> nags_;
};

// A visitor of a walk with notes that collects the fields of each position.
class FieldCollector {
 public:
  explicit FieldCollector(std::vector<PlyFields>& out) : out_(out) {}

  void start(const Position& position) {
    homes_ = chess960_homes(position);
    out_.assign(1, {});
  }
  void move(const Position& after, const Move& move) {
    PlyFields& fields = out_.emplace_back();
    std::array<char, 16> san{};  // after the byte that write_san() needs
    const char* const end = write_san<true>(after, move, san.data() + 1);
    std::copy<const char*>(san.data() + 1, end, fields.san.data());
    write_uci(move, homes_, fields.uci.data());
  }
  void nags(std::span<const std::uint8_t> nags) {
    if (out_.size() == 1) return;  // PGN text has none before the first move
    std::ranges::copy(nags, out_.back().all_nags.begin());
    out_.back().nag_count = static_cast<std::uint8_t>(nags.size());
  }
  void notes(const MoveNotes& notes) { out_.back().notes = notes; }
  // The last position: only there a check can be mate.
  void end(const Position& last) {
    const auto check = std::ranges::find(out_.back().san, '+');
    if (check != out_.back().san.end() && is_checkmate(last)) *check = '#';
  }

 private:
  std::vector<PlyFields>& out_;
  std::optional<CastlingHomes> homes_;
};

// A visitor of a walk along the main line that writes its moves.
class UciWriter {
 public:
  // Continues a line if it has begun.
  UciWriter(bool has_begun, char* out) : has_begun_(has_begun), out_(out) {}

  char* end() const { return out_; }

  void start(const Position& position) { homes_ = chess960_homes(position); }
  void move(const Position&, const Move& move) {
    if (has_begun_) *out_++ = ' ';
    has_begun_ = true;
    out_ = write_uci(move, homes_, out_);
  }

 private:
  bool has_begun_;
  char* out_;
  std::optional<CastlingHomes> homes_;
};

}  // namespace

void GamePlies::append_rows(std::uint32_t number, Bytes record, PlyColumns columns,
                            std::string_view last, TextBuffer& out) {
  if (!reader_.open(record)) return;
  // Each move has a byte. The first position needs room, too.
  const std::size_t positions = record.size() - reader_.head().moves_offset + 1;
  char* const begin = out.room((positions + 1) * (kRowRoom + last.size()));
  const std::string digits = std::to_string(number);
  const auto write = [&](auto writer) {
    reader_.walk_noted(writer);
    out.commit(writer.end());
  };
  if (columns == PlyColumns::All) {
    write(RowWriter<PlyColumns::All>(digits, last, begin));
  } else {
    write(RowWriter<PlyColumns::Notes>(digits, last, begin));
  }
}

std::size_t GamePlies::rows_length(std::uint32_t number, Bytes record, std::string_view last) {
  if (!reader_.open(record)) return 0;
  room_.clear();
  const std::string digits = std::to_string(number);
  RowWriter<PlyColumns::All, true> counter(digits, last, room_.room(kRowRoom + last.size()));
  reader_.walk_noted(counter);
  return counter.count();
}

std::span<const PlyFields> GamePlies::fields(Bytes record) {
  fields_.clear();
  if (!reader_.open(record)) return fields_;
  FieldCollector collector(fields_);
  reader_.walk_noted(collector);
  return fields_;
}

void GamePlies::append_uci(Bytes record, TextBuffer& out) {
  if (reader_.open(record)) {
    const bool begins_elsewhere = reader_.begins_elsewhere();
    if (begins_elsewhere) out.append("fen " + reader_.start().fen() + " moves");
    const std::size_t moves = record.size() - reader_.head().moves_offset;
    UciWriter writer(begins_elsewhere, out.room((moves + 1) * (kMaxUciLength + 1)));
    reader_.walk(writer);
    out.commit(writer.end());
  }
  out.append("\n");
}

}  // namespace scidfs::codec::scid
