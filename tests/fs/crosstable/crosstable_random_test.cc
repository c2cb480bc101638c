// Invariants of the crosstables of any event.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/text.h"
#include "fs/crosstable/crosstable.h"
#include "fs/crosstable/crosstable_standings.h"
#include "tests/fs/crosstable/event_builder.h"
#include "tests/support/files.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using ::testing::HasSubstr;
using ::testing::Not;

// A printed table, by columns.
struct Printed {
  std::map<std::string, std::size_t> column;
  std::vector<std::vector<std::string>> rows;

  explicit Printed(const std::string& text) {
    std::istringstream in(text.substr(text.find("\n\n") + 2));
    const auto words = [](const std::string& line) {
      std::istringstream stream(line);
      return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
    };
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> header = words(line);
    for (std::size_t i = 0; i < header.size(); ++i) column[header[i]] = i;
    while (std::getline(in, line) && !line.empty()) {
      rows.push_back(words(line));
      EXPECT_EQ(rows.back().size(), header.size()) << text;
    }
  }
  const std::string& cell(std::size_t row, const std::string& name) const {
    return rows[row][column.at(name)];
  }
};

// "6½", "½", "6", in halves.
unsigned halves(const std::string& text) {
  const std::size_t half = text.find("½");
  const std::string whole = text.substr(0, half);
  return (whole.empty() ? 0 : static_cast<unsigned>(std::stoul(whole)) * 2) +
         (half == std::string::npos ? 0 : 1);
}

// The points of the results in a cell, in halves.
unsigned cell_halves(const std::string& cell, bool swiss) {
  if (const std::size_t slash = cell.find('/'); slash != std::string::npos) {
    return halves(cell.substr(0, slash));
  }
  unsigned sum = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (swiss && (i == 0 || (cell[i - 1] != 'w' && cell[i - 1] != 'b'))) continue;
    if (cell[i] == '1') sum += 2;
    if (cell.compare(i, 2, "½") == 0) sum += 1;
  }
  return sum;
}

std::vector<std::vector<std::string>> rows_of(const std::string& tsv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream in(tsv);
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    for (std::size_t begin = 0, end = 0; end != std::string::npos; begin = end + 1) {
      end = line.find('\t', begin);
      rows.back().push_back(line.substr(begin, end - begin));
    }
    EXPECT_EQ(rows.back().size(), rows.front().size()) << line;
  }
  rows.erase(rows.begin());
  return rows;
}

// Both tables have all games, and the same points for each player.
void check_tsv(const EventBuilder& event, const std::vector<CrosstableGame>& games) {
  long counted = 0;
  std::map<std::string, double> points;
  std::map<std::pair<std::string, std::string>, std::pair<long, double>> pairs;
  for (const auto& row : rows_of(event.pairs())) {
    const long together = std::stol(row[4]);
    const double own = std::stod(row[5]);
    counted += together;
    points[row[0] + row[1]] += own;
    pairs[{row[0], row[2]}] = {together, own};
    EXPECT_EQ(own, std::stod(row[6]) + std::stod(row[7]) / 2);
    EXPECT_EQ(std::ranges::count(row[9], ' ') + 1, together);
  }
  const auto real = std::ranges::count_if(
      games, [](const CrosstableGame& game) { return game.white_id != game.black_id; });
  EXPECT_EQ(counted, real * 2);
  for (const auto& [ranks, both] : pairs) {
    const auto other = pairs.find({ranks.second, ranks.first});
    ASSERT_NE(other, pairs.end());
    EXPECT_EQ(other->second.first, both.first);
    EXPECT_LE(other->second.second + both.second, static_cast<double>(both.first));
  }
  std::size_t rank = 0;
  for (const auto& row : rows_of(event.standings())) {
    EXPECT_EQ(row[0], std::to_string(++rank));
    EXPECT_EQ(points[row[0] + row[1]], std::stod(row[4]));
  }
  EXPECT_EQ(rank, points.size());
}

// Invariants of every crosstable with names of one word.
void check_table(const EventBuilder& event, const std::vector<CrosstableGame>& games) {
  const std::string text = event.text();
  SCOPED_TRACE(text);
  EXPECT_EQ(text, event.text());
  EXPECT_TRUE(codec::is_utf8(tests::as_bytes(text)));
  EXPECT_THAT(text, Not(HasSubstr(" \n")));
  EXPECT_EQ(text.back(), '\n');

  check_tsv(event, games);
  if (event.layout() == CrosstableLayout::Knockout) return;  // several tables
  const Printed table(text);
  unsigned points = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const unsigned own = halves(table.cell(row, "Points"));
    points += own;
    EXPECT_LE(own, halves(table.cell(row == 0 ? 0 : row - 1, "Points")));
    const CrosstableLayout layout = event.layout();
    if (layout == CrosstableLayout::GameList || layout == CrosstableLayout::StandingsOnly) continue;
    unsigned cells = 0;
    for (std::size_t i = table.column.at("Name") + 1; i < table.column.at("Points"); ++i) {
      cells += cell_halves(table.rows[row][i], layout == CrosstableLayout::Swiss);
    }
    EXPECT_EQ(cells, own);
  }
  const auto decided = std::ranges::count_if(games, [](const CrosstableGame& game) {
    return game.result != Result::Unknown && game.white_id != game.black_id;
  });
  EXPECT_EQ(points, decided * 2);
}

class RandomEvent : public ::testing::TestWithParam<unsigned> {
 protected:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  Result result() { return static_cast<Result>(below(10) == 0 ? 0 : 1 + below(3)); }
  static std::string name(unsigned player) { return "P" + std::to_string(player); }

  std::mt19937 random_{GetParam()};
};

TEST_P(RandomEvent, MatchKeepsInvariants) {
  EventBuilder event;
  for (unsigned game = 1 + below(50); game > 0; --game) {
    event.play(name(game % 2), name(1 - game % 2), result(), std::to_string(game));
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Match);
  check_table(event, event.games());
}

TEST_P(RandomEvent, RoundRobinKeepsInvariants) {
  EventBuilder event;
  const unsigned players = 3 + below(28);
  const unsigned cycles = 1 + below(8);
  const bool rounds = below(2) == 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    for (unsigned a = 0; a < players; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (below(12) == 0 && a + b > 3) continue;  // three players all meet
        event.play(name(cycle % 2 == 0 ? a : b), name(cycle % 2 == 0 ? b : a), result(),
                   rounds ? std::to_string(1 + (a + b) % players + cycle * players) : "?");
      }
    }
  }
  std::ranges::shuffle(event.games(), random_);
  EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  check_table(event, event.games());
}

TEST_P(RandomEvent, SwissKeepsInvariants) {
  EventBuilder event;
  const unsigned players = 16 + below(200);
  std::vector<unsigned> order(players);
  std::iota(order.begin(), order.end(), 0U);
  for (unsigned round = 1; round <= 3 + below(7); ++round) {
    std::ranges::shuffle(order, random_);
    for (unsigned i = 0; i + 1 < players; i += 2) {
      event.play(name(order[i]), name(order[i + 1]), result(),
                 std::to_string(round) + (round % 2 == 0 ? "." + std::to_string(i / 2 + 1) : ""));
    }
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Swiss);
  check_table(event, event.games());
}

TEST_P(RandomEvent, KnockoutKeepsInvariants) {
  EventBuilder event;
  const bool by_game = below(2) == 0;  // a round for each game
  bool for_third = below(2) == 0;
  std::vector<unsigned> left(8U << below(4));
  std::iota(left.begin(), left.end(), 0U);
  std::ranges::shuffle(left, random_);
  unsigned round = 0;
  const auto play = [&](unsigned a, unsigned b) {
    for (unsigned game = 1 + below(4); game >= 1; --game) {
      const bool turned = below(2) == 0;
      const Result win = turned ? Result::BlackWins : Result::WhiteWins;
      event.play(name(turned ? b : a), name(turned ? a : b), game == 1 ? win : Result::Draw,
                 by_game ? std::to_string(round + game)
                         : std::to_string(round) + "." + std::to_string(game));
    }
  };
  while (left.size() > 1) {
    round += by_game ? 10 : 1;
    std::vector<unsigned> winners;
    for (std::size_t i = 0; i < left.size(); i += 2) {
      play(left[i], left[i + 1]);
      winners.push_back(left[i]);
    }
    if (left.size() == 4 && std::exchange(for_third, false)) {
      round += by_game ? 10 : 1;
      play(left[1], left[3]);
      play(left[0], left[2]);
      winners.pop_back();
    }
    left = winners;
  }
  std::ranges::shuffle(event.games(), random_);
  EXPECT_EQ(event.layout(), CrosstableLayout::Knockout);
  check_table(event, event.games());
  EXPECT_EQ(rows_of(event.standings())[0][1], name(left[0]));
}

// Players with equal points meet.
TEST_P(RandomEvent, SwissIsNotShownAsKnockout) {
  EventBuilder event;
  const unsigned players = 4 + 2 * below(20);
  std::vector<unsigned> order(players);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<unsigned> points(players);
  for (unsigned round = 1, last = 2 + below(6); round <= last; ++round) {
    std::ranges::shuffle(order, random_);
    std::ranges::stable_sort(order, std::greater(),
                             [&](unsigned player) { return points[player]; });
    for (unsigned i = 0; i + 1 < players; i += 2) {
      const Result end = result();
      points[order[i]] += half_points(end, codec::Color::White);
      points[order[i + 1]] += half_points(end, codec::Color::Black);
      event.play(name(order[i]), name(order[i + 1]), end, std::to_string(round));
    }
  }
  EXPECT_NE(event.layout(), CrosstableLayout::Knockout);
  check_tsv(event, event.games());
}

TEST_P(RandomEvent, RoundRobinReportsLostGamesAsMissing) {
  EventBuilder event;
  const unsigned players = 6 + below(10);
  unsigned lost = 0;
  for (unsigned cycle = 1 + below(3); cycle > 0; --cycle) {
    for (unsigned a = 0; a < players; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (lost < players / 2 && below(10) == 0) {
          ++lost;
        } else {
          event.play(name(a), name(b), result(), "?");
        }
      }
    }
  }
  ASSERT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  const std::string line = "\nMissing: " + std::to_string(lost) + " game";
  EXPECT_EQ(event.text().find(line) != std::string::npos, lost != 0) << event.text();
}

TEST_P(RandomEvent, ArbitraryGamesKeepInvariants) {
  EventBuilder event;
  const unsigned players = 1 + below(60);
  const char* const rounds[] = {"?", "1", "2", "3.1", "3.2", "x", "", "77"};
  for (unsigned game = below(300); game > 0; --game) {
    event.play(name(below(players)), name(below(players)), result(), rounds[below(8)],
               {static_cast<std::uint16_t>(below(3) * 1000), static_cast<std::uint8_t>(below(16)),
                static_cast<std::uint8_t>(below(32))});
  }
  if (std::ranges::any_of(event.games(), [](const CrosstableGame& game) {
        return game.white_id != game.black_id;
      })) {
    check_table(event, event.games());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEvent, ::testing::Range(0U, 40U));

// Every event of the sample: no points and no players are missing.
TEST(Crosstable, EventsOfSampleKeepInvariants) {
  const std::string index = tests::read_file(tests::test_data("sample/sample.si4"));
  const std::string name_file = tests::read_file(tests::test_data("sample/sample.sn4"));
  const codec::scid::Names names = codec::scid::parse_names(tests::as_bytes(name_file));
  using codec::scid::NameKind;
  std::map<std::tuple<std::uint32_t, std::uint32_t, unsigned>, std::vector<CrosstableGame>> events;
  for (std::size_t at = codec::scid::kIndexHeaderSize; at < index.size();
       at += codec::scid::kIndexEntrySize) {
    const codec::scid::IndexEntry entry =
        codec::scid::parse_index_entry(tests::as_bytes(index).subspan(at));
    events[{entry.event, entry.site, entry.date.year}].push_back(
        {.white = names[NameKind::Player].text(entry.white),
         .black = names[NameKind::Player].text(entry.black),
         .white_id = entry.white,
         .black_id = entry.black,
         .white_rating = entry.white_rating,
         .black_rating = entry.black_rating,
         .round = names[NameKind::Round].text(entry.round),
         .result = entry.result,
         .date = entry.date});
  }
  std::map<CrosstableLayout, int> layouts;
  for (const auto& [key, games] : events) {
    Standings standings = collect_standings(games);
    rank_players(TieBreak::SonnebornBerger, standings);
    unsigned points = 0;
    unsigned decided = 0;
    for (const Standing& player : standings.players) {
      points += player.points;
      EXPECT_EQ(player.points, player.wins * 2 + player.draws);
      EXPECT_LE(player.wins + player.draws + player.losses, player.games);
    }
    for (const CrosstableGame& game : games) decided += game.result != Result::Unknown ? 1U : 0U;
    EXPECT_EQ(points, decided * 2);
    const std::string text = format_crosstable({}, games);
    EXPECT_TRUE(codec::is_utf8(tests::as_bytes(text)));
    for (const Standing& player : standings.players) EXPECT_THAT(text, HasSubstr(player.name));
    ++layouts[crosstable_layout(games)];
  }
  for (const CrosstableLayout layout : {CrosstableLayout::Match, CrosstableLayout::RoundRobin,
                                        CrosstableLayout::Swiss, CrosstableLayout::GameList}) {
    EXPECT_GT(layouts[layout], 0);
  }
}

}  // namespace
}  // namespace scidfs::fs
