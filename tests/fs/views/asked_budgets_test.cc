// Files that take long: how often they ask their budgets.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "fs/base/thread.h"
#include "fs/content/work_budget.h"
#include "fs/views/database_snapshot.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/support/scid_files.h"
#include "tests/support/snapshot.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using std::chrono::nanoseconds;

class AskedBudgetsTest : public DatabaseTest {};

// What one request asked.
struct Asks {
  std::size_t count = 0;
  nanoseconds longest{0};  // processor time between two of them
  nanoseconds all{0};
  absl::Status status;
};

// Makes a file on one thread; cancels at the ask with the number `last`.
Asks ask_for(const Snapshot& snapshot, LocalId file, std::size_t last) {
  Asks asks;
  const nanoseconds begin = processor_time();
  nanoseconds before = begin;
  const auto look = [&] {
    const nanoseconds now = processor_time();
    asks.longest = std::max(asks.longest, now - before);
    before = now;
    return ++asks.count >= last;
  };
  const auto content = tests::open_file(snapshot, file, WorkBudget::unlimited(look, 1));
  asks.status = content.status();
  const nanoseconds end = processor_time();
  asks.longest = std::max(asks.longest, end - before);
  asks.all = end - begin;
  return asks;
}

TEST_F(AskedBudgetsTest, FilesStopSoonWhereverTheyAreCancelled) {
  const tests::ScidFiles files = example(2000);
  for (const std::string& path : tests::words(
           "all.pgn index.tsv index.csv summary.txt players.tsv openings.tsv years.tsv "
           "events.tsv errors.tsv lines.pgn lines/side=white.pgn lines/plies=60,games=1.pgn "
           "book.bin book/plies=60,games=1.bin novelties.tsv evals.tsv plies.tsv games.uci "
           "games.parquet plies.parquet positions.parquet moves.npy boards.npy manifest.json "
           "endings.tsv tags.tsv doubles/doubles.tsv index.html tree/moves.tsv "
           "tree/explorer.json tree/index.html search/text=a*b/index.tsv "
           "search/played=Nf3,..,e4/summary.txt search/pieces=Nd5/index.tsv "
           "search/reached=KRvKR/index.tsv parts/8/3/plies.tsv search/last=9/index.tsv "
           "search/first=9,by=elo/index.tsv search/first=9,by=plies/index.tsv")) {
    SCOPED_TRACE(path);
    // Each time a database of which nothing is known yet.
    const auto ask = [&](std::size_t last) {
      const Shared database = open(files);
      const DatabaseSnapshot snapshot(database);
      const std::optional<LocalId> place = tests::follow(snapshot, path);
      EXPECT_TRUE(place.has_value());
      return place.has_value() ? ask_for(snapshot, *place, last) : Asks{};
    };
    const Asks whole = ask(~std::size_t{0});
    ASSERT_TRUE(whole.status.ok()) << whole.status;
    if (whole.count == 0) continue;  // it reads no games
    for (const std::size_t part : {1, 2, 3, 4}) {
      const std::size_t last = std::max<std::size_t>(1, whole.count * part / 4);
      const Asks cancelled = ask(last);
      EXPECT_TRUE(absl::IsCancelled(cancelled.status)) << last << " of " << whole.count;
      EXPECT_LE(cancelled.count, last + 3);
    }
    // On any machine: a file that takes long never works for most of its time unasked.
    constexpr std::chrono::milliseconds kLong(100);
    if (whole.all > kLong) {
      EXPECT_LT(whole.longest, whole.all / 2);
    }
  }
}

// An asker with a limit of memory.
class Lender final : public Asker {
 public:
  explicit Lender(std::size_t most) : most_(most) {}

  bool has_left() const override { return false; }
  absl::Status take_memory(std::size_t bytes) override {
    if (lent_ + bytes > most_) return absl::ResourceExhaustedError("no more");
    lent_ += bytes;
    highest_ = std::max(highest_, lent_);
    return absl::OkStatus();
  }
  void give_back_memory(std::size_t bytes) override { lent_ -= bytes; }

  std::size_t lent() const { return lent_; }
  std::size_t highest() const { return highest_; }

 private:
  const std::size_t most_;
  std::size_t lent_ = 0;
  std::size_t highest_ = 0;
};

TEST_F(AskedBudgetsTest, FilesGiveBackTheMemoryThatTheyTake) {
  const tests::ScidFiles files = example(300);
  for (const char* const path : {"summary.txt", "players.tsv", "events.tsv", "lines.pgn",
                                 "book.bin", "novelties.tsv", "doubles/doubles.tsv"}) {
    SCOPED_TRACE(path);
    // Opens a database of which nothing is known yet; returns what the file took at most.
    const auto ask = [&](std::size_t most, absl::StatusCode expected) {
      const Shared database = open(files);
      const DatabaseSnapshot snapshot(database);
      Lender lender(most);
      const auto content = tests::open_file(snapshot, *tests::follow(snapshot, path),
                                            WorkBudget::unlimited(lender, 1));
      EXPECT_EQ(content.status().code(), expected) << content.status();
      EXPECT_EQ(lender.lent(), 0U);
      return lender.highest();
    };
    const std::size_t highest = ask(~std::size_t{0}, absl::StatusCode::kOk);
    EXPECT_GT(highest, 0U);
    ask(0, absl::StatusCode::kResourceExhausted);
  }
}

}  // namespace
}  // namespace scidfs::fs
