// Generated databases, opened without a library.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/scid/index.h"
#include "fs/content/content.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {

class DatabaseTest : public ::testing::Test {
 protected:
  using Shared = std::shared_ptr<Database>;

  // A few players; every tenth game is deleted, and the months of 2001 alternate.
  static tests::ScidFiles example(std::size_t games, std::uint64_t seed = 1) {
    tests::Random random(seed);
    tests::ScidFilesBuilder builder;
    std::vector<std::uint32_t> players;
    for (const char* const name : {"Anna", "Bert", "Carl", "Dora", "Emil"}) {
      players.push_back(builder.name(codec::scid::NameKind::Player, name));
    }
    builder.name(codec::scid::NameKind::Event, "Cup");
    builder.name(codec::scid::NameKind::Site, "Town");
    builder.name(codec::scid::NameKind::Round, "1");
    for (std::size_t game = 0; game < games; ++game) {
      codec::scid::IndexEntry entry;
      entry.white = players[random.below(2)];
      entry.black = players[2 + random.below(3)];
      entry.date = {.year = 2001, .month = static_cast<std::uint8_t>(game % 13)};
      if (game % 10 == 9) entry.flags = 1U << codec::scid::kFlagDeleted;
      builder.game(entry, tests::random_game(random, {.plies = 10}).record());
    }
    return builder.files();
  }

  Shared open(const tests::ScidFiles& files, const DatabaseOptions& options = {}) {
    const std::string name = "x" + std::to_string(++opened_);
    tests::write_scid_files(files, folder_ / name);
    absl::StatusOr<Shared> database = Database::open(folder_ / (name + ".si4"), name, options);
    EXPECT_TRUE(database.ok()) << database.status();
    return database.ok() ? *std::move(database) : nullptr;
  }
  // The game file of the database that was opened last.
  std::filesystem::path game_file() const {
    return folder_ / ("x" + std::to_string(opened_) + ".sg4");
  }

  static GameList all_of(const Database& database) {
    return GameList::all_but(database.games(), {});
  }
  static std::string text_of(const Content& content) {
    std::string text;
    const absl::Status status = content.read(0, content.size(), text);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(text.size(), content.size());
    return text;
  }

  tests::TemporaryFolder folder_;

 private:
  int opened_ = 0;
};

}  // namespace scidfs::fs
