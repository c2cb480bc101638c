// A source on a remote server: how many requests it gets, and that it blocks only its readers when
// it hangs. Counts requests, not seconds.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/reader.h"
#include "tests/support/remote_folder.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kPiece = std::uint64_t{128} << 10;  // the most that one READ returns
// The sample has so many games, and those of B90 are in so many distant places.
constexpr std::uint64_t kSampleGames = 1605;
constexpr std::uint64_t kPlacesOfOpening = 4;
// READs of a first scan besides the bytes: headers, and pieces that end in the middle.
constexpr std::uint64_t kHeads = 12;

// True if a condition becomes true soon enough.
bool soon(const std::function<bool()>& is_true, seconds limit = seconds(is_sanitized() ? 60 : 15)) {
  for (const auto end = steady_clock::now() + limit; steady_clock::now() < end;) {
    if (is_true()) return true;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return is_true();
}

using HangingReaders = std::vector<std::unique_ptr<Reader>>;

bool all_have_ended(const HangingReaders& readers) {
  return std::ranges::all_of(readers, [](const auto& reader) { return reader->has_ended(); });
}

// Returns how many positions files a cache folder has that are whole.
std::ptrdiff_t count_positions_files(const filesystem::path& folder) {
  return std::ranges::count_if(files_below(folder), [](const filesystem::path& file) {
    return file.extension() == ".positions" && file.filename().native().front() != '.';
  });
}

std::uint64_t size_of(const filesystem::path& file) { return filesystem::file_size(file); }

class NetworkTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    filesystem::create_directory(server_);
    filesystem::create_directory(source_);
  }
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }

  // A source with a database on disk and a folder on a server with two databases.
  void make_mixed_source() {
    copy_sample(source_ / "near");
    copy_sample(server_ / "hanging");
    copy_sample(server_ / "working");
    remote_ = std::make_unique<RemoteFolder>(server_, source_ / "far");
    ASSERT_TRUE(remote_->ok());
  }
  // So many readers, each of another game, all of which hang.
  HangingReaders hang_readers(const Mount& mount, int count) {
    HangingReaders readers;
    for (int i = 1; i <= count; ++i) {
      readers.push_back(
          std::make_unique<Reader>(mount / fmt::format("far/hanging.si4/games/{}.pgn", i)));
    }
    EXPECT_TRUE(soon([&] { return remote_->hung() != 0; }));
    return readers;
  }

  TemporaryFolder folder_;
  const filesystem::path server_ = folder_ / "server";
  const filesystem::path source_ = folder_ / "source";
  std::unique_ptr<RemoteFolder> remote_;
};

// The READs that an action causes.
class Counted {
 public:
  explicit Counted(const RemoteFolder& remote) : remote_(remote), before_(remote.counts()) {}
  std::uint64_t reads() const { return remote_.counts().reads - before_.reads; }
  std::uint64_t bytes() const { return remote_.counts().bytes - before_.bytes; }
  std::uint64_t others() const { return remote_.counts().others - before_.others; }

 private:
  const RemoteFolder& remote_;
  const RemoteFolder::Counts before_;
};

TEST_F(NetworkTest, ReadsFewBytesInLargePieces) {
  if (is_over()) return;
  constexpr std::uint32_t kGames = 60'000;
  const absl::Status made = bench::multiply(test_data("sample/sample"), kGames, server_ / "large");
  ASSERT_TRUE(made.ok()) << std::string(made.message());
  make_old(server_);
  const std::uint64_t index_bytes = size_of(server_ / "large.si4") + size_of(server_ / "large.sn4");
  const std::uint64_t game_bytes = size_of(server_ / "large.sg4");
  const RemoteFolder remote(server_);
  ASSERT_TRUE(remote.ok());
  const Counted mounting(remote);
  const Mount mount({.source = remote / "large.si4", .options = "index=none"});
  ASSERT_TRUE(mount.ok());
  EXPECT_LE(mounting.reads(), index_bytes / kPiece + kHeads);
  EXPECT_LE(mounting.bytes(), index_bytes + kHeads * kPiece / 2);

  // The games of a player are close together here, and those of an opening are spread over the
  // file: close places are read at once.
  const Counted of_a_player(remote);
  EXPECT_THAT(read_all(mount / "players/ka/Kasparov,_Gary/all.pgn"), HasSubstr("[Event "));
  EXPECT_LE(of_a_player.reads(), 16U);
  EXPECT_LE(of_a_player.bytes(), 4 * kPiece);
  const Counted of_an_event(remote);
  EXPECT_THAT(read_all(mount / "events/1951/World_Championship_19th--Moscow/games.pgn"),
              HasSubstr("[Event "));
  EXPECT_LE(of_an_event.reads(), 2U);
  const Counted of_an_opening(remote);
  const std::string opening = read_all(mount / "eco/B/B90.pgn");
  const std::uint64_t places = kGames / kSampleGames + 1;
  EXPECT_LE(of_an_opening.reads(), kPlacesOfOpening * places);
  const Counted again(remote);
  EXPECT_EQ(read_all(mount / "eco/B/B90.pgn"), opening);
  EXPECT_EQ(again.reads(), 0U);

  // All games in order: the file once, in pieces that are mostly full.
  const Counted of_all(remote);
  run_ok("cat " + word(mount / "all.pgn") + " > /dev/null");
  EXPECT_LE(of_all.reads(), 2 * (game_bytes / kPiece) + kHeads);
  EXPECT_LE(of_all.bytes(), game_bytes + kHeads * kPiece);
}

// Several machines share a set: each reads the records of its own games, but for a piece at each
// border.
TEST_F(NetworkTest, PartsReadTheirOwnGames) {
  if (is_over()) return;
  constexpr std::uint32_t kGames = 60'000;
  constexpr std::uint64_t kParts = 8;
  const absl::Status made = bench::multiply(test_data("sample/sample"), kGames, server_ / "large");
  ASSERT_TRUE(made.ok()) << std::string(made.message());
  make_old(server_);
  const std::uint64_t game_bytes = size_of(server_ / "large.sg4");
  const RemoteFolder remote(server_);
  ASSERT_TRUE(remote.ok());
  const Mount mount({.source = remote / "large.si4", .options = "index=none"});
  ASSERT_TRUE(mount.ok());
  const Counted of_all(remote);
  // A part that read the games before it, or all, would find none of them read.
  for (std::uint64_t part = kParts; part != 0; --part) {
    SCOPED_TRACE(part);
    const filesystem::path games = mount / fmt::format("parts/{}/{}", kParts, part);
    const Counted of_size(remote);
    EXPECT_GT(size_of(games / "games.pgn"), 0U);
    EXPECT_LE(of_size.bytes(), game_bytes / kParts + 2 * kPiece);
    // Its files come from the same bytes, which the kernel has.
    const Counted of_files(remote);
    run_ok(fmt::format("cat {0}/games.pgn {0}/plies.tsv {0}/games.uci > /dev/null", word(games)));
    EXPECT_LE(of_files.bytes(), 2 * kPiece);
  }
  EXPECT_LE(of_all.bytes(), game_bytes + kParts * kPiece);
}

// The positions file is made of one more reading of the games at most, and by the next mount an
// opening costs none.
TEST_F(NetworkTest, PositionsOfRemoteSourceAreKept) {
  if (is_over()) return;
  constexpr std::uint32_t kGames = 11'000;
  const absl::Status made = bench::multiply(test_data("sample/sample"), kGames, server_ / "large");
  ASSERT_TRUE(made.ok()) << std::string(made.message());
  make_old(server_);
  const std::uint64_t bytes = size_of(server_ / "large.si4") + size_of(server_ / "large.sn4") +
                              size_of(server_ / "large.sg4");
  const filesystem::path cache = folder_ / "cache";
  filesystem::create_directory(cache);
  const filesystem::path remote_path = folder_ / "far";
  std::string moves;
  for (const bool is_again : {false, true}) {
    const RemoteFolder remote(server_, remote_path);
    ASSERT_TRUE(remote.ok());
    const Counted of_all(remote);
    const Mount mount({.source = remote / "large.si4",
                       .options = "index=wait,index_cache=1G",
                       .cache_home = cache});
    ASSERT_TRUE(mount.ok());
    EXPECT_TRUE(soon([&] { return count_positions_files(cache) == 1; }));
    // Index and names are read once more before their file is saved.
    EXPECT_LE(of_all.bytes(), 2 * bytes + 2 * kHeads * kPiece);
    const Counted of_opening(remote);
    const std::string text = read_all(mount / "tree/e4/c5/Nf3/d6/moves.tsv");
    EXPECT_THAT(text, HasSubstr("\nd4\td2d4\t"));
    if (is_again) {
      EXPECT_EQ(text, moves);
      EXPECT_EQ(of_opening.reads(), 0U);
    }
    moves = text;
  }
}

TEST_F(NetworkTest, ServerThatHangsDelaysNoPositionsOfOthers) {
  if (is_over()) return;
  constexpr std::uint32_t kGames = 11'000;
  for (const filesystem::path& base : {source_ / "near", server_ / "hanging"}) {
    const absl::Status made = bench::multiply(test_data("sample/sample"), kGames, base);
    ASSERT_TRUE(made.ok()) << std::string(made.message());
  }
  make_old(server_);
  make_old(source_);
  filesystem::create_directory(source_ / "far");
  RemoteFolder remote(server_, source_ / "far");
  ASSERT_TRUE(remote.ok());
  const filesystem::path cache = folder_ / "cache";
  filesystem::create_directory(cache);
  {
    const Mount measuring(
        {.source = source_, .options = "index=wait,index_cache=0", .cache_home = cache});
    ASSERT_TRUE(measuring.ok());
  }
  remote.hang_reads("hanging.sg4");
  const Mount mount({.source = source_, .options = "index_cache=1G", .cache_home = cache});
  ASSERT_TRUE(mount.ok());
  EXPECT_TRUE(soon([&] { return remote.hung() != 0 && count_positions_files(cache) == 1; }));
  remote.go_on();
  EXPECT_TRUE(soon([&] { return count_positions_files(cache) == 2; }));
}

TEST_F(NetworkTest, RemoteSourceHasTheTextsOfLocalOne) {
  if (is_over()) return;
  copy_sample(server_ / "sample");
  const RemoteFolder remote(server_);
  ASSERT_TRUE(remote.ok());
  const Mount local({.source = server_, .options = "index=none"});
  const Mount mount({.source = remote.path(), .options = "index=none"});
  ASSERT_TRUE(local.ok());
  ASSERT_TRUE(mount.ok());
  for (const char* const what :
       {"all.pgn", "index.tsv", "summary.txt", "players.tsv", "openings.tsv", "errors.tsv",
        "info.txt", "games", "players", "events", "eco", "doubles/doubles.tsv", "tree/moves.txt",
        "tree/e4/c5/moves.tsv", "search/result=1-0/index.tsv"}) {
    SCOPED_TRACE(what);
    run_ok(fmt::format("diff -r {} {}", word(local / (std::string("sample.si4/") + what)),
                       word(mount / (std::string("sample.si4/") + what))));
  }
}

TEST_F(NetworkTest, IdleMountCausesNoReads) {
  if (is_over()) return;
  copy_sample(server_ / "sample");
  make_old(server_);
  const RemoteFolder remote(server_);
  ASSERT_TRUE(remote.ok());
  const Mount mount({.source = remote.path()});
  ASSERT_TRUE(mount.ok());
  run_ok("cat " + word(mount / "sample.si4/all.pgn") + " > /dev/null");
  constexpr int kSeconds = 5;
  const Counted idle(remote);
  std::this_thread::sleep_for(seconds(kSeconds));
  EXPECT_EQ(idle.reads(), 0U);
  // One check of the folder and its three files every two seconds.
  EXPECT_LE(idle.others(), 5U * kSeconds);
  EXPECT_GT(idle.others(), 0U);
}

TEST_F(NetworkTest, SavedSizesSurviveRemountOfSource) {
  if (is_over()) return;
  copy_sample(server_ / "sample");
  copy_sample(server_ / "another");
  const filesystem::path remote_path = folder_ / "far";
  const filesystem::path cache = folder_ / "cache";
  filesystem::create_directory(cache);
  for (const bool is_again : {false, true}) {
    const RemoteFolder remote(server_, remote_path);
    ASSERT_TRUE(remote.ok());
    // The file system numbers files in the order of their first use.
    if (is_again)
      run_ok("stat " + word(remote / "another.sn4") + " " + word(remote / "sample.sg4"));
    const Mount mount({.source = remote / "sample.si4",
                       .options = is_again ? "index=none" : "index=wait",
                       .cache_home = cache});
    ASSERT_TRUE(mount.ok());
    EXPECT_THAT(run_ok("cat " + word(mount / "status.txt")),
                HasSubstr(fmt::format("sizes known: {}", kSampleGames)));
  }
}

TEST_F(NetworkTest, HangingServerBlocksOnlyItsReaders) {
  if (is_over()) return;
  make_mixed_source();
  const Mount mount({.source = source_, .options = "index=none"});
  ASSERT_TRUE(mount.ok());
  remote_->hang_reads("hanging.sg4");
  constexpr int kReaders = 60;
  HangingReaders readers = hang_readers(mount, kReaders);

  EXPECT_THAT(run_ok("cat " + word(mount / "near.si4/games/1.pgn"), 10), HasSubstr("[Event "));
  EXPECT_THAT(run_ok("cat " + word(mount / "far/working.si4/all.pgn"), 10), HasSubstr("[Event "));
  EXPECT_THAT(run_ok("cat " + word(mount / "near.si4/all.pgn"), 10), HasSubstr("[Event "));
  EXPECT_THAT(run_ok("cat " + word(mount / "status.txt"), 10), HasSubstr("hanging.si4"));
  EXPECT_THAT(run_ok("ls -l " + word(mount.path()), 10), HasSubstr("near.si4"));
  // The names of the hanging database are in memory.
  EXPECT_THAT(run_ok("ls " + word(mount / "far/hanging.si4/games/00000"), 10), HasSubstr(".pgn"));
  EXPECT_FALSE(readers.front()->has_ended());

  // Waiting requests can be interrupted.
  for (const auto& reader : readers) reader->interrupt();
  EXPECT_TRUE(soon([&] { return all_have_ended(readers); }));

  HangingReaders more = hang_readers(mount, 3);
  remote_->go_on();
  EXPECT_TRUE(soon([&] { return all_have_ended(more); }));
  EXPECT_EQ(run_ok("cat " + word(mount / "far/hanging.si4/all.pgn")),
            run_ok("cat " + word(mount / "near.si4/all.pgn")));
}

TEST_F(NetworkTest, TerminatesWhileServerHangs) {
  if (is_over()) return;
  make_mixed_source();
  Mount mount({.source = source_, .options = "index=none"});
  ASSERT_TRUE(mount.ok());
  remote_->hang_reads("hanging.sg4");
  HangingReaders readers = hang_readers(mount, 20);
  const auto start = steady_clock::now();
  send_signal(mount.daemon(), SIGTERM);
  EXPECT_TRUE(soon([&] { return !is_mounted(mount.path()); }));
  const milliseconds kSoon{is_sanitized() ? 20'000 : 2000};
  EXPECT_LT(steady_clock::now() - start, kSoon);
  EXPECT_TRUE(soon([&] { return all_have_ended(readers); }));
  // The kernel does not interrupt requests that a server has received.
  remote_->go_on();
  EXPECT_EQ(mount.wait_for_end(), 0);
}

TEST_F(NetworkTest, HangingFolderDoesNotStopWatchingOfOthers) {
  if (is_over()) return;
  make_mixed_source();
  const Mount mount({.source = source_, .options = "index=none"});
  ASSERT_TRUE(mount.ok());
  remote_->hang();
  // Until a scan of the folder hangs.
  ASSERT_TRUE(soon([&] { return remote_->hung() != 0; }));
  copy_sample(source_ / "another");
  EXPECT_TRUE(soon([&] { return filesystem::exists(mount / "another.si4/index.tsv"); }));
  EXPECT_THAT(run_ok("ls " + word(mount / "far"), 10), HasSubstr("hanging.si4"));
  remote_->go_on();
  copy_sample(server_ / "new");
  EXPECT_TRUE(soon([&] { return filesystem::exists(mount / "far/new.si4/index.tsv"); }));
  EXPECT_THAT(mount.messages(), HasSubstr("does not answer"));
}

TEST_F(NetworkTest, MountingCanBeInterruptedWhileServerHangs) {
  if (is_over()) return;
  make_mixed_source();
  filesystem::create_directory(folder_ / "mnt");
  remote_->hang();
  const Outcome left =
      run(fmt::format("timeout -s INT 1 {} {} {} -o cache_dir=none; echo $?", word(scidfs_binary()),
                      word(*remote_ / "working.si4"), word(folder_ / "mnt")),
          10);
  EXPECT_EQ(left.out, "124\n") << left.errors;
  remote_->go_on();
  EXPECT_FALSE(is_mounted(folder_ / "mnt"));
}

}  // namespace
}  // namespace scidfs::tests
