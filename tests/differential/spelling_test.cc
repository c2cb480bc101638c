// Compares identities of players and corrected names of events, sites and rounds with the results
// of Scid 4.7.4 for the same database and spelling file (`sc_name spellcheck` and `sc_name
// correct`, called as sc_spell does), name by name and game by game. Every intended difference is
// here with its reason.
#include "fs/reference/spelling.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/database/database.h"
#include "fs/reference/data_files.h"
#include "tests/differential/reference.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs {
namespace {

namespace stdfs = std::filesystem;

using codec::scid::NameKind;
using fs::Database;
using fs::PackedIndex;
using fs::People;
using fs::Spelling;
using testing::Contains;
using testing::IsEmpty;
using testing::Not;
using Kind = Spelling::Found::Kind;

std::shared_ptr<const Database> open(const stdfs::path& path, const fs::ReferencePtr& reference,
                                     fs::Evidence evidence = fs::Evidence::Lifetime) {
  fs::DatabaseOptions options;
  options.reference = reference;
  options.evidence = evidence;
  auto database = Database::open(path.native() + ".si4", "x", options);
  EXPECT_TRUE(database.ok()) << database.status();
  return database.ok() ? *std::move(database) : nullptr;
}

// Reasons for which a name differs from that of Scid.
constexpr std::string_view kNamesakes =
    "several people are called exactly that: Scid takes any of them, here it is he who lived";
constexpr std::string_view kYearOfDeath =
    "of the death no more than the year or the month is known: to Scid it is its first day";

class SpellingTest : public testing::Test {
 protected:
  // Copies a database, and Scid corrects the copy.
  void correct(const std::vector<std::string>& databases) {
    const std::string scid = tests::find_program("tkscid");
    if (scid.empty()) GTEST_SKIP() << "Scid is not installed";
    load_spelling();
    if (IsSkipped() || HasFatalFailure()) return;
    std::string command =
        fmt::format("timeout 300 {} {} {}", scid,
                    tests::source_path("tests/differential/scid_spell.tcl").native(),
                    fs::installed_data_files().spelling.path.native());
    for (const std::string& database : databases) {
      const stdfs::path copy = folder_ / stdfs::path(database).filename().native();
      for (const char* const suffix : {".si4", ".sn4", ".sg4"}) {
        stdfs::copy_file(database + suffix, copy.native() + suffix);
        stdfs::permissions(copy.native() + suffix, stdfs::perms::owner_all);
      }
      command += ' ' + copy.native();
      copies_[database] = copy;
    }
    const std::optional<std::string> done = tests::output_of(command + " < /dev/null");
    ASSERT_TRUE(done.has_value()) << command;
    for (const auto& [database, copy] : copies_) {
      ASSERT_NE(done->find(copy.native() + '\n'), std::string::npos) << copy;
    }
  }

  void load_spelling() {
    const stdfs::path spelling = fs::installed_data_files().spelling.path;
    if (!stdfs::exists(spelling)) GTEST_SKIP() << "there is no " << spelling;
    auto reference = std::make_shared<fs::Reference>();
    auto loaded = Spelling::load(*fs::SourceFile::open(spelling), {});
    ASSERT_TRUE(loaded.ok()) << loaded.status();
    reference->spelling = std::make_shared<const fs::SpellingLoad>(*std::move(loaded));
    reference_ = std::move(reference);
  }

  // How often each reason applied.
  std::map<std::string_view, int> compare(const std::string& path) const {
    std::map<std::string_view, int> reasons;
    const auto before = open(path, reference_);
    const auto after = open(copies_.at(path), fs::no_reference());
    if (before == nullptr || after == nullptr) return reasons;
    EXPECT_EQ(before->games(), after->games());
    int faults = 0;
    for (fs::GameIndex game = 0; game < before->games() && faults < kMostFaults; ++game) {
      const codec::scid::GameEntry was = before->entry(game);
      const codec::scid::GameEntry is = after->entry(game);
      const auto check = [&](NameKind kind, std::uint32_t id, std::uint32_t corrected) {
        const std::string_view name = before->names()[kind].text(id);
        const std::string_view scid = after->names()[kind].text(corrected);
        const std::string ours = kind == NameKind::Player
                                     ? player(*before, {id, codec::pack_date(was.date)})
                                     : corrected_name(kind, name);
        if (ours == scid) return;
        if (kind == NameKind::Player) {
          if (const auto reason = reason_for(*before, id, was.date, scid)) {
            ++reasons[*reason];
            return;
          }
        }
        ++faults;
        ADD_FAILURE() << path << ", game " << game + 1 << ": " << name << " is " << ours
                      << ", and to Scid " << scid;
      };
      check(NameKind::Player, was.white, is.white);
      check(NameKind::Player, was.black, is.black);
      check(NameKind::Event, was.event, is.event);
      check(NameKind::Site, was.site, is.site);
      check(NameKind::Round, was.round, is.round);
    }
    return reasons;
  }

  // Counts by reason the sides of games that evidence gives to other persons than Scid does; each
  // must have the reason.
  std::map<std::string, int> compare_evidence(const std::string& path) const {
    std::map<std::string, int> reasons;
    const auto scid = open(path, reference_);
    const auto ours = open(path, reference_, fs::Evidence::AgeAndElo);
    if (scid == nullptr || ours == nullptr) return reasons;
    for (fs::GameIndex game = 0; game < ours->games(); ++game) {
      const codec::scid::GameEntry entry = ours->entry(game);
      for (const codec::Color color : {codec::Color::White, codec::Color::Black}) {
        const fs::PlayerOfGame in = fs::player_of(entry, game, color);
        const std::uint32_t before = scid->people()->person_of(in);
        const std::uint32_t after = ours->people()->person_of(in);
        if (before == after) continue;
        const std::string reason = why_evidence_differs(*ours, before, in, entry.date);
        EXPECT_FALSE(reason.empty()) << path << ", game " << game + 1 << ": " << player(*scid, in)
                                     << " is " << player(*ours, in);
        if (after != People::kNobody) {
          EXPECT_EQ(against(after, in, entry.date), "")
              << path << ", game " << game + 1 << ": " << player(*ours, in);
        }
        ++reasons[reason + (after == People::kNobody ? ": nobody" : ": another")];
      }
    }
    return reasons;
  }

 private:
  static constexpr int kMostFaults = 20;

  std::string why_evidence_differs(const Database& database, std::uint32_t before,
                                   const fs::PlayerOfGame& in, codec::Date date) const {
    const bool has_id =
        database.found_ids().known()->number(in.game, in.color) != fs::GameIds::kNone;
    if (has_id) return "FIDE id";
    const std::string_view name = database.names()[NameKind::Player].text(in.player);
    const Spelling::Found found = spelling().find_player(name);
    if (spelling().find_meant(name, found).persons.size() > 1) return "candidates";
    if (found.kind == Kind::Ambiguous) return "surname";
    return before == People::kNobody ? "the person was not born" : against(before, in, date);
  }

  // What of the file speaks against a person; found anew, from the text of the file.
  std::string against(std::uint32_t person, const fs::PlayerOfGame& in, codec::Date date) const {
    constexpr int kTooStrong = 400;
    constexpr int kLeastAge = 6;
    const fs::SpellingIndex::Person of = spelling().person(person);
    const auto details = spelling().details(person);
    EXPECT_TRUE(details.ok()) << details.status();
    int best = of.highest;
    for (const auto& rating : details->ratings) best = std::max<int>(best, rating.elo);
    if (of.born.year != 0 && date.year != 0 && date.year < of.born.year + kLeastAge) return "age";
    if (of.born.year != 0 && date.year == of.born.year + kLeastAge &&
        (date.month < of.born.month || (date.month == of.born.month && date.day < of.born.day))) {
      return "age";
    }
    return best != 0 && static_cast<int>(in.elo) - best >= kTooStrong ? "rating" : "";
  }

  const Spelling& spelling() const { return *reference_->spelling->get(); }

  std::string player(const Database& database, const fs::PlayerOfGame& in) const {
    const std::uint32_t person = database.people()->person_of(in);
    return std::string(person == People::kNobody
                           ? database.names()[NameKind::Player].text(in.player)
                           : spelling().person(person).name);
  }
  std::string corrected_name(NameKind kind, std::string_view name) const {
    if (kind == NameKind::Event) return spelling().correct_event(name);
    return kind == NameKind::Site ? spelling().correct_site(name) : spelling().correct_round(name);
  }

  std::optional<std::string_view> reason_for(const Database& database, std::uint32_t id,
                                             codec::Date date, std::string_view scid) const {
    const std::string_view name = database.names()[NameKind::Player].text(id);
    const Spelling::Found found = spelling().find_player(name);
    if (found.kind == Kind::Namesakes) {
      const bool is_one = scid == name || std::ranges::any_of(found.candidates, [&](auto person) {
                            return spelling().person(person).name == scid;
                          });
      if (is_one) return kNamesakes;
    }
    if (found.kind != Kind::Person || scid != name) return std::nullopt;
    const codec::Date died = spelling().person(found.candidates.front()).died;
    const bool in_part = died.year != 0 && (died.month == 0 || died.day == 0);
    const bool is_then = date.year == died.year && (died.month == 0 || date.month == died.month);
    if (in_part && is_then) return kYearOfDeath;
    return std::nullopt;
  }

  const tests::TemporaryFolder folder_;
  std::map<std::string, stdfs::path> copies_;
  fs::ReferencePtr reference_;
};

// Returns the paths of all shared databases, without extensions. Skips the test if there is no
// folder.
std::vector<std::string> shared_databases() {
  if (!stdfs::exists(tests::shared_folder())) {
    [] { GTEST_SKIP() << "the shared databases are not here"; }();
    return {};
  }
  std::vector<std::string> databases =
      tests::databases_in(tests::shared_folder() + "/data/third_party");
  for (const std::string& database : tests::databases_in(tests::shared_folder() + "/data")) {
    databases.push_back(database);
  }
  EXPECT_THAT(databases, Not(IsEmpty()));
  return databases;
}

// What `people=evidence` changes, and why.
TEST_F(SpellingTest, EvidenceDiffersFromScidForItsReasonsOnly) {
  const std::vector<std::string> databases = shared_databases();
  if (IsSkipped() || HasFatalFailure()) return;
  load_spelling();
  if (IsSkipped() || HasFatalFailure()) return;
  std::map<std::string, int> reasons;
  for (const std::string& database : databases) {
    for (const auto& [reason, count] : compare_evidence(database)) reasons[reason] += count;
  }
  for (const auto& [reason, count] : reasons) std::printf("%d: %s\n", count, reason.c_str());
  EXPECT_GT(reasons["candidates: another"], 10'000);
  EXPECT_GT(reasons["surname: another"], 10);
}

TEST_F(SpellingTest, CorrectedNamesAgreeWithScid) {
  const std::vector<std::string> databases = shared_databases();
  if (IsSkipped() || HasFatalFailure()) return;
  correct(databases);
  if (IsSkipped() || HasFatalFailure()) return;
  std::map<std::string_view, int> reasons;
  for (const std::string& database : databases) {
    for (const auto& [reason, count] : compare(database)) reasons[reason] += count;
  }
  for (const auto& [reason, count] : reasons) {
    RecordProperty(std::string(reason.substr(0, reason.find(':'))), count);
    std::printf("%d: %s\n", count, std::string(reason).c_str());
  }
}

}  // namespace
}  // namespace scidfs
