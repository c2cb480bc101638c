// The readable rest of a database with common kinds of damage: files that are truncated by a full
// disk, missing, or of another program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using tests::ScidFiles;
using tests::tag_value;
using tests::WalkedTree;

// The sample: games with comments and variations; three of them are deleted.
constexpr std::size_t kGamesOfSample = 1605;
const ScidFiles& sample() {
  static const ScidFiles kSample = tests::read_scid_files(tests::test_data("sample/sample"));
  return kSample;
}

class Salvage : public testing::Test {
 protected:
  // A database of the folder; an empty file here means no file there.
  void put(const std::string& name, const ScidFiles& files) {
    const auto put_file = [&](const std::string& extension, const std::string& bytes) {
      if (!bytes.empty()) tests::write_file(folder_ / (name + extension), bytes);
    };
    put_file(".si4", files.index);
    put_file(".sn4", files.names);
    put_file(".sg4", files.games);
  }

  // Opens the folder, with "whole" beside the damaged database, and reads everything.
  void mount() {
    put("whole", sample());
    testing::internal::CaptureStderr();
    const auto library = fs::Library::open(folder_.path(), tests::without_patience());
    log_ = testing::internal::GetCapturedStderr();
    ASSERT_TRUE(library.ok());
    walked_ = tests::walk_library(**library);
    EXPECT_EQ(walked_.faults, std::vector<std::string>());
    EXPECT_THAT(text("whole.si4/info.txt"), HasSubstr("\nhealth: good\n"));
    EXPECT_EQ(text("whole.si4/errors.tsv"), "number\toffset\treason\n");
    // The games of the damaged database are compared with these.
    ASSERT_EQ(games("whole").size(), kGamesOfSample);
  }

  std::string text(const std::string& path) const {
    const auto found = walked_.files.find(path);
    return found == walked_.files.end() ? "" : found->second;
  }
  // The shown games, then the deleted ones.
  std::vector<tests::PgnGame> games(const std::string& name) const {
    std::vector<tests::PgnGame> games = tests::parse_pgn(walked_.files.at(name + ".si4/all.pgn"));
    const auto deleted = walked_.files.find(name + ".si4/deleted/all.pgn");
    if (deleted == walked_.files.end()) return games;
    for (const tests::PgnGame& game : tests::parse_pgn(deleted->second)) games.push_back(game);
    return games;
  }
  std::size_t errors(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::count(text(name + ".si4/errors.tsv"), '\n')) - 1;
  }

  tests::MemoryFolder folder_;
  WalkedTree walked_;
  std::string log_;
};

TEST_F(Salvage, NamesBeforeDamageAreKept) {
  ScidFiles files = sample();
  files.names.resize(files.names.size() / 4);
  put("x", files);
  mount();
  const auto before = games("whole");
  const auto after = games("x");
  ASSERT_EQ(after.size(), before.size());
  std::size_t kept = 0;
  std::size_t lost = 0;
  for (std::size_t game = 0; game < before.size(); ++game) {
    const std::string name = tag_value(after[game], "White");
    if (name == tag_value(before[game], "White")) {
      ++kept;
    } else {
      ASSERT_EQ(name, "?") << after[game].text;
      ++lost;
    }
    EXPECT_EQ(tag_value(after[game], "Event"), "?") << "events come after the players";
    EXPECT_EQ(tests::parse_movetext(after[game].movetext),
              tests::parse_movetext(before[game].movetext));
  }
  EXPECT_GT(kept, 100U);
  EXPECT_GT(lost, 100U);
  EXPECT_THAT(text("x.si4/info.txt"),
              AllOf(HasSubstr("\nproblem: x.sn4: player names: the file ends in name"),
                    HasSubstr("\nhealth: damaged")));
  EXPECT_THAT(text("info.txt"), HasSubstr(fmt::format("x.si4: {} games, damaged", before.size())));
  EXPECT_EQ(errors("x"), 0U) << "no game is damaged";
}

TEST_F(Salvage, ShortIndexShowsItsGames) {
  constexpr std::size_t kGames = 10;
  ScidFiles files = sample();
  files.index.resize(kIndexHeaderSize + kGames * kIndexEntrySize + kIndexEntrySize / 2);
  put("x", files);
  mount();
  const auto before = games("whole");
  const auto after = games("x");
  ASSERT_EQ(after.size(), kGames);
  for (std::size_t game = 0; game < kGames; ++game) EXPECT_EQ(after[game].text, before[game].text);
  EXPECT_THAT(text("x.si4/info.txt"),
              AllOf(HasSubstr("\ngames: 10\n"), HasSubstr("games but ends after 10 (byte 652)"),
                    HasSubstr("\nhealth: damaged")));
}

// Each game has either its old text or a stub with its tags.
TEST_F(Salvage, ShortGameFileShowsItsGames) {
  ScidFiles files = sample();
  files.games.resize(files.games.size() / 2);
  put("x", files);
  mount();
  const auto before = games("whole");
  const auto after = games("x");
  ASSERT_EQ(after.size(), before.size());
  std::size_t stubs = 0;
  for (std::size_t game = 0; game < before.size(); ++game) {
    if (after[game].text == before[game].text) continue;
    ++stubs;
    for (const tests::PgnTag& tag : after[game].tags) {
      EXPECT_EQ(tag.value, tag_value(before[game], tag.name));
    }
    EXPECT_THAT(std::string(after[game].movetext), HasSubstr("{scidfs: game"));
  }
  EXPECT_GT(stubs, before.size() / 4);
  EXPECT_LT(stubs, before.size() * 3 / 4);
  EXPECT_EQ(errors("x"), stubs);
  EXPECT_THAT(text("x.si4/errors.tsv"), HasSubstr("its record does not lie in the game file"));
  EXPECT_THAT(text("x.si4/info.txt"), HasSubstr(fmt::format("\ndamaged games: {}\n", stubs)));
}

TEST_F(Salvage, AllGamesAreStubsWithoutGameFile) {
  ScidFiles files = sample();
  files.games.clear();
  put("x", files);
  mount();
  const auto before = games("whole");
  const auto after = games("x");
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t game = 0; game < before.size(); ++game) {
    for (const char* const name : {"Event", "Site", "Date", "Round", "White", "Black", "Result"}) {
      EXPECT_EQ(tag_value(after[game], name), tag_value(before[game], name));
    }
  }
  EXPECT_EQ(errors("x"), before.size());
  EXPECT_THAT(text("x.si4/info.txt"),
              AllOf(HasSubstr("x.sg4: No such file"), HasSubstr("\nhealth: damaged")));
}

TEST_F(Salvage, MovesAreKeptWithoutNameFile) {
  ScidFiles files = sample();
  files.names.clear();
  put("x", files);
  mount();
  const auto before = games("whole");
  const auto after = games("x");
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t game = 0; game < before.size(); ++game) {
    EXPECT_EQ(tag_value(after[game], "White"), "?");
    EXPECT_EQ(tests::parse_movetext(after[game].movetext),
              tests::parse_movetext(before[game].movetext));
  }
  EXPECT_THAT(text("x.si4/info.txt"), HasSubstr("x.sn4: No such file"));
}

// A file name may have any bytes; tables keep one line for each file.
TEST_F(Salvage, FileNamesWithLineEndsStayOnOneLine) {
  ScidFiles files = sample();
  files.games.clear();
  put("a\nrefused: b\xE9", files);
  tests::write_file(folder_ / "c\nd.si4", "");
  mount();
  const std::string info = text("info.txt");
  EXPECT_THAT(info,
              AllOf(HasSubstr(fmt::format("\ndatabase: a refused: b\u00E9.si4: {} games, damaged\n",
                                          kGamesOfSample)),
                    HasSubstr("/c d.si4: the index ends")));
  EXPECT_EQ(std::ranges::count(info, '\n'), 4) << info;
  EXPECT_THAT(text("a refused: b\u00E9.si4/info.txt"),
              testing::StartsWith("database: a refused: b\u00E9.si4\n"));
}

// The only reasons for a refusal, each with a line in the log and one in the folder's info.txt.
TEST_F(Salvage, OnlyInvalidIndexesAreRefused) {
  ScidFiles magic = sample();
  magic.index[0] = 'X';
  ScidFiles version = sample();
  tests::patch_big(401, 2, 8, version.index);
  ScidFiles header = sample();
  header.index.resize(kIndexHeaderSize - 1);
  put("magic", magic);
  put("version", version);
  put("header", header);
  tests::write_file(folder_ / "empty.si4", "");
  mount();
  const std::string info = text("info.txt");
  for (const auto& [name, why] :
       {std::pair("magic", "wrong magic"), std::pair("version", "version 401 is not supported"),
        std::pair("header", "ends in its header"), std::pair("empty", "ends in its header")}) {
    EXPECT_FALSE(walked_.files.contains(fmt::format("{}.si4/info.txt", name))) << name;
    for (const std::string& where : {info, log_}) {
      const std::string path = fmt::format("/{}.si4: ", name);
      const std::size_t at = where.find(path);
      ASSERT_NE(at, std::string::npos) << name << " in " << where;
      EXPECT_THAT(where.substr(at, where.find('\n', at) - at), HasSubstr(why));
      EXPECT_EQ(where.find(path, at + 1), std::string::npos) << name << " twice in " << where;
    }
  }
  EXPECT_EQ(std::ranges::count(log_, '\n'), 4) << log_;
  EXPECT_THAT(info, Not(HasSubstr("refused: whole")));
}

}  // namespace
}  // namespace scidfs::fuzz
