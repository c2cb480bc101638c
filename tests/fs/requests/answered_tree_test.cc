// A tree of databases through the runner alone, as another front end would show it.
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fs/requests/request_runner.h"
#include "tests/fs/library_fixture.h"
#include "tests/fs/requests/plain_caller.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

// A program with a thread of its own. It interrupts some requests and repeats them.
class Program {
 public:
  Program(RequestRunner& runner, Tree& tree, std::uint64_t seed)
      : runner_(runner), tree_(tree), user_(static_cast<uid_t>(seed % 3)), random_(seed) {}

  // Reads some bytes of a file at some place, from its path on.
  void read(const std::string& path, const std::string& expected) {
    Inode inode = kRootInode;
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = std::min(path.find('/', begin), path.size());
      const std::string name = path.substr(begin, end - begin);
      const absl::StatusOr<Entry> entry = answer<Entry>([&](PlainRequest<Entry>& request) {
        request.run_when_calm(runner_, inode, name, [=, this](const WorkBudget& budget) {
          return tree_.lookup(inode, name, budget);
        });
      });
      ASSERT_TRUE(entry.ok()) << path << ": " << entry.status();
      inode = entry->attributes.inode;
      begin = end + 1;
    }
    const absl::StatusOr<Attributes> attributes =
        answer<Attributes>([&](PlainRequest<Attributes>& request) {
          request.run(runner_, inode, [=, this](const WorkBudget& budget) {
            return tree_.attributes(inode, budget);
          });
        });
    ASSERT_TRUE(attributes.ok()) << path << ": " << attributes.status();
    ASSERT_EQ(attributes->size, expected.size()) << path;
    read(inode, random_.below(expected.size() + 1), path, expected);
  }

  std::size_t interrupted() const { return interrupted_; }

 private:
  void read(Inode inode, std::uint64_t offset, const std::string& path,
            const std::string& expected) {
    const std::size_t size = 1 + random_.below(300'000);
    const absl::StatusOr<Slice> slice = answer<Slice>([&](PlainRequest<Slice>& request) {
      request.run(runner_, inode, [=, this](const WorkBudget& budget) {
        return tree_.read(inode, offset, size, budget);
      });
    });
    ASSERT_TRUE(slice.ok()) << path << ": " << slice.status();
    EXPECT_EQ(slice->bytes.empty(), offset == expected.size()) << path;
    EXPECT_TRUE(slice->bytes == expected.substr(offset, slice->bytes.size())) << path;
  }

  template <class Value, class Run>
  absl::StatusOr<Value> answer(const Run& run) {
    for (;;) {
      PlainRequest<Value> request(user_);
      run(request);
      if (random_.below(3) == 0 && !request.is_answered(milliseconds(random_.below(3)))) {
        request.cancel();
      }
      if (!absl::IsCancelled(request.answer().status())) return request.answer();
      ++interrupted_;
    }
  }

  RequestRunner& runner_;
  Tree& tree_;
  const uid_t user_;
  tests::Random random_;
  std::size_t interrupted_ = 0;
};

class AnsweredTreeTest : public LibraryTest {
 protected:
  // Reads files of a tree that nothing else uses.
  void expect(const std::vector<std::string>& paths) {
    open(source_);
    for (const std::string& path : paths) {
      expected_[path] = text(path);
      EXPECT_FALSE(expected_[path].empty()) << path;
    }
  }

  std::map<std::string, std::string> expected_;
};

TEST_F(AnsweredTreeTest, ManyProgramsReadTheBytesOfAPlainReadThoughTheyInterruptRequests) {
  constexpr std::uint64_t kPrograms = 12;
  constexpr int kRounds = 5;
  put("a", example_database(6000, 1).files());
  put("b", example_database(20, 2).files());
  options_.index = IndexMode::None;
  expect({"a.si4/all.pgn", "a.si4/players.tsv", "a.si4/index.tsv", "a.si4/summary.txt",
          "a.si4/search/white=White 1/games.pgn", "a.si4/players/wh/White_2/all.pgn",
          "a.si4/tree/e4/moves.txt", "b.si4/all.pgn", "b.si4/games/00000/1.pgn"});
  open(source_);
  Tree tree(*library_, {.blocks = {.cache_bytes = std::size_t{1} << 20, .threads = 1}});
  RequestRunner runner(tree, std::size_t{8} << 20);
  PendingChanges& changes = library_->pending_changes();
  std::atomic<bool> is_over = false;
  std::thread scans([&] {
    while (!is_over) {
      changes.finish(changes.next(PendingChanges::Clock::now() + milliseconds(20)), {});
    }
  });
  std::atomic<std::size_t> interrupted = 0;
  std::vector<std::thread> programs;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    programs.emplace_back([&, seed] {
      Program program(runner, tree, seed);
      for (int round = 0; round < kRounds; ++round) {
        if (seed == 1) changes.note({.path = "a.si4", .is_arrival = true});
        for (const auto& [path, bytes] : expected_) program.read(path, bytes);
      }
      interrupted += program.interrupted();
    });
  }
  for (std::thread& program : programs) program.join();
  is_over = true;
  scans.join();
  EXPECT_GT(interrupted, 0U);
  runner.close();
}

}  // namespace
}  // namespace scidfs::fs
