// Index files that are damaged, wrong, or of others: none changes what is shown, and each is made
// again.
//
// SCIDFS_DAMAGED_INDEXES is the number of files damaged at random (default 300),
// SCIDFS_FIRST_DAMAGED_INDEX the number of the first: a failure prints the one that repeats it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "fs/database/stored_index.h"
#include "fs/file/cache_folder.h"
#include "fs/file/folder.h"
#include "tests/fs/library/index_damage.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/careless_walk.h"
#include "tests/support/index_sections.h"

namespace scidfs::fs {
namespace {

using ::testing::IsEmpty;
using tests::IndexSections;
using tests::read_file;
using tests::ScidWriter;
using tests::write_file;

// Three blocks, of which the last is not full.
constexpr std::size_t kIndexedGames = 300;

std::uint64_t index_number(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class DamagedIndexTest : public LibraryTest {
 protected:
  DamagedIndexTest() {
    options_.database.cache_folder = cache_;
    options_.database.index_bytes = std::uint64_t{1} << 30;
    options_.database.index_games = 1;
    path_ = make("a", 1);
    good_ = read_file(path_);
    options_.database.index_bytes = 0;
    open(source_ / "a.si4");
    expected_ = shown();
    options_.database.index_bytes = std::uint64_t{1} << 30;
  }
  ~DamagedIndexTest() override { close(); }

  // Makes a database, and its index file, which is the only one. Returns the path of the latter.
  Path make(const std::string& name, std::uint64_t seed) {
    ScidWriter writer = example_database(kIndexedGames, seed);
    for (std::size_t game = 5; game < kIndexedGames; game += 17) {
      writer.toggle_flag(game, codec::scid::kFlagDeleted);
    }
    put(name, writer.files());
    open(source_ / (name + ".si4"));
    for (int i = 0; i < 10'000 && index_file().empty(); ++i) pause();
    EXPECT_FALSE(index_file().empty());
    return index_file();
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  // Returns some index file; an empty path if there is none.
  Path index_file() const {
    if (!std::filesystem::exists(cache_)) return {};
    for (const auto& file : std::filesystem::directory_iterator(cache_)) {
      if (is_cache_name(file.path().filename().native(), kIndexExtension)) return file.path();
    }
    return {};
  }
  // Opens the source with this index file.
  void open_with(const std::string& file) {
    close();
    write_file(path_, file);
    open(source_ / "a.si4");
  }
  bool is_made_again() const {
    const auto is_good = [this] {
      return std::filesystem::exists(path_) && read_file(path_) == good_;
    };
    for (int i = 0; i < 10'000 && !is_good(); ++i) pause();
    return is_good();
  }
  // Returns the unfinished files that are there when nothing is made any more.
  std::vector<std::string> unfinished() {
    close();
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator(cache_)) {
      if (file.path().filename().native()[0] == '.') names.push_back(file.path().filename());
    }
    return names;
  }
  const Database& database() const { return *tests::shown_databases(*library_).front()->database; }

  // Names, inode numbers and sizes of what is listed, and the texts of all but single games.
  std::map<std::string, std::string> shown() const {
    std::map<std::string, std::string> found;
    for (const char* const directory : {"", "players", "players/wh", "events", "events/_unknown",
                                        "deleted", "games", "years", "flags", "eco"}) {
      if (!exists(directory)) continue;
      for (const std::string& name : names(directory)) {
        const std::string path =
            *directory == '\0' ? name : std::string(directory).append("/").append(name);
        const absl::StatusOr<Entry> entry = find(path);
        EXPECT_TRUE(entry.ok()) << path << ": " << entry.status();
        if (!entry.ok() || path == "status.txt") continue;
        found[path] =
            std::to_string(entry->attributes.inode) + " " + std::to_string(entry->attributes.size);
        const bool is_text = !entry->attributes.is_directory &&
                             (!path.starts_with("games/") || path.ends_with("7.pgn"));
        if (is_text) found[path] += "\n" + text(path);
      }
    }
    for (const char* const path :
         {"players/wh/White_1/index.tsv", "players/wh/White_1/white/all.pgn",
          "players/wh/White_2/summary.txt", "search/eco=A/index.tsv"}) {
      found[path] = exists(path) ? text(path) : "";
    }
    return found;
  }

  const Path cache_ = folder_ / "cache";
  Path path_;
  std::string good_;
  std::map<std::string, std::string> expected_;
};

TEST_F(DamagedIndexTest, ShowsTheSameTreeAndIsMadeAgain) {
  std::filesystem::remove(path_);
  const Path of_other = make("b", 2);
  const std::string other = read_file(of_other);
  std::filesystem::remove(of_other);
  const std::uint64_t first = index_number("SCIDFS_FIRST_DAMAGED_INDEX", 0);
  const std::uint64_t count = index_number("SCIDFS_DAMAGED_INDEXES", 300);
  constexpr std::string_view kOurs = "scidfs";
  std::size_t kept = 0;
  for (std::uint64_t number = first; number < first + count && !HasFailure(); ++number) {
    const DamagedIndex damaged = damaged_index(good_, other, number);
    SCOPED_TRACE(damaged.what);
    open_with(damaged.bytes);
    EXPECT_EQ(shown(), expected_);
    // What does not say that it is of scidfs is not replaced.
    if (!damaged.bytes.starts_with(kOurs)) {
      ++kept;
      close();
      EXPECT_EQ(read_file(path_), damaged.bytes);
      continue;
    }
    // Padding between sections has no checksum.
    if (!database().is_stored()) {
      EXPECT_TRUE(is_made_again());
    }
  }
  EXPECT_LT(kept, count / 4 + 2);
  EXPECT_THAT(unfinished(), IsEmpty());
}

// Sizes that no file of the cache folder has are found by decoding all games again.
TEST_F(DamagedIndexTest, BytesThatRotAreMadeAgainWithoutSavedSizes) {
  close();
  for (const auto& file : std::filesystem::directory_iterator(cache_)) {
    if (file.path() != path_) std::filesystem::remove(file.path());
  }
  std::string rotten = good_;
  rotten[rotten.size() / 2] ^= 1;
  open_with(rotten);
  EXPECT_TRUE(database().is_stored());
  EXPECT_EQ(shown(), expected_);
  EXPECT_FALSE(std::filesystem::exists(path_));
  open(source_ / "a.si4");
  EXPECT_TRUE(is_made_again());
}

// A change to the sections of an index file.
struct SectionChange {
  const char* what;
  void (*make)(IndexSections&);
};

constexpr std::size_t kBytesOfBlock = 96;
// Where the fields of a block lie in it.
constexpr std::size_t kBitsOfBlock = 4;
constexpr std::size_t kLeastOfBlock = 36;

void put_half(std::string& bytes, std::size_t at, std::uint16_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}
void put_word(std::string& bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

// By the numbers of stored_index.h.
const std::vector<SectionChange> kUnfitChanges = {
    {"no facts", [](IndexSections& of) { of.bytes.erase(1); }},
    {"another number of games",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::Facts, 0, 1); }},
    {"a block less",
     [](IndexSections& of) { of[StoredPart::PackedBlocks].resize(2 * kBytesOfBlock); }},
    {"a column that ends before it begins",
     [](IndexSections& of) { put_half(of[StoredPart::PackedBlocks], kBitsOfBlock + 2, 400); }},
    {"a column that is too wide",
     [](IndexSections& of) {
       for (std::size_t column = 2; column <= PackedIndex::kColumns; ++column) {
         put_half(of[StoredPart::PackedBlocks], kBitsOfBlock + 2 * column, 34);
       }
     }},
    {"a first column that begins late",
     [](IndexSections& of) { put_half(of[StoredPart::PackedBlocks], kBitsOfBlock, 1); }},
    {"a date that no index has",
     [](IndexSections& of) {
       put_word(of[StoredPart::PackedBlocks], kLeastOfBlock + 4 * 9, 1U << 20);
     }},
    {"a result that no game has",
     [](IndexSections& of) { put_word(of[StoredPart::PackedBlocks], kLeastOfBlock + 4 * 14, 4); }},
    {"rows beyond their segment",
     [](IndexSections& of) { put_word(of[StoredPart::PackedBlocks], kBytesOfBlock, 1U << 31); }},
    {"rows cut short", [](IndexSections& of) { of[StoredPart::PackedRows].resize(100); }},
    {"no rows", [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::RowEnds, 0, 0); }},
    {"a segment beyond the rows",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::RowEnds, 0, ~std::uint64_t{0}); }},
    {"a checksum less", [](IndexSections& of) { of[StoredPart::Checksums].resize(16); }},
    {"plies of more blocks", [](IndexSections& of) { of[StoredPart::Plies] += "1234"; }},
    {"half a number of lines", [](IndexSections& of) { of[StoredPart::ShownLines].pop_back(); }},
    {"no deleted lines", [](IndexSections& of) { of[StoredPart::DeletedLines].clear(); }},
    {"a deleted game that does not end",
     [](IndexSections& of) { of[StoredPart::Deleted].back() = '\x80'; }},
    {"deleted games beyond the last",
     [](IndexSections& of) { of[StoredPart::Deleted].back() = '\x7F'; }},
    {"a game deleted twice", [](IndexSections& of) { of[StoredPart::Deleted][3] = '\0'; }},
    {"a deleted game written at length",
     [](IndexSections& of) { of[StoredPart::Deleted].replace(0, 1, std::string("\x85\x00", 2)); }},
    {"fewer deleted games",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::Facts, 4, 1); }},
    {"more deleted games than games",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::Facts, 4, 1U << 20); }},
    {"a player less", [](IndexSections& of) { of[StoredPart::ShownPlayers].pop_back(); }},
    {"a size less",
     [](IndexSections& of) { of[StoredPart::Sizes].resize(4 * (kIndexedGames - 1)); }},
    {"no sizes", [](IndexSections& of) { of.bytes.erase(11); }},
    {"a checksum of the game file more",
     [](IndexSections& of) { of[StoredPart::GameSums] += "12345678"; }},
    {"records that end early",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::Facts, 2, 0); }},
    {"no players' games", [](IndexSections& of) { of.bytes.erase(13); }},
    {"a player's games that end before they begin",
     [](IndexSections& of) { of.set<std::uint32_t>(StoredPart::PlayerEnds, 1, 1); }},
    {"players' games beyond the last",
     [](IndexSections& of) { of[StoredPart::PlayerGames].pop_back(); }},
    {"half an event", [](IndexSections& of) { of[StoredPart::EventEnds].pop_back(); }},
    {"an event's games beyond the last",
     [](IndexSections& of) { of.set<std::uint32_t>(StoredPart::EventEnds, 0, 1U << 30); }},
    {"an event without a key", [](IndexSections& of) { of[StoredPart::EventKeys].resize(8); }},
    {"no names of players", [](IndexSections& of) { of[StoredPart::NameSlots].clear(); }},
    {"a damaged game too many",
     [](IndexSections& of) { of.set<std::uint64_t>(StoredPart::Facts, 9, 1); }},
};

TEST_F(DamagedIndexTest, UnfitFilesAreLeftOutSaidAndMadeAgain) {
  for (const SectionChange& change : kUnfitChanges) {
    SCOPED_TRACE(change.what);
    IndexSections sections = IndexSections::of(good_);
    ASSERT_EQ(sections.file(), good_);
    change.make(sections);
    ASSERT_NE(sections.file(), good_);
    open_with(sections.file());
    EXPECT_FALSE(database().is_stored());
    EXPECT_TRUE(database().found_unfit());
    EXPECT_EQ(shown(), expected_);
    EXPECT_TRUE(is_made_again());
  }
}

TEST_F(DamagedIndexTest, UnfitFilesAreSaidOnce) {
  IndexSections sections = IndexSections::of(good_);
  sections.bytes.erase(11);
  testing::internal::CaptureStderr();
  open_with(sections.file());
  open_with(sections.file());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "scidfs: Cannot use " + path_.string() + ": its sections do not fit the database\n");
}

template <class Value>
void fill_section(IndexSections& of, StoredPart part, Value value) {
  for (std::size_t i = 0; i < of[part].size() / sizeof value; ++i) of.set(part, i, value);
}

// Changes that no look at the mount finds.
const std::vector<SectionChange> kWrongChanges = {
    {"rows of ones", [](IndexSections& of) { fill_section(of, StoredPart::PackedRows, '\xFF'); }},
    {"rows of any bits",
     [](IndexSections& of) {
       tests::Random random(1);
       for (char& byte : of[StoredPart::PackedRows]) byte = static_cast<char>(random.next());
     }},
    {"checksums of nothing",
     [](IndexSections& of) { fill_section(of, StoredPart::Checksums, std::uint64_t{1}); }},
    {"plies of nobody", [](IndexSections& of) { fill_section(of, StoredPart::Plies, '\xFF'); }},
    {"lines of any length",
     [](IndexSections& of) { fill_section(of, StoredPart::ShownLines, ~std::uint32_t{0}); }},
    {"no lines",
     [](IndexSections& of) { fill_section(of, StoredPart::ShownLines, std::uint32_t{0}); }},
    {"nobody has a game",
     [](IndexSections& of) { fill_section(of, StoredPart::ShownPlayers, '\0'); }},
    {"everybody has a game",
     [](IndexSections& of) { fill_section(of, StoredPart::ShownPlayers, '\7'); }},
    {"no size is known",
     [](IndexSections& of) { fill_section(of, StoredPart::Sizes, std::uint32_t{0}); }},
    {"sizes of a gigabyte",
     [](IndexSections& of) { fill_section(of, StoredPart::Sizes, (std::uint32_t{1} << 30) - 1); }},
    {"all texts are damaged",
     [](IndexSections& of) { fill_section(of, StoredPart::Sizes, ~std::uint32_t{0}); }},
    {"checksums of another game file",
     [](IndexSections& of) { fill_section(of, StoredPart::GameSums, std::uint64_t{1}); }},
    {"no checksums of the game file",
     [](IndexSections& of) { fill_section(of, StoredPart::GameSums, std::uint64_t{0}); }},
    {"players' games that do not end",
     [](IndexSections& of) { fill_section(of, StoredPart::PlayerGames, '\xFF'); }},
    {"players' games that do not ascend",
     [](IndexSections& of) { fill_section(of, StoredPart::PlayerGames, '\0'); }},
    {"players' games beyond the last",
     [](IndexSections& of) { fill_section(of, StoredPart::PlayerGames, '\x7F'); }},
    {"one player has all games",
     [](IndexSections& of) {
       const auto all = static_cast<std::uint32_t>(of[StoredPart::PlayerGames].size());
       fill_section(of, StoredPart::PlayerEnds, all);
     }},
    {"events' games that do not end",
     [](IndexSections& of) { fill_section(of, StoredPart::EventGames, '\x80'); }},
    {"events' games that do not ascend",
     [](IndexSections& of) { fill_section(of, StoredPart::EventGames, '\0'); }},
    {"keys of no event",
     [](IndexSections& of) { fill_section(of, StoredPart::EventKeys, ~std::uint64_t{0}); }},
    {"dates of no calendar",
     [](IndexSections& of) {
       of.set(StoredPart::Facts, 7, ~std::uint64_t{0});
       of.set(StoredPart::Facts, 8, ~std::uint64_t{0});
     }},
    {"all flags", [](IndexSections& of) { of.set(StoredPart::Facts, 5, ~std::uint64_t{0}); }},
    {"no records",
     [](IndexSections& of) {
       of.set<std::uint64_t>(StoredPart::Facts, 2, 0);
       of[StoredPart::GameSums].clear();
     }},
    {"an example that is no game",
     [](IndexSections& of) { of.set(StoredPart::Facts, 11, ~std::uint64_t{0}); }},
    {"names that lie nowhere",
     [](IndexSections& of) { fill_section(of, StoredPart::NameSlots, '\xFF'); }},
    {"names of no characters",
     [](IndexSections& of) { fill_section(of, StoredPart::NameTexts, '\xC3'); }},
    {"players in groups of others",
     [](IndexSections& of) { fill_section(of, StoredPart::PlayerSet, std::uint32_t{7}); }},
    {"the same player everywhere",
     [](IndexSections& of) {
       fill_section(of, part_after(StoredPart::PlayerSet, 1), std::uint32_t{1});
     }},
    {"a player of a later version",
     [](IndexSections& of) {
       fill_section(of, part_after(StoredPart::PlayerSet, 1), ~std::uint32_t{0});
     }},
    {"events with equal keys",
     [](IndexSections& of) {
       fill_section(of, part_after(StoredPart::EventSet, 2), std::uint32_t{1});
     }},
    {"events that are all renamed",
     [](IndexSections& of) { of[part_after(StoredPart::EventSet, 3)].assign(400, '\0'); }},
    {"records without end",
     [](IndexSections& of) { of.set(StoredPart::Facts, 2, ~std::uint64_t{0}); }},
};

TEST_F(DamagedIndexTest, WrongValuesReachNothingElse) {
  for (const SectionChange& change : kWrongChanges) {
    SCOPED_TRACE(change.what);
    IndexSections sections = IndexSections::of(good_);
    sections.damage_texts();
    change.make(sections);
    open_with(sections.file());
    ASSERT_TRUE(database().is_stored());
    tests::CarelessWalk walk(*tree_);
    walk.directory(kRootInode);
    for (const char* const path :
         {"players/wh/White_1/all.pgn", "players/bl/Black_2/white/index.tsv", "all.pgn",
          "search/result=draw/index.tsv", "search/date=1900../summary.txt", "tree/e4/moves.tsv"}) {
      walk.path(path);
    }
    EXPECT_GT(walk.files(), 20U);
  }
}

// No thread writes into what is mapped.
TEST_F(DamagedIndexTest, GameWithoutKnownSizeIsAnError) {
  IndexSections sections = IndexSections::of(good_);
  sections.set<std::uint32_t>(StoredPart::Sizes, 0, 0);
  open_with(sections.file());
  ASSERT_TRUE(database().is_stored());
  EXPECT_TRUE(absl::IsDataLoss(database().text_size(0).status()));
  EXPECT_TRUE(absl::IsDataLoss(find("games/1.pgn").status()));
  EXPECT_NE(text("games/2.pgn"), "");
  EXPECT_TRUE(absl::IsDataLoss(read(inode("all.pgn")).status()));  // listed with its saved size
}

// Another process saves one just now: this one goes without, and the next mount makes it.
TEST_F(DamagedIndexTest, WhileAnotherProcessSavesOneNoneIsMade) {
  close();
  std::filesystem::remove(path_);
  {
    const auto lock =
        FolderLock::take_file(cache_ / "scidfs.index.lock", std::chrono::milliseconds(0));
    ASSERT_TRUE(lock.ok()) << lock.status();
    open(source_ / "a.si4");
    EXPECT_EQ(shown(), expected_);
    close();
    EXPECT_EQ(index_file(), Path());
  }
  open(source_ / "a.si4");
  EXPECT_TRUE(is_made_again());
  EXPECT_EQ(shown(), expected_);
}

// Two mounts at once: one of them makes it, and later ones map it.
TEST_F(DamagedIndexTest, MountsOfOneCacheMakeOneFile) {
  close();
  for (int round = 0; round < 20; ++round) {
    std::filesystem::remove(path_);
    constexpr std::size_t kMounts = 3;
    std::vector<std::unique_ptr<Library>> mounts(kMounts);
    std::vector<std::thread> threads;
    for (std::unique_ptr<Library>& mount : mounts) {
      threads.emplace_back([&] {
        mount = std::move(Library::open(source_ / "a.si4", options_).value());
        mount->build_sizes([](std::uint64_t, std::uint64_t) {});
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(is_made_again());
    open(source_ / "a.si4");
    EXPECT_TRUE(database().is_stored());
    EXPECT_EQ(shown(), expected_);
    mounts.clear();
    EXPECT_THAT(unfinished(), IsEmpty());
  }
}

}  // namespace
}  // namespace scidfs::fs
