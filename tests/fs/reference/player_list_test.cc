#include "tests/support/player_list.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "codec/scid/spelling_file.h"
#include "fs/base/log.h"
#include "fs/reference/player_list_file.h"
#include "tests/support/files.h"
#include "tests/support/packed.h"
#include "tests/support/scid_writer.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::kPlayerListHeader;
using tests::ListedPlayer;
using tests::player_line;
using tests::player_list;

// What a list says of a player, in one line.
std::string shown(const FidePlayer& player) {
  return fmt::format("{} {} {} {} {} {}{}{}", player.id, player.name, player.federation,
                     codec::scid::titles_to_string(player.titles), player.born, player.rating,
                     player.is_woman ? " w" : "", player.is_inactive ? " i" : "");
}

struct LineCase {
  std::string line;
  std::string player;  // empty: none
  std::string header = std::string(kPlayerListHeader);
};

TEST(FideColumns, ReadsLines) {
  const std::string old_header =
      fmt::format("{:<10}{:<32}{:<4}{:<5}{:<6}{:<5}{:<6}{}", "ID number", "Name", "Titl", "Fed",
                  "Mar11", "Games", "Born", "Flag");
  const auto old_line = [](std::string_view id, std::string_view name, std::string_view title,
                           std::string_view rating, std::string_view flag) {
    return fmt::format("{:>9} {:<32}{:<4}{:<5}{:<6}{:<5}{:<6}{}", id, name, title, "GRE", rating,
                       "12", "1985", flag);
  };
  const std::string other_header = "  Name      B-day ID Number SRtng";
  const std::vector<LineCase> cases = {
      {player_line({.id = 7, .name = "Alfa, Beta", .rating = 2501, .born = 1990}),
       "7 Alfa, Beta NOR  1990 2501"},
      {player_line({.id = 8,
                    .name = "Gamma",
                    .born = 2001,
                    .federation = "IND",
                    .title = "IM",
                    .womens_title = "WGM",
                    .sex = "F",
                    .flag = "wi"}),
       "8 Gamma IND WGM+IM 2001 0 w i"},
      // What comes after a text that is too long is farther to the right.
      {player_line({.id = 9,
                    .name = "Delta, E",
                    .rating = 1800,
                    .born = 1955,
                    .other_titles = "IA,FT,IO,SI,NI,DI"}),
       "9 Delta, E NOR  1955 1800"},
      {player_line({.id = 9, .name = "Delta, F", .rating = 1800, .born = 1955}) + "   ",
       "9 Delta, F NOR  1955 1800"},
      // A line that ends early, and one without anything behind the name.
      {"10             Eta, Theta\n", "10 Eta, Theta   0 0"},
      {"11             Z", "11 Z   0 0"},
      // Values that cannot be are unknown.
      {player_line({.id = 12, .name = "Iota, K", .rating = 99999, .born = 1066}),
       "12 Iota, K NOR  0 0"},
      {player_line({.id = 13, .name = "Iota, L", .rating = 65537 + 2000, .federation = "nor"}),
       "13 Iota, L   0 0"},
      {player_line({.id = 14, .name = "Iota, M", .rating = 999, .title = "XX"}),
       "14 Iota, M NOR  0 0"},
      {player_line({.id = 0, .name = "Kappa, L"}), ""},
      {player_line({.id = 15, .name = ""}), ""},
      {"x7             Kappa, L", ""},
      {"4294967296     Kappa, L", ""},
      {"", ""},
      {"\r\n", ""},
      {std::string(2000, '1'), ""},
      {std::string(200, '\0'), ""},
      // Lists of other years.
      {old_line("16", "Mu, Nu", "wg", "2405", "wi"), "16 Mu, Nu GRE WGM 1985 2405 w i", old_header},
      {old_line("17", "Xi, Omikron", "g", "", ""), "17 Xi, Omikron GRE GM 1985 0", old_header},
      {"  Pi, Rho   1999  18        2222", "18 Pi, Rho   1999 2222", other_header},
  };
  for (const LineCase& test : cases) {
    const std::string_view header = test.header;
    const absl::StatusOr<FideColumns> columns =
        FideColumns::parse(header.substr(0, header.find('\n')));
    ASSERT_TRUE(columns.ok()) << columns.status();
    std::string line = test.line;
    if (line.ends_with('\n')) line.pop_back();
    const std::optional<FidePlayer> player = columns->player(line);
    EXPECT_EQ(player.has_value() ? shown(*player) : "", test.player) << test.line;
  }
}

class PlayerListTest : public testing::Test {
 protected:
  PlayerListTest() { std::filesystem::create_directory(cache_); }

  absl::StatusOr<std::shared_ptr<const PlayerList>> load(bool is_cancelled = false) const {
    absl::StatusOr<SourceFile> file = SourceFile::open(path_);
    if (!file.ok()) return file.status();
    return load_player_list(*std::move(file), cache_, [=] { return is_cancelled; });
  }
  std::shared_ptr<const PlayerList> load_good() const {
    const auto list = load();
    EXPECT_TRUE(list.ok()) << list.status();
    return list.ok() ? *list : std::make_shared<const PlayerList>();
  }
  static std::vector<std::string> all(const PlayerList& list) {
    std::vector<std::string> lines;
    for (std::uint32_t i = 0; i < list.players(); ++i) lines.push_back(shown(list.player(i)));
    return lines;
  }
  std::vector<std::filesystem::path> kept_files() const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(cache_)) files.push_back(entry);
    return files;
  }
  // Sets the time of the last change: July 2024.
  void date_file() const {
    const timespec july{.tv_sec = 1'720'000'000, .tv_nsec = 0};
    const timespec times[] = {july, july};
    ::utimensat(AT_FDCWD, path_.c_str(), times, 0);
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path cache_ = folder_ / "cache";
  const std::filesystem::path path_ = folder_ / "players_list_foa.txt";
};

constexpr int kJuly2024 = 2024 * 12 + 6;

const std::vector<ListedPlayer> kSomePlayers = {
    {.id = 30, .name = "Berg, Adam", .rating = 2000, .born = 1980},
    {.id = 10, .name = "Aas, Bo", .rating = 2100, .born = 1990, .title = "FM"},
    {.id = 20, .name = "Berg, A.dam", .federation = "SWE"},
};

TEST_F(PlayerListTest, FindsPlayersByIdAndName) {
  tests::write_file(path_, player_list(kSomePlayers));
  date_file();
  EXPECT_TRUE(absl::IsCancelled(load(true).status()));
  const auto list = load_good();
  EXPECT_THAT(all(*list), ElementsAre("10 Aas, Bo NOR FM 1990 2100", "20 Berg, A.dam SWE  0 0",
                                      "30 Berg, Adam NOR  1980 2000"));
  EXPECT_EQ(list->month(), kJuly2024);
  EXPECT_EQ(list->find_id(20), 1);
  for (const std::uint32_t id : {0U, 15U, 31U, ~0U}) EXPECT_EQ(list->find_id(id), std::nullopt);
  EXPECT_THAT(list->find_alike("Berg, Adam"), ElementsAre(1, 2));
  EXPECT_THAT(list->find_alike("Berg Adam"), ElementsAre(1, 2));
  for (const char* const name : {"Berg, adam", "", "Berg", "Nobody, At all"}) {
    EXPECT_THAT(list->find_alike(name), IsEmpty()) << name;
  }
}

TEST_F(PlayerListTest, ReadsTheTextInZipFile) {
  std::string zip =
      tests::zipped({{"README", "x"}, {"players_list_foa.txt", player_list(kSomePlayers)}});
  // The time of the members: July 2024.
  constexpr std::uint16_t kDate = (2024 - 1980) << 9 | 7 << 5 | 15;
  for (const auto& [mark, date] : {std::pair("PK\3\4", 12U), std::pair("PK\1\2", 14U)}) {
    for (std::size_t at = zip.find(mark); at != std::string::npos; at = zip.find(mark, at + 1)) {
      zip[at + date] = static_cast<char>(kDate & 0xFF);
      zip[at + date + 1] = static_cast<char>(kDate >> 8);
    }
  }
  tests::write_file(path_, zip);
  const auto list = load_good();
  EXPECT_EQ(list->players(), 3);
  EXPECT_EQ(list->month(), kJuly2024);
}

// Lines that are no player's are left out, and files that are no list refused.
TEST_F(PlayerListTest, SurvivesHostileFiles) {
  const std::string good = player_list(kSomePlayers);
  const std::string header(kPlayerListHeader);
  std::string bomb = tests::zipped({{"a.txt", good}});
  // Both its headers say that it unpacks to 3 GiB.
  for (const auto& [mark, size] : {std::pair("PK\3\4", 22U), std::pair("PK\1\2", 24U)}) {
    const std::size_t at = bomb.find(mark);
    ASSERT_NE(at, std::string::npos);
    bomb.replace(at + size, 4, std::string("\0\0\0\xC0", 4));
  }
  struct Case {
    std::string bytes;
    std::string refusal;  // empty: none
    std::vector<std::string> players{};
  };
  std::string with_lf = good;
  std::erase(with_lf, '\r');
  std::string with_cr = good;
  std::erase(with_cr, '\n');
  const std::string no_header = "too long for the names of columns, or ends in CR alone";
  const std::string first = "30 Berg, Adam NOR  1980 2000";
  const std::vector<std::string> kAll = {"10 Aas, Bo NOR FM 1990 2100", "20 Berg, A.dam SWE  0 0",
                                         first};
  const std::string kMark = "\xEF\xBB\xBF";
  const std::vector<Case> cases = {
      {"", "it is too short"},
      {"x", "it is too short"},
      {header, "it has no players"},
      {header + "no line of a player\r\n", "it has no players"},
      {"Anand, Viswanathan\r\n" + good, "no column ID Number"},
      {"ID Number  Fed B-day\r\n", "no column Name"},
      {"ID Number  Name  Fed\r\n", "no column B-day"},
      {with_cr, no_header},
      {std::string(100'000, '\0'), no_header},
      {tests::zipped({}), "Cannot use"},
      {tests::zipped({{"a.pgn", "x"}}), "no text in it"},
      {tests::zipped({{"a.txt", good}, {"b.TXT", good}}), "several lists"},
      {tests::zipped({{"a.txt", "x"}, {"b.TXT", std::string(5000, 'x')}}),
       "no text in it is a list"},
      {tests::zipped(std::vector<std::pair<std::string, std::string>>(17, {"a.txt", good})),
       "too many texts"},
      {tests::zipped({{"a.txt", good}}, true), "encrypted"},
      {tests::zipped({{"a.txt", "x"}}), "no column ID Number"},
      {tests::zipped({{"a.txt", good}}).substr(0, 150), "Cannot use"},
      {bomb, "2G"},
      {tests::zipped({{"README.txt", "x"}, {"a.txt", good}, {"z.txt", ""}}), "", kAll},
      {tests::zipped({{"README.txt", "x"}, {"a.txt", kMark + good}}), "", kAll},
      {kMark + good, "", kAll},
      {kMark + kMark + good, "no column ID Number"},
      {with_lf, "", kAll},
      {header + player_line(kSomePlayers[0]) + std::string(3'000'000, 'x') + "\r\n\r\n" +
           std::string(500, '\0') + "\n" + player_line(kSomePlayers[0]) +
           player_line({.id = 30, .name = "Other, Same Id"}),
       "",
       {first}},
      {header + player_line({.id = 1, .name = "M\xFCller, \x01 \xC3\x9F"}),
       "",
       {"1 Müller,   ß NOR  0 0"}},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    tests::replace(path_, cases[i].bytes);
    const auto list = load();
    if (!cases[i].refusal.empty()) {
      EXPECT_FALSE(list.ok()) << i;
      EXPECT_THAT(std::string(list.status().message()), HasSubstr(cases[i].refusal)) << i;
      continue;
    }
    ASSERT_TRUE(list.ok()) << i << ": " << list.status();
    EXPECT_EQ(all(**list), cases[i].players) << i;
  }
}

TEST_F(PlayerListTest, IsMappedUntilTheFileChanges) {
  std::vector<ListedPlayer> many = kSomePlayers;
  for (std::uint32_t id = 100; id < 2000; ++id) many.push_back({.id = id, .name = "Many, Of them"});
  tests::write_file(path_, player_list(many));
  const std::vector<std::string> players = all(*load_good());
  ASSERT_EQ(kept_files().size(), 1);
  const std::filesystem::path kept = kept_files().front();
  const auto time = std::filesystem::last_write_time(kept);
  EXPECT_EQ(load_good()->memory(), 0);
  EXPECT_EQ(std::filesystem::last_write_time(kept), time) << "it was read again";

  // Damage in the cache is detected, and the arrays are made again.
  const std::string bytes = tests::read_file(kept);
  for (std::size_t at = 0; at < bytes.size(); at += bytes.size() / 40) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    tests::replace(kept, damaged);
    EXPECT_EQ(all(*load_good()), players) << at;
  }
  tests::replace(kept, bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(all(*load_good()), players);

  tests::replace(path_, player_list({kSomePlayers[1]}));
  EXPECT_EQ(load_good()->players(), 1);
  EXPECT_EQ(kept_files().size(), 1);
}

// Arrays that do not fit each other are refused; values that lead out of them are harmless.
TEST_F(PlayerListTest, NoValueOfSavedListLeadsOutOfIt) {
  PlayerListBuilder builder;
  codec::scid::LineCutter lines;
  lines.add(player_list(kSomePlayers),
            [&](std::uint64_t, std::string_view line) { builder.add(line); });
  const absl::StatusOr<PlayerList::Arrays> good = builder.finish(0);
  ASSERT_TRUE(good.ok()) << good.status();
  const auto mapped = [&](const PlayerList::Arrays& arrays) {
    const std::filesystem::path path = cache_ / "0000000000000001.players";
    EXPECT_TRUE(save_sections(path, arrays.image(1), [] { return false; }).ok());
    auto file = SectionFile::map(path, 1, [](auto) { return false; });
    EXPECT_TRUE(file.ok()) << file.status();
    return PlayerList::from(*std::move(file));
  };
  PlayerList::Arrays wild = *good;
  for (PlayerList::Row& row : wild.rows) row = {.name = ~row.name, .id = ~row.id, .federation = 9};
  for (PlayerList::Keyed& keyed : wild.order) keyed.player = ~keyed.player;
  wild.month = ~0U;
  const auto list = mapped(wild);
  ASSERT_TRUE(list.ok()) << list.status();
  for (std::uint32_t i = 0; i < (*list)->players(); ++i) (*list)->player(i);
  EXPECT_THAT((*list)->find_alike("Berg, Adam"), IsEmpty());
  EXPECT_EQ((*list)->month(), 0);
  wild.rows.pop_back();
  EXPECT_TRUE(absl::IsDataLoss(mapped(wild).status()));
}

}  // namespace
}  // namespace scidfs::fs
