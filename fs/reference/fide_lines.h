// The lines of the list of players that FIDE publishes each month, `players_list_foa.txt`.
//
// A header names the columns, which have fixed widths; then each line is a player. Its bytes are
// ASCII, its lines end in CR LF. Lists of other years have other columns:
//
//  ID Number      Name                ... Fed Sex Tit  WTit OTit           FOA SRtng ... B-day Flag
//  ID number      Name                ... TitlFed  Mar11 GamesBorn  Flag
//
// Some lines are longer, since their text of *OTit* has more characters than the column: what
// comes after it then lies as much farther to the right. All functions accept any bytes.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scidfs::fs {

// A player of the list.
struct FidePlayer {
  std::uint32_t id = 0;           // never 0
  std::string_view name{};        // as in the list, without blanks around; never empty
  std::string_view federation{};  // three capitals, or empty
  std::uint32_t titles = 0;       // bits, see codec::scid::titles_to_string()
  std::uint16_t born = 0;         // the year; 0: unknown
  std::uint16_t rating = 0;       // at standard chess; 0: none
  bool is_woman = false;
  bool is_inactive = false;
};

// Where the columns of a list are.
class FideColumns {
 public:
  // Longer lines name no player, and are no header.
  static constexpr std::size_t kMostLine = 1000;

  // Reads a header. Returns InvalidArgument with the reason if it is none, or lacks a column that
  // is needed: the id, the name, the year of birth.
  static absl::StatusOr<FideColumns> parse(std::string_view header);
  // Does the same for the first line of a file, which may begin with the byte-order mark of UTF-8.
  static absl::StatusOr<FideColumns> parse_first_line(std::string_view line);

  // Returns the player of a line; nothing if it has no id or no name. Other values that cannot be
  // are unknown. The views are parts of the line.
  std::optional<FidePlayer> player(std::string_view line) const;

 private:
  enum Field : std::size_t {
    kId,
    kName,
    kFederation,
    kSex,
    kTitle,
    kWomensTitle,
    kRating,
    kBorn,
    kFlag,
    kFields,
  };
  struct Column {
    std::size_t begin = 0;
    std::size_t end = 0;  // the same as `begin`: there is no such column
  };
  static Field field_of(std::string_view word);

  // Returns the text of a field, without blanks around.
  std::string_view text(std::string_view line, Field field) const;
  std::uint16_t number(std::string_view line, Field field, std::uint16_t least,
                       std::uint16_t most) const;

  std::array<Column, kFields> columns_{};
  std::size_t width_ = 0;    // of the header
  std::size_t elastic_ = 0;  // where the column begins after the one that can be too narrow
};

}  // namespace scidfs::fs
