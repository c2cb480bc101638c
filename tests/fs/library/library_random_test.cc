// Random edits of databases below a library.
#include <gtest/gtest.h>

#include <iterator>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fs {
namespace {

using tests::ScidWriter;

// After any edits, each readable text is that of its version, and the sizes that a version inherits
// are those that it would have found itself.
class RandomEditsTest : public LibraryTest,
                        public testing::WithParamInterface<std::pair<IndexMode, std::string_view>> {
 protected:
  // Bytes by the format of the database.
  std::string_view suffix() const { return GetParam().second; }
  std::string path_of(std::string_view file) const {
    return std::string("a").append(suffix()).append("/").append(file);
  }
  void save(const ScidWriter& writer, Write write = tests::replace) {
    const tests::ScidFiles files = writer.files();
    put("a", suffix() == ".si5" ? tests::as_scid5(files) : files, write, suffix());
  }

  struct Version {
    Inode all = 0;
    std::string text;
    std::vector<std::pair<Inode, std::string>> games;
  };

  void edit(ScidWriter& writer, tests::Random& random) {
    const std::size_t game = random.below(writer.count());
    switch (random.below(8)) {
      case 0: {
        const std::size_t other = random.below(writer.count());
        return writer.swap(game, other);
      }
      case 1:
        return writer.replace(game, some_record(random));
      case 2:
        return writer.toggle_flag(game, 15);
      case 3:
        return writer.set_white(game, "Set " + std::to_string(random.below(100)));
      case 4:
        return writer.rename_white(game, "Renamed " + std::to_string(random.below(100)));
      case 5:
        if (random.one_in(3)) writer.compact();
        return;
      default:
        return writer.add(some_record(random), "White " + std::to_string(random.below(9)), "Black");
    }
  }
  static std::string some_record(tests::Random& random) {
    return tests::random_game(random, {.plies = 1 + random.below(40)}).record();
  }
  Version shown() {
    Version version{
        .all = inode(path_of("all.pgn")), .text = text(path_of("all.pgn")), .games = {}};
    const std::vector<tests::RenderedGame> games =
        tests::ScidDatabase(source_ / "a", suffix()).render_games();
    for (std::size_t game = 0; game < games.size(); ++game) {
      const std::string path = path_of("games/" + std::to_string(game + 1) + ".pgn");
      version.games.emplace_back(inode(path), games[game].text);
    }
    return version;
  }
};

TEST_P(RandomEditsTest, TextsAreFromTheirVersion) {
  options_.index = GetParam().first;
  options_.patience = std::chrono::milliseconds(0);  // each version is complete when it is examined
  options_.retired.versions = 16;
  std::vector<std::size_t> outcomes(2);
  for (const std::uint64_t seed : {1, 2, 3}) {
    tests::Random random(seed);
    ScidWriter writer = example_database(200, seed);
    save(writer);
    open(source_);
    std::vector<Version> versions;
    for (int step = 0; step < 40; ++step) {
      // Some of the old version is read before it is replaced, and some after.
      versions.push_back(shown());
      for (const auto& [inode, text] : versions.back().games) {
        if (random.one_in(3)) {
          ASSERT_EQ(*read(inode), text);
        }
      }
      for (std::size_t edits = 1 + random.below(3); edits > 0; --edits) edit(writer, random);
      if (random.one_in(10)) writer = example_database(writer.count(), random.next());
      constexpr Write kWrites[] = {tests::patch, tests::patch, tests::overwrite, tests::replace};
      save(writer, kWrites[random.below(std::size(kWrites))]);
      const Library::Rescan found = library_->rescan();
      ASSERT_FALSE(found.again);
      ASSERT_EQ(text(path_of("all.pgn")), decoded("a", suffix())) << seed << ' ' << step;
      for (const Version& version : versions) {
        const auto& [inode, text] = version.games[random.below(version.games.size())];
        for (const auto& [file, expected] :
             {std::pair(version.all, version.text), std::pair(inode, text)}) {
          const absl::StatusOr<std::string> old = read(file);
          ++outcomes[old.ok()];
          if (old.ok()) {
            ASSERT_EQ(*old, expected);
          } else {
            ASSERT_TRUE(absl::IsFailedPrecondition(old.status())) << old.status();
          }
        }
      }
    }
  }
  EXPECT_GT(outcomes[false], 100U);
  EXPECT_GT(outcomes[true], 100U);
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomEditsTest,
                         testing::Values(std::pair(IndexMode::Wait, ".si4"),
                                         std::pair(IndexMode::None, ".si4"),
                                         std::pair(IndexMode::Wait, ".si5")));

}  // namespace
}  // namespace scidfs::fs
