// What evidence makes of the names of real games, with the real spelling file: the names of known
// masters, and names cut to surname and initial, of which the whole names tell whose they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/database/database.h"
#include "fs/reference/data_files.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs {
namespace {

namespace stdfs = std::filesystem;

using codec::Color;
using codec::scid::NameKind;
using fs::Database;
using fs::People;
using fs::Spelling;

constexpr std::string_view kDatabases[] = {"masters", "annotated"};

class EvidenceTest : public testing::Test {
 protected:
  void SetUp() override {
    const stdfs::path path = fs::installed_data_files().spelling.path;
    if (!stdfs::exists(path)) GTEST_SKIP() << "there is no " << path;
    for (const std::string_view name : kDatabases) {
      if (!stdfs::exists(shared(name))) GTEST_SKIP() << "there is no " << shared(name);
    }
    auto loaded = Spelling::load(*fs::SourceFile::open(path), {});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    auto reference = std::make_shared<fs::Reference>();
    reference->spelling = std::make_shared<const fs::SpellingLoad>(*std::move(loaded));
    reference_ = std::move(reference);
  }

  static stdfs::path shared(std::string_view name) {
    return fmt::format("{}/data/{}.si4", tests::shared_folder(), name);
  }
  std::shared_ptr<const Database> open(const stdfs::path& path) const {
    fs::DatabaseOptions options;
    options.reference = reference_;
    auto database = Database::open(path, "x", options);
    EXPECT_TRUE(database.ok()) << database.status();
    return database.ok() ? *std::move(database) : nullptr;
  }
  const Spelling& spelling() const { return *reference_->spelling->get(); }
  std::string name(std::uint32_t person) const {
    return person == People::kNobody ? "" : std::string(spelling().person(person).name);
  }

  const tests::TemporaryFolder folder_;
  fs::ReferencePtr reference_;
};

TEST_F(EvidenceTest, NamesOfMastersMeanTheMastersOfTheTime) {
  // The person, and the least share of games that must be theirs, in percent.
  struct Expected {
    std::string_view person;
    int least;
  };
  const std::map<std::string_view, Expected> expected = {
      {"Giri,A", {"Giri, Anish", 99}},
      {"Nakamura,H", {"Nakamura, Hikaru", 99}},
      {"Smejkal, Jan", {"Smejkal, Jan1", 99}},
      {"Dubov,Daniil", {"Dubov, Daniil1", 99}},
      {"Sokolov, Andrei", {"Sokolov, Andrei1", 15}},  // another one was rated alike
      {"Jones,G", {"Jones, Gawain C B", 99}},
      {"Gurevich,M", {"Gurevich, Mikhail", 99}},
      {"Belov,Vl", {"Belov, Vladimir", 99}},
      {"Korobov,A", {"Korobov, Anton1", 99}},
      {"Duda,J", {"Duda, Jan-Krzysztof", 99}},
      {"Georgiev,Ki", {"Georgiev, Kiril", 99}},
  };
  struct Count {
    int games = 0, theirs = 0, others = 0;
  };
  std::map<std::string_view, Count> counts;
  for (const std::string_view base : kDatabases) {
    const auto database = open(shared(base));
    ASSERT_NE(database, nullptr);
    for (fs::GameIndex game = 0; game < database->games(); ++game) {
      for (const Color color : {Color::White, Color::Black}) {
        const fs::PlayerOfGame in = fs::player_of(database->entry(game), game, color);
        const auto found = expected.find(database->names()[NameKind::Player].text(in.player));
        if (found == expected.end()) continue;
        Count& count = counts[found->first];
        ++count.games;
        const std::string person = name(database->people()->person_of(in));
        if (person == found->second.person) ++count.theirs;
        if (!person.empty() && person != found->second.person) ++count.others;
      }
    }
  }
  for (const auto& [asked, of] : expected) {
    const Count& count = counts[asked];
    std::printf("%s: %d of %d\n", std::string(asked).c_str(), count.theirs, count.games);
    EXPECT_GT(count.games, 0) << asked;
    EXPECT_EQ(count.others, 0) << asked;
    EXPECT_GE(count.theirs * 100, count.games * of.least) << asked;
  }
}

// Sides of games whose whole names tell whose they are, and what the cut names give.
struct Truth {
  int sides = 0, found = 0, wrong = 0;
};

// Returns "Kasparov,G" for "Kasparov, Garry"; empty for names that are not of this form.
std::string cut(std::string_view name) {
  const std::size_t comma = name.find(',');
  if (comma == std::string_view::npos) return "";
  std::size_t given = comma + 1;
  while (given < name.size() && name[given] == ' ') ++given;
  const auto is_letter = [&](std::size_t at) {
    return at < name.size() && ((name[at] | 0x20) >= 'a' && (name[at] | 0x20) <= 'z');
  };
  if (!is_letter(given) || !is_letter(given + 1)) return "";
  return fmt::format("{},{}", name.substr(0, comma), name[given]);
}

TEST_F(EvidenceTest, NamesCutToInitialsMeanTheSamePersons) {
  const auto without_signs = [](std::string_view name) {
    std::string letters;
    for (const char c : name) {
      if (std::string_view("., -_*").find(c) == std::string_view::npos) letters += c;
    }
    return letters;
  };
  std::map<bool, Truth> truths;  // by whether the game has an Elo
  std::map<std::string, int> wrong;
  tests::Random random(1);
  const std::string record = tests::random_game(random, {.plies = 4}).record();
  for (const std::string_view base : kDatabases) {
    const auto whole = open(shared(base));
    ASSERT_NE(whole, nullptr);
    // Returns the only person of exactly the name of a side.
    const auto person_of = [&](const fs::PlayerOfGame& in) {
      const std::string_view text = whole->names()[NameKind::Player].text(in.player);
      const Spelling::Meant meant = spelling().find_meant(text, spelling().find_player(text));
      const bool is_single = meant.persons.size() == 1 && meant.named != Spelling::kNobody &&
                             without_signs(name(meant.named)) == without_signs(text);
      return is_single && whole->people()->person_of(in) == meant.named ? meant.named
                                                                        : People::kNobody;
    };
    tests::ScidFilesBuilder builder;
    std::map<std::pair<NameKind, std::string>, std::uint32_t> ids;
    const auto id_of = [&](NameKind kind, std::string text) {
      const auto [found, is_new] = ids.try_emplace({kind, text}, 0);
      if (is_new) found->second = builder.name(kind, text);
      return found->second;
    };
    for (const NameKind kind : {NameKind::Site, NameKind::Round}) builder.name(kind, "x");
    std::map<std::pair<fs::GameIndex, Color>, std::uint32_t> persons;
    for (fs::GameIndex game = 0; game < whole->games(); ++game) {
      const codec::scid::GameEntry of = whole->entry(game);
      codec::scid::IndexEntry entry;
      const auto side = [&](Color color) {
        const fs::PlayerOfGame in = fs::player_of(of, game, color);
        const std::string text(whole->names()[NameKind::Player].text(in.player));
        const std::string initial = cut(text);
        const std::uint32_t person = initial.empty() ? People::kNobody : person_of(in);
        if (person == People::kNobody) return id_of(NameKind::Player, text);
        persons[{game, color}] = person;
        return id_of(NameKind::Player, initial);
      };
      entry.white = side(Color::White);
      entry.black = side(Color::Black);
      entry.event =
          id_of(NameKind::Event, std::string(whole->names()[NameKind::Event].text(of.event)));
      entry.date = of.date;
      entry.white_rating = of.white_rating;
      entry.black_rating = of.black_rating;
      builder.game(entry, record);
    }
    tests::write_scid_files(builder.files(), folder_ / base);
    const auto initials = open(folder_ / fmt::format("{}.si4", base));
    ASSERT_NE(initials, nullptr);
    for (const auto& [side, person] : persons) {
      const fs::PlayerOfGame in =
          fs::player_of(initials->entry(side.first), side.first, side.second);
      const std::uint32_t found = initials->people()->person_of(in);
      Truth& truth = truths[in.elo != 0];
      ++truth.sides;
      if (found == People::kNobody) continue;
      ++truth.found;
      if (found == person) continue;
      ++truth.wrong;
      ++wrong[fmt::format("{} is {}, not {}", initials->names()[NameKind::Player].text(in.player),
                          name(found), name(person))];
    }
  }
  for (const auto& [has_elo, of] : truths) {
    std::printf("%s Elo: %d sides, %d found, %d of them wrong\n", has_elo ? "with" : "without",
                of.sides, of.found, of.wrong);
  }
  for (const auto& [what, count] : wrong) std::printf("  %d: %s\n", count, what.c_str());
  const int found = truths[false].found + truths[true].found;
  EXPECT_GT(found, 50'000);
  EXPECT_LE((truths[false].wrong + truths[true].wrong) * 1000, found);
  EXPECT_GE(truths[true].found * 100, truths[true].sides * 85);
}

}  // namespace
}  // namespace scidfs
