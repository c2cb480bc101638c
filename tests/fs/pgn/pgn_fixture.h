// A source with PGN files, and the cache folder that keeps their records.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fs/import/import.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/library.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fs {

inline std::string pgn_game(std::string_view white, std::string_view moves = "1. e4 e5 2. Nf3") {
  return fmt::format(
      "[Event \"Club\"]\n[White \"{}\"]\n[Black \"Other\"]\n[Result \"1-0\"]\n\n{} 1-0\n\n", white,
      moves);
}

class PgnLibraryTest : public LibraryTest {
 protected:
  PgnLibraryTest() { options_.database.cache_folder = cache_; }

  void put(const std::string& name, std::string_view text) {
    LibraryTest::put(source_ / name, text);
  }
  // Begins another mount.
  void open() { LibraryTest::open(source_); }
  // Looks at the source again.
  void rescan() { library_->rescan(); }

  // Answers a request for a file of a PGN file.
  absl::Status ask(std::string_view pgn, std::string_view name, const WorkBudget& budget) {
    return tree_->lookup(inode(pgn), name, budget).status();
  }
  // Returns the files of the cache folder that belong to PGN files, without the one that
  // processes lock.
  std::vector<Path> kept() const {
    std::vector<Path> kept;
    if (!std::filesystem::exists(cache_)) return kept;
    for (const auto& entry : std::filesystem::directory_iterator(cache_)) {
      const std::string name = entry.path().filename();
      const bool is_hidden = name.starts_with('.') || name == "scidfs.lock";
      if (entry.path().extension() != ".sizes" && !is_hidden) kept.push_back(entry.path());
    }
    return kept;
  }
  // Returns the only one that has an ending.
  Path kept(std::string_view ending) const {
    std::vector<Path> paths = kept();
    std::erase_if(paths, [&](const Path& path) { return path.extension() != ending; });
    EXPECT_THAT(paths, testing::SizeIs(1)) << ending;
    return paths.front();
  }
  // Returns the text that a mount of an imported database has.
  std::string imported(const std::string& name) {
    const Path base = folder_ / fmt::format("imported{}.si5", ++imports_);
    const auto report = import_games(
        {.sources = {source_ / name}, .database = base}, [](std::uint64_t, std::uint64_t) {},
        [](std::string_view) {});
    EXPECT_TRUE(report.ok()) << report.status();
    const auto library = std::move(Library::open(base, tests::without_patience()).value());
    return tests::walk_library(*library).files["all.pgn"];
  }

  const Path cache_ = folder_ / "cache";
  int imports_ = 0;
};

}  // namespace scidfs::fs
