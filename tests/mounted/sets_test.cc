// Sets of games as directories: compares random queries with awk on index.tsv and with Scid.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include "tests/mounted/index_table.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/set_queries.h"
#include "tests/mounted/set_tables.h"
#include "tests/support/configuration.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// A mounted folder, and the number of queries for each database in it.
struct AskedFolder {
  filesystem::path folder;
  std::map<std::string, std::size_t> databases;  // by path without extension, "sample/sample"
};

AskedFolder fixtures() {
  AskedFolder asked{test_data(""),
                    {{"sample/sample", 100}, {"scid3/endings", 6}, {"scid5/chess960", 6}}};
  for (const char* const name : {"dates", "eco", "flags", "freq256", "header", "names_empty",
                                 "names_prefix", "random_annotated", "ratings", "results",
                                 "stored_lines", "text_latin1", "text_utf8", "variations"}) {
    asked.databases.emplace(std::string("scid4/") + name, 4);
  }
  // Where much is unknown.
  for (const char* const name : {"dates", "names_empty", "ratings"}) {
    asked.databases[std::string("scid4/") + name] = 25;
  }
  return asked;
}

std::optional<AskedFolder> large_databases() {
  const filesystem::path folder = filesystem::path(shared_folder()) / "data";
  if (!filesystem::exists(folder / "masters.si4") ||
      !filesystem::exists(folder / "annotated.si4")) {
    return std::nullopt;
  }
  return AskedFolder{folder, {{"masters", 80}, {"annotated", 60}}};
}

std::string extension_of(const filesystem::path& stem) {
  for (const char* const extension : {".si4", ".si3", ".si5"}) {
    if (filesystem::exists(stem.string() + extension)) return extension;
  }
  ADD_FAILURE() << stem << ": no database";
  return "";
}

// The queries are always the same, unless the environment sets a seed.
std::uint64_t seed() {
  const char* const text = std::getenv("SCIDFS_QUESTIONS_SEED");
  return text == nullptr ? 1 : to_number(text);
}

// A database of a mount, its index.tsv, and queries.
struct Asked {
  Asked(const filesystem::path& folder, const filesystem::path& mount, const std::string& name,
        std::size_t count)
      : stem(folder / name),
        directory(mount.string() + "/" + name + extension_of(stem)),
        database(stem.string(), directory.extension().string()),
        games(read_all(directory / "index.tsv"), &database),
        deleted(filesystem::exists(directory / "deleted")
                    ? read_all(directory / "deleted/index.tsv")
                    : "",
                &database),
        listed(games) {
    Random random(seed());
    const bool tells_starts = directory.extension() != ".si5";
    queries = random_queries({.games = games, .deleted = deleted, .tells_starts = tells_starts},
                             count, random);
    EXPECT_EQ(queries.size(), count) << name;
  }

  const IndexTable& table_of(const Query& query) const {
    return query.of_deleted ? deleted : games;
  }

  filesystem::path stem;
  filesystem::path directory;
  ScidDatabase database;
  IndexTable games, deleted;
  ListedThings listed;
  std::vector<Query> queries;
};

// Runs awk for all queries about a database, those about deleted games separately.
std::vector<std::vector<SetGame>> answers_of_awk(const Asked& asked,
                                                 const filesystem::path& folder) {
  std::vector<std::vector<SetGame>> answers(asked.queries.size());
  for (const bool of_deleted : {false, true}) {
    const filesystem::path program = folder / "conditions.awk";
    std::string text = "{\n";
    for (std::size_t i = 0; i < asked.queries.size(); ++i) {
      const Query& query = asked.queries[i];
      if (query.of_deleted != of_deleted) continue;
      const std::string none = "0";
      text += fmt::format("if ({}) print {}, $1, ({}) ? 1 : 0, ({}) ? 1 : 0\n", query.condition, i,
                          query.has_subject() ? query.subject_white : none,
                          query.has_subject() ? query.subject_black : none);
    }
    write_file(program, text + "}\n");
    const IndexTable& table = of_deleted ? asked.deleted : asked.games;
    if (table.lines().empty()) continue;
    const filesystem::path index =
        asked.directory / (of_deleted ? "deleted/index.tsv" : "index.tsv");
    std::istringstream lines(run_ok(
        fmt::format("LC_ALL=C awk -f {} -f {} {}", word(source_path("tests/mounted/search.awk")),
                    word(program), word(index)),
        120));
    std::size_t query = 0;
    unsigned number = 0;
    bool white = false;
    bool black = false;
    while (lines >> query >> number >> white >> black) {
      answers.at(query).push_back({&table.of_game(number), white, black});
    }
  }
  return answers;
}

std::string index_of(const IndexTable& table, const std::vector<SetGame>& games) {
  std::string text(table.head());
  for (const SetGame& game : games) text += game.line->text;
  return text;
}

// The first difference, for messages.
std::string first_difference(std::string_view found, std::string_view expected) {
  std::size_t begin = 0;
  std::size_t at = 0;
  for (; at < found.size() && at < expected.size() && found[at] == expected[at]; ++at) {
    if (found[at] == '\n') begin = at + 1;
  }
  const auto line = [&](std::string_view text) {
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  };
  return fmt::format("found:    {}\nexpected: {}\n({} bytes, expected {})", line(found),
                     line(expected), found.size(), expected.size());
}

class SetsTest : public MountedTest {
 protected:
  // Reads all files in the directory of a set.
  void check(const Asked& asked, const Query& query, const std::vector<SetGame>& games);
  void check_files(const filesystem::path& directory, const Query& query,
                   const std::vector<SetGame>& games);
  void query_all(const AskedFolder& folder);

  TemporaryFolder folder_;
  std::size_t queried_ = 0;
  std::size_t with_answers_ = 0;
};

void SetsTest::check_files(const filesystem::path& directory, const Query& query,
                           const std::vector<SetGame>& games) {
  constexpr std::size_t kFew = 500;
  std::vector<std::string> names = {"games.pgn", "index.tsv", "summary.txt", "players.tsv",
                                    "openings.tsv"};
  if (query.has_subject()) names.emplace_back("opponents.tsv");
  if (!query.directory.empty()) names.push_back(directory.filename().string() + ".pgn");
  for (const std::string& name : names) {
    if (name.size() > NAME_MAX) continue;
    struct stat status {};
    ASSERT_EQ(::stat((directory / name).c_str(), &status), 0)
        << name << ": " << std::strerror(errno);
    EXPECT_TRUE(S_ISREG(status.st_mode)) << name;
    const bool is_of_games = name.ends_with(".pgn");
    EXPECT_EQ(is_of_games && status.st_size == 0, is_of_games && games.empty()) << name;
    if (is_of_games && games.size() > kFew) continue;
    EXPECT_EQ(read_all(directory / name).size(), static_cast<std::size_t>(status.st_size)) << name;
  }
  if (!query.has_subject()) {
    EXPECT_FALSE(filesystem::exists(directory / "opponents.tsv"));
  }
}

void SetsTest::check(const Asked& asked, const Query& query, const std::vector<SetGame>& games) {
  constexpr std::size_t kFew = 50;
  const filesystem::path directory = asked.directory / query.directory;
  SCOPED_TRACE(fmt::format("{}\nawk: {}", directory.string(), query.condition));
  const std::string index = read_all(directory / "index.tsv");
  const std::string expected = index_of(asked.table_of(query), games);
  EXPECT_TRUE(index == expected) << first_difference(index, expected);

  const auto compare = [&](const char* name, const std::string& table) {
    const std::string found = without_suffixes(read_all(directory / name), asked.listed);
    EXPECT_TRUE(found == table) << name << '\n' << first_difference(found, table);
  };
  compare("players.tsv", players_table(games, asked.listed));
  compare("openings.tsv", openings_table(games, asked.listed));
  if (query.has_subject()) compare("opponents.tsv", opponents_table(games, asked.listed));
  const std::string summary = read_all(directory / "summary.txt");
  EXPECT_THAT(faults_of_summary(summary, games, query.has_subject()), testing::IsEmpty())
      << summary;
  check_files(directory, query, games);

  if (games.size() > kFew) return;
  std::string texts;
  for (const SetGame& game : games) texts += read_all(asked.directory / (*game.line)[kPathColumn]);
  EXPECT_TRUE(read_all(directory / "games.pgn") == texts);
  if (query.directory.empty()) return;
  const std::string own = directory.filename().string() + ".pgn";
  if (own.size() > NAME_MAX) return;
  EXPECT_TRUE(read_all(directory / own) == texts);
}

void SetsTest::query_all(const AskedFolder& folder) {
  const Mount mount({.source = folder.folder});
  ASSERT_TRUE(mount.ok());
  for (const auto& [name, count] : folder.databases) {
    const Asked asked(folder.folder, mount.path(), name, count);
    const std::vector<std::vector<SetGame>> answers = answers_of_awk(asked, folder_.path());
    for (std::size_t i = 0; i < asked.queries.size(); ++i) {
      check(asked, asked.queries[i], answers[i]);
      ++queried_;
      with_answers_ += answers[i].empty() ? 0 : 1;
    }
  }
  RecordProperty("questions", static_cast<int>(queried_));
  RecordProperty("with_answers", static_cast<int>(with_answers_));
  EXPECT_GT(with_answers_, queried_ * 2 / 3);
}

TEST_F(SetsTest, AgreeWithAwkOnFixtures) {
  query_all(fixtures());
  EXPECT_GE(queried_, 150U);
}

TEST_F(SetsTest, AgreeWithAwkOnLargeDatabases) {
  const std::optional<AskedFolder> folder = large_databases();
  if (!folder.has_value()) GTEST_SKIP() << "the shared databases are not here";
  query_all(*folder);
  EXPECT_GE(queried_, 100U);
}

// The comments of a game, in small letters, one line each.
std::string comments_of(std::string_view game) {
  std::string comments;
  bool is_comment = false;
  for (char c : game.substr(std::min(game.find("\n\n"), game.size()))) {
    if (!is_comment && c == '{') {
      is_comment = true;
    } else if (is_comment && c == '}') {
      is_comment = false;
      comments += '\n';
    } else if (is_comment) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
      comments += c == '\n' ? ' ' : c;
    }
  }
  return comments;
}

enum class Found : std::uint8_t { No, Yes, Perhaps };

// True if the words occur; maybe, if that depends on the definition of a word.
Found find_words(std::string_view comments, std::string_view words, bool is_beginning) {
  constexpr std::string_view kEnds = " \n.,;:!?()\"";
  Found found = Found::No;
  for (std::size_t at = 0; (at = comments.find(words, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + words.size();
    const auto is_letter = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
    };
    const char before = at == 0 ? '\n' : comments[at - 1];
    const char after = is_beginning || end == comments.size() ? '\n' : comments[end];
    if (is_letter(before) || is_letter(after)) continue;
    if (kEnds.find(before) != std::string_view::npos &&
        kEnds.find(after) != std::string_view::npos) {
      return Found::Yes;
    }
    found = Found::Perhaps;
  }
  return found;
}

// One or two adjacent words of a comment, of ASCII letters; empty if there are none.
std::string some_words(std::string_view comments, Random& random) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::size_t at = random.below(comments.size());
  while (at > 0 && is_letter(comments[at - 1])) --at;
  std::size_t end = at;
  while (end < comments.size() && is_letter(comments[end])) ++end;
  if (end - at < 2) return "";
  if (random.one_in(3) && end + 2 < comments.size() && comments[end] == ' ' &&
      is_letter(comments[end + 1])) {
    for (++end; end < comments.size() && is_letter(comments[end]);) ++end;
  }
  return std::string(comments.substr(at, end - at));
}

class TextTest : public MountedTest {
 protected:
  static void search_for_words(const filesystem::path& database, std::size_t count) {
    const Mount mount({.source = database});
    ASSERT_TRUE(mount.ok());
    const IndexTable table(read_all(mount / "index.tsv"));
    std::vector<std::string> comments;
    for (const std::string& game : cut_games(read_all(mount / "all.pgn"))) {
      comments.push_back(comments_of(game));
    }
    ASSERT_EQ(comments.size(), table.lines().size());
    Random random(1);
    for (std::size_t tries = 0; count > 0 && tries < 100'000; ++tries) {
      const std::string& some = comments[random.below(comments.size())];
      std::string words = some.empty() ? "" : some_words(some, random);
      if (words.empty()) continue;
      const bool is_beginning = words.size() > 3 && random.one_in(4);
      if (is_beginning) words.resize(words.size() - 1 - random.below(2));
      if (words.ends_with(' ')) continue;
      std::string expected(table.head());
      bool is_certain = true;
      for (std::size_t game = 0; game < comments.size(); ++game) {
        const Found found = find_words(comments[game], words, is_beginning);
        is_certain = is_certain && found != Found::Perhaps;
        if (found == Found::Yes) expected += table.lines()[game].text;
      }
      if (!is_certain) continue;
      std::string value = words + (is_beginning ? "*" : "");
      for (char& c : value) {
        if (c == ' ') c = '_';
        if (c >= 'a' && c <= 'z' && random.one_in(5)) c = static_cast<char>(c - 32);
      }
      const std::string index = read_all(mount / ("search/text=" + value + "/index.tsv"));
      EXPECT_TRUE(index == expected) << value << '\n' << first_difference(index, expected);
      --count;
    }
    EXPECT_EQ(count, 0U);
  }
};

TEST_F(TextTest, IsFoundInComments) { search_for_words(sample_database(), 30); }

TEST_F(TextTest, IsFoundInManyComments) {
  const filesystem::path annotated = filesystem::path(shared_folder()) / "data/annotated.si4";
  if (!filesystem::exists(annotated)) GTEST_SKIP() << "the shared databases are not here";
  search_for_words(annotated, 30);
}

// Compares with Scid the queries that it supports.
class ScidSearchTest : public WithScidTest {
 protected:
  void compare(const AskedFolder& folder);

  TemporaryFolder folder_;
  std::size_t compared_ = 0;
};

// The numbers of the games in an index.tsv.
std::string numbers_in(const std::string& index) {
  std::string numbers;
  const IndexTable table(index);
  for (const IndexLine& line : table.lines()) {
    numbers.append(" ").append(line[kNumberColumn]);
  }
  return numbers;
}

void ScidSearchTest::compare(const AskedFolder& folder) {
  const Mount mount({.source = folder.folder});
  ASSERT_TRUE(mount.ok());
  for (const auto& [name, count] : folder.databases) {
    const Asked asked(folder.folder, mount.path(), name, count);
    // Scid reads only real files, and might write beside them, so it gets a copy.
    if (asked.directory.extension() != ".si4") continue;
    const filesystem::path copy = folder_ / "database";
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      filesystem::copy_file(asked.stem.string() + extension, copy.string() + extension,
                            filesystem::copy_options::overwrite_existing);
    }
    std::vector<const Query*> queries;
    std::string text;
    for (const Query& query : asked.queries) {
      if (query.scid.empty()) continue;
      queries.push_back(&query);
      for (const std::string& search : query.scid) text += "{" + search + "} ";
      text += '\n';
    }
    write_file(folder_ / "questions", text);
    std::istringstream answers(run_ok(fmt::format("tkscid {} {} {} numbers",
                                                  word(source_path("tests/bench/scid_search.tcl")),
                                                  word(copy), word(folder_ / "questions"))));
    for (const Query* const query : queries) {
      std::string answer;
      std::getline(answers, answer);
      const std::string scid = answer.substr(std::min(answer.find(' '), answer.size()));
      const std::string ours =
          numbers_in(read_all(asked.directory / query->directory / "index.tsv"));
      EXPECT_TRUE(scid == ours) << name << ' ' << query->directory << "\nScid "
                                << testing::PrintToString(query->scid) << ':' << scid.substr(0, 200)
                                << "\nhere:" << ours.substr(0, 200);
      ++compared_;
    }
  }
  RecordProperty("questions", static_cast<int>(compared_));
}

TEST_F(ScidSearchTest, AgreesWithScidOnFixtures) {
  compare(fixtures());
  EXPECT_GE(compared_, 60U);
}

TEST_F(ScidSearchTest, AgreesWithScidOnLargeDatabases) {
  const std::optional<AskedFolder> folder = large_databases();
  if (!folder.has_value()) GTEST_SKIP() << "the shared databases are not here";
  compare(*folder);
  EXPECT_GE(compared_, 35U);
}

}  // namespace
}  // namespace scidfs::tests
