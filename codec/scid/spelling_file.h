// Scid's spelling file (`spelling.ssp`): correct names of players, sites, events and rounds, other
// spellings of them, and data about players. Source: the comments at the head of the file that
// comes with Scid, and the behavior of Scid 4.7.4.
//
// The file is a text of lines. `@PLAYER ", ."` begins a section, with the characters that are
// ignored when its names are compared. In a section a line is a correct name, after whose `#` come
// data about a player. `= NAME` is another spelling of the last name, `%Bio TEXT` and `%Elo
// 1990:2800,2800 ...` are more data about the player. `%Prefix "II " "2. "`, `%Infix`, `%Suffix`
// replace the beginning, any part, the end of all names of the section. Blanks around a line are
// ignored, and the text after a `#` is a comment. All functions accept any bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// One line. The views are parts of it.
struct SpellingLine {
  enum class Kind : std::uint8_t {
    Other,     // without meaning
    Section,   // `text` is its word, `data` the characters
    Name,      // a correct one in `text`; `data` is the part after the `#`
    Spelling,  // another spelling of the last correct name
    Bio,
    Elo,
    Prefix,  // `text` has two quoted parts
    Infix,
    Suffix,
  };
  Kind kind{};
  std::string_view text{};
  std::string_view data{};
};
SpellingLine parse_spelling_line(std::string_view line);

// Returns the kind of names in the section with this word.
std::optional<NameKind> parse_spelling_section(std::string_view word);

// The two texts of a `%Prefix`, `%Infix` or `%Suffix`.
struct Replacement {
  std::string_view from;
  std::string_view to;
};
std::optional<Replacement> parse_replacement(std::string_view text);

// The number of titles of a player, a bit each, in the order in which they are written.
inline constexpr unsigned kTitles = 14;
// Returns titles such as "GM+HGM"; empty without any.
std::string titles_to_string(std::uint32_t titles);
// Returns the bit of one title such as "GM", in any case; nothing for another text.
std::optional<std::uint32_t> parse_title(std::string_view text);

// The data after the `#` of a player.
struct PlayerData {
  std::uint32_t titles = 0;      // bits
  std::string_view countries{};  // "URS/RUS", the earliest first; a part of the text
  std::uint16_t highest = 0;     // rating; 0: unknown
  bool is_estimated = false;     // that rating
  bool is_woman = false;
  bool is_inactive = false;
  Date born{};  // unknown parts are 0
  Date died{};
};
PlayerData parse_player_data(std::string_view data);

// A rating of a player; the ratings of a year are spread evenly over it.
struct YearRating {
  std::uint16_t year = 0;
  std::uint16_t elo = 0;  // 0: unknown
};
// Appends the ratings of an `%Elo` line up to the first part that is not a rating.
void parse_elo(std::string_view text, std::vector<YearRating>& ratings);

// A known rating of a player in a month.
struct MonthRating {
  std::uint16_t month = 0;  // 12 year + 0 .. 11
  std::uint16_t elo = 0;

  bool operator==(const MonthRating&) const = default;
};
// Appends the known ratings, those of each year at equal distances from January on. Leaves out
// years after 2047, as dates do.
void append_months(const std::vector<YearRating>& ratings, std::vector<MonthRating>& months);

// Returns the number after `FIDEID` of a `%Bio` line; 0 if there is none.
std::uint32_t parse_fide_id(std::string_view text);

// A splitter of a stream of blocks into lines. Of a line longer than kMostLine it gives only the
// front. Not thread-safe.
class LineCutter {
 public:
  static constexpr std::size_t kMostLine = std::size_t{1} << 16;

  // Calls visit(offset, line) for each line that ends in the block; offsets are those of the
  // stream.
  template <class Visit>
  void add(std::string_view block, const Visit& visit) {
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      const std::string_view part = block.substr(0, end);
      if (end == std::string_view::npos) {
        keep(part);
        return;
      }
      if (rest_.empty()) {
        visit(offset_, part.substr(0, kMostLine));
        offset_ += part.size() + 1;
      } else {
        keep(part);
        finish(visit);
        ++offset_;
      }
      block.remove_prefix(end + 1);
    }
  }
  // Visits the last line, if it has no line end.
  template <class Visit>
  void finish(const Visit& visit) {
    if (kept_ == 0) return;
    visit(offset_, std::string_view(rest_));
    offset_ += kept_;
    kept_ = 0;
    rest_.clear();
  }

 private:
  void keep(std::string_view part) {
    rest_.append(part.substr(0, kMostLine - rest_.size()));
    kept_ += part.size();
  }

  std::uint64_t offset_ = 0;  // where the line begins
  std::string rest_;          // the front of a line that began in a block before
  std::uint64_t kept_ = 0;    // its length so far
};

}  // namespace scidfs::codec::scid
