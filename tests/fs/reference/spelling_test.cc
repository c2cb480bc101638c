#include "fs/reference/spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/scid_writer.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Spelling::Found::Kind;

class SpellingTest : public testing::Test {
 protected:
  SpellingTest() { std::filesystem::create_directory(cache_); }

  std::shared_ptr<const Spelling> load(const std::filesystem::path& path) const {
    absl::StatusOr<SourceFile> file = SourceFile::open(path);
    EXPECT_TRUE(file.ok()) << file.status();
    if (!file.ok()) return nullptr;
    const auto spelling = Spelling::load(*std::move(file), cache_);
    EXPECT_TRUE(spelling.ok()) << spelling.status();
    return spelling.ok() ? *spelling : nullptr;
  }
  std::shared_ptr<const Spelling> people() const {
    return load(tests::test_data("spelling/people.ssp"));
  }
  std::size_t kept_files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(cache_), {}));
  }
  // The kind of the match, and the correct names of the candidates.
  static std::vector<std::string> find(const Spelling& spelling, std::string_view name) {
    constexpr std::array<const char*, 5> kKinds = {"nobody", "person", "namesakes", "ambiguous",
                                                   "surname"};
    const Spelling::Found found = spelling.find_player(name);
    std::vector<std::string> texts = {kKinds[static_cast<std::size_t>(found.kind)]};
    for (const std::uint32_t person : found.candidates) {
      texts.emplace_back(spelling.person(person).name);
    }
    return texts;
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path cache_ = folder_ / "cache";
};

TEST_F(SpellingTest, FindsPlayersAsScidDoes) {
  const auto spelling = people();
  ASSERT_NE(spelling, nullptr);
  const auto garry = ElementsAre("person", "Kasparov, Garry");
  for (const char* const name :
       {"Kasparov, Garry", "Kasparov Garry", "Kasparov, Gary", "Kasparov, G", "Kasparov.G",
        "Kasparov, Garr (RUS)", "Garry Kasparov", "Gary Kasparov", "KasparovG*"}) {
    EXPECT_THAT(find(*spelling, name), garry) << name;
  }
  EXPECT_THAT(find(*spelling, "Kasparov, Sergei"), ElementsAre("person", "Kasparov, Sergey"));
  EXPECT_THAT(find(*spelling, "Kasparov,"),
              ElementsAre("ambiguous", "Kasparov, Garry", "Kasparov, Sergey"));
  EXPECT_THAT(find(*spelling, "Kasparov"),
              ElementsAre("surname", "Kasparov, Garry", "Kasparov, Sergey"));
  EXPECT_THAT(find(*spelling, "Anand"), ElementsAre("surname", "Anand, Viswanathan"));
  EXPECT_THAT(find(*spelling, "ANAND, V"), ElementsAre("nobody"));
  EXPECT_THAT(find(*spelling, "Niemzowitsch"), ElementsAre("surname", "Nimzowitsch, Aron"));
  EXPECT_THAT(find(*spelling, "A Niemzowitsch"), ElementsAre("person", "Nimzowitsch, Aron"));
  EXPECT_THAT(find(*spelling, "Smith, John"),
              ElementsAre("namesakes", "Smith, John", "Smith, John"));
  EXPECT_THAT(find(*spelling, "Smith, J"), ElementsAre("ambiguous", "Smith, John", "Smith, John"));
  EXPECT_THAT(find(*spelling, "Petrosian, Arshak"), ElementsAre("person", "Petrosian, Arshak"));
  // Truncated to 20 letters.
  EXPECT_THAT(find(*spelling, "Kupreichik-Novgorodo"),
              ElementsAre("person", "Kupreichik-Novgorodov, Alexander"));
  // The file has Latin-1 and UTF-8; names are UTF-8.
  EXPECT_THAT(find(*spelling, "Müller, H"), ElementsAre("person", "Müller, Hans"));
  EXPECT_THAT(find(*spelling, "Hans Müller"), ElementsAre("person", "Müller, Hans"));
  EXPECT_THAT(find(*spelling, "Świercz, D"), ElementsAre("person", "Świercz, Dariusz"));
  for (const char* const nobody : {"", "?", " ", ",.-", "Zz", "Garry Kasparo", "kasparov, g"}) {
    EXPECT_THAT(find(*spelling, nobody), ElementsAre("nobody")) << nobody;
  }
}

TEST_F(SpellingTest, FindsPersonsWhomNamesFit) {
  const auto spelling = people();
  const auto fitting = [&](std::string_view name) {
    std::vector<std::string> names;
    for (const std::uint32_t person : spelling->find_fitting(name)) {
      names.emplace_back(spelling->person(person).name);
    }
    return names;
  };
  EXPECT_THAT(fitting("Kasparov, G"), ElementsAre("Kasparov, Garry"));
  EXPECT_THAT(fitting("Kasparov Garry K (RUS)"), ElementsAre("Kasparov, Garry"));
  EXPECT_THAT(fitting("Petrosian,A."),
              ElementsAre("Petrosian, Arshak", "Petrosian, Arshak Junior"));
  EXPECT_THAT(fitting("Niemzowitsch, Aron"), ElementsAre("Nimzowitsch, Aron"));
  EXPECT_THAT(fitting("M\xC3\xBCller, H"), ElementsAre("M\xC3\xBCller, Hans"));
  for (const char* const name :
       {"Kasparov, Gregor", "Kasparov", "Kas, G", "Kasp, arov", ", G", ""}) {
    EXPECT_THAT(fitting(name), IsEmpty()) << name;
  }
}

TEST_F(SpellingTest, FindsAllPersonsWhomNamesMean) {
  const std::filesystem::path path = folder_ / "x.ssp";
  tests::write_file(path,
                    "@PLAYER \"., -_*\"\n"
                    "Anand V #-\nAnand, Vignesh #-\nAnand, Viswanathan #GM\n"
                    "Anandan, V #-\nAnand.Vik #-\n"
                    "Smejkal, Jan1 #GM\nSmejkal, Jan2 #-\nSmejkal, Josef #-\n"
                    "Filip, Miroslav #-\nFilip, Miroslav1 #GM\nFilip, Miroslav Jr #-\n"
                    "Strauss, Johann #-\nStrauss, Johann #-\nStrauss, Johanna #-\n");
  const auto spelling = load(path);
  // The persons; first who has exactly this name, or `namesakes`.
  const auto meant = [&](std::string_view name) {
    const Spelling::Meant is = spelling->find_meant(name, spelling->find_player(name));
    std::string text = is.are_namesakes ? "namesakes" : "";
    if (is.named != Spelling::kNobody) text += std::string(spelling->person(is.named).name) + ":";
    for (const std::uint32_t person : is.persons) {
      text += ' ';
      text += spelling->person(person).name;
    }
    return text;
  };
  EXPECT_EQ(meant("Anand,V"), "Anand V: Anand V Anand, Vignesh Anand, Viswanathan Anand.Vik");
  EXPECT_EQ(meant("V Anand"), meant("Anand, V"));
  EXPECT_EQ(meant("Anand,Vis"), " Anand, Viswanathan");
  EXPECT_EQ(meant("Anand,Vi"), " Anand V Anand, Vignesh Anand, Viswanathan Anand.Vik");
  EXPECT_EQ(meant("Smejkal, Jan"), " Smejkal, Jan1 Smejkal, Jan2");
  EXPECT_EQ(meant("Jan Smejkal"), meant("Smejkal, Jan"));
  EXPECT_EQ(meant("Smejkal,J"), " Smejkal, Jan1 Smejkal, Jan2 Smejkal, Josef");
  EXPECT_EQ(meant("Filip, Miroslav"), "namesakesFilip, Miroslav: Filip, Miroslav Filip, Miroslav1");
  EXPECT_EQ(meant("Strauss, Johann"), "namesakes Strauss, Johann Strauss, Johann");
  EXPECT_EQ(meant("Strauss, Johanna"), "namesakesStrauss, Johanna: Strauss, Johanna");
  for (const char* const name : {"Smejkal,", "Smejkal", "Nobody, N", ""}) {
    EXPECT_EQ(meant(name), "") << name;
  }
}

TEST_F(SpellingTest, KeepsRatingsOfThoseWhoShareSurnameAndInitial) {
  const std::filesystem::path path = folder_ / "x.ssp";
  tests::write_file(path,
                    "@PLAYER \"., -_*\"\n"
                    "Adams, Michael #GM\n%Elo 1990:2600,2590 1991:2590,2590 1992:2590\n"
                    "%Elo 1995:?,2700,2690,2690\n"
                    "Adams, Nick #-\n%Elo 1990:2000\n"
                    "Bronstein, David #GM\n%Elo 1971:2600\n"
                    "Other, Name #-\n = Adams, Mick\n%Elo 1980:1 1979:2\n");
  // Made, and read from the cache.
  for (int i = 0; i < 2; ++i) {
    const auto spelling = load(path);
    const auto ratings = [&](std::uint32_t person) {
      std::vector<MonthRating> all;
      spelling->append_ratings(person, all);
      std::vector<std::pair<int, int>> pairs;
      for (const MonthRating& one : all) pairs.emplace_back(one.month, one.elo);
      return pairs;
    };
    using Pair = std::pair<int, int>;
    // Without what interpolation finds.
    EXPECT_THAT(ratings(0), ElementsAre(Pair(1990 * 12, 2600), Pair(1990 * 12 + 6, 2590),
                                        Pair(1992 * 12, 2590), Pair(1995 * 12 + 3, 2700),
                                        Pair(1995 * 12 + 6, 2690), Pair(1995 * 12 + 9, 2690)));
    EXPECT_THAT(ratings(1), IsEmpty());
    EXPECT_THAT(ratings(2), IsEmpty());
    EXPECT_THAT(ratings(3), ElementsAre(Pair(1979 * 12, 2), Pair(1980 * 12, 1)));
  }
}

TEST_F(SpellingTest, BlanksAroundNamesDoNotMatter) {
  const auto spelling = people();
  const Spelling::Found garry = spelling->find_player("Kasparov, Garry");
  for (const char* const name : {" Kasparov, Garry", "Kasparov, Garry ", "Kasparov,  Garry",
                                 "  Kasparov ,   Garry  ", "Kasparov, Garry  (RUS) "}) {
    EXPECT_EQ(spelling->find_player(name).candidates, garry.candidates) << name;
    EXPECT_EQ(spelling->find_player(name).kind, garry.kind) << name;
    EXPECT_EQ(spelling->find_fitting(name), spelling->find_fitting("Kasparov, Garry")) << name;
  }
  EXPECT_EQ(spelling->find_player(" Kasparov ").kind, spelling->find_player("Kasparov").kind);
}

TEST_F(SpellingTest, CorrectsSitesEventsAndRounds) {
  const auto spelling = people();
  EXPECT_EQ(spelling->correct_site("Wijk aan Zee (Netherlands)"), "Wijk aan Zee NED");
  EXPECT_EQ(spelling->correct_site("Wijk"), "Wijk aan Zee NED");
  EXPECT_EQ(spelling->correct_site("Wi"), "Wi");  // or Wien
  EXPECT_EQ(spelling->correct_site("Amsterdam Holland"), "Amsterdam NED");
  EXPECT_EQ(spelling->correct_site("Linares"), "Linares ESP");
  EXPECT_EQ(spelling->correct_site("Nowhere"), "Nowhere");
  EXPECT_EQ(spelling->correct_site(""), "");
  EXPECT_EQ(spelling->correct_event("Hoogovens"), "Corus");
  EXPECT_EQ(spelling->correct_event("II Open 1st 1st "), "2. Open 1. 1. ");
  EXPECT_EQ(spelling->correct_round("01"), "1");
  EXPECT_EQ(spelling->correct_round("(1"), "(1");  // or (10)
  EXPECT_EQ(spelling->correct_round("1.1"), "1.1");
}

TEST_F(SpellingTest, ReadsDetailsOfPlayers) {
  const auto spelling = people();
  const std::uint32_t garry = spelling->find_player("Kasparov, Garry").candidates.front();
  const SpellingIndex::Person person = spelling->person(garry);
  EXPECT_EQ(person.name, "Kasparov, Garry");
  EXPECT_EQ(person.countries, "RUS");
  EXPECT_EQ(codec::scid::titles_to_string(person.titles), "GM");
  EXPECT_EQ(person.fide_id, 4100018);
  EXPECT_EQ(person.highest, 2812);
  EXPECT_EQ(person.best, 2851);
  EXPECT_TRUE(person.is_inactive);
  EXPECT_EQ(person.born, (codec::Date{.year = 1963, .month = 4, .day = 13}));
  const auto details = spelling->details(garry);
  ASSERT_TRUE(details.ok()) << details.status();
  EXPECT_THAT(details->notes, ElementsAre("Title GM:1980 IM:1979", "World Champion 1985-93",
                                          "FIDEID 4100018", "VIAF 24621810"));
  ASSERT_EQ(details->ratings.size(), 8);
  EXPECT_EQ(details->ratings.back().year, 2005);
  EXPECT_EQ(details->ratings.back().elo, 2812);
  const auto sergey = spelling->details(garry + 1);
  ASSERT_TRUE(sergey.ok()) << sergey.status();
  EXPECT_THAT(sergey->notes, IsEmpty());
}

TEST_F(SpellingTest, IsCachedUntilTheFileChanges) {
  const std::filesystem::path path = folder_ / "x.ssp";
  tests::write_file(path, "@PLAYER \" ,\"\nAdams, Michael #GM\n");
  const std::uint64_t fingerprint = load(path)->fingerprint();
  ASSERT_EQ(kept_files(), 1);
  const std::filesystem::path kept = std::filesystem::directory_iterator(cache_)->path();
  const std::string bytes = tests::read_file(kept);
  const auto time = std::filesystem::last_write_time(kept);
  EXPECT_EQ(load(path)->fingerprint(), fingerprint);
  EXPECT_EQ(std::filesystem::last_write_time(kept), time) << "it was read again";

  // Damage in the cache is detected, and the index is made again.
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    tests::overwrite(kept, damaged);
    EXPECT_THAT(find(*load(path), "Adams, M"), ElementsAre("person", "Adams, Michael")) << at;
  }

  tests::replace(path, "@PLAYER \" ,\"\nAdams, Mick #GM\n");
  const auto other = load(path);
  EXPECT_THAT(find(*other, "Adams, M"), ElementsAre("person", "Adams, Mick"));
  EXPECT_NE(other->fingerprint(), fingerprint);
  EXPECT_EQ(kept_files(), 1);
}

TEST_F(SpellingTest, ReplacedFileStaysReadableAndOverwrittenOneIsStale) {
  const std::filesystem::path path = folder_ / "x.ssp";
  const std::string text = "@PLAYER \" ,\"\nAdams, Michael #GM\n%Bio Champion\n";
  tests::write_file(path, text);
  const auto spelling = load(path);
  tests::replace(path, "@PLAYER \" ,\"\nSomebody, Else\n%Bio Loser\n");
  const auto details = spelling->details(0);
  ASSERT_TRUE(details.ok()) << details.status();
  EXPECT_THAT(details->notes, ElementsAre("Champion"));

  tests::write_file(path, text);
  const auto second = load(path);
  tests::overwrite(path, text + "# longer\n");
  EXPECT_TRUE(absl::IsFailedPrecondition(second->details(0).status()));
  EXPECT_THAT(find(*second, "Adams, M"), ElementsAre("person", "Adams, Michael"));
}

TEST_F(SpellingTest, FileWithoutNamesIsRefused) {
  const std::filesystem::path path = folder_ / "x.eco";
  tests::write_file(path, "A00a \"Start position\"  *\n");
  const auto spelling = Spelling::load(*SourceFile::open(path), cache_);
  ASSERT_TRUE(absl::IsInvalidArgument(spelling.status())) << spelling.status();
  EXPECT_THAT(std::string(spelling.status().message()), HasSubstr("x.eco"));
  EXPECT_EQ(kept_files(), 0);
}

}  // namespace
}  // namespace scidfs::fs
