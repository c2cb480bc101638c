#include "fs/search/query_table.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fs/search/query_context.h"

namespace scidfs::fs {
namespace {

Query query(std::string path, std::uint32_t key = 0) {
  return {.base = {.view = 9, .key = key}, .path = std::move(path), .groups = {}};
}

TEST(QueryTableTest, QueryKeepsItsNumber) {
  QueryTable queries;
  const std::uint32_t first = queries.number_of(query("search/eco=B"));
  EXPECT_EQ(queries.number_of(query("search/eco=B")), first);
  EXPECT_NE(queries.number_of(query("search/eco=C")), first);
  EXPECT_NE(queries.number_of(query("search/eco=B", 1)), first);
  EXPECT_EQ(queries.find(first)->path, "search/eco=B");
  EXPECT_EQ(queries.find(first + 1), nullptr);
  EXPECT_EQ(queries.size(), 3U);
}

// After a remount, for instance.
TEST(QueryTableTest, NumbersDoNotDependOnOrderOfQueries) {
  constexpr int kQueries = 200;
  std::map<std::string, std::uint32_t> numbers;
  QueryTable queries;
  for (int i = 0; i < kQueries; ++i) {
    const std::string path = fmt::format("search/year={}", i);
    numbers[path] = queries.number_of(query(path));
  }
  QueryTable others;
  for (int i = kQueries; i-- > 0;) {
    const std::string path = fmt::format("search/year={}", i);
    EXPECT_EQ(others.number_of(query(path)), numbers[path]);
  }
}

// So many that some of them share a hash.
TEST(QueryTableTest, NumbersOfQueriesAreUnique) {
  constexpr int kQueries = 200'000;
  QueryTable queries({.queries = 10, .text_bytes = std::size_t{1} << 30});
  std::unordered_map<std::uint32_t, int> owners;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kQueries; ++i) {
      const std::uint32_t number = queries.number_of(query(fmt::format("search/number={}", i)));
      const auto [owner, is_new] = owners.try_emplace(number, i);
      EXPECT_EQ(owner->second, i);
      EXPECT_EQ(is_new, round == 0) << i << " has another number than before";
    }
  }
  EXPECT_EQ(queries.size(), 10U);
}

TEST(QueryTableTest, UsedQueriesAreNotEvicted) {
  QueryTable queries({.queries = 10, .text_bytes = 0});
  const std::uint32_t kept = queries.number_of(query("search/eco=A"));
  const std::uint32_t forgotten = queries.number_of(query("search/eco=B"));
  for (int i = 0; i < 100; ++i) {
    queries.number_of(query(fmt::format("search/year={}", i)));
    EXPECT_NE(queries.find(kept), nullptr);
  }
  EXPECT_EQ(queries.find(forgotten), nullptr);
  EXPECT_EQ(queries.number_of(query("search/eco=A")), kept);
  EXPECT_EQ(queries.number_of(query("search/eco=B")), forgotten);
  EXPECT_NE(queries.find(forgotten), nullptr);
}

// A program has such a directory as its current one, or a handle of it.
TEST(QueryTableTest, QueryKeptAsTextIsFoundByItsNumber) {
  const std::string fen = "rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w";
  for (const std::string& path : std::vector<std::string>{
           "search/eco=B", "search/eco=B/year=2010../search/eco=B90/player=carlsen*",
           "search/player=Carlsen,M/against/Anand,V", "tree", "tree/e4/c5/Nf3",
           "search/eco=B/tree/e2e4!/tree/d4/search/elo=2600..", "positions/" + fen + "/Nf3",
           "tree/positions/" + fen + "/search/elo=2700..", "values/Annotator.tsv",
           "search/tag=Annotator,N*/tree/values/White_Team.tsv"}) {
    SCOPED_TRACE(path);
    QueryTable queries({.queries = 1});
    const absl::StatusOr<Query> asked = parse_query({.view = 9}, path);
    ASSERT_TRUE(asked.ok()) << asked.status();
    const std::uint32_t number = queries.number_of(*asked);
    queries.number_of(query("search/flag=T"));
    EXPECT_EQ(queries.texts(), 1U);
    const QueryPtr found = queries.find(number);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(*found, *asked);
    EXPECT_EQ(found->path, path);
    EXPECT_EQ(found->file, asked->file);
    EXPECT_EQ(found->file.empty(), !path.ends_with(".tsv"));
    EXPECT_EQ(canonical_text(found->groups), canonical_text(asked->groups));
    ASSERT_EQ(found->line == nullptr, asked->line == nullptr);
    if (found->line != nullptr) {
      EXPECT_EQ(found->line->moves, asked->line->moves);
      EXPECT_EQ(found->line->position.fen(), asked->line->position.fen());
    }
    EXPECT_EQ(queries.number_of(*asked), number);
  }
}

TEST(QueryTableTest, MemoryIsBounded) {
  QueryTable queries({.bytes = 100'000, .text_bytes = 100'000});
  for (int i = 0; i < 1000; ++i) {
    queries.number_of(query(fmt::format("search/text={}{}", std::string(1000, 'a'), i)));
  }
  EXPECT_LT(queries.size(), 100U);
  EXPECT_GT(queries.size(), 5U);
  EXPECT_LT(queries.texts(), 100U);
  EXPECT_GT(queries.texts(), 5U);
}

TEST(QueryTableTest, EvictedQueryGetsItsNumberAgain) {
  QueryTable queries({.queries = 1, .text_bytes = 0});
  const std::uint32_t number = queries.number_of(query("search/eco=A"));
  for (int round = 0; round < 10'000; ++round) {
    queries.number_of(query(fmt::format("search/year={}", round)));
    ASSERT_EQ(queries.find(number), nullptr);
    ASSERT_EQ(queries.number_of(query("search/eco=A")), number);
  }
}

// All queries on the way to the longest one that continues in this way.
std::vector<Query> all_on_the_way(std::string_view first, const std::vector<std::string>& more) {
  std::vector<Query> queries;
  for (std::string path(first);; path += more[(queries.size() - 1) % more.size()]) {
    absl::StatusOr<Query> query = parse_query({.view = 9}, path);
    if (!query.ok()) {
      EXPECT_TRUE(absl::IsOutOfRange(query.status())) << path << query.status();
      return queries;
    }
    queries.push_back(*std::move(query));
  }
}

TEST(QueryTableTest, LongPathsDoNotEvictOtherQueries) {
  const std::string text = "search/text=" + std::string(200, 'a');
  using Way = std::pair<std::string, std::vector<std::string>>;
  for (const auto& [first, more] :
       {Way("search/eco=B", {"/search/eco=B"}), Way(text, {"/" + text}),
        Way("tree", {"/e4", "/e5", "/tree"}), Way("tree", {"/Nf3", "/Nf6", "/Ng1", "/Ng8"})}) {
    SCOPED_TRACE(more[0]);
    const std::vector<Query> way = all_on_the_way(first, more);
    EXPECT_GE(way.size(), 8U);
    EXPECT_LE(way.back().path.size(), 2048U);
    QueryTable queries;
    queries.number_of(query("search/eco=A"));
    // From four sets.
    for (std::uint32_t set = 0; set < 4; ++set) {
      for (Query asked : way) {
        asked.base.key = set;
        queries.number_of(std::move(asked));
      }
    }
    EXPECT_EQ(queries.size(), 1 + 4 * way.size());
  }
  EXPECT_EQ(all_on_the_way("tree", {"/tree"}).size(), kMostQueryFacets);
  EXPECT_EQ(all_on_the_way("search/eco=B", {"/search/eco=B"}).size(), kMostQueryFacets);
}

TEST(QueryTableTest, InvalidQueriesAreRefusedWithReason) {
  for (const std::string path : {"search/eco", "search/eco=B/eco=C", "eco=B", "e4", "tree/e5",
                                 "positions/nonsense", "search/eco=B/e4", "elsewhere/eco=B"}) {
    const absl::Status status = parse_query({.view = 9}, path).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << path << ": " << status;
    EXPECT_NE(status.message(), "") << path;
  }
}

TEST(QueryTableTest, SupportsConcurrentCallers) {
  QueryTable queries({.queries = 50, .text_bytes = 5'000});
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const std::string path = fmt::format("search/year={}", i % 100);
        const QueryPtr found = queries.find(queries.number_of(query(path)));
        EXPECT_TRUE(found == nullptr || found->path == path);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(queries.size(), 50U);
}

TEST(RejectedNamesTest, KeepLastTwentyNamesOnceEach) {
  RejectedNames rejected_names;
  EXPECT_TRUE(rejected_names.all().empty());
  for (int i = 0; i < 25; ++i) {
    rejected_names.note(RejectedNames::Kind::Facet, fmt::format("key{}=1", i), "no key");
    rejected_names.note(RejectedNames::Kind::Facet, fmt::format("key{}=1", i), "no key");
  }
  const std::vector<RejectedNames::RejectedName> all = rejected_names.all();
  ASSERT_EQ(all.size(), 20U);
  EXPECT_EQ(all.front().name, "key5=1");
  EXPECT_EQ(all.back().name, "key24=1");
  EXPECT_EQ(all.back().reason, "no key");
}

}  // namespace
}  // namespace scidfs::fs
