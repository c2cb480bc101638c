#include "codec/scid/move_notes.h"

#include <algorithm>

#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

// More digits do not change a number: it is as great as any.
constexpr std::size_t kMostDigits = 10;

// A number as it is written.
struct Digits {
  std::size_t count = 0;
  std::uint64_t value = 0;
};

// A reader of the text after the name of a command. Each function takes what it names, if that is
// next.
class CommandReader {
 public:
  explicit CommandReader(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Takes blanks, and what PGN text shows as blanks.
  bool take_blanks() {
    const auto* const end =
        std::ranges::find_if_not(text_, [](char c) { return c == ' ' || is_ascii_control(c); });
    const auto blanks = static_cast<std::size_t>(end - text_.begin());
    text_.remove_prefix(blanks);
    return blanks != 0;
  }
  // Takes the digits after a decimal point. Returns them as hundredths, cut.
  Digits take_hundredths() {
    constexpr std::size_t kPlaces = 2;
    CommandReader places(text_.substr(0, kPlaces));
    Digits hundredths = places.take_digits();
    if (hundredths.count == 1) hundredths.value *= 10;
    hundredths.count = take_digits().count;
    return hundredths;
  }
  bool is_at_sign() const { return text_.starts_with('+') || text_.starts_with('-'); }
  // Returns whether a decimal comma is next, which is not before a depth: `whole` are the digits
  // before it. ChessBase writes `0,35` for 0.00 at depth 35, in many games; but no sign before 0.
  bool has_decimal_comma(const Digits& whole, bool has_sign) const {
    CommandReader rest(text_);
    if (whole.count == 0 || !rest.take(',') || rest.take_digits().count == 0) return false;
    return (has_sign && whole.value == 0) || rest.take(',') || rest.take('/');
  }
  Digits take_digits() {
    constexpr std::uint64_t kGreat = 1'000'000'000'000;
    Digits digits;
    for (; !text_.empty() && text_.front() >= '0' && text_.front() <= '9'; text_.remove_prefix(1)) {
      const auto digit = static_cast<std::uint64_t>(text_.front() - '0');
      digits.value = std::min(digits.value * 10 + digit, kGreat);
      ++digits.count;
    }
    return digits;
  }
  // Returns -1 after a minus, else 1.
  std::int64_t take_sign() {
    if (take('-')) return -1;
    take('+');
    return 1;
  }

 private:
  std::string_view text_;
};

// Takes a depth, if there is one, and the end of the command.
bool take_end(CommandReader& in, bool& has_depth) {
  has_depth = in.take(',') || in.take('/');
  if (has_depth && in.take_digits().count == 0) return false;
  in.take_blanks();
  return in.take(']');
}

std::int32_t clamp_eval(std::int64_t eval) {
  constexpr std::int64_t kMost = MoveNotes::kMostEval;
  return static_cast<std::int32_t>(std::clamp(eval, -kMost, kMost));
}

std::optional<std::int32_t> read_eval(CommandReader in, Color to_move) {
  constexpr std::int64_t kHundred = 100;
  bool has_depth = false;
  const bool has_sign = in.is_at_sign();
  std::int64_t sign = in.take_sign();
  if (in.take('#')) {
    sign *= in.take_sign();
    const Digits moves = in.take_digits();
    if (moves.count == 0 || !take_end(in, has_depth)) return std::nullopt;
    if (moves.value == 0) sign = to_move == Color::White ? -1 : 1;
    return clamp_eval(sign * MoveNotes::kMostEval);
  }
  const Digits pawns = in.take_digits();
  const bool has_point = in.take('.') || (in.has_decimal_comma(pawns, has_sign) && in.take(','));
  const Digits fraction = has_point ? in.take_hundredths() : Digits{};
  if (pawns.count + fraction.count == 0 || pawns.count > kMostDigits || !take_end(in, has_depth)) {
    return std::nullopt;
  }
  const auto whole = static_cast<std::int64_t>(pawns.value);
  if (has_depth && !has_point) return clamp_eval(sign * whole);
  return clamp_eval(sign * (whole * kHundred + static_cast<std::int64_t>(fraction.value)));
}

std::optional<std::uint32_t> read_clock(CommandReader in) {
  constexpr std::uint64_t kSixty = 60;
  constexpr std::size_t kLeastParts = 2;
  constexpr std::size_t kMostParts = 3;
  std::uint64_t seconds = 0;
  for (std::size_t parts = 1; parts <= kMostParts; ++parts) {
    const Digits part = in.take_digits();
    if (part.count == 0) return std::nullopt;
    seconds = seconds * kSixty + part.value;
    if (in.take(':')) continue;
    if (in.take('.') || in.take(',')) in.take_digits();
    in.take_blanks();
    if (parts < kLeastParts || !in.take(']')) return std::nullopt;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(seconds, MoveNotes::kMostClock));
  }
  return std::nullopt;
}

}  // namespace

MoveNotes read_notes(Bytes comment, Color to_move) {
  constexpr std::string_view kCommand = "[%";
  MoveNotes notes;
  std::string_view rest = as_text(comment);
  for (std::size_t at = rest.find(kCommand); at != std::string_view::npos;
       at = rest.find(kCommand)) {
    rest.remove_prefix(at);
    const bool is_eval = rest.starts_with(kEvalCommand);
    const bool is_clock = rest.starts_with(kClockCommand);
    CommandReader in(rest.substr(is_eval    ? kEvalCommand.size()
                                 : is_clock ? kClockCommand.size()
                                            : kCommand.size()));
    rest.remove_prefix(kCommand.size());
    if (!(is_eval || is_clock) || !in.take_blanks()) continue;
    notes.complete(is_eval ? MoveNotes{.eval = read_eval(in, to_move), .clock = {}}
                           : MoveNotes{.eval = {}, .clock = read_clock(in)});
  }
  return notes;
}

}  // namespace scidfs::codec::scid
