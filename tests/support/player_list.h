// Writes lists of players in the form of FIDE's, of invented people.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

inline constexpr std::string_view kPlayerListHeader =
    "ID Number      Name                                                         Fed Sex Tit  "
    "WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag\r\n";

struct ListedPlayer {
  std::uint32_t id = 0;
  std::string_view name{};
  unsigned rating = 0;
  unsigned born = 0;
  std::string_view federation = "NOR";
  std::string_view title{};
  std::string_view womens_title{};
  std::string_view other_titles{};
  std::string_view sex = "M";
  std::string_view flag{};
};

// A line; longer than the header where a text is longer than its column.
inline std::string player_line(const ListedPlayer& player) {
  return fmt::format(
      "{:<15}{:<61}{:<4}{:<4}{:<5}{:<5}{:<15}{:<4}{:<6}{:<4}{:<3}{:<6}{:<4}{:<3}"
      "{:<6}{:<4}{:<3}{:<6}{:<4}\r\n",
      player.id, player.name, player.federation, player.sex, player.title, player.womens_title,
      player.other_titles, "", player.rating, 0, 20, 0, 0, 0, 0, 0, 0, player.born, player.flag);
}

inline std::string player_list(const std::vector<ListedPlayer>& players) {
  std::string text(kPlayerListHeader);
  for (const ListedPlayer& player : players) text += player_line(player);
  return text;
}

}  // namespace scidfs::tests
