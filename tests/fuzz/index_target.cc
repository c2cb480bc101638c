// The index files: header, entries, and their packed form and text.
#include "fs/database/index_tsv_line.h"
#include "fs/database/packed_index.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::scid::GameEntry;
using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using fs::PackedIndex;

constexpr std::size_t kMostEntries = 150;

const fs::IndexTsvLines& some_lines() {
  static const codec::scid::Names kNames = codec::scid::parse_names(
      tests::as_bytes(tests::read_file(tests::test_data("scid4/tags.sn4"))));
  static const fs::IndexTsvLines kLines(kNames);
  return kLines;
}

void check_entry(const IndexEntry& entry) {
  const fs::IndexTsvLines& lines = some_lines();
  codec::TextBuffer text;
  const auto game = static_cast<fs::GameIndex>(entry.offset % 10'000'000);
  lines.append(game, entry, "games", text);
  require(lines.length(game, entry, "games") == text.size(),
          "a line of index.tsv is not as long as announced");
  check_text(codec::scid::home_pawns_to_string(entry));
  check_text(codec::scid::material_to_string(entry.material));
  check_text(codec::scid::flags_to_string(entry.flags));
}

// Packs the entries and unpacks them.
void check_packed(const std::vector<IndexEntry>& entries) {
  std::vector<PackedIndex::Segment> segments(1);
  for (std::size_t first = 0; first < entries.size(); first += PackedIndex::kBlock) {
    const std::size_t last = std::min(first + PackedIndex::kBlock, entries.size());
    segments[0].add_block(
        std::vector<GameEntry>(entries.begin() + static_cast<std::ptrdiff_t>(first),
                               entries.begin() + static_cast<std::ptrdiff_t>(last)));
  }
  segments[0].finish();
  const PackedIndex packed(std::move(segments));
  for (std::uint32_t game = 0; game < entries.size(); ++game) {
    require(packed.entry(game) == entries[game], "packing changed an entry");
  }
}

class IndexTarget : public Target {
 public:
  std::string_view name() const override { return "index"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    const auto header = codec::scid::parse_index_header(exact);
    if (header.ok()) {
      check_text(header->description);
      for (const std::string& flag : header->custom_flags) check_text(flag);
    }
    if (exact.size() < kIndexHeaderSize) {
      require(!header.ok(), "half a header is none");
      return;
    }
    std::vector<IndexEntry> entries;
    for (Bytes rest = Bytes(exact).subspan(kIndexHeaderSize);
         rest.size() >= kIndexEntrySize && entries.size() < kMostEntries;
         rest = rest.subspan(kIndexEntrySize)) {
      const IndexEntry entry = codec::scid::parse_index_entry(rest);
      const std::string bytes = tests::index_entry(entry);
      const IndexEntry again = codec::scid::parse_index_entry(tests::as_bytes(bytes));
      require(tests::index_entry(again) == bytes, "an entry is read otherwise after it is written");
      check_entry(entry);
      entries.push_back(entry);
    }
    if (!entries.empty()) check_packed(entries);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
      std::string bytes = tests::read_file(tests::test_data("scid4/" + stem + ".si4"));
      bytes.resize(std::min(bytes.size(), most_bytes()));
      seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    plain(input, most_bytes());
    // Without these, the rest is not examined.
    if (!random.one_in(8)) input.replace(0, 10, tests::index_header(0), 0, 10);
  }
};

class Index5Target : public Target {
 public:
  std::string_view name() const override { return "index5"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    const auto header = codec::scid::parse_index5_header(exact, exact.size());
    if (!header.ok()) {
      require(exact.size() >= 8 && exact[0] == 'S', "an index is refused without a reason");
      return;
    }
    const codec::scid::IndexLayout& layout = *header->layout;
    require(header->games == exact.size() / layout.entry_size, "games are counted otherwise");
    std::vector<IndexEntry> entries;
    for (Bytes rest = exact; rest.size() >= layout.entry_size && entries.size() < kMostEntries;
         rest = rest.subspan(layout.entry_size)) {
      const IndexEntry entry = layout.parse_entry(rest);
      const std::string bytes = tests::index5_entry(entry);
      const IndexEntry again = layout.parse_entry(tests::as_bytes(bytes));
      require(tests::index5_entry(again) == bytes,
              "an entry is read otherwise after it is written");
      require(again == entry, "an entry is another one after it is written");
      check_entry(entry);
      entries.push_back(entry);
    }
    if (!entries.empty()) check_packed(entries);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    seeds.push_back({"chess960", tests::read_file(tests::test_data("scid5/chess960.si5"))});
    for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
      std::string bytes =
          tests::as_scid5(tests::read_scid_files(tests::test_data("scid4/" + stem))).index;
      bytes.resize(std::min(bytes.size(), most_bytes()));
      seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random&, PlainMutator plain) const override {
    plain(input, most_bytes());
  }
};

}  // namespace

const Target& index5_target() {
  static const Index5Target kTarget;
  return kTarget;
}

const Target& index_target() {
  static const IndexTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
