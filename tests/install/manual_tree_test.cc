// Compares the files and tables of a mount with their descriptions in scidfs(5), scidfs-tables(5)
// and scidfs-search(5).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/ending_classes.h"
#include "fs/search/facet.h"
#include "tests/install/documents.h"
#include "tests/install/manual_page.h"
#include "tests/mounted/mounted.h"
#include "tests/support/files.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// Replaces numbers of any length by one sign: `12.pgn` is described for all months.
std::string without_numbers(const std::string& text) {
  return std::regex_replace(text, std::regex(R"(\d+)"), "#");
}

// Returns the key of a line `key: value`; of `database NAME: ...` the first word.
std::string key_of(const std::string& line) {
  const std::string key = line.substr(0, line.find(": "));
  for (const std::string_view noun : {"database ", "directory ", "source "}) {
    if (key.starts_with(noun)) return std::string(noun.substr(0, noun.size() - 1));
  }
  return key.substr(0, key.find(','));
}

// Returns the reason for which a name below search/ is invalid.
std::string reason_for(std::string_view name) {
  const absl::StatusOr<fs::Facet> facet = fs::parse_facet(name);
  EXPECT_FALSE(facet.ok()) << name;
  return std::string(facet.status().message());
}

// A mount of a folder with the sample, damaged databases, a book and an archive.
class ManualTreeTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    for (const auto& entry : std::filesystem::directory_iterator(sample_folder())) {
      if (entry.path().stem() != "sample") continue;
      copy_file(entry.path(), source_ / "mega" += entry.path().extension());
    }
    const std::string handmade = "scid4/handmade/";
    for (const char* const extension : {".si4", ".sn4", ".sg4"}) {
      for (const char* const name : {"corrupt_games", "names_truncated"}) {
        copy_file(test_data(handmade + name + extension), source_ / name += extension);
      }
    }
    // No format has this version: it is refused.
    copy_file(test_data(handmade + "version299.si4"), source_ / "old.si4");
    const std::string database = word(source_ / "mega.si4");
    run_ok(word(program("scidfs-book")) + " build " + database + " -o " +
           word(source_ / "openings"));
    run_ok(word(program("scidfs-pack")) + " " + database + " -o " + word(source_ / "base.scv"));
    mount_ = std::make_unique<Mount>(
        MountSetup{.source = source_.path(),
                   .options = "patience=0,spelling=" + test_data("spelling/people.ssp")});
    ASSERT_TRUE(mount_->ok());
    for (const ManualPage* const page : {&tree_, &tables_, &search_}) {
      for (const std::string& name : page->bold()) {
        for (const std::string& part : split(name, '/')) described_.insert(without_numbers(part));
      }
    }
  }

  std::filesystem::path mega() const { return *mount_ / "mega.si4"; }

  // Expects that a page has a name in bold, and all names of a listing.
  void expect_described(const std::string& name, const std::string& where) const {
    EXPECT_THAT(described_, Contains(without_numbers(name))) << where;
  }
  void expect_listing_described(const std::filesystem::path& folder) const {
    const std::vector<std::string> names = names_in(folder);
    EXPECT_THAT(names, Not(IsEmpty())) << folder;
    for (const std::string& name : names) {
      const std::size_t equals = name.find('=');
      // Of facets the key alone.
      expect_described(equals == std::string::npos ? name : name.substr(0, equals + 1), folder);
    }
  }

  // Expects that scidfs-tables(5) describes exactly the columns of a table.
  void expect_columns(const std::string& table, const std::filesystem::path& file) const {
    const std::vector<std::string> columns = split(first_line(read_all(file)), '\t');
    std::set<std::string> told;
    for (const ManualEntry& entry : tables_.section("TABLES")) {
      // "players.tsv and opponents.tsv:"
      if (entry.group.find(table) == std::string::npos) continue;
      EXPECT_THAT(entry.text, Not(IsEmpty())) << table << ' ' << entry.head;
      told.insert(entry.names.begin(), entry.names.end());
    }
    EXPECT_EQ(told, std::set<std::string>(columns.begin(), columns.end())) << table;
  }

  // Expects that the lines `key: value` of a text have keys that a section of scidfs-tables(5)
  // describes.
  void expect_keys(const std::string& section, const std::filesystem::path& file) const {
    std::set<std::string> told;
    for (const ManualEntry& entry : tables_.section(section)) {
      for (const std::string& name : entry.names) told.insert(without_numbers(name));
    }
    for (const std::string& line : split(read_all(file), '\n')) {
      EXPECT_THAT(told, Contains(without_numbers(key_of(line)))) << file << ": " << line;
    }
  }

  const ManualPage tree_{"scidfs.5"};
  const ManualPage tables_{"scidfs-tables.5"};
  const ManualPage search_{"scidfs-search.5"};
  const TemporaryFolder source_;
  std::unique_ptr<Mount> mount_;
  std::set<std::string> described_;
};

TEST_F(ManualTreeTest, DescribesAllListedNames) {
  for (const char* const name : {"README.txt", "status.txt", "info.txt", "index.html"}) {
    ASSERT_TRUE(std::filesystem::exists(*mount_ / name));
    expect_described(name, "the mount");
  }
  for (const char* const folder :
       {"", "players/Morphy,_Paul", "players/mo/Morphy,_Paul/white", "events/1851/London--London",
        "years/1851", "eco/C/C51", "flags/tactics", "endings", "deleted", "doubles", "search",
        "search/eco=C", "search/eco=C/year=1850..", "positions",
        "players/Reti,_Richard/search/eco=A"}) {
    expect_listing_described(mega() / folder);
  }
  expect_described("_unresolved.tsv", "people");
  // Other entries than moves.
  for (const auto& entry : std::filesystem::directory_iterator(mega() / "tree" / "e4")) {
    if (!entry.is_directory()) expect_described(entry.path().filename(), "tree/e4");
  }
  for (const std::string& flag : names_in(mega() / "flags")) {
    if (!flag.starts_with("custom")) expect_described(flag.substr(0, flag.find('.')), "flags");
  }
  expect_listing_described(*mount_ / "openings.kob");
}

TEST_F(ManualTreeTest, DescribesColumnsOfTables) {
  for (const char* const table :
       {"index.tsv", "errors.tsv", "players.tsv", "people.tsv", "openings.tsv", "years.tsv",
        "events.tsv", "novelties.tsv", "evals.tsv"}) {
    expect_columns(table, mega() / table);
  }
  expect_columns("_unresolved.tsv", mega() / "people/_unresolved.tsv");
  expect_columns("opponents.tsv", mega() / "players/Morphy,_Paul/opponents.tsv");
  expect_columns("doubles.tsv", mega() / "doubles/doubles.tsv");
  const std::string side = "mega.si4/white/";
  for (const char* const table : {"left.tsv", "gaps.tsv", "choices.tsv", "unused.tsv"}) {
    expect_columns(table, mega() / "years/1851/repertoire" / side / table);
  }
  expect_columns("prepare.tsv", mega() / "players/Morphy,_Paul/prepare" / side / "prepare.tsv");
  for (const char* const table : {"standings.tsv", "crosstable.tsv"}) {
    expect_columns(table, mega() / "events/1851/London--London" / table);
  }
  expect_columns("moves.tsv", mega() / "tree/e4/moves.tsv");
  expect_columns("endings.tsv", mega() / "endings.tsv");
}

TEST_F(ManualTreeTest, DescribesKeysOfTexts) {
  expect_keys("INFO.TXT", *mount_ / "info.txt");
  expect_keys("INFO.TXT", mega() / "info.txt");
  expect_keys("INFO.TXT", *mount_ / "corrupt_games.si4" / "info.txt");
  expect_keys("INFO.TXT", *mount_ / "names_truncated.si4" / "info.txt");
  expect_keys("STATUS.TXT", *mount_ / "status.txt");
}

TEST_F(ManualTreeTest, TellsOfTheKeysOfExplorerJson) {
  const std::vector<std::string> keys =
      matches(read_all(mega() / "tree/e4/explorer.json"), std::regex(R"re("(\w+)":)re"));
  EXPECT_THAT(keys, Contains("averageRating"));
  for (const std::string& key : keys) EXPECT_THAT(tables_.bold(), Contains(key));
}

TEST_F(ManualTreeTest, DescribesOperationsOfPositions) {
  // After the four fields of a FEN.
  const std::regex fields(R"(^\S+ \S+ \S+ \S+)");
  const std::regex operation(R"( (\w+) [^;]*;)");
  std::set<std::string> told;
  for (const ManualEntry& entry : tables_.section("POSITIONS OF A GAME")) {
    told.insert(entry.names.begin(), entry.names.end());
  }
  const auto expect_operations = [&](const std::filesystem::path& file,
                                     const std::set<std::string>& names) {
    std::set<std::string> found;
    for (const std::string& line : split(read_all(file), '\n')) {
      const std::string operations = std::regex_replace(line, fields, "");
      for (std::sregex_iterator match(operations.begin(), operations.end(), operation), end;
           match != end; ++match) {
        found.insert((*match)[1]);
      }
    }
    EXPECT_THAT(found, Not(IsEmpty())) << file;
    for (const std::string& name : found) EXPECT_THAT(names, Contains(name)) << file;
  };
  expect_operations(mega() / "fens" / "1.epd", told);
  expect_operations(*mount_ / "corrupt_games.si4" / "fens" / "9.epd", told);
  expect_operations(*mount_ / "openings.kob" / "positions.epd", tree_.bold());
}

TEST_F(ManualTreeTest, DescribesBooksAndArchives) {
  const std::filesystem::path book = *mount_ / "openings.kob";
  const std::filesystem::path archive = *mount_ / "base.scv";
  std::set<std::string> keys;
  const auto add_keys = [&keys](const std::string& text) {
    for (const std::string& line : split(text, '\n')) keys.insert(key_of(line));
  };
  add_keys(read_all(book / "info.txt"));
  add_keys(read_all(archive / "info.txt"));
  const std::string page =
      read_all(book / "fen/rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b_KQkq_-.txt");
  const std::size_t table = page.find("\n\n");
  ASSERT_NE(table, std::string::npos);
  add_keys(page.substr(0, table));
  for (const std::string& column : split(first_line(page.substr(table + 2)), '\t')) {
    keys.insert(column);
  }
  for (const std::string& key : keys) expect_described(key, "a book or an archive");
}

TEST_F(ManualTreeTest, DescribesOutputOfDump) {
  const ManualPage page("scidfs-book.1");
  const std::string dump = word(program("scidfs-book")) + " dump " + word(source_ / "openings");
  std::set<std::string> columns;
  for (const std::string& head :
       {run_ok(dump + " | sed -n 2p"), run_ok(dump + ".ksf | sed -n 1p")}) {
    for (std::string column : split(first_line(head), '\t')) {
      std::erase(column, '#');
      columns.insert(std::move(column));
    }
  }
  std::set<std::string> told;
  for (const ManualEntry& entry : page.section("OUTPUT OF DUMP")) {
    told.insert(entry.names.begin(), entry.names.end());
  }
  EXPECT_EQ(told, columns);
}

TEST(ManualEndingsTest, DescribesAllClassesInTheirOrder) {
  using Bishops = codec::EndingClass::Bishops;
  const ManualPage page("scidfs.5");
  std::vector<std::string> told;
  for (const ManualEntry& entry : page.section("ENDINGS")) {
    EXPECT_THAT(entry.names, testing::ElementsAre(entry.head));
    told.push_back(fmt::format("{} {}: {}", entry.group, entry.head, entry.text));
  }
  std::vector<std::string> wanted;
  for (const auto& [name, pieces, has_pawns, bishops] : codec::kEndingClasses) {
    wanted.push_back(
        fmt::format("{}: {}: K{} v K{}{}",
                    has_pawns ? "With a pawn on the board, of either color" : "Without pawns", name,
                    pieces[0], pieces[1],
                    bishops == Bishops::OfOneColor         ? ", bishops of one color"
                    : bishops == Bishops::OfOppositeColors ? ", bishops of opposite colors"
                                                           : ""));
  }
  EXPECT_EQ(told, wanted);
}

TEST(ManualSearchesTest, DescribesAllKeysAndValues) {
  const ManualPage page("scidfs-search.5");
  constexpr std::string_view kKeys = "valid keys: ";
  const std::string all = reason_for("nonsense=1");
  ASSERT_THAT(all, HasSubstr(std::string(kKeys)));
  std::set<std::string> keys;
  for (std::string key : split(all.substr(all.find(kKeys) + kKeys.size()), ',')) {
    std::erase(key, ' ');
    keys.insert(key + '=');
  }
  std::set<std::string> told;
  for (const ManualEntry& entry : page.section("KEYS")) {
    told.insert(entry.names.begin(), entry.names.end());
  }
  EXPECT_EQ(told, keys);

  const std::regex numbers(R"(from (-?\d+ to \d+))");
  const std::regex choice(R"(requires ((?:[\w-]+, )+[\w-]+ or [\w-]+)$)");
  const std::regex word_of_choice(R"((?!or\b)[\w-]+)");
  int looked_at = 0;
  for (const std::string& key : keys) {
    const ManualEntry* const entry = page.find("KEYS", key);
    if (entry == nullptr) continue;
    const std::string reason = reason_for(key);
    std::smatch match;
    if (std::regex_search(reason, match, numbers)) {
      EXPECT_THAT(entry->text, HasSubstr(match[1])) << key;
      ++looked_at;
    } else if (std::regex_search(reason, match, choice)) {
      const std::string words = match[1];
      for (std::sregex_iterator at(words.begin(), words.end(), word_of_choice), end; at != end;
           ++at) {
        EXPECT_THAT(entry->text, HasSubstr(at->str())) << key;
      }
      ++looked_at;
    }
  }
  constexpr int kWithNumbersOrWords = 28;
  EXPECT_EQ(looked_at, kWithNumbersOrWords);
}

// Pages name sections of their own, as in "see *NAMES*", and of others: "*NAMES* in *scidfs*(5)".
TEST(ManualReferencesTest, NameSectionsThatThePageHas) {
  const std::regex heading(R"(\n#+ ([^\n]+))");
  const std::regex here(R"(see \*([A-Z][A-Z. ]+)\*(?! (?:in|of) \*))");
  const std::regex elsewhere(R"(\*([A-Z][A-Z. ]+)\* (?:in|of) \*([\w.-]+)\*\((\d)\))");
  const auto sections_of = [&](const std::string& document) {
    return matches(read_file(project_file(document)), heading);
  };
  int looked_at = 0;
  for (const std::string& document : documents_with_commands()) {
    if (!document.ends_with(".scd")) continue;
    const std::string text =
        std::regex_replace(read_file(project_file(document)), std::regex(R"(\s+)"), " ");
    for (const std::string& section : matches(text, here)) {
      EXPECT_THAT(sections_of(document), Contains(section)) << document;
      ++looked_at;
    }
    for (std::sregex_iterator at(text.begin(), text.end(), elsewhere), end; at != end; ++at) {
      const std::string page =
          fmt::format("scripts/install/man/{}.{}.scd", (*at)[2].str(), (*at)[3].str());
      EXPECT_THAT(sections_of(page), Contains((*at)[1].str())) << document << ": " << page;
      ++looked_at;
    }
  }
  constexpr int kFewest = 25;
  EXPECT_GE(looked_at, kFewest);
}

}  // namespace
}  // namespace scidfs::tests
