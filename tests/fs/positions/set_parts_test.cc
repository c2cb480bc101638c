// Sets over several databases: their tables are the sums of their parts.
#include <gtest/gtest.h>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codec/target_position.h"
#include "fs/positions/move_texts.h"
#include "fs/positions/moves_played.h"
#include "fs/positions/opening_tree.h"
#include "fs/positions/year_table.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

class SetPartsTest : public SetsTest {
 protected:
  // Games of random moves from the standard position, some deleted.
  static tests::ScidFiles played_files(std::size_t games) {
    tests::Random random(7);
    tests::ScidFilesBuilder builder;
    for (const NameKind kind : {NameKind::Player, NameKind::Event, NameKind::Site}) {
      builder.name(kind, "x");
    }
    builder.name(NameKind::Round, "x");
    for (std::size_t game = 0; game < games; ++game) {
      Entry entry;
      entry.result = static_cast<codec::Result>(random.below(4));
      entry.date.year = static_cast<std::uint16_t>(1990 + random.below(5));
      entry.white_rating.value = static_cast<std::uint16_t>(2000 + random.below(800));
      entry.eco = static_cast<codec::EcoCode>(random.below(codec::kMaxEco));
      if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, random_game(random, {.plies = random.below(30)}).record());
    }
    return builder.files();
  }

  // The shown games cut into sets of databases of their own: alternating runs of random length; one
  // part has no games.
  std::vector<GameSet> parts_of(const tests::ScidFiles& files, std::size_t count,
                                std::uint64_t seed) {
    const DatabasePtr whole = open(files);
    std::vector<std::vector<GameIndex>> games(count + 1);
    tests::Random random(seed);
    std::size_t part = 0;
    for (const GameIndex game : games_of(shown(whole))) {
      if (random.one_in(40)) part = random.below(count);
      games[part].push_back(game);
    }
    std::vector<GameSet> parts;
    for (const std::vector<GameIndex>& of_part : games)
      parts.push_back(set_of(open(files), of_part));
    return parts;
  }

  // Compares a table of the whole set with that of its parts.
  void expect_sums(const tests::ScidFiles& files,
                   const std::function<std::string(SetParts)>& table) {
    const DatabasePtr database = open(files);
    const std::string whole = table(shown(database));
    for (std::size_t count = 2; count <= 7; ++count) {
      EXPECT_EQ(table(std::span<const GameSet>(parts_of(files, count, count))), whole) << count;
    }
  }

  static std::string text_of(const absl::StatusOr<std::string>& text) {
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }
};

// All lines that a tree lists, with the table of each position.
void append_lines(const OpeningTree& tree, const codec::TargetPosition& position,
                  std::vector<codec::Move>& line, std::string& out) {
  for (const std::string& san : tree.listed(line)) {
    out += std::string(line.size(), ' ') + san + '\n';
    const codec::Move move = *position.parse_move(san);
    line.push_back(move);
    append_lines(tree, position.after(move), line, out);
    line.pop_back();
  }
  const MoveTable* const table = tree.find(codec::position_name(position));
  if (table != nullptr) out += moves_tsv(*table);
}

TEST_F(SetPartsTest, YearsAndOpeningsAddUp) {
  const tests::ScidFiles files = random_files(3000, 100, 1);
  expect_sums(files, [](SetParts parts) { return text_of(year_table(parts, whole())); });
  expect_sums(files, [](SetParts parts) { return text_of(opening_table(parts, whole())); });
}

TEST_F(SetPartsTest, MovesOfPositionsAddUp) {
  const tests::ScidFiles files = played_files(2000);
  const codec::TargetPosition start;
  expect_sums(files, [&](SetParts parts) {
    const auto table = moves_played(parts, start, whole());
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? moves_tsv(**table) : "";
  });
  expect_sums(files, [&](SetParts parts) { return text_of(year_table(parts, start, whole())); });
}

TEST_F(SetPartsTest, TreesOfMovesAddUp) {
  const codec::TargetPosition start;
  expect_sums(played_files(2000), [&](SetParts parts) {
    const auto tree = OpeningTree::make(parts, start, whole());
    EXPECT_TRUE(tree.ok()) << tree.status();
    std::string text;
    std::vector<codec::Move> line;
    if (tree.ok()) append_lines(**tree, start, line, text);
    EXPECT_GT(text.size(), 1000U);
    return text;
  });
}

// The work of all parts counts.
TEST_F(SetPartsTest, PartsShareOneBudget) {
  const tests::ScidFiles files = random_files(3000, 100, 1);
  const std::vector<GameSet> parts = parts_of(files, 3, 1);
  const SetParts set = std::span<const GameSet>(parts);
  EXPECT_EQ(opening_table(set, WorkBudget::limited(3)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(opening_table(set, WorkBudget::limited(6)).ok());
  EXPECT_EQ(opening_table(set, over()).status(), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
