// Questions about moves and positions of databases: random ones, held against brute force over
// fens/ and PGN.
#include "tests/mounted/move_questions.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/mounted/course_questions.h"
#include "tests/mounted/game_notes.h"
#include "tests/mounted/game_plies.h"
#include "tests/mounted/index_table.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/note_questions.h"
#include "tests/mounted/played_positions.h"
#include "tests/mounted/tag_questions.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// How many patterns are asked of a database, and other questions by their share; the environment
// (scripts/soak) sets more, the same for all, and then of all games.
constexpr std::size_t kFullShare = 300;

std::optional<std::size_t> count_of_environment() {
  const char* const text = std::getenv("SCIDFS_MOVE_QUESTIONS");
  return text == nullptr ? std::nullopt : std::optional<std::size_t>(to_number(text));
}

// The questions are always the same, unless the environment sets a seed.
std::uint64_t questions_seed() {
  const char* const text = std::getenv("SCIDFS_QUESTIONS_SEED");
  return text == nullptr ? 1 : to_number(text);
}

// There are many of these at a time.
struct AskedGame {
  Verdict::Answer answer = Verdict::Answer::No;
  std::uint32_t ply = 0;   // of its moment
  std::uint32_t line = 0;  // the hash of the line of that position in fens/
};

std::uint32_t hash_of(std::string_view line) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(line));
}

// A question, and what each game of the set answers, in the order of index.tsv.
struct Asked {
  MoveQuestion question;
  std::vector<AskedGame> games;
};

// A set of games, all of those in an index.tsv, and its directory.
class AskedSet {
 public:
  // `narrowed`: the conditions that come first, "search/number=1..9"; empty: none. The files of
  // games are in `directory` in any case.
  AskedSet(filesystem::path directory, std::string narrowed)
      : directory_(std::move(directory)),
        narrowed_(std::move(narrowed)),
        index_(read_all(directory_ / narrowed_ / "index.tsv")),
        pgn_(read_all(directory_ / narrowed_ / "games.pgn")),
        texts_(parse_pgn(pgn_)) {
    EXPECT_EQ(texts_.size(), index_.lines().size()) << directory_;
  }

  std::size_t size() const { return index_.lines().size(); }
  const IndexLine& line(std::size_t game) const { return index_.lines()[game]; }
  filesystem::path path(std::string_view below) const { return directory_ / narrowed_ / below; }
  std::unique_ptr<GamePlies> game(std::size_t at) const {
    const PlayedSet set{.directory = directory_, .index = &index_};
    auto game = std::make_unique<GamePlies>(to_number(line(at)[kNumberColumn]),
                                            read_all(set.epd(line(at))));
    game->notes = notes_of(texts_.at(at));
    return game;
  }

 private:
  filesystem::path directory_;
  std::string narrowed_;
  IndexTable index_;
  std::string pgn_;
  std::vector<PgnGame> texts_;
};

// Questions of all kinds about some of the games.
std::vector<Asked> questions_about(const AskedSet& set, std::size_t count) {
  constexpr std::size_t kSources = 150;
  Random random(questions_seed());
  std::vector<std::unique_ptr<GamePlies>> games;
  for (std::size_t i = 0; i < std::min(kSources, set.size()); ++i) {
    games.push_back(set.game(set.size() <= kSources ? i : random.below(set.size())));
  }
  if (std::ranges::all_of(games, [](const auto& game) { return game->plies.empty(); })) return {};
  QuestionSource source(std::move(games), random.next());
  std::vector<Asked> all;
  std::set<std::string> names;
  std::vector<QuestionKind> kinds;
  for (const auto& some : {board_kinds(), course_kinds(), tag_kinds(), note_kinds()}) {
    kinds.insert(kinds.end(), some.begin(), some.end());
  }
  for (const QuestionKind& kind : kinds) {
    const std::size_t exact = count * kind.share;
    const std::size_t of_kind =
        exact / kFullShare + (random.below(kFullShare) < exact % kFullShare ? 1 : 0);
    std::size_t made = 0;
    for (std::size_t tries = 0; made < of_kind && tries < 20 * of_kind; ++tries) {
      std::optional<MoveQuestion> question = any_question(kind, source);
      if (!question.has_value() || question->name.size() + 4 > NAME_MAX) continue;
      if (!names.insert(question->name).second) continue;
      all.push_back(
          {.question = *std::move(question), .games = std::vector<AskedGame>(set.size())});
      ++made;
    }
  }
  return all;
}

// What the tables of a set have.
struct SetTables {
  std::string evals;  // the lines of evals.tsv
  TagCounts tags;
};

// Has each game of the set answer all questions.
SetTables answer_all(const AskedSet& set, std::vector<Asked>& all) {
  constexpr std::size_t kParts = 3;
  const auto answer_some = [&](std::size_t begin, std::size_t end) {
    SetTables tables;
    for (std::size_t at = begin; at < end; ++at) {
      const std::unique_ptr<GamePlies> game = set.game(at);
      tables.evals += evals_of(*game);
      tables.tags.add(*game);
      for (Asked& asked : all) {
        const Verdict verdict = asked.question.judge(*game);
        AskedGame& answer = asked.games[at];
        answer.answer = verdict.answer;
        if (verdict.answer != Verdict::Answer::Yes || !asked.question.has_moments) continue;
        answer.ply = static_cast<std::uint32_t>(verdict.ply);
        answer.line = hash_of(game->plies.at(verdict.ply).line);
      }
    }
    return tables;
  };
  std::vector<std::future<SetTables>> parts;
  for (std::size_t part = 0; part < kParts; ++part) {
    parts.push_back(std::async(std::launch::async, answer_some, set.size() * part / kParts,
                               set.size() * (part + 1) / kParts));
  }
  SetTables tables;
  for (std::future<SetTables>& part : parts) {
    const SetTables some = part.get();
    tables.evals += some.evals;
    tables.tags.add(some.tags);
  }
  return tables;
}

std::vector<unsigned> numbers_of(const std::string& index) {
  std::vector<unsigned> numbers;
  std::string_view rest = index;
  while (!rest.empty()) {
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
    if (!rest.empty()) numbers.push_back(to_number(rest));
  }
  return numbers;
}

// What may stand only once in a directory: a key, of tags each tag, however it is asked for.
std::string key_of(const std::string& name) {
  const std::string key = name.substr(0, name.find('='));
  if (key == "annotator") return "tag=Annotator";
  if (key == "time_control") return "tag=TimeControl";
  return key == "tag" ? name.substr(0, name.find(',')) : key;
}

class MoveQuestionsTest : public MountedTest {
 protected:
  using IsIn = std::function<bool(std::size_t game)>;

  void ask(const filesystem::path& database, std::size_t count, const std::string& narrowed = "");
  void ask_set(const AskedSet& set, std::size_t count);
  void ask_below(const filesystem::path& folder, const filesystem::path& mount,
                 const std::function<std::size_t(const std::string&)>& count);

  // The set that `name` leads to has the games that `is_in` tells.
  void expect_games(const AskedSet& set, const std::string& name, const IsIn& is_in);
  void expect_moments(const AskedSet& set, const std::string& name, const Asked& of,
                      const IsIn& is_in);
  void expect_tables(const AskedSet& set, const SetTables& tables);
  void check(const AskedSet& set, const Asked& asked, const Asked& other);

  std::size_t questions_ = 0;
  std::size_t with_games_ = 0;
  std::size_t with_unknown_ = 0;
  std::size_t compared_ = 0;  // files
};

void MoveQuestionsTest::expect_games(const AskedSet& set, const std::string& name,
                                     const IsIn& is_in) {
  std::vector<unsigned> expected;
  for (std::size_t game = 0; game < set.size(); ++game) {
    if (is_in(game)) expected.push_back(to_number(set.line(game)[kNumberColumn]));
  }
  const std::vector<unsigned> found = numbers_of(read_all(set.path(name) / "index.tsv"));
  ++compared_;
  if (found == expected) return;
  std::vector<unsigned> more;
  std::vector<unsigned> less;
  std::ranges::set_difference(found, expected, std::back_inserter(more));
  std::ranges::set_difference(expected, found, std::back_inserter(less));
  constexpr std::size_t kSome = 10;
  const auto some = [&](std::vector<unsigned>& numbers) {
    const std::size_t all = numbers.size();
    numbers.resize(std::min(all, kSome));
    return fmt::format("{}: {}", all, testing::PrintToString(numbers));
  };
  ADD_FAILURE() << set.path(name) << ": " << found.size() << " games, expected " << expected.size()
                << "\nunexpected " << some(more) << "\nmissing " << some(less);
}

void MoveQuestionsTest::expect_moments(const AskedSet& set, const std::string& name,
                                       const Asked& of, const IsIn& is_in) {
  const std::string text = read_all(set.path(name) / "moments.epd");
  std::string_view rest = text;
  ++compared_;
  for (std::size_t game = 0; game < set.size(); ++game) {
    if (!is_in(game)) continue;
    const std::string_view line = rest.substr(0, rest.find('\n') + 1);
    rest.remove_prefix(line.size());
    if (hash_of(line) == of.games[game].line) continue;
    ADD_FAILURE() << set.path(name) << "/moments.epd: expected ply " << of.games[game].ply + 1
                  << " of game " << set.line(game)[kNumberColumn] << ", found " << line;
    return;
  }
  EXPECT_EQ(rest, "") << set.path(name);
}

void MoveQuestionsTest::check(const AskedSet& set, const Asked& asked, const Asked& other) {
  using Answer = Verdict::Answer;
  const std::string& name = asked.question.name;
  const std::string search = "search/" + name;
  const IsIn yes = [&](std::size_t game) { return asked.games[game].answer == Answer::Yes; };
  const IsIn no = [&](std::size_t game) { return asked.games[game].answer == Answer::No; };
  ++questions_;
  if (std::ranges::any_of(asked.games,
                          [](const AskedGame& game) { return game.answer == Answer::Yes; })) {
    ++with_games_;
  }
  if (std::ranges::any_of(asked.games,
                          [](const AskedGame& game) { return game.answer == Answer::Unknown; })) {
    ++with_unknown_;
  }
  expect_games(set, search, yes);
  expect_games(set, "search/not-" + name, no);
  EXPECT_FALSE(filesystem::exists(set.path("search/not-" + name) / "moments.epd"));
  if (asked.question.has_moments) expect_moments(set, search, asked, yes);

  // A code of some game, as a directory or as a condition before.
  const std::string_view eco = set.line(questions_ % set.size())[kEcoColumn].substr(0, 1);
  const bool is_whole = filesystem::exists(set.path("eco"));
  if (questions_ % 3 == 0 && !eco.empty()) {
    expect_games(
        set, fmt::format("{}{}/{}", is_whole ? "eco/" : "search/eco=", eco, search),
        [&](std::size_t game) { return yes(game) && set.line(game)[kEcoColumn].starts_with(eco); });
  }
  // Another condition beside it, or below.
  const bool is_other_key = key_of(name) != key_of(other.question.name);
  const IsIn both = [&](std::size_t game) {
    return yes(game) && other.games[game].answer == Answer::Yes;
  };
  const IsIn alone = [&](std::size_t game) {
    return yes(game) && other.games[game].answer == Answer::No;
  };
  if (questions_ % 3 == 1) {
    const std::string pair = search + (is_other_key ? "/" : "/search/") + other.question.name;
    expect_games(set, pair, both);
    if (is_other_key && asked.question.has_moments && other.question.has_moments) {
      expect_moments(set, pair, name < other.question.name ? other : asked, both);
    }
  } else if (questions_ % 3 == 2) {
    const std::string pair = search + "/not-" + other.question.name;
    expect_games(set, pair, alone);
    if (asked.question.has_moments) expect_moments(set, pair, asked, alone);
  }
}

void MoveQuestionsTest::expect_tables(const AskedSet& set, const SetTables& tables) {
  constexpr std::size_t kMostGamesOfEvals = 10'000;
  if (set.size() <= kMostGamesOfEvals) {
    const std::string evals = "number\tply\tmove\teval\tclock\n" + tables.evals;
    EXPECT_TRUE(read_all(set.path("evals.tsv")) == evals) << set.path("evals.tsv");
  }
  // The order of equal ones is not told.
  const auto compare = [&](const std::string& name, const char* head,
                           std::vector<std::string> lines) {
    std::vector<std::string> found = split(read_all(set.path(name)), '\n');
    ASSERT_FALSE(found.empty()) << set.path(name);
    EXPECT_EQ(found.front(), head);
    found.erase(found.begin());
    const auto games_of = [](const std::string& line) { return to_number(fields_of(line).at(1)); };
    EXPECT_TRUE(std::ranges::is_sorted(found, std::greater(), games_of)) << set.path(name);
    std::ranges::sort(found);
    std::ranges::sort(lines);
    EXPECT_EQ(found, lines) << set.path(name);
    ++compared_;
  };
  compare("tags.tsv", "tag\tgames\tvalues", tables.tags.tags());
  for (const std::string& line : tables.tags.tags()) {
    const std::string tag = fields_of(line).at(0);
    compare("values/" + tag + ".tsv", "value\tgames", tables.tags.values(tag));
  }
}

void MoveQuestionsTest::ask_set(const AskedSet& set, std::size_t count) {
  std::vector<Asked> all = questions_about(set, count);
  expect_tables(set, answer_all(set, all));
  for (std::size_t i = 0; i < all.size(); ++i) check(set, all[i], all[(i * 7 + 3) % all.size()]);
}

void MoveQuestionsTest::ask(const filesystem::path& database, std::size_t count,
                            const std::string& narrowed) {
  const std::size_t before = questions_;
  const auto start = std::chrono::steady_clock::now();
  if (!filesystem::exists(database / "games")) return;
  ask_set(AskedSet(database, narrowed), count);
  if (!count_of_environment().has_value()) return;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  fmt::print("{}: {} questions, {:.1f} s\n", database.filename().string(), questions_ - before,
             seconds.count());
  std::fflush(stdout);
}

void MoveQuestionsTest::ask_below(const filesystem::path& folder, const filesystem::path& mount,
                                  const std::function<std::size_t(const std::string&)>& count) {
  constexpr std::string_view kExtensions = ".si3.si4.si5";
  std::vector<std::string> databases;
  for (const auto& entry : filesystem::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension.size() != 4 || kExtensions.find(extension) == std::string_view::npos) continue;
    databases.push_back(filesystem::relative(entry.path(), folder));
  }
  std::ranges::sort(databases);
  for (const std::string& name : databases) {
    const std::optional<std::size_t> all = count_of_environment();
    const bool is_huge = name == "masters.si4";
    ask(mount / name, all.value_or(count(name)),
        is_huge && !all.has_value() ? "search/number=1..3000" : "");
  }
  RecordProperty("questions", static_cast<int>(questions_));
  RecordProperty("with_games", static_cast<int>(with_games_));
  RecordProperty("with_unknown", static_cast<int>(with_unknown_));
  RecordProperty("files", static_cast<int>(compared_));
}

TEST_F(MoveQuestionsTest, AgreeWithBruteForceOnFixtures) {
  const Mount mount({.source = test_data("")});
  ASSERT_TRUE(mount.ok());
  ask_below(test_data(""), mount.path(), [](const std::string& name) -> std::size_t {
    if (name == "sample/sample.si4") return 40;
    if (name == "scid5/chess960.si5" || name == "scid4/handmade/corrupt_games.si4") return 10;
    return 2;
  });
  EXPECT_GE(questions_, 200U);
  EXPECT_GT(with_games_, questions_ / 2);
}

TEST_F(MoveQuestionsTest, AgreeWithBruteForceOnLargeDatabases) {
  const filesystem::path folder = shared_folder() + "/data";
  if (!filesystem::exists(folder / "masters.si4")) GTEST_SKIP() << "no " << folder;
  const Mount mount({.source = folder});
  ASSERT_TRUE(mount.ok());
  ask_below(folder, mount.path(), [](const std::string& name) -> std::size_t {
    return name == "masters.si4" || name == "annotated.si4" ? 25 : 8;
  });
  EXPECT_GE(questions_, 100U);
  EXPECT_GT(with_games_, questions_ / 2);
}

// Some of the sample's games are damaged, anywhere.
TEST_F(MoveQuestionsTest, AgreeWithBruteForceOnDamagedGames) {
  constexpr std::size_t kDamaged = 150;
  const TemporaryFolder folder;
  copy_sample(folder / "damaged");
  std::string games = read_file(folder / "damaged.sg4");
  Random random(questions_seed());
  for (std::size_t i = 0; i < kDamaged; ++i) flip_bit(games, random);
  write_file(folder / "damaged.sg4", games);
  const Mount mount({.source = folder.path(), .options = "deleted=show"});
  ASSERT_TRUE(mount.ok());
  ask_below(folder.path(), mount.path(), [](const std::string&) -> std::size_t { return 25; });
  EXPECT_GT(with_unknown_, questions_ / 2);
}

}  // namespace
}  // namespace scidfs::tests
