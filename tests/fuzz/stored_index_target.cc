// An index file of the cache folder with right checksums, beside the database that it is of: what
// a mount shows by it may be wrong, but nothing else happens.
#include <sanitizer/asan_interface.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/database/database.h"
#include "fs/database/stored_index.h"
#include "fs/library/library.h"
#include "fs/reference/reference.h"
#include "tests/fuzz/target.h"
#include "tests/fuzz/three_files.h"
#include "tests/support/careless_walk.h"
#include "tests/support/files.h"
#include "tests/support/index_sections.h"
#include "tests/support/library.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using tests::IndexSections;
using tests::Random;

constexpr std::size_t kGames = 150;  // two blocks, of which one is not full
constexpr std::size_t kEachDeleted = 7;
constexpr std::size_t kLarge = 40'000;

// The sample's first games, some of them deleted.
tests::ScidFiles some_games() {
  tests::ScidFiles files =
      first_games(tests::read_scid_files(tests::test_data("sample/sample")), kGames);
  for (std::size_t game = 3; game < kGames; game += kEachDeleted) {
    const std::size_t at = kIndexHeaderSize + game * kIndexEntrySize;
    IndexEntry entry = codec::scid::parse_index_entry(
        tests::as_bytes(std::string_view(files.index).substr(at, kIndexEntrySize)));
    entry.flags ^= 1U << codec::scid::kFlagDeleted;
    files.index.replace(at, kIndexEntrySize, tests::index_entry(entry));
  }
  return files;
}

// A database with its index file, until the program ends.
class Stored {
 public:
  Stored() {
    tests::write_scid_files(some_games(), source_ / "any");
    auto reference = std::make_shared<fs::Reference>();
    reference->spelling = std::make_shared<const fs::SpellingLoad>(
        *fs::Spelling::load(*fs::SourceFile::open(tests::test_data("spelling/people.ssp")), {}));
    options_.database.reference = std::move(reference);
    options_.database.cache_folder = cache_.path();
    options_.database.index_bytes = kLarge * kLarge;
    options_.database.index_games = 1;
    options_.threads = 1;
    const auto database =
        fs::Database::open(source_ / "any.si4", "any.si4", options_.database).value();
    require(database->compute_sizes(0, database->games()).ok(), "sizes cannot be computed");
    fs::save_stored_index(*database, [] { return false; });
    for (const auto& file : std::filesystem::directory_iterator(cache_.path())) {
      if (file.path().extension() == ".index") path_ = file.path();
    }
    require(!path_.empty(), "no index file was made");
    whole_ = IndexSections::of(tests::read_file(path_));
  }

  const IndexSections& whole() const { return whole_; }
  // Opens the database with another index file.
  std::unique_ptr<fs::Library> open(const std::string& file) const {
    tests::write_file(path_, file);
    return std::move(fs::Library::open(source_ / "any.si4", options_).value());
  }

 private:
  tests::MemoryFolder source_;
  tests::MemoryFolder cache_;
  fs::LibraryOptions options_ = tests::without_patience();
  std::filesystem::path path_;
  IndexSections whole_;
};

const Stored& stored_file() {
  static const Stored kStored;
  return kStored;
}

// Returns the sections of an input as a file of the right key.
std::string with_checksums(std::string_view input) {
  IndexSections sections = IndexSections::of(input);
  sections.key = stored_file().whole().key;
  sections.damage_texts();
  return sections.file();
}

// Has the address sanitizer find reads behind the sections of an index file, as far as there is
// padding: all of them lie in one piece of memory.
class Fences {
 public:
  explicit Fences(const fs::StoredIndex& index) {
    constexpr std::uintptr_t kAlignment = 64;  // of sections
    for (const auto& [number, whole] : stored_file().whole().bytes) {
      const codec::Bytes section = index.bytes(static_cast<fs::StoredPart>(number));
      if (section.empty()) continue;
      const std::uint8_t* const end = section.data() + section.size();
      const std::size_t padding = -reinterpret_cast<std::uintptr_t>(end) % kAlignment;
      if (padding != 0) fences_.emplace_back(end, padding);
    }
    for (const codec::Bytes fence : fences_) ASAN_POISON_MEMORY_REGION(fence.data(), fence.size());
  }
  ~Fences() {
    for (const codec::Bytes fence : fences_) {
      ASAN_UNPOISON_MEMORY_REGION(fence.data(), fence.size());
    }
  }
  Fences(const Fences&) = delete;
  Fences& operator=(const Fences&) = delete;

 private:
  std::vector<codec::Bytes> fences_;
};

// What no listing has.
constexpr std::array<std::string_view, 9> kAsked = {
    "search/result=1-0/games.pgn",
    "search/date=1900..2020/opponent=*a*/summary.txt",
    "search/not-eco=B/players.tsv",
    "search/event=*a*/round=1*/years.tsv",
    "search/plies=40../moves.tsv",
    "search/played=Nf3/index.tsv",
    "search/month=1..6/year=1900../openings.tsv",
    "tree/e4/moves.tsv",
    "tree/d4/explorer.json",
};

template <class Number>
void change_number(std::string& section, Random& random) {
  if (section.size() < sizeof(Number)) return;
  const std::size_t at = random.below(section.size() / sizeof(Number)) * sizeof(Number);
  Number number = 0;
  std::memcpy(&number, section.data() + at, sizeof number);
  switch (random.below(6)) {
    case 0:
      number = 0;
      break;
    case 1:
      number = static_cast<Number>(~Number{0});
      break;
    case 2:
      number = static_cast<Number>(number + 1);
      break;
    case 3:
      number = static_cast<Number>(number - 1);
      break;
    case 4:
      number = static_cast<Number>(number ^ Number{1} << random.below(8 * sizeof number));
      break;
    default:
      number = static_cast<Number>(random.next());
  }
  std::memcpy(section.data() + at, &number, sizeof number);
}

class StoredIndexTarget : public Target {
 public:
  std::string_view name() const override { return "stored_index"; }
  std::size_t most_bytes() const override { return kLarge; }

  void check(std::string_view input) const override {
    const std::unique_ptr<fs::Library> library = stored_file().open(with_checksums(input));
    const fs::DatabasePtr database = tests::shown_databases(*library).at(0)->database;
    require(database->is_stored() || database->found_unfit(), "right checksums count for nothing");
    if (!database->is_stored()) return;
    const Fences fences(*database->loaded().stored());
    fs::Tree tree(*library, {.blocks = {.cache_bytes = kLarge, .threads = 1}});
    tests::CarelessWalk walk(tree);
    walk.directory(fs::kRootInode);
    for (const std::string_view path : kAsked) walk.path(path);
    for (fs::GameIndex game = 0; game < database->games(); ++game) {
      (void)database->lists().event_of(database->entry(game));
    }
    // It is the file's own again when it is saved anew.
    (void)database->store(tests::unlimited_budget());
  }

  std::vector<Seed> seeds() const override {
    return {{.name = "whole", .bytes = stored_file().whole().file()}};
  }

  void mutate(std::string& input, Random& random, PlainMutator plain) const override {
    IndexSections sections = IndexSections::of(input);
    // Most changes leave a file that does not fit, of which nothing is learned any more.
    if (random.one_in(3)) sections = stored_file().whole();
    if (sections.bytes.empty() || random.one_in(16)) return plain(input, most_bytes());
    const auto some_section = [&]() -> std::string& {
      return std::next(sections.bytes.begin(),
                       static_cast<std::ptrdiff_t>(random.below(sections.bytes.size())))
          ->second;
    };
    std::string& section = some_section();
    switch (random.below(12)) {
      case 0:
        section = some_section();
        break;
      case 1:
        section.resize(random.below(section.size() + 1));
        break;
      case 2:
      case 3:
      case 4:
        plain(section, section.size() + 64);
        break;
      case 5:
        change_number<std::uint8_t>(section, random);
        break;
      case 6:
      case 7:
        change_number<std::uint16_t>(section, random);
        break;
      case 8:
      case 9:
        change_number<std::uint32_t>(section, random);
        break;
      default:
        change_number<std::uint64_t>(section, random);
    }
    std::string file = sections.file();
    if (file.size() <= most_bytes()) input = std::move(file);
  }
};

}  // namespace

const Target& stored_index_target() {
  static const StoredIndexTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
