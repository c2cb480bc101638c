#include "tests/fuzz/damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "cache/hash.h"
#include "tests/fuzz/three_files.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using codec::scid::kNameKinds;
using tests::Random;
using tests::ScidFiles;

constexpr std::size_t kMostBytes = 200;
constexpr std::size_t kGamesOfLarge = 1500;
constexpr std::size_t kNamesHeaderSize = 36;
constexpr std::size_t kStampOffset = 8;
constexpr std::size_t kCountsOffset = 12;

struct File {
  std::string_view name;
  std::string ScidFiles::*bytes;
};
constexpr std::array<File, 3> kFiles = {
    {{"index", &ScidFiles::index}, {"names", &ScidFiles::names}, {"games", &ScidFiles::games}}};

std::string change_bytes(std::string& bytes, Random& random) {
  // One as often as several.
  const std::size_t count = 1 + random.below(random.one_in(2) ? 4 : kMostBytes);
  for (std::size_t i = 0; i < count && !bytes.empty(); ++i) {
    char& byte = bytes[random.below(bytes.size())];
    byte = random.one_in(2) ? static_cast<char>(random.next())
                            : static_cast<char>(byte ^ 1 << random.below(8));
  }
  return fmt::format("{} bytes changed", count);
}

// A bad block, or a block at the wrong place.
std::string overwrite_chunk(std::string& bytes, Random& random) {
  if (bytes.empty()) return "nothing";
  const std::size_t at = random.below(bytes.size());
  const std::size_t size = std::min(bytes.size() - at, std::size_t{1} << random.below(13));
  const std::size_t from = random.below(bytes.size() - size + 1);
  const bool zeros = random.one_in(2);
  bytes.replace(at, size, zeros ? std::string(size, '\0') : bytes.substr(from, size));
  return fmt::format("{} bytes at {} overwritten", size, at);
}

std::string move_bytes(std::string& bytes, Random& random) {
  const std::size_t at = random.below(bytes.size() + 1);
  const std::size_t size = 1 + random.below(100);
  if (random.one_in(2)) {
    bytes.insert(at, size, static_cast<char>(random.next()));
    return fmt::format("{} bytes inserted at {}", size, at);
  }
  bytes.erase(at, size);
  return fmt::format("{} bytes left out at {}", size, at);
}

std::string damage_file(const File& file, ScidFiles& files, const ScidFiles& other,
                        Random& random) {
  std::string& bytes = files.*file.bytes;
  switch (random.below(8)) {
    case 0:
      bytes.resize(random.below(bytes.size() + 1));
      return fmt::format("cut to {} bytes", bytes.size());
    case 1:
      return overwrite_chunk(bytes, random);
    case 2:
      return move_bytes(bytes, random);
    case 3:
      if (random.one_in(2)) {
        bytes = other.*file.bytes;
        return "another database's";
      }
      bytes += (other.*file.bytes).substr(0, random.below(500));
      return "longer";
    default:
      return change_bytes(bytes, random);
  }
}

// The ends of the records of names in a whole name file, by kind and id.
using NameEnds = std::array<std::vector<std::size_t>, kNameKinds>;

NameEnds name_ends(const std::string& file) {
  codec::ByteReader in(tests::as_bytes(file));
  in.take(kCountsOffset);
  std::array<std::uint32_t, kNameKinds> counts{};
  std::array<std::uint32_t, kNameKinds> frequencies{};
  for (std::uint32_t& count : counts) count = in.u24();
  for (std::uint32_t& frequency : frequencies) frequency = in.u24();
  NameEnds ends;
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    ends[kind].resize(counts[kind]);
    for (std::uint32_t i = 0; i < counts[kind]; ++i) {
      const std::uint64_t id = in.big(counts[kind] < 0x10000 ? 2 : 3);
      in.take(frequencies[kind] < 0x100 ? 1 : frequencies[kind] < 0x10000 ? 2 : 3);
      const std::size_t length = in.u8();
      in.take(length - (i == 0 ? 0 : in.u8()));
      ends[kind].at(id) = in.offset();
    }
  }
  return ends;
}

// Up to the first difference, names must be read as before; after it no name is certain.
std::size_t same_names_until(const std::string& names, std::string damaged) {
  if (damaged.size() > kCountsOffset && names.size() > kCountsOffset) {
    damaged.replace(kStampOffset, kCountsOffset - kStampOffset, names, kStampOffset,
                    kCountsOffset - kStampOffset);
  }
  if (damaged == names) return names.size();
  const auto at =
      static_cast<std::size_t>(std::ranges::mismatch(names, damaged).in1 - names.begin());
  return at < kNamesHeaderSize ? 0 : at;
}

std::string_view entry_bytes(const std::string& index, std::uint32_t game) {
  const std::size_t at = kIndexHeaderSize + game * kIndexEntrySize;
  return at + kIndexEntrySize <= index.size() ? std::string_view(index).substr(at, kIndexEntrySize)
                                              : std::string_view();
}

std::uint32_t declared_games(const std::string& index) {
  const auto header = codec::scid::parse_index_header(tests::as_bytes(index));
  return header.ok() ? header->games : 0;
}

}  // namespace

const std::vector<Whole>& whole_databases() {
  static const std::vector<Whole> kDatabases = [] {
    std::vector<Whole> databases;
    for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
      databases.push_back({stem, tests::read_scid_files(tests::test_data("scid4/" + stem))});
    }
    databases.push_back({"sample", tests::read_scid_files(tests::test_data("sample/sample"))});
    for (const std::string stem : {"masters", "annotated"}) {
      const std::string prefix = tests::shared_folder() + "/data/" + stem;
      if (!std::filesystem::exists(prefix + ".si4")) continue;
      databases.push_back({stem, first_games(tests::read_scid_files(prefix), kGamesOfLarge)});
    }
    return databases;
  }();
  return kDatabases;
}

namespace {

// The database whose name gives the highest hash together with this number: an additional fixture
// is drawn for the numbers where it wins, and changes nothing elsewhere.
const Whole& drawn(std::uint64_t number, std::string_view which) {
  return *std::ranges::max_element(whole_databases(), {}, [&](const Whole& whole) {
    return cache::fingerprint(fmt::format("{} {} {}", whole.name, which, number));
  });
}

}  // namespace

Damaged damaged_database(std::uint64_t number) {
  Random random(number);
  const Whole& whole = drawn(number, "the one");
  const ScidFiles& other = drawn(number, "the other").files;
  Damaged damaged{.whole = &whole,
                  .files = whole.files,
                  .what = fmt::format("damaged database {} ({}: ", number, whole.name)};
  for (std::size_t faults = 1 + (random.one_in(3) ? random.below(3) : 0); faults > 0; --faults) {
    const File& file = kFiles[random.below(kFiles.size())];
    damaged.what +=
        fmt::format("{} {}{}", file.name, damage_file(file, damaged.files, other, random),
                    faults == 1 ? ")" : ", ");
  }
  return damaged;
}

bool has_header(const ScidFiles& files) {
  return codec::scid::parse_index_header(tests::as_bytes(files.index)).ok();
}

std::vector<std::uint32_t> untouched_games(const ScidFiles& files, const ScidFiles& damaged) {
  const NameEnds ends = name_ends(files.names);
  const std::size_t same_until = same_names_until(files.names, damaged.names);
  const auto same_name = [&](codec::scid::NameKind kind, std::uint32_t id) {
    const auto& list = ends[static_cast<std::size_t>(kind)];
    return id < list.size() && list[id] <= same_until;
  };
  const std::uint32_t games = std::min(declared_games(files.index), declared_games(damaged.index));
  std::vector<std::uint32_t> untouched;
  for (std::uint32_t game = 0; game < games; ++game) {
    const std::string_view bytes = entry_bytes(files.index, game);
    if (bytes.empty() || entry_bytes(damaged.index, game) != bytes) continue;
    const IndexEntry entry = codec::scid::parse_index_entry(tests::as_bytes(bytes));
    using codec::scid::NameKind;
    const bool same_names =
        same_name(NameKind::Player, entry.white) && same_name(NameKind::Player, entry.black) &&
        same_name(NameKind::Event, entry.event) && same_name(NameKind::Site, entry.site) &&
        same_name(NameKind::Round, entry.round);
    const std::uint64_t end = entry.offset + entry.length;
    if (!same_names || end > files.games.size() || end > damaged.games.size()) continue;
    const std::string_view record =
        std::string_view(files.games).substr(entry.offset, entry.length);
    if (std::string_view(damaged.games).substr(entry.offset, entry.length) == record) {
      untouched.push_back(game);
    }
  }
  return untouched;
}

}  // namespace scidfs::fuzz
