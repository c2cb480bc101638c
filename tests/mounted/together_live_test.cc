// together/ while its databases change, come and go.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/mounted/live.h"
#include "tests/support/archive.h"
#include "tests/support/faulty_folder.h"
#include "tests/support/remote_folder.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class TogetherLiveTest : public LiveTest {
 protected:
  void SetUp() override {
    LiveTest::SetUp();
    filesystem::create_directory(source_ / "sub");
  }

  void put(const std::string& name, const ScidWriter& games,
           void (*write)(const filesystem::path&, std::string_view) = patch) {
    save(name, games.files(), write);
    shown_[name] = decoded(name);
  }
  void remove(const std::string& name) {
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::remove(source_ / (name + extension));
    }
    shown_.erase(name);
  }
  void rename(const std::string& from, const std::string& to) {
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::rename(source_ / (from + extension), source_ / (to + extension));
    }
    shown_[to] = shown_[from];
    shown_.erase(from);
  }
  void rename_folder(const std::string& from, const std::string& to) {
    filesystem::rename(source_ / from, source_ / to);
    std::map<std::string, std::string> shown;
    for (const auto& [name, text] : shown_) {
      shown[name.starts_with(from + "/") ? to + name.substr(from.size()) : name] = text;
    }
    shown_ = shown;
  }
  // Writes an archive of some databases in the source.
  void pack(const std::string& archive, const std::map<std::string, ScidWriter>& databases,
            void (*write)(const filesystem::path&, std::string_view)) {
    remove_shown(archive + "/");
    std::string bytes(kArchiveStart);
    for (const auto& [name, games] : databases) {
      const ScidFiles files = games.files();
      bytes += packed_member(name + ".si4", files.index) +
               packed_member(name + ".sn4", files.names) +
               packed_member(name + ".sg4", files.games);
      shown_[archive + "/" + name] = ScidDatabase(files, ".si4").render();
    }
    write(source_ / archive, bytes);
  }
  void remove_shown(const std::string& folder) {
    std::erase_if(shown_, [&](const auto& shown) { return shown.first.starts_with(folder); });
  }
  // The texts of the databases that the test has written, in the order of their paths.
  std::string all() const {
    std::string texts;
    for (const auto& [name, text] : shown_) texts += text;
    return texts;
  }

  // What one question after the last change must find, without a second one: the texts of the
  // databases, and the sizes of these.
  void expect_together(const std::string& what) const {
    SCOPED_TRACE(what);
    const filesystem::path file = *mount_ / "together/all.pgn";
    if (shown_.size() < 2) {
      struct stat status {};
      EXPECT_EQ(::stat(file.c_str(), &status), -1);
      EXPECT_EQ(errno, ENOENT);
      return;
    }
    EXPECT_EQ(try_read("together/all.pgn").value_or("nothing"), all());
    EXPECT_EQ(filesystem::file_size(file), all().size());
    const std::string player = "together/players/White_3/";
    EXPECT_EQ(cut_games(try_read(player + "all.pgn").value_or("")).size(), games_of("White 3"));
    const std::string index = try_read(player + "index.tsv").value_or("");
    EXPECT_EQ(rows_of(index).size(), games_of("White 3"));
    EXPECT_EQ(filesystem::file_size(*mount_ / (player + "index.tsv")), index.size());
    EXPECT_THAT(try_read("together/info.txt").value_or(""),
                HasSubstr(fmt::format("databases: {}\n", shown_.size())));
  }
  std::size_t games_of(std::string_view white) const {
    std::size_t count = 0;
    for (const std::string& game : cut_games(all())) count += tag_of(game, "White") == white;
    return count;
  }

  std::map<std::string, std::string> shown_;
};

TEST_F(TogetherLiveTest, SavesAreShownByTheNextOpen) {
  if (IsSkipped()) return;
  std::map<std::string, ScidWriter> games;
  for (const char* const name : {"a", "b", "sub/c"}) {
    games[name] = example(40, games.size());
    put(name, games[name], overwrite);
  }
  mount();
  if (HasFatalFailure()) return;
  expect_together("at first");
  const int inside =
      ::open((*mount_ / "together/players").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  ASSERT_GE(inside, 0);
  // As a shell lists the directory where it stands: without looking up its name.
  const filesystem::path here = fmt::format("/proc/self/fd/{}", inside);
  for (int round = 0; round < 12; ++round) {
    const std::string name = std::array{"a", "b", "sub/c"}[static_cast<std::size_t>(round) % 3];
    const std::string old = all();
    const int open_file = ::open((*mount_ / "together/all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
    // The kernel has cached the listing.
    const std::string shard = fmt::format("{}z", static_cast<char>('a' + round));
    EXPECT_THAT(names_in(here), Not(Contains(shard)));
    const std::string white = fmt::format("{}_{}", shard, round);
    games[name].set_white(static_cast<std::size_t>(round), white);
    if (round % 2 == 0) games[name].add(ScidEncoder().moves("e4 e5").record(), "White 3", "New");
    put(name, games[name]);
    go_on();
    if (round % 2 == 0) {
      EXPECT_THAT(names_in(here), Contains(shard));
    }
    EXPECT_EQ(cut_games(try_read(inside, white + "/all.pgn").value_or("")).size(), 1U) << white;
    expect_together(fmt::format("round {}", round));
    EXPECT_EQ(read_on(open_file), old);
    ::close(open_file);
  }
  ::close(inside);
  EXPECT_EQ(mount_->messages(), "");
}

TEST_F(TogetherLiveTest, DatabasesThatComeAndGoAreSeenAtOnce) {
  if (IsSkipped()) return;
  put("a", example(20, 1), overwrite);
  mount();
  if (HasFatalFailure()) return;
  for (std::uint64_t round = 0; round < 3; ++round) {
    expect_together("one database");
    EXPECT_THAT(names_in(mount_->path()), Not(Contains("together")));
    put("sub/c", example(20, 10 + round), overwrite);
    go_on();
    expect_together("a second one in a sub-folder");
    put("b", example(20, 20 + round), overwrite);
    go_on();
    expect_together("a third one");
    const int open_file = ::open((*mount_ / "together/all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
    const std::string old = all();
    put("a", example(30, 30 + round), replace);
    go_on();
    expect_together("one is replaced");
    rename("b", "sub/b");
    go_on();
    expect_together("one is renamed");
    rename_folder("sub", "bus");
    go_on();
    expect_together("their folder is renamed");
    rename_folder("bus", "sub");
    go_on();
    expect_together("it is renamed back");
    remove("sub/b");
    go_on();
    expect_together("one is removed");
    remove("sub/c");
    go_on();
    expect_together("the last but one is removed");
    EXPECT_EQ(read_on(open_file), old);
    ::close(open_file);
  }
}

TEST_F(TogetherLiveTest, DatabasesOfArchivesChange) {
  if (IsSkipped()) return;
  put("a", example(20, 1), overwrite);
  std::map<std::string, ScidWriter> packed = {{"b", example(10, 2)}, {"c", example(10, 3)}};
  pack("z.scv", packed, overwrite);
  mount({.source = source_, .options = "together=all,patience=0"});
  if (HasFatalFailure()) return;
  expect_together("at first");
  for (std::uint64_t round = 0; round < 4; ++round) {
    const int open_file = ::open((*mount_ / "together/all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
    const std::string old = all();
    packed["b"].set_white(round, "White 3");
    packed["c"].add(ScidEncoder().moves("e4 e5").record(), "White 3", "New");
    pack("z.scv", packed, round % 2 == 0 ? replace : overwrite);
    go_on();
    expect_together("games of the archive have changed");
    EXPECT_EQ(read_on(open_file), old);
    ::close(open_file);
    put("a", example(20 + round, 10 + round), replace);
    go_on();
    expect_together("a database beside it has changed");
  }
  packed.erase("c");
  packed["d"] = example(10, 4);
  pack("z.scv", packed, replace);
  go_on();
  expect_together("another database is in the archive");
  filesystem::rename(source_ / "z.scv", source_ / "sub/z.scv");
  remove_shown("z.scv/");
  for (const auto& [name, games] : packed) {
    shown_["sub/z.scv/" + name] = ScidDatabase(games.files(), ".si4").render();
  }
  go_on();
  expect_together("the archive is elsewhere");
  filesystem::remove(source_ / "sub/z.scv");
  remove_shown("sub/");
  go_on();
  expect_together("the archive is gone");
}

// No event tells of changes on a server: scidfs looks for them.
TEST_F(TogetherLiveTest, DatabasesOfServersChange) {
  if (IsSkipped()) return;
  const filesystem::path server = folder_ / "server";
  filesystem::create_directory(server);
  ScidWriter near = example(20, 1);
  ScidWriter far = example(20, 2);
  put("a", near, overwrite);
  const auto save_far = [&] {
    const ScidFiles files = far.files();
    for (const auto& [extension, bytes] :
         {std::pair(".si4", &files.index), {".sn4", &files.names}, {".sg4", &files.games}}) {
      replace(server / (std::string("far") + extension), *bytes);
    }
    shown_["sub/far"] = ScidDatabase(files, ".si4").render();
  };
  save_far();
  make_old(server);
  const RemoteFolder remote(server, source_ / "sub");
  ASSERT_TRUE(remote.ok());
  mount({.source = source_, .options = "patience=0"});
  if (HasFatalFailure()) return;
  expect_together("at first");
  for (std::size_t round = 0; round < 3; ++round) {
    far.set_white(round, "White 3");
    far.add(ScidEncoder().moves("d4 d5").record(), "White 3", "New");
    save_far();
    EXPECT_TRUE(shows("together/all.pgn", all())) << round;
    expect_together("games on the server have changed");
    near.add(ScidEncoder().moves("e4 e5").record(), "White 3", "New");
    put("a", near);
    go_on();
    expect_together("a database here has changed");
  }
  for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
    filesystem::remove(server / (std::string("far") + extension));
  }
  EXPECT_TRUE(eventually([&] { return open_error("together/all.pgn") == ENOENT; }));
}

// What was found in a database stays when a small one beside it changes: a second
// reading of its games would fail.
TEST_F(TogetherLiveTest, ChangeOfOneDatabaseReadsNothingOfAnother) {
  if (IsSkipped()) return;
  const filesystem::path disk = folder_ / "disk";
  filesystem::create_directory(disk);
  copy_sample(disk / "large");
  make_old(disk);
  FaultyFolder faulty(disk);
  ASSERT_TRUE(faulty.ok());
  filesystem::create_directory_symlink(faulty.path(), source_ / "far");
  ScidWriter games = example(40, 1);
  put("a", games, overwrite);
  const MountSetup setup{.source = source_, .options = "index=wait,follow"};
  mount(setup);
  if (HasFatalFailure()) return;
  const auto ask = [&] {
    std::map<std::string, std::string> texts;
    for (const std::string file :
         {"summary.txt", "players.tsv", "openings.tsv", "years.tsv", "endings.tsv", "tags.tsv",
          "tree/moves.tsv", "tree/e4/c5/moves.tsv", "tree/e4/c5/players.tsv",
          "endings/rook/summary.txt", "search/reached=KRPvKR/openings.tsv",
          "search/white=Carlsen*/search/eco=B/summary.txt", "search/text=mate/years.tsv",
          "players/ca/Carlsen,_Magnus/opponents.tsv"}) {
      texts[file] = try_read("together/" + file).value_or("nothing");
    }
    return texts;
  };
  ask();
  faulty.fail_reads(".sg4", 0, UINT64_MAX, EIO);
  games.add(ScidEncoder().moves("e4 c5").record(), "New", "Newer");
  put("a", games);
  go_on();
  const std::map<std::string, std::string> texts = ask();
  EXPECT_EQ(faulty.faults(), 0U);
  EXPECT_EQ(mount_->messages(), "");
  faulty.heal();
  mount_.reset();
  mount(setup);
  if (HasFatalFailure()) return;
  EXPECT_EQ(ask(), texts);
}

}  // namespace
}  // namespace scidfs::tests
