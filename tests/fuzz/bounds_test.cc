// Bounds on the memory, time and depth that a hostile file can use.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "codec/scid/names.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;
using tests::MemoryFolder;
using tests::ScidFiles;
using tests::ScidFilesBuilder;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kMostRecord = (1 << 17) - 1;
constexpr char kNoMoves[] = {0, 0, 0x0F};

// What all threads have used of processors: other work of the machine does not count.
double seconds_used() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// The memory of this process; always 0 under a sanitizer, which keeps memory that was given back.
std::size_t resident_memory() {
  if (tests::configured("sanitized") == "yes") return 0;
  std::ifstream in("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  in >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

std::unique_ptr<fs::Library> open_library(const MemoryFolder& folder) {
  auto library = fs::Library::open(folder.path(), tests::without_patience());
  if (!library.ok()) ADD_FAILURE() << std::string(library.status().message());
  return *std::move(library);
}

// Opens a database, lists one of its directories and looks up every name there. Returns the
// seconds of processor time: on a busy machine short work may find a processor free, and work of
// three times the length not.
double seconds_to_list(const ScidFiles& files, const std::string& path, std::size_t expected) {
  const MemoryFolder folder;
  tests::write_scid_files(files, folder / "x");
  const std::clock_t start = std::clock();
  const auto library = fs::Library::open(folder / "x.si4", tests::without_patience());
  fs::Tree tree(**library, {.blocks = {.threads = 1}});
  fs::Inode at = fs::kRootInode;
  for (std::string_view rest = path; !rest.empty();) {
    const std::string_view name = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    const auto entry = tree.lookup(at, name, tests::unlimited_budget());
    if (!entry.ok()) {
      ADD_FAILURE() << path << " is not there";
      return 0;
    }
    at = entry->attributes.inode;
  }
  std::vector<std::pair<std::string, fs::Inode>> entries;
  (void)tree.list(at, 0, tests::unlimited_budget(), [&](const fs::DirectoryEntry& entry) {
    entries.emplace_back(entry.name, entry.inode);
    return true;
  });
  EXPECT_EQ(entries.size(), expected);
  for (const auto& [name, inode] : entries) {
    const auto entry = tree.lookup(at, name, tests::unlimited_budget());
    if (!entry.ok() || entry->attributes.inode != inode) {
      ADD_FAILURE() << name << " is listed but not found";
      break;
    }
  }
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// Twice the size may take three times as long, by the best of some rounds: more rounds on a busy
// machine.
template <class MakeFiles>
void expect_nearly_linear(const MakeFiles& make_files, const std::string& path) {
  constexpr std::size_t kNames = 50'000;
  constexpr int kMostRounds = 12;
  const ScidFiles half_files = make_files(kNames);
  const ScidFiles whole_files = make_files(2 * kNames);
  double half = 1e9;
  double whole = 3 * half;
  for (int round = 0; round < kMostRounds && whole >= 3 * half; ++round) {
    half = std::min(half, seconds_to_list(half_files, path, kNames));
    whole = std::min(whole, seconds_to_list(whole_files, path, 2 * kNames));
  }
  EXPECT_LT(whole, 3 * half) << whole << " s and " << half << " s";
}

// A word of 19 letters; each of 17 of them is one of two, by the bits of a number.
std::string two_letters(std::size_t number, char zero, char one) {
  std::string word = "x";
  for (unsigned bit = 0; bit < 17; ++bit) word += (number >> bit & 1) != 0 ? one : zero;
  return word + "x";
}

template <class NameOf>
ScidFiles players_named(std::size_t count, const NameOf& name_of) {
  ScidFilesBuilder builder;
  for (std::size_t i = 0; i < count; ++i) builder.name(NameKind::Player, name_of(i));
  for (std::uint32_t i = 0; i < count; i += 2) {
    IndexEntry entry;
    entry.white = i;
    entry.black = i + 1;
    builder.game(entry, {kNoMoves, sizeof kNoMoves});
  }
  return builder.files();
}

TEST(Bounds, PlayersWithEquallyEscapedNamesTakeLinearTime) {
  expect_nearly_linear(
      [](std::size_t count) {
        return players_named(count, [](std::size_t i) { return two_letters(i, ' ', '_'); });
      },
      "players/x_");
}

TEST(Bounds, PlayersWithNamesThatDifferInCaseTakeLinearTime) {
  expect_nearly_linear(
      [](std::size_t count) {
        return players_named(count, [](std::size_t i) { return two_letters(i, 'a', 'A'); });
      },
      "players/xa");
}

TEST(Bounds, PlayersWithEqualNamesTakeLinearTime) {
  expect_nearly_linear(
      [](std::size_t count) { return players_named(count, [](std::size_t) { return "Tal"; }); },
      "players/ta");
}

TEST(Bounds, EventsWithEquallyEscapedNamesTakeLinearTime) {
  expect_nearly_linear(
      [](std::size_t count) {
        ScidFilesBuilder builder;
        for (std::size_t i = 0; i < count; ++i) {
          IndexEntry entry;
          entry.event = builder.name(NameKind::Event, two_letters(i, ' ', '_'));
          builder.game(entry, {kNoMoves, sizeof kNoMoves});
        }
        return builder.files();
      },
      "events/_unknown");
}

// As many nested variations as a record has room for.
std::string deepest_record() {
  std::string record(2, '\0');
  const tests::ScidEncoder start = tests::ScidEncoder().move("Nf3");
  const std::string move = start.record().substr(2, 1);
  record += move;
  while (record.size() + 4 < kMostRecord) record += "\x0D" + move;
  return record;
}

TEST(Bounds, DeepNestingUsesHeapAndReleasesIt) {
  constexpr std::size_t kGames = 2;
  ScidFilesBuilder builder;
  for (std::size_t i = 0; i < kGames; ++i) builder.game({}, deepest_record());
  const MemoryFolder folder;
  tests::write_scid_files(builder.files(), folder / "x");
  const std::unique_ptr<fs::Library> library = open_library(folder);
  tests::WalkedTree walked = tests::walk_library(*library);
  EXPECT_EQ(walked.faults, std::vector<std::string>());
  const std::string& text = walked.files.at("x.si4/all.pgn");
  EXPECT_GT(std::ranges::count(text, '('), static_cast<std::ptrdiff_t>(kGames * 65'000));
  EXPECT_THAT(walked.files.at("x.si4/errors.tsv"), testing::HasSubstr("the moves do not end"));
}

// Sparse files: 1 TiB each, with no blocks on the disk.
TEST(Bounds, SparseFilesTakeLittleTimeAndMemory) {
  const MemoryFolder folder;
  ScidFiles files = tests::read_scid_files(tests::test_data("sample/sample"));
  // The greatest possible counts.
  for (std::size_t field = 12; field < 24; field += 3) {
    tests::patch_big(0xFFFF, 3, field, files.names);
  }
  tests::write_scid_files(files, folder / "x");
  for (const char* const name : {"x.sn4", "x.sg4"}) {
    std::error_code error;
    std::filesystem::resize_file(folder / name, std::uintmax_t{1} << 40, error);
    if (error) GTEST_SKIP() << "no files of holes here: " << error.message();
  }
  const std::size_t before = resident_memory();
  const double start = seconds_used();
  const std::unique_ptr<fs::Library> library = open_library(folder);
  EXPECT_LT(seconds_used() - start, 20);
  EXPECT_LT(resident_memory(), before + 300 * kMiB);
  EXPECT_EQ(library->catalog()->games(), 1605U);
}

// A record far beyond all others: neither checksums nor reads touch the gap.
TEST(Bounds, FarApartRecordsOfScid5TakeLittleTimeAndMemory) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 46;
  const MemoryFolder folder;
  ScidFiles files = tests::as_scid5(tests::read_scid_files(tests::test_data("sample/sample")));
  const codec::scid::IndexLayout& layout = codec::scid::kScid5Index;
  const std::string record = tests::ScidEncoder().moves("e4 e5 Nf3").record();
  IndexEntry entry = layout.parse_entry(tests::as_bytes(files.index));
  entry.offset = kFar;
  entry.length = static_cast<std::uint32_t>(record.size());
  files.index.replace(0, layout.entry_size, tests::index5_entry(entry));
  tests::write_scid_files(files, folder / "x", ".si5");
  std::error_code error;
  std::filesystem::resize_file(folder / "x.sg5", kFar, error);
  if (error) GTEST_SKIP() << "no files of holes here: " << error.message();
  std::ofstream(folder / "x.sg5", std::ios::app | std::ios::binary) << record;

  const std::size_t before = resident_memory();
  const double start = seconds_used();
  const std::unique_ptr<fs::Library> library = open_library(folder);
  tests::WalkedTree walked = tests::walk_library(*library);
  EXPECT_EQ(walked.faults, std::vector<std::string>());
  EXPECT_THAT(walked.files.at("x.si5/all.pgn"), testing::HasSubstr("\n1. e4 e5 2. Nf3 "));
  EXPECT_LT(seconds_used() - start, 20);
  EXPECT_LT(resident_memory(), before + 100 * kMiB);
}

// Zeros are empty names of players to Scid 5.
TEST(Bounds, SparseNameFileOfScid5TakesLittleTimeAndMemory) {
  const MemoryFolder folder;
  tests::write_scid_files(
      tests::as_scid5(tests::read_scid_files(tests::test_data("sample/sample"))), folder / "x",
      ".si5");
  std::error_code error;
  std::filesystem::resize_file(folder / "x.sn5", std::uintmax_t{1} << 40, error);
  if (error) GTEST_SKIP() << "no files of holes here: " << error.message();
  const std::size_t before = resident_memory();
  const std::unique_ptr<fs::Library> library = open_library(folder);
  EXPECT_LT(resident_memory(), before + 100 * kMiB);
  const fs::DatabasePtr database = tests::shown_databases(*library).front()->database;
  ASSERT_EQ(database->files().problems().size(), 2u);
  EXPECT_THAT(database->files().problems()[0], testing::HasSubstr("the empty name is there twice"));
  EXPECT_THAT(database->files().problems()[1],
              testing::HasSubstr("nothing after byte 268435456 is read"));
  EXPECT_TRUE(database->names()[NameKind::Player].contains(5));
}

// A name of 255 bytes for each record of five or six.
TEST(Bounds, FrontCodedNamesTakeBoundedMemory) {
  constexpr std::uint32_t kNames = 600'000;
  std::string file("Scid.sn\0\0\0\0\0", 12);
  for (const std::uint32_t count : {kNames, 0U, 0U, 0U}) tests::put_big(count, 3, file);
  for (int kind = 0; kind < 4; ++kind) tests::put_big(1, 3, file);
  for (std::uint32_t id = 0; id < kNames; ++id) {
    tests::put_big(id, 3, file);
    tests::put_big(1, 1, file);
    tests::put_big(255, 1, file);
    if (id > 0) tests::put_big(255, 1, file);
    if (id == 0) file += std::string(255, '\x93');
  }
  const codec::scid::Names names = codec::scid::parse_names(tests::as_bytes(file));
  EXPECT_FALSE(names.status.ok());
  const codec::scid::NameTable& players = names[NameKind::Player];
  std::size_t text = 0;
  for (std::uint32_t id = 0; id < players.size(); ++id) {
    if (players.contains(id)) text += players.text(id).size();
  }
  EXPECT_FALSE(players.contains(kNames - 1));
  EXPECT_GT(text, 60 * kMiB);
  EXPECT_LT(text, 65 * kMiB + 8 * file.size());
}

// Many games may share one large record: a request for the size of errors.tsv reads only some of
// them.
TEST(Bounds, ErrorsTableReadsBoundedNumberOfRecords) {
  constexpr std::uint32_t kGames = 3000;
  // No tags, no flags, and a move of the king off the board.
  const std::string record = std::string("\0\0\x01", 3) + std::string(kMostRecord - 3, '\xCF');
  // So many other games that a file of all games is not refused.
  ScidFiles files{.index = tests::index_header(kGames),
                  .names = tests::name_file({}),
                  .games = record + std::string(8 * kMiB, '\0')};
  IndexEntry entry;
  entry.length = static_cast<std::uint32_t>(record.size());
  for (std::uint32_t i = 0; i < kGames; ++i) files.index += tests::index_entry(entry);
  const MemoryFolder folder;
  tests::write_scid_files(files, folder / "x");
  const std::unique_ptr<fs::Library> library = open_library(folder);
  ASSERT_TRUE(tests::shown_databases(*library).front()->database->compute_sizes(0, kGames).ok());
  fs::Tree tree(*library, {.blocks = {.cache_bytes = kMiB, .threads = 1}});
  const auto directory = tree.lookup(fs::kRootInode, "x.si4", tests::unlimited_budget());
  ASSERT_TRUE(directory.ok());
  const auto errors =
      tree.lookup(directory->attributes.inode, "errors.tsv", tests::unlimited_budget());
  ASSERT_TRUE(errors.ok());
  const auto text = tree.read(errors->attributes.inode, 0, kMiB, tests::unlimited_budget());
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(std::string(text->bytes),
              testing::EndsWith("\n_unknown\t\tand more; only the first 2049 are listed\n"));
}

}  // namespace
}  // namespace scidfs::fuzz
