#include "codec/pgn.h"

#include <array>
#include <cstring>

#include "codec/date.h"
#include "codec/write.h"

namespace scidfs::codec {
namespace {

constexpr std::size_t kBlock = kTagPadding;

// Copies whole blocks: both sides have room for a block after their end.
char* write_padded(std::string_view text, char* out) {
  std::size_t done = 0;
  do {
    std::memcpy(out + done, text.data() + done, kBlock);
    done += kBlock;
  } while (done < text.size());
  return out + text.size();
}

char* write_rating(std::string_view color, Rating rating, char* out) {
  if (rating.value == 0) return out;
  *out++ = '[';
  out = write_text(color, out);
  out = write_text(rating_name(rating.type), out);
  out = write_text(" \"", out);
  out = write_number(rating.value, out);
  return write_text("\"]\n", out);
}

std::size_t rating_length(std::string_view color, Rating rating) {
  constexpr std::string_view kAround = "[ \"\"]\n";
  if (rating.value == 0) return 0;
  std::size_t digits = 1;
  for (unsigned rest = rating.value / 10U; rest != 0; rest /= 10U) ++digits;
  return kAround.size() + color.size() + rating_name(rating.type).size() + digits;
}

}  // namespace

GameTags roster_of(const GameTags& tags) {
  return {.event = tags.event,
          .site = tags.site,
          .round = tags.round,
          .white = tags.white,
          .black = tags.black,
          .date = tags.date,
          .event_date = {},
          .result = tags.result,
          .white_rating = {},
          .black_rating = {},
          .eco = 0,
          .opening = {},
          .chess960 = tags.chess960};
}

char* write_tag(std::string_view name, std::string_view value, char* out) {
  *out++ = '[';
  out = write_text(name, out);
  out = write_text(" \"", out);
  out = write_text(value, out);
  return write_text("\"]\n", out);
}

char* write_tags(const GameTags& tags, char* out) {
  out = write_text("[Event \"", out);
  out = write_padded(tags.event, out);
  out = write_text("\"]\n[Site \"", out);
  out = write_padded(tags.site, out);
  out = write_text("\"]\n[Date \"", out);
  out = write_date(tags.date, out);
  out = write_text("\"]\n[Round \"", out);
  out = write_padded(tags.round, out);
  out = write_text("\"]\n[White \"", out);
  out = write_padded(tags.white, out);
  out = write_text("\"]\n[Black \"", out);
  out = write_padded(tags.black, out);
  out = write_text("\"]\n[Result \"", out);
  out = write_text(result_token(tags.result), out);
  out = write_text("\"]\n", out);
  out = write_rating("White", tags.white_rating, out);
  out = write_rating("Black", tags.black_rating, out);
  if (eco_base(tags.eco) != kEcoBases) {
    out = write_text("[ECO \"", out);
    out = write_eco(tags.eco, out);
    out = write_text("\"]\n", out);
  }
  if (!tags.opening.empty()) out = write_tag("Opening", tags.opening, out);
  if (!tags.event_date.empty()) {
    out = write_text("[EventDate \"", out);
    out = write_date(tags.event_date, out);
    out = write_text("\"]\n", out);
  }
  return out;
}

std::size_t tags_length(const GameTags& tags) {
  constexpr std::string_view kRoster =
      "[Event \"\"]\n[Site \"\"]\n[Date \"\"]\n[Round \"\"]\n[White \"\"]\n[Black \"\"]\n[Result "
      "\"\"]\n";
  constexpr std::string_view kEco = "[ECO \"\"]\n";
  constexpr std::string_view kOpening = "[Opening \"\"]\n";
  constexpr std::string_view kEventDate = "[EventDate \"\"]\n";
  std::size_t length =
      kRoster.size() + tags.event.size() + tags.site.size() + kDateLength + tags.round.size() +
      tags.white.size() + tags.black.size() + result_token(tags.result).size() +
      rating_length("White", tags.white_rating) + rating_length("Black", tags.black_rating);
  if (eco_base(tags.eco) != kEcoBases) {
    std::array<char, kMaxEcoLength> eco;
    length += kEco.size() + static_cast<std::size_t>(write_eco(tags.eco, eco.data()) - eco.data());
  }
  if (!tags.opening.empty()) length += kOpening.size() + tags.opening.size();
  if (!tags.event_date.empty()) length += kEventDate.size() + kDateLength;
  return length;
}

std::size_t max_tags_length(const GameTags& tags) {
  constexpr std::size_t kFixed = 352;  // brackets, names, dates, ratings and the last block's slack
  return kFixed + tags.event.size() + tags.site.size() + tags.round.size() + tags.white.size() +
         tags.black.size() + tags.opening.size();
}

}  // namespace scidfs::codec
