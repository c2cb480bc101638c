// Searches and tables of games with the longest possible records: how much work they count as, and
// how soon they stop when cancelled.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "fs/database/decoding.h"
#include "fs/duplicates/doubles.h"
#include "fs/positions/game_openings.h"
#include "fs/positions/moves_played.h"
#include "fs/positions/opening_tree.h"
#include "fs/positions/set_endings.h"
#include "fs/reference/reference.h"
#include "fs/search/moves_search.h"
#include "fs/search/search.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/shared_records.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kGames = 300;
constexpr std::size_t kGamesOfLongest = 511;

class LongRecordsTest : public SetsTest {
 protected:
  static absl::Status find(const DatabasePtr& database, const std::vector<std::string>& names,
                           const WorkBudget& budget) {
    std::vector<FacetGroup> groups;
    for (const std::string& name : names) groups.push_back({parse_facet(name).value()});
    return search(shown(database), std::nullopt, groups, budget).status();
  }
  static codec::TargetPosition start() {
    return *codec::parse_position_name("rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w");
  }
  static absl::Status find_doubles(const DatabasePtr& database, const WorkBudget& budget) {
    return Doubles::find(std::make_shared<const CommonPlayers>(database), budget).status();
  }
  static ReferencePtr openings() {
    auto reference = std::make_shared<Reference>();
    reference->openings = std::make_shared<const OpeningNames>("A01 \"king's pawn\" 1.e4 *\n");
    return reference;
  }
  // All scans of the records of a set.
  static std::vector<std::pair<std::string, std::function<absl::Status(const WorkBudget&)>>> scans(
      const DatabasePtr& database) {
    return {
        {"text", [=](const WorkBudget& e) { return find(database, {"text=nothing"}, e); }},
        {"line", [=](const WorkBudget& e) { return find(database, {"line=d4"}, e); }},
        {"reached", [=](const WorkBudget& e) { return find(database, {"reached=KvK"}, e); }},
        {"position",
         [=](const WorkBudget& e) {
           return find(database, {"position=8-8-8-8-8-4k3-4p3-4K3_w"}, e);
         }},
        {"moves",
         [=](const WorkBudget& e) { return moves_played(shown(database), start(), e).status(); }},
        {"tree",
         [=](const WorkBudget& e) {
           return OpeningTree::make(shown(database), start(), e).status();
         }},
        {"endings",
         [=](const WorkBudget& e) { return SetEndings::find(shown(database), e).status(); }},
        {"doubles", [=](const WorkBudget& e) { return find_doubles(database, e); }},
        {"openings", [=](const WorkBudget& e) { return openings_of(*database, e).status(); }},
    };
  }
};

TEST_F(LongRecordsTest, ScansStopSoonWhenCancelled) {
  const Shared database = open(tests::share_record(kGames, tests::longest_record("bla bla ")),
                               {.pgn = {}, .reference = openings()});
  for (const auto& [name, scan] : scans(database)) {
    SCOPED_TRACE(name);
    // Cancellation is checked between any two records.
    std::atomic<std::size_t> checks = 0;
    const auto count = [&checks] {
      ++checks;
      return false;
    };
    EXPECT_TRUE(scan(WorkBudget::unlimited(count, 1)).ok());
    EXPECT_GE(checks, kGames);
    checks = 0;
    const auto end = [&checks] { return ++checks > 50; };
    EXPECT_TRUE(name == "openings" || absl::IsCancelled(scan(WorkBudget::unlimited(end, 1))));
    EXPECT_LT(checks, 60U);
  }
}

TEST_F(LongRecordsTest, ExceedLimitedBudget) {
  const Shared database = open(tests::share_record(kGames, tests::longest_record("bla bla ")),
                               {.pgn = {}, .reference = openings()});
  for (const auto& [name, scan] : scans(database)) {
    EXPECT_TRUE(absl::IsUnavailable(scan(WorkBudget::limited(2000)))) << name;
    EXPECT_TRUE(absl::IsUnavailable(scan(WorkBudget::limited(kGames * kGamesOfLongest - 1))))
        << name;
  }
}

TEST_F(LongRecordsTest, EachPatternCountsAgainstBudget) {
  const Shared database = open(tests::share_record(10, tests::longest_record("aaaa ")));
  const std::size_t all = games_of_records(10, 10 * database->entry(0).length);
  const auto is_enough = [&](const std::vector<std::string>& names, std::size_t games) {
    const absl::Status less = find(database, names, WorkBudget::limited(games - 1));
    EXPECT_TRUE(absl::IsUnavailable(less)) << less;
    return find(database, names, WorkBudget::limited(games)).ok();
  };
  EXPECT_TRUE(is_enough({"text=aaaa"}, all));
  EXPECT_TRUE(is_enough({"text=aaaa", "text=aaa"}, 2 * all));
  std::string pattern = "text=";
  for (int i = 0; i < 100; ++i) pattern += "?a";
  EXPECT_TRUE(is_enough({pattern + 'b'}, 4 * all));
  EXPECT_TRUE(is_enough({"line=e4", "reached=KvK"}, 2 * all));
}

TEST_F(LongRecordsTest, NamesCountByLengthAndPattern) {
  tests::ScidFilesBuilder builder;
  for (int i = 0; i < 4000; ++i) {
    builder.name(NameKind::Player, fmt::format("{:04}", i) + std::string(196, 'a'));
  }
  for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
    builder.name(kind, "x");
  }
  Entry entry;
  entry.black = 1;
  builder.game(entry, record());
  const Shared database = open(builder.files());
  constexpr std::size_t kOnce = 4000 * 200 / 8000;
  EXPECT_TRUE(absl::IsUnavailable(find(database, {"player=a*"}, WorkBudget::limited(kOnce - 1))));
  EXPECT_TRUE(find(database, {"player=a*"}, WorkBudget::limited(kOnce + 1)).ok());
  const std::string twice = "player=*" + std::string(100, 'a') + "b*";
  EXPECT_TRUE(absl::IsUnavailable(find(database, {twice}, WorkBudget::limited(2 * kOnce - 1))));
  EXPECT_TRUE(find(database, {twice}, WorkBudget::limited(2 * kOnce + 1)).ok());
}

TEST_F(LongRecordsTest, AreRefusedIfTooManyGamesShareThem) {
  const Shared database = open(tests::share_record(2100, tests::longest_record("bla bla ")),
                               {.pgn = {}, .reference = openings()});
  for (const auto& [name, scan] : scans(database)) {
    EXPECT_TRUE(absl::IsUnimplemented(scan(whole()))) << name;
  }
  // Fewer games are searched.
  EXPECT_TRUE(find(database, {"number=1..20", "text=bla"}, whole()).ok());
}

}  // namespace
}  // namespace scidfs::fs
