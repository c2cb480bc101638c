// What is saved between mounts, what options change, and that the source never changes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <vector>

#include "fs/file/cache_file.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Adds a gigabyte to the size of the first game, with valid checksums.
void forge_sizes(const filesystem::path& file) {
  std::string bytes = read_file(file);
  fs::CacheFileHeader header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<std::uint32_t> words(header.count);
  std::memcpy(words.data(), bytes.data() + sizeof header, bytes.size() - sizeof header);
  words[0] += std::uint32_t{1} << 30;
  header = fs::cache_file_header(header.key, words);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, words.data(), bytes.size() - sizeof header);
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

class CacheTest : public MountedTest {
 protected:
  // The text of all games with these options, with the cache folder of the test.
  std::string text_with(const std::string& options) {
    const Mount mount({.source = sample_database(), .options = options, .cache_home = home_});
    EXPECT_TRUE(mount.ok()) << options;
    const std::string text = read_all(mount / "all.pgn");
    EXPECT_EQ(text.size(), filesystem::file_size(mount / "all.pgn")) << options;
    messages_ = mount.messages();
    return text;
  }
  std::vector<filesystem::path> kept() const {
    return filesystem::exists(home_) ? files_below(home_) : std::vector<filesystem::path>();
  }

  TemporaryFolder folder_;
  const filesystem::path home_ = folder_ / "cache";
  std::string messages_;
};

TEST_F(CacheTest, SizesAreSavedForTheNextMount) {
  const std::string first = text_with("");
  ASSERT_EQ(kept().size(), 1U);
  const auto written = filesystem::last_write_time(kept()[0]);
  EXPECT_TRUE(text_with("") == first);
  EXPECT_EQ(kept().size(), 1U);
  EXPECT_EQ(filesystem::last_write_time(kept()[0]), written);
  // Other texts have other sizes.
  text_with("comments=no");
  EXPECT_EQ(kept().size(), 2U);
}

TEST_F(CacheTest, DamagedFilesAreMadeAgain) {
  const std::string first = text_with("");
  ASSERT_EQ(kept().size(), 1U);
  const filesystem::path file = kept()[0];
  const std::string good = read_file(file);
  std::string flipped = good;
  flipped[flipped.size() / 2] ^= 4;
  for (const std::string& bad : {flipped, good.substr(0, good.size() / 2), good.substr(0, 7),
                                 good + "more", std::string()}) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bad;
    EXPECT_TRUE(text_with("") == first);
    EXPECT_TRUE(read_file(file) == good) << bad.size();
  }
  // What does not say that it is of scidfs is not replaced.
  const std::string mine(5000, 'x');
  std::ofstream(file, std::ios::binary | std::ios::trunc) << mine;
  EXPECT_TRUE(text_with("") == first);
  EXPECT_TRUE(read_file(file) == mine);
  EXPECT_THAT(messages_, HasSubstr(" is no file of scidfs: not replaced; sizes will be computed"));
}

// Saved sizes are used without reading the games: a user who may write them could forge any result
// of `stat`.
TEST_F(CacheTest, SizesWritableByOthersAreNotRead) {
  const filesystem::path cache = folder_ / "shared";
  filesystem::create_directory(cache);
  const std::string options = fmt::format("cache_dir={}", cache.string());
  const std::string first = text_with(options);
  ASSERT_EQ(files_below(cache).size(), 1U);
  forge_sizes(files_below(cache)[0]);
  filesystem::permissions(cache, filesystem::perms(0777));
  EXPECT_TRUE(text_with(options) == first);
  EXPECT_EQ(
      messages_,
      fmt::format("scidfs: Cannot use {0}: others than its owner may write to it (this helps: "
                  "chmod go-w {0}); nothing is kept there, and PGN files are refused\n",
                  cache.string()));
  // The same for the file.
  ASSERT_EQ(files_below(cache).size(), 1U);
  const filesystem::path file = files_below(cache)[0];
  forge_sizes(file);
  filesystem::permissions(cache, filesystem::perms(0755));
  filesystem::permissions(file, filesystem::perms(0666));
  EXPECT_TRUE(text_with(options) == first);
  EXPECT_EQ(messages_, fmt::format("scidfs: Cannot use {}: others than its owner may write to it\n",
                                   file.string()));
  EXPECT_TRUE(text_with(options) == first);
  EXPECT_EQ(messages_, "");
}

TEST_F(CacheTest, UnwritableFolderGivesWarning) {
  std::ofstream(folder_ / "file") << "not a folder";
  const std::string options = fmt::format("cache_dir={}", (folder_ / "file/below").string());
  EXPECT_THAT(text_with(options), Not(IsEmpty()));
  EXPECT_THAT(messages_, HasSubstr("scidfs: "));
  EXPECT_EQ(std::count(messages_.begin(), messages_.end(), '\n'), 1) << messages_;
}

TEST_F(CacheTest, NoneSavesNothing) {
  EXPECT_THAT(text_with("cache_dir=none"), Not(IsEmpty()));
  EXPECT_THAT(kept(), IsEmpty());
  EXPECT_EQ(messages_, "");
}

TEST_F(CacheTest, TextDoesNotDependOnHowSizesAreFound) {
  const std::string expected = text_with("");
  EXPECT_TRUE(text_with("cache=0") == expected);
  EXPECT_TRUE(text_with("threads=1,cache_dir=none") == expected);
  const Mount background({.source = sample_database(), .options = "index=background"});
  ASSERT_TRUE(background.ok());
  for (int i = 0; i < 1000 && !filesystem::exists(background / "all.pgn"); ++i) ::usleep(20'000);
  EXPECT_TRUE(read_all(background / "all.pgn") == expected);
  const Mount none({.source = sample_database(), .options = "index=none"});
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(read_all(none / "games/1.pgn") == cut_games(expected)[0]);
}

TEST_F(CacheTest, OptionsChangeTheText) {
  const std::string all = text_with("");
  const auto count = [](const std::string& text, std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
      ++found;
    return found;
  };
  ASSERT_GT(count(all, "{"), 0U);
  ASSERT_GT(count(all, " ("), 0U);
  ASSERT_GT(count(all, " $"), 0U);
  EXPECT_EQ(count(text_with("comments=no"), "{"), 0U);
  EXPECT_LT(text_with("variations=no").size(), all.size());
  EXPECT_LT(text_with("nags=no").size(), all.size());
  const std::string bare = text_with("comments=no,variations=no,nags=no,width=0");
  EXPECT_EQ(count(bare, "{") + count(bare, " $"), 0U);
  for (const std::string& game : cut_games(bare)) {
    // Tags, an empty line, one line of moves, an empty line.
    const std::string moves = game.substr(game.find("\n\n") + 2);
    ASSERT_EQ(std::count(moves.begin(), moves.end(), '\n'), 2) << game;
  }
  for (const unsigned width : {40U, 80U, 200U}) {
    const std::string text = text_with(fmt::format("comments=no,width={}", width));
    std::size_t longest = 0;
    for (const std::string& game : cut_games(text)) {
      std::string_view moves = std::string_view(game).substr(game.find("\n\n") + 2);
      for (; !moves.empty(); moves.remove_prefix(moves.find('\n') + 1)) {
        longest = std::max(longest, moves.find('\n'));
      }
    }
    EXPECT_LE(longest, width);
    EXPECT_GT(longest, width - 12);
  }
}

TEST_F(CacheTest, SourceIsNotChanged) {
  const std::string command = fmt::format("cd {} && md5sum * && stat -c '%n %Y %s %i' *",
                                          shell_word(sample_folder().string()));
  const std::string before = run_ok(command);
  {
    const Mount mount({.source = sample_folder()});
    ASSERT_TRUE(mount.ok());
    for (const filesystem::path& path : files_below(mount.path())) read_all(path);
    EXPECT_NE(run("rm -rf " + shell_word((mount / "sample.si4").string())).exit_code, 0);
  }
  EXPECT_EQ(run_ok(command), before);
}

}  // namespace
}  // namespace scidfs::tests
