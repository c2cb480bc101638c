// Any three files as a database, mounted in process, walked and read in full.
#include <fmt/format.h>

#include <array>

#include "tests/fuzz/target.h"
#include "tests/fuzz/three_files.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/scid_formats.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/tree_walk.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::IndexEntry;
using codec::scid::IndexLayout;
using tests::Random;
using tests::ScidFiles;

// Larger inputs are only slow: a text may have many times the bytes of its record.
constexpr std::uint64_t kMostRecordBytes = 500'000;
constexpr std::size_t kMostIndexBytes = 20'000;
constexpr std::size_t kSeedGames = 12;

// Small numbers and those at the limits of the fields.
std::uint32_t some_number(Random& random, std::size_t bits) {
  const std::uint32_t most = (std::uint32_t{1} << bits) - 1;
  switch (random.below(4)) {
    case 0:
      return most - static_cast<std::uint32_t>(random.below(2));
    case 1:
      return static_cast<std::uint32_t>(random.next()) & most;
    default:
      return static_cast<std::uint32_t>(random.below(4)) & most;
  }
}

void change_entry(IndexEntry& entry, std::size_t games_size, Random& random) {
  switch (random.below(10)) {
    case 0:
      entry.offset = random.below(games_size + 2);
      break;
    case 1:
      entry.length = static_cast<std::uint32_t>(random.below(games_size + 2)) & 0x1FFFF;
      break;
    case 2:
      entry.white = some_number(random, 20);
      break;
    case 3:
      entry.black = some_number(random, 20);
      break;
    case 4:
      entry.event = some_number(random, 19);
      break;
    case 5:
      entry.site = some_number(random, 19);
      break;
    case 6:
      entry.round = some_number(random, 18);
      break;
    case 7:
      entry.flags ^= 1U << random.below(codec::scid::kFlagCount);
      break;
    case 8:
      entry.date = {.year = static_cast<std::uint16_t>(some_number(random, 11)),
                    .month = static_cast<std::uint8_t>(random.below(16)),
                    .day = static_cast<std::uint8_t>(random.below(32))};
      break;
    default:
      entry.eco = static_cast<codec::EcoCode>(some_number(random, 16));
  }
}

// The formats that differ in all of their files.
struct Kind {
  std::string_view target;
  std::string_view index_suffix;
  const IndexLayout& layout;
  std::string (*write_entry)(const IndexEntry& entry);
};

class DatabaseTarget : public Target {
 public:
  explicit DatabaseTarget(const Kind& kind) : kind_(kind) {}

  std::string_view name() const override { return kind_.target; }
  std::size_t most_bytes() const override { return 40'000; }

  void check(std::string_view input) const override {
    static const tests::MemoryFolder kFolder;
    std::filesystem::create_directory(kFolder.path() / kind_.target);
    const ScidFiles files = unpack_files(input);
    if (record_bytes(files, kind_.layout) > kMostRecordBytes ||
        files.index.size() > kMostIndexBytes)
      return;
    tests::write_scid_files(files, kFolder.path() / kind_.target / "any", kind_.index_suffix);
    fs::LibraryOptions options = tests::without_patience();
    options.threads = 1;
    const auto library = fs::Library::open(kFolder.path() / kind_.target, options);
    require(library.ok(), "a folder cannot be opened");
    tests::WalkedTree walked = tests::walk_library(**library);
    require(walked.faults.empty(), walked.faults.empty() ? "" : walked.faults[0]);
    const bool refused = walked.files["info.txt"].find("\nrefused: ") != std::string::npos;
    require(refused == ((*library)->catalog()->databases() == 0), "neither shown nor refused");
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const char* const folder : {"scid4", "scid4/handmade", "sample"}) {
      for (const std::string& stem : tests::stems_in(folder, ".si4")) {
        const std::string prefix = tests::test_data(std::string(folder) + "/" + stem);
        if (!std::filesystem::exists(prefix + ".sn4") ||
            !std::filesystem::exists(prefix + ".sg4")) {
          continue;
        }
        ScidFiles files = tests::read_scid_files(prefix);
        if (pack_files(files).size() > most_bytes() &&
            files.index.size() > codec::scid::kIndexHeaderSize) {
          files = first_games(files, kSeedGames);
        }
        if (is_scid5()) {
          // Damaged files exist in this format only.
          if (std::string_view(folder).ends_with("handmade")) continue;
          files = tests::as_scid5(files);
        }
        std::string bytes = pack_files(files);
        if (bytes.size() <= most_bytes()) seeds.push_back({stem, std::move(bytes)});
      }
    }
    if (is_scid5()) {
      seeds.push_back({"chess960", pack_files(tests::read_scid_files(
                                       tests::test_data("scid5/chess960"), ".si5"))});
    }
    return seeds;
  }

  void mutate(std::string& input, Random& random, PlainMutator plain) const override {
    ScidFiles files = unpack_files(input);
    if (files.index.size() < kind_.layout.header_size || random.one_in(32)) {
      plain(input, most_bytes());
      return;
    }
    const std::string header = files.index.substr(0, kind_.layout.header_size);
    switch (random.below(8)) {
      case 0:
        plain(files.index, files.index.size() + 2 * kind_.layout.entry_size);
        break;
      case 1:
      case 2:
        plain(files.names, files.names.size() + 100);
        break;
      case 3:
      case 4:
        record_target().mutate(files.games, random, plain);
        break;
      case 5:
        add_game(files, random);
        break;
      default:
        change_some_entry(files, random);
    }
    if (!random.one_in(8))
      files.index.replace(0, std::min(files.index.size(), header.size()), header);
    if (!random.one_in(8) && !is_scid5() && files.index.size() >= kind_.layout.header_size) {
      const std::size_t games = count_games(files);
      tests::patch_big(static_cast<std::uint32_t>(games), 3, tests::kGameCountOffset, files.index);
    }
    input = pack_files(files);
  }

 private:
  bool is_scid5() const { return &kind_.layout == &codec::scid::kScid5Index; }
  std::size_t count_games(const ScidFiles& files) const {
    return (files.index.size() - kind_.layout.header_size) / kind_.layout.entry_size;
  }

  void add_game(ScidFiles& files, Random& random) const {
    std::string record = tests::random_game(random, {.plies = random.below(60)}).record();
    if (random.one_in(2)) mutate_bytes(record, record.size() + 10, random);
    IndexEntry entry;
    entry.offset = files.games.size();
    entry.length = static_cast<std::uint32_t>(record.size());
    for (int changes = 0; changes < 6; ++changes) {
      change_entry(entry, files.games.size() + record.size(), random);
    }
    files.index += kind_.write_entry(entry);
    files.games += record;
  }

  void change_some_entry(ScidFiles& files, Random& random) const {
    const IndexLayout& layout = kind_.layout;
    const std::size_t games = count_games(files);
    if (games == 0) return;
    const std::size_t at = layout.header_size + random.below(games) * layout.entry_size;
    IndexEntry entry = layout.parse_entry(
        tests::as_bytes(std::string_view(files.index).substr(at, layout.entry_size)));
    change_entry(entry, files.games.size(), random);
    files.index.replace(at, layout.entry_size, kind_.write_entry(entry));
  }

  const Kind kind_;
};

}  // namespace

const Target& database_target() {
  static const DatabaseTarget kTarget({.target = "database",
                                       .index_suffix = ".si4",
                                       .layout = codec::scid::kScid4Index,
                                       .write_entry = tests::index_entry});
  return kTarget;
}

const Target& database5_target() {
  static const DatabaseTarget kTarget({.target = "database5",
                                       .index_suffix = ".si5",
                                       .layout = codec::scid::kScid5Index,
                                       .write_entry = tests::index5_entry});
  return kTarget;
}

}  // namespace scidfs::fuzz
