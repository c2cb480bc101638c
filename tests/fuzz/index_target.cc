// The index file: header, entries, and what is kept and told of them.
#include "codec/text.h"
#include "fs/index_line.h"
#include "fs/packed_index.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/scid_files.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::scid::GameEntry;
using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using fs::PackedIndex;

constexpr std::size_t kMostEntries = 150;

void check_text(std::string_view text) {
  require(codec::is_utf8(tests::as_bytes(text)), "a text is no UTF-8");
  for (const char c : text) {
    require(static_cast<unsigned char>(c) >= ' ' && c != 0x7F, "a text has a control character");
  }
}

// What is left of an entry where facts about moves are not kept.
std::string bytes_of(const GameEntry& game) {
  IndexEntry entry;
  static_cast<GameEntry&>(entry) = game;
  return tests::index_entry(entry);
}

void check_entry(const IndexEntry& entry, const fs::IndexLines& lines) {
  const std::string bytes = tests::index_entry(entry);
  const IndexEntry again = codec::scid::parse_index_entry(tests::as_bytes(bytes));
  require(tests::index_entry(again) == bytes, "an entry is read otherwise after it is written");
  codec::TextBuffer text;
  const auto game = static_cast<fs::GameIndex>(entry.offset % 10'000'000);
  lines.append(game, entry, "games", text);
  require(lines.length(game, entry, "games") == text.size(),
          "a line of index.tsv is not as long as announced");
  check_text(codec::scid::home_pawns_to_string(entry));
  check_text(codec::scid::material_to_string(entry.material));
  check_text(codec::scid::flags_to_string(entry.flags));
}

// Packs the entries and takes them out again.
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
    require(bytes_of(packed.entry(game)) == bytes_of(entries[game]), "packing changed an entry");
  }
}

class IndexTarget : public Target {
 public:
  std::string_view name() const override { return "index"; }

  void check(std::string_view input) const override {
    static const codec::scid::Names kNames = codec::scid::parse_names(
        tests::as_bytes(tests::read_file(tests::test_data("scid4/tags.sn4"))));
    static const fs::IndexLines kLines(kNames);
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
      entries.push_back(codec::scid::parse_index_entry(rest));
      check_entry(entries.back(), kLines);
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
    // Without these nothing behind is looked at.
    if (!random.one_in(8)) input.replace(0, 10, tests::index_header(0), 0, 10);
  }
};

}  // namespace

const Target& index_target() {
  static const IndexTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
