// Scid's spelling file (`spelling.ssp`): correct names of players, sites, events and rounds, other
// spellings of them, and what is known of players. Source: the comments at the head of the file
// that comes with Scid, and what Scid 4.7.4 makes of it.
//
// A text of lines. `@PLAYER ", ."` begins a section, with the characters that do not count when its
// names are compared. In a section a line is a correct name, behind whose `#` stands what is known
// of a player; `= NAME` is another spelling of the last one, `%Bio TEXT` and `%Elo 1990:2800,2800
// ...` say more of him; `%Prefix "II " "2. "`, `%Infix`, `%Suffix` replace the beginning, any part,
// the end of all names of the section. Blanks around a line do not count, and what follows a `#` is
// a comment. Functions over bytes, which may be any.
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
    Other,     // says nothing
    Section,   // `text` is its word, `data` the characters
    Name,      // a correct one in `text`; `data` is what stands behind the `#`
    Spelling,  // another one of the last correct name
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

// The names that the section of this word is about.
std::optional<NameKind> parse_spelling_section(std::string_view word);

// What a `%Prefix`, `%Infix` or `%Suffix` says. Nothing if it is not two quoted texts, or if the
// first is empty.
struct Replacement {
  std::string_view from;
  std::string_view to;
};
std::optional<Replacement> parse_replacement(std::string_view text);

// Titles of a player, a bit each, in the order in which they are written.
inline constexpr unsigned kTitles = 14;
// "GM+HGM"; empty without any.
std::string titles_to_string(std::uint32_t titles);

// What stands behind the `#` of a player.
struct PlayerData {
  std::uint32_t titles = 0;      // bits
  std::string_view countries{};  // "URS/RUS", the earliest first; a part of the text
  std::uint16_t highest = 0;     // rating; 0: unknown
  bool is_estimated = false;     // that rating
  bool is_woman = false;
  bool is_inactive = false;
  Date born{};  // what is unknown is 0
  Date died{};
};
PlayerData parse_player_data(std::string_view data);

// A rating of a player; ratings of a year are spread evenly over it.
struct YearRating {
  std::uint16_t year = 0;
  std::uint16_t elo = 0;  // 0: unknown
};
// Appends the ratings of an `%Elo` line up to the first that is none.
void parse_elo(std::string_view text, std::vector<YearRating>& ratings);

// The number behind `FIDEID` of a `%Bio` line; 0 if it is no such line.
std::uint32_t parse_fide_id(std::string_view text);

// Cuts a stream of blocks into lines. Of a line that is longer than kMostLine only the front is
// given. Not thread-safe.
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
  // The last line, if nothing ends it.
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
