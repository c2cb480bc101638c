#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codec/scid/board_key.h"
#include "codec/scid/facts.h"
#include "codec/scid/main_line.h"
#include "tests/bench/multiplier.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::bench {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;
using testing::Eq;
using testing::HasSubstr;
using testing::StartsWith;
using tests::as_bytes;
using tests::read_file;
using tests::ScidDatabase;

class MultiplyTest : public testing::Test {
 protected:
  tests::TemporaryFolder folder_;
  const std::string target_ = folder_ / "target";
  const std::string source_ = tests::test_data("sample/sample");
};

TEST_F(MultiplyTest, CopiesDecodeToOriginalTextExceptForNames) {
  constexpr std::uint32_t kGames = 5000;
  ASSERT_TRUE(multiply(source_, kGames, target_).ok());
  const ScidDatabase source(source_);
  const ScidDatabase target(target_);
  EXPECT_TRUE(target.names().status.ok()) << target.names().status;
  ASSERT_THAT(target.games(), Eq(kGames));
  codec::scid::GameText writer({});
  codec::TextBuffer expected;
  for (std::uint32_t game = 0; game < kGames; ++game) {
    SCOPED_TRACE(game);
    const std::uint32_t original = game % source.games();
    const codec::GameTags from = source.tags(original);
    const codec::GameTags tags = target.tags(game);
    const std::optional<codec::Bytes> record = source.record(original);
    ASSERT_TRUE(record.has_value());
    expected.clear();
    writer.append(tags, target.place(game), *record, expected);
    ASSERT_THAT(target.render(game, writer).text, Eq(expected.view()));
    ASSERT_THAT(tags.site, Eq(from.site));
    ASSERT_THAT(tags.round, Eq(from.round));
    ASSERT_THAT(tags.date, Eq(from.date));
    if (game < source.games()) {
      ASSERT_THAT(tags.white, Eq(from.white));
      ASSERT_THAT(tags.black, Eq(from.black));
      ASSERT_THAT(tags.event, Eq(from.event));
    } else {
      const auto suffix = fmt::format(" #{}", game / source.games() + 1);
      ASSERT_THAT(tags.white, Eq(std::string(from.white) + suffix));
      ASSERT_THAT(tags.black, Eq(std::string(from.black) + suffix));
      ASSERT_THAT(tags.event, Eq(std::string(from.event) + suffix));
    }
  }
}

TEST_F(MultiplyTest, RecordsFollowEachOtherWithoutCrossingBlocks) {
  ASSERT_TRUE(multiply(source_, 5000, target_).ok());
  const ScidDatabase target(target_);
  const std::string game_file = read_file(target_ + ".sg4");
  std::uint64_t end = 0;
  unsigned fillers = 0;
  for (std::uint32_t game = 0; game < target.games(); ++game) {
    const IndexEntry entry = target.entry(game);
    ASSERT_THAT(entry.offset / kGameBlock, Eq((entry.offset + entry.length - 1) / kGameBlock));
    if (entry.offset != end) {
      ++fillers;
      ASSERT_THAT(entry.offset % kGameBlock, Eq(0U));
      const std::uint64_t filler = entry.offset - end;
      ASSERT_LT(filler, entry.length);
      EXPECT_THAT(game_file.substr(end, filler), Eq(game_file.substr(entry.offset, filler)));
    }
    end = entry.offset + entry.length;
  }
  EXPECT_THAT(game_file.size(), Eq(end));
  EXPECT_GT(fillers, 0U);
}

TEST_F(MultiplyTest, FrequenciesCountUsesOfNames) {
  ASSERT_TRUE(multiply(source_, 5000, target_).ok());
  const ScidDatabase target(target_);
  const auto names = read_names(as_bytes(read_file(target_ + ".sn4")));
  ASSERT_TRUE(names.ok()) << names.status();
  std::array<std::vector<std::uint32_t>, codec::scid::kNameKinds> uses;
  for (std::size_t kind = 0; kind < uses.size(); ++kind) {
    uses[kind].resize((*names)[kind].names.size());
  }
  const auto count = [&uses](NameKind kind, std::uint32_t id) {
    ++uses[static_cast<std::size_t>(kind)].at(id);
  };
  for (std::uint32_t game = 0; game < target.games(); ++game) {
    const IndexEntry entry = target.entry(game);
    count(NameKind::Player, entry.white);
    count(NameKind::Player, entry.black);
    count(NameKind::Event, entry.event);
    count(NameKind::Site, entry.site);
    count(NameKind::Round, entry.round);
  }
  for (std::size_t kind = 0; kind < uses.size(); ++kind) {
    EXPECT_THAT((*names)[kind].frequencies, Eq(uses[kind]));
  }
}

TEST_F(MultiplyTest, NamesAreReusedWhenIdsRunOut) {
  const ScidDatabase source(source_);
  NameLimits limits = kNameLimits;
  const std::uint32_t players = source.names()[NameKind::Player].size();
  const std::uint32_t events = source.names()[NameKind::Event].size();
  limits[static_cast<std::size_t>(NameKind::Player)] = players + 10;
  limits[static_cast<std::size_t>(NameKind::Event)] = events;
  ASSERT_TRUE(multiply(source_, source.games() * 3, target_, limits).ok());
  const ScidDatabase target(target_);
  EXPECT_TRUE(target.names().status.ok()) << target.names().status;
  EXPECT_THAT(target.names()[NameKind::Player].size(), Eq(players + 10));
  EXPECT_THAT(target.names()[NameKind::Event].size(), Eq(events));
  for (std::uint32_t game = 0; game < target.games(); ++game) {
    const std::uint32_t original = game % source.games();
    ASSERT_THAT(target.tags(game).event, Eq(source.tags(original).event));
    ASSERT_THAT(target.tags(game).white, StartsWith(source.tags(original).white));
  }
}

// More than 65,535 names have ids of three bytes.
TEST_F(MultiplyTest, IdsHaveThreeBytesWhenNamesAreMany) {
  const ScidDatabase source(source_);
  const std::uint32_t players = source.names()[NameKind::Player].size();
  const std::uint32_t copies = 0x10000 / players + 2;
  ASSERT_TRUE(multiply(source_, source.games() * copies, target_).ok());
  const auto names = codec::scid::parse_names(as_bytes(read_file(target_ + ".sn4")));
  EXPECT_TRUE(names.status.ok()) << names.status;
  EXPECT_THAT(names[NameKind::Player].size(), Eq(players * copies));
  EXPECT_GT(names[NameKind::Player].size(), 0x10000U);
}

// With names that run out at once, so that only moves distinguish copies.
TEST_F(MultiplyTest, DistinctCopiesHaveDifferentMoves) {
  const ScidDatabase source(source_);
  NameLimits limits{};
  for (std::size_t kind = 0; kind < limits.size(); ++kind) {
    limits[kind] = source.names().tables[kind].size();
  }
  constexpr std::uint32_t kCopies = 40;
  ASSERT_TRUE(multiply(source_, source.games() * kCopies, target_, limits, Copies::OwnMoves).ok());
  const ScidDatabase target(target_);
  codec::scid::GameText writer({});
  for (const std::uint32_t original : {0U, 100U, 1600U}) {
    std::set<std::string> texts;
    for (std::uint32_t copy = 0; copy < kCopies; ++copy) {
      const std::uint32_t game = copy * source.games() + original;
      const tests::RenderedGame text = target.render(game, writer);
      EXPECT_FALSE(text.damage.has_value()) << text.text;
      texts.insert(text.text);
      EXPECT_LE(target.entry(game).plies, source.entry(original).plies);
    }
    EXPECT_THAT(texts.size(), Eq(kCopies));
  }
}

// As in a large database of real games.
TEST_F(MultiplyTest, ATenthOfFirstPositionsOfDistinctCopiesIsOfOneGame) {
  const ScidDatabase source(source_);
  ASSERT_TRUE(multiply(source_, source.games() * 20, target_, kNameLimits, Copies::OwnMoves).ok());
  const ScidDatabase target(target_);
  codec::scid::Walker walker;
  std::map<codec::scid::BoardKey, unsigned> games_of;
  std::size_t positions = 0;
  for (std::uint32_t game = 0; game < target.games(); ++game) {
    const codec::Bytes record = target.record(game).value();
    std::vector<codec::scid::ExtraTag> tags;
    codec::scid::RecordHead head;
    ASSERT_FALSE(parse_record_head(record, tags, head).has_value());
    const codec::scid::GameFacts facts = facts_of(walker, record, head);
    const bool is_own = game >= source.games() && !head.fen.has_value();
    if (is_own) {
      ASSERT_THAT(disagreements(target.entry(game), facts), Eq(0U)) << game;
    }
    walk_positions(walker, record, record, head,
                   [&](std::uint32_t ply, const codec::Position& position) {
                     if (ply > 24) return;
                     ++positions;
                     ++games_of[codec::scid::key_of_board(position)];
                   });
  }
  const auto of_one_game =
      std::ranges::count_if(games_of, [](const auto& board) { return board.second == 1; });
  EXPECT_GT(static_cast<std::size_t>(of_one_game), positions / 10);
  EXPECT_LT(static_cast<std::size_t>(of_one_game), positions / 4);
}

TEST_F(MultiplyTest, RefusesSizesBeyondTheFormat) {
  const absl::Status many = multiply(source_, kMostGames + 1, target_);
  EXPECT_THAT(std::string(many.message()), HasSubstr("more than the format's 16777214"));
  const absl::Status large = multiply(tests::test_data("scid4/long_record"), 100'000, target_);
  EXPECT_THAT(std::string(large.message()), HasSubstr("more than 4 GiB"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_F(MultiplyTest, DoesNotOverwriteExistingFiles) {
  ASSERT_TRUE(multiply(source_, 10, target_).ok());
  const std::string before = read_file(target_ + ".si4");
  EXPECT_THAT(multiply(source_, 20, target_).code(), Eq(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(read_file(target_ + ".si4"), Eq(before));
}

}  // namespace
}  // namespace scidfs::bench
