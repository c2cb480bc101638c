// The files of together/ are those of one database that has all games in the same order.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fs/views/set_files.h"
#include "tests/fs/views/together_fixture.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

// Calls replace(match) for each match of a pattern, and puts the result in its place.
template <class Replace>
std::string replaced(const std::string& text, const std::regex& pattern, const Replace& replace) {
  std::string result;
  auto rest = text.begin();
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    result.append(rest, text.begin() + match->position());
    result += replace(*match);
    rest = text.begin() + match->position() + match->length();
  }
  return result.append(rest, text.end());
}

// The first lines that differ.
std::string first_difference(const std::string& found, const std::string& expected) {
  if (found == expected) return "";
  const std::vector<std::string> found_lines = tests::split(found, '\n');
  const std::vector<std::string> lines = tests::split(expected, '\n');
  const auto [a, b] = std::ranges::mismatch(found_lines, lines);
  return fmt::format("line {}: {} is not {}", a - found_lines.begin() + 1,
                     a == found_lines.end() ? "the end" : *a, b == lines.end() ? "the end" : *b);
}

bool is_table(std::string_view name) { return name.ends_with(".tsv"); }

// Returns whether a file for programs tells games by number and database
// (tests/fs/columns/column_files_test.cc).
bool tells_databases(std::string_view name) {
  return name.ends_with(".parquet") || name == "numbers.npy" || name == "databases.npy" ||
         name == "manifest.json";
}

class TogetherTablesTest : public TogetherTest {
 protected:
  // The number in the database of all games.
  std::string number(const std::string& database, const std::string& number) const {
    EXPECT_TRUE(before_.contains(database)) << database;
    return std::to_string(before_.at(database) + std::stoul(number));
  }

  // A file of together/, with games named as in the database of all games.
  std::string as_of_one(const std::string& name, std::string text) const {
    if (name == "summary.txt" || name == "moves.txt" || name.starts_with("lines")) {
      const std::regex title("All databases(: )?");
      text = replaced(text, title, [](const std::smatch& all) {
        return std::string(all[1].matched ? "" : "whole.si4");
      });
    }
    if (name.ends_with(".pgn") || name.ends_with(".bin") || name.ends_with(".uci"))
      return text;  // without numbers
    const std::string base = "((?:[\\w-]+/)*[\\w-]+\\.si4)";
    text = replaced(text, std::regex(base + "~(\\d+)"),
                    [&](const std::smatch& id) { return number(id[1], id[2]); });
    text = replaced(text, std::regex("\\.\\./" + base + "/games/(?:(\\d{5})/)?(\\d+)([-.])"),
                    [&](const std::smatch& path) {
                      const std::string game = number(path[1], path[3]);
                      if (path[2].length() == 0)
                        return fmt::format("games/{}{}", game, path.str(4));
                      const unsigned long of_all = std::stoul(game);
                      return fmt::format("games/{:05}/{:08}{}", of_all / 1000, of_all, path.str(4));
                    });
    text = replaced(text, std::regex(", number (\\d+) of " + base), [&](const std::smatch& game) {
      return ", number " + number(game[2], game[1]);
    });
    return is_table(name) ? table_as_of_one(name, text) : text;
  }

  // A table without the column of databases, which it has if it has numbers, and without places in
  // game files.
  std::string table_as_of_one(const std::string& name, const std::string& text) const {
    const std::vector<std::string> head = tests::fields_of(text.substr(0, text.find('\n')));
    const bool has_number = std::ranges::count(head, "number") != 0;
    EXPECT_EQ(std::ranges::count(head, "database"), has_number ? 1 : 0) << name;
    if (!has_number) return text;
    EXPECT_EQ(head.back(), "database") << name;
    std::string result = text.substr(0, text.find("\tdatabase\n")) + '\n';
    for (std::vector<std::string> row : tests::rows_of(text)) {
      EXPECT_EQ(row.size(), head.size()) << name;
      row.front() = number(row.back(), row.front());
      row.pop_back();
      result += fmt::format("{}\n", fmt::join(row, "\t"));
    }
    return without_offsets(result);
  }
  static std::string without_offsets(const std::string& text) {
    const std::vector<std::string> head = tests::fields_of(text.substr(0, text.find('\n')));
    const auto column = static_cast<std::size_t>(std::ranges::find(head, "offset") - head.begin());
    if (column == head.size()) return text;
    std::string result = text.substr(0, text.find('\n') + 1);
    for (std::vector<std::string> row : tests::rows_of(text)) {
      row.at(column).clear();
      result += fmt::format("{}\n", fmt::join(row, "\t"));
    }
    return result;
  }

  // Numbers that tell equal names apart are other ones over several databases, in which all unknown
  // names are one.
  static std::string without_numbers_of_names(const std::string& text) {
    return std::regex_replace(text, std::regex("~[0-9]+"), "~");
  }

  // Compares all files of a set. Counts the lines of each in `lines_`.
  void expect_same(const std::string& set) {
    const std::string whole = std::string(kWhole) + set;
    const std::string together = std::string(kTogether) + set;
    ASSERT_TRUE(exists(together)) << set;
    for (const SetFile& file : set_files()) {
      const std::string name(file.name);
      if (name.empty() || file.directory != kSet || file.open == nullptr || file.is_of_pages ||
          tells_databases(name)) {
        continue;
      }
      ASSERT_EQ(exists(together + name), exists(whole + name)) << set << name;
      if (!exists(whole + name)) continue;
      std::string expected = text(whole + name);
      // Patterns take long to go through the positions of many games.
      constexpr std::size_t kMostOfPositions = 200'000;
      if (name == "plies.tsv" && expected.size() > kMostOfPositions) continue;
      if (is_table(name)) expected = without_offsets(expected);
      EXPECT_EQ(first_difference(without_numbers_of_names(as_of_one(name, text(together + name))),
                                 without_numbers_of_names(expected)),
                "")
          << set << name;
      lines_[name] += static_cast<std::size_t>(std::ranges::count(expected, '\n'));
    }
  }

  std::map<std::string, std::size_t> lines_;
};

TEST_F(TogetherTablesTest, AreThoseOfOneDatabase) {
  for (const std::size_t count : {2, 3, 7}) {
    deal(count, count);
    for (const std::string set :
         {"", "players/ca/Carlsen,_Magnus/black/", "events/2018/WCh_2018--London_ENG/",
          "years/2018/", "eco/B/B33/", "flags/user/", "endings/rook/",
          "search/white=Carlsen*/search/not-result=draw/", "search/played=O-O-O/",
          "players/ca/Carlsen,_Magnus/search/opponent=C*/", "tree/e4/", "years/2018/tree/d4/"}) {
      // Of one number of databases all sets, of the others small ones with most kinds of files.
      const bool is_rich = set.starts_with("events/") || set.starts_with("tree/");
      if (count != 3 && !is_rich) continue;
      // A listing counts all positions of a tree at once.
      if (count == 3 && set == "tree/e4/") names(std::string(kTogether) + set);
      expect_same(set);
    }
  }
  // Each file was there, and said something.
  for (const SetFile& file : set_files()) {
    const bool is_compared = lines_.contains(std::string(file.name));
    if (is_compared) {
      EXPECT_GT(lines_.at(std::string(file.name)), 2U) << file.name;
    }
  }
  for (const std::string name :
       {"index.tsv", "evals.tsv", "novelties.tsv", "events.tsv", "moments.epd", "explorer.json",
        "crosstable.txt", "standings.tsv", "crosstable.tsv"}) {
    EXPECT_TRUE(lines_.contains(name)) << name;
  }
}

TEST_F(TogetherTablesTest, OfSharedDatabaseAreTheSame) {
  const std::string annotated = tests::shared_folder() + "/data/annotated";
  if (!std::filesystem::exists(annotated + ".si4")) {
    GTEST_SKIP() << "the shared databases are not here";
  }
  deal(tests::ScidDatabase(annotated), 5, 11);
  for (const std::string set :
       {"", "eco/C/C42/", "search/nag=1/", "search/text=novelty/", "tree/e4/e5/Nf3/"}) {
    expect_same(set);
  }
  for (const std::string name : {"evals.tsv", "novelties.tsv"}) {
    EXPECT_GT(lines_[name], 1000U) << name;
  }
}

}  // namespace
}  // namespace scidfs::fs
