// Compares text= with the comments in the PGN text of the same games.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "fs/search/search.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"
#include "tests/support/files.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

// A comment in small letters without the accents that occur here, with one blank between words.
std::string without_marks(std::string_view comment) {
  std::string text = tests::fold_spaces(comment);
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 'a' - 'A');
  }
  return text;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool has_word(const std::string& text, const std::string& word) {
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
      return true;
    }
  }
  return false;
}

// Comments of each game of a PGN text, except remarks about damage; only ASCII ones.
std::vector<std::vector<std::string>> comments_of(const std::vector<tests::RenderedGame>& games) {
  std::vector<std::vector<std::string>> all;
  for (const tests::RenderedGame& game : games) {
    std::vector<std::string>& comments = all.emplace_back();
    const std::vector<tests::PgnGame> parsed = tests::parse_pgn(game.text);
    for (const tests::PgnToken& token : tests::parse_movetext(parsed.at(0).movetext)) {
      if (token.kind != tests::PgnToken::Kind::Comment) continue;
      const std::string comment = without_marks(token.text);
      if (!comment.starts_with("scidfs: game")) comments.push_back(comment);
    }
  }
  return all;
}

std::vector<GameIndex> texts_found(const DatabasePtr& database, const std::string& word) {
  const std::vector<FacetGroup> groups = {{parse_facet("text=" + word).value()}};
  const auto found = search(DatabaseGames(database, database->shown()), std::nullopt, groups,
                            WorkBudget::unlimited(nullptr));
  EXPECT_TRUE(found.ok()) << found.status();
  return games_in(*found);
}

// Words that occur, consisting of ASCII letters and digits, and some that do not occur.
std::vector<std::string> some_words(const std::vector<std::vector<std::string>>& comments,
                                    std::size_t count) {
  std::set<std::string> words = {"zugzwang", "qqq"};
  tests::Random random(3);
  for (std::size_t i = 0; i < 3 * count; ++i) {
    const auto& some = comments[random.below(comments.size())];
    if (some.empty()) continue;
    const std::string& text = some[random.below(some.size())];
    if (text.empty()) continue;
    std::size_t at = random.below(text.size());
    std::string word;
    for (; at < text.size() && is_word(text[at]); ++at) word += text[at];
    if (!word.empty()) words.insert(word);
  }
  return {words.begin(), words.end()};
}

void compare(const DatabasePtr& database, const tests::ScidDatabase& read) {
  const std::vector<std::vector<std::string>> comments = comments_of(read.render_games());
  for (const std::string& word : some_words(comments, 30)) {
    std::vector<GameIndex> expected;
    for (std::size_t game = 0; game < comments.size(); ++game) {
      if (!database->loaded().has(Part::Shown, static_cast<GameIndex>(game))) continue;
      const bool ascii = std::ranges::any_of(
          comments[game], [&](const std::string& text) { return has_word(text, word); });
      if (ascii) expected.push_back(static_cast<GameIndex>(game));
    }
    // Beyond ASCII there are more letters than has_word() knows: then it finds a subset.
    const std::vector<GameIndex> found = texts_found(database, word);
    std::vector<GameIndex> differ;
    std::ranges::set_symmetric_difference(found, expected, std::back_inserter(differ));
    for (const GameIndex game : differ) {
      const bool beyond = std::ranges::any_of(comments[game], [](const std::string& text) {
        return std::ranges::any_of(text,
                                   [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
      });
      EXPECT_TRUE(beyond) << word << " in game " << game + 1;
    }
  }
}

class TextSearchTest : public DatabaseTest {};

TEST_F(TextSearchTest, FindsWordsOfRandomGames) {
  tests::Random random(5);
  tests::ScidFilesBuilder builder;
  for (int game = 0; game < 400; ++game) {
    std::string record = tests::random_game(random, {.plies = 20}).record();
    // Some records are damaged.
    if (game % 7 == 0) record[random.below(record.size())] = static_cast<char>(random.next());
    if (game % 11 == 0) record.resize(record.size() / 2);
    builder.game({}, record);
  }
  const tests::ScidFiles files = builder.files();
  compare(open(files), tests::ScidDatabase(files, ".si4"));
}

TEST_F(TextSearchTest, FindsWordsOfNotesOutOfOrder) {
  // A comment after the variations of its move, which replaces an earlier one.
  tests::ScidFilesBuilder builder;
  builder.game({}, tests::ScidEncoder()
                       .move("e4")
                       .comment("first")
                       .begin_variation()
                       .move("d4")
                       .comment("inner")
                       .end_variation()
                       .comment("second")
                       .record());
  const tests::ScidFiles files = builder.files();
  const DatabasePtr database = open(files);
  const tests::ScidDatabase read(files, ".si4");
  compare(database, read);
  const std::string text = read.render();
  for (const char* const word : {"first", "inner", "second"}) {
    EXPECT_EQ(texts_found(database, word).size(), text.find(word) != std::string::npos ? 1U : 0U)
        << word;
  }
}

TEST_F(TextSearchTest, FindsOnlyWordsOfShownText) {
  tests::ScidFilesBuilder builder;
  builder.game({}, tests::ScidEncoder()
                       .move("e4")
                       .comment("outer")
                       .begin_variation()
                       .move("d4")
                       .comment("inner")
                       .end_variation()
                       .record());
  const tests::ScidFiles files = builder.files();
  DatabaseOptions options;
  options.pgn.variations = false;
  EXPECT_EQ(texts_found(open(files, options), "outer").size(), 1U);
  EXPECT_EQ(texts_found(open(files, options), "inner").size(), 0U);
  options.pgn = {.comments = false};
  EXPECT_EQ(texts_found(open(files, options), "outer").size(), 0U);
}

TEST_F(TextSearchTest, TreatsUnderscoresAndBlanksAsOneBlank) {
  tests::ScidFilesBuilder builder;
  for (const char* const comment :
       {"passed pawn", "passed_pawn", "passed  pawn", "passed \xCC\x81 pawn",
        "pass\xC3\xA9"
        "d_pawn",
        "passedpawn"}) {
    builder.game({}, tests::ScidEncoder().move("e4").comment(comment).record());
  }
  const DatabasePtr database = open(builder.files());
  for (const char* const word :
       {"passed_pawn", "passed__pawn", "passed%5Fpawn", "passed_\xCC\x81_pawn"}) {
    EXPECT_EQ(texts_found(database, word), (std::vector<GameIndex>{0, 1, 2, 3, 4})) << word;
    EXPECT_EQ(parse_facet(std::string("text=") + word)->canonical, "text=passed_pawn") << word;
  }
}

TEST_F(TextSearchTest, FindsWordsOfLargeDatabases) {
  const std::string annotated = tests::shared_folder() + "/data/annotated";
  if (!std::filesystem::exists(annotated + ".si4")) GTEST_SKIP() << "no " << annotated;
  const auto database = Database::open(annotated + ".si4", "annotated", {});
  ASSERT_TRUE(database.ok()) << database.status();
  compare(*database, tests::ScidDatabase(annotated));
}

}  // namespace
}  // namespace scidfs::fs
