// What holds of the crosstables of any event.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/text.h"
#include "fs/views/crosstable.h"
#include "fs/views/crosstable_standings.h"
#include "tests/fs/views/event_builder.h"
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

// The points that the results in a cell stand for, in halves.
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

// What holds of every crosstable whose names are single words.
void check_table(const EventBuilder& event, const std::vector<CrosstableGame>& games) {
  const std::string text = event.text();
  SCOPED_TRACE(text);
  EXPECT_EQ(text, event.text());
  EXPECT_TRUE(codec::is_utf8(tests::as_bytes(text)));
  EXPECT_THAT(text, Not(HasSubstr(" \n")));
  EXPECT_EQ(text.back(), '\n');

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

TEST_P(RandomEvent, Match) {
  EventBuilder event;
  for (unsigned game = 1 + below(50); game > 0; --game) {
    event.play(name(game % 2), name(1 - game % 2), result(), std::to_string(game));
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Match);
  check_table(event, event.games());
}

TEST_P(RandomEvent, RoundRobin) {
  EventBuilder event;
  const unsigned players = 3 + below(28);
  const unsigned cycles = 1 + below(8);
  const bool rounds = below(2) == 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    for (unsigned a = 0; a < players; ++a) {
      for (unsigned b = 0; b < a; ++b) {
        if (below(12) == 0 && a + b > 2) continue;
        event.play(name(cycle % 2 == 0 ? a : b), name(cycle % 2 == 0 ? b : a), result(),
                   rounds ? std::to_string(1 + (a + b) % players + cycle * players) : "?");
      }
    }
  }
  std::ranges::shuffle(event.games(), random_);
  EXPECT_EQ(event.layout(), CrosstableLayout::RoundRobin);
  check_table(event, event.games());
}

TEST_P(RandomEvent, Swiss) {
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

TEST_P(RandomEvent, Knockout) {
  EventBuilder event;
  unsigned round = 1;
  for (unsigned left = 8U << below(4); left > 1; left /= 2, ++round) {
    for (unsigned i = 0; i < left / 2; ++i) {
      for (unsigned game = 1; game <= 2 + below(5); ++game) {
        event.play(name(game % 2 == 0 ? i : left - 1 - i), name(game % 2 == 0 ? left - 1 - i : i),
                   result(), std::to_string(round) + "." + std::to_string(game));
      }
    }
  }
  EXPECT_EQ(event.layout(), CrosstableLayout::Swiss);
  check_table(event, event.games());
}

TEST_P(RandomEvent, Chaos) {
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

// Every event of the sample: all points are there, and players are as many as there were.
TEST(Crosstable, SampleDatabase) {
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
         .white_elo = entry.white_rating.value,
         .black_elo = entry.black_rating.value,
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
