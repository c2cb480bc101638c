// The name files: four dictionaries with front coding, and the items of Scid 5.
#include "codec/scid/names.h"
#include "codec/text.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::fuzz {
namespace {

constexpr std::size_t kHeadSize = 36;  // size of the header of a name file
using codec::scid::NameTable;

// The bound on memory for texts and ids, for any declared sizes.
constexpr std::size_t kFreeMemory = std::size_t{2} << 20;
constexpr std::size_t kMostExpansion = 64;

void check_table(const NameTable& table) {
  for (std::uint32_t id = 0; id < table.size() + 2; ++id) {
    const std::string_view text = table.text(id);
    require(codec::is_utf8(tests::as_bytes(text)), "a name is no UTF-8");
    for (const char c : text) {
      require(static_cast<unsigned char>(c) >= ' ' && c != 0x7F, "a name has a control character");
    }
    const std::string escaped = text.empty() ? "?" : codec::pgn_escape(text);
    require(table.pgn(id) == escaped, "a name is escaped otherwise for PGN");
    require(table.contains(id) || text == NameTable::kMissing, "a name that is not there has text");
    // Writers copy whole blocks.
    const std::string_view pgn = table.pgn(id);
    const std::string block(pgn.data(), pgn.size() + NameTable::kPadding);
    require(block.starts_with(escaped), "the padding after a name cannot be read");
  }
}

void check_names(const codec::scid::Names& names, std::size_t file_size) {
  std::size_t memory = 0;
  for (const NameTable& table : names.tables) {
    check_table(table);
    memory += table.size() * sizeof(std::uint64_t);
    for (std::uint32_t id = 0; id < table.size(); ++id) memory += table.text(id).size();
  }
  require(memory <= kFreeMemory + kMostExpansion * file_size, "names take too much memory");
  require(names.status.ok() || !names.status.message().empty(), "a fault without a reason");
}

class NamesTarget : public Target {
 public:
  std::string_view name() const override { return "names"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    check_names(codec::scid::parse_names(exact), input.size());
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("scid4", ".sn4")) {
      std::string bytes = tests::read_file(tests::test_data("scid4/" + stem + ".sn4"));
      if (bytes.size() <= most_bytes()) seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    if (input.size() < kHeadSize || random.one_in(16)) {
      plain(input, most_bytes());
      return;
    }
    const std::string head = input.substr(0, kHeadSize);
    std::string body = input.substr(kHeadSize);
    plain(body, most_bytes() - kHeadSize);
    input = head + body;
    if (!random.one_in(4)) return;
    // Sometimes another count or greatest frequency, and with it other widths.
    constexpr std::array<std::uint32_t, 6> kCounts = {0, 1, 2, 255, 256, 65536};
    const std::size_t field = 12 + 3 * random.below(8);
    tests::patch_big(kCounts[random.below(kCounts.size())], 3, field, input);
  }
};

class Names5Target : public Target {
 public:
  std::string_view name() const override { return "names5"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    const codec::scid::Names names = codec::scid::parse_names5(exact);
    check_names(names, input.size());
    require(names.info.has_value(), "nothing is said of the database");
    require(codec::is_utf8(tests::as_bytes(names.info->description)), "a text is no UTF-8");
    for (const std::string& flag : names.info->custom_flags) {
      require(codec::is_utf8(tests::as_bytes(flag)), "a text is no UTF-8");
    }
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    seeds.push_back({"chess960", tests::read_file(tests::test_data("scid5/chess960.sn5"))});
    for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
      std::string bytes =
          tests::as_scid5(tests::read_scid_files(tests::test_data("scid4/" + stem))).names;
      if (bytes.size() <= most_bytes()) seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    if (!random.one_in(4)) {
      plain(input, most_bytes());
      return;
    }
    constexpr std::array<std::string_view, 6> kTexts = {
        "", "name", "type7", "description", "flag1\xE9", "T\xF6nu \"X\""};
    const std::string text(kTexts[random.below(kTexts.size())]);
    input.insert(random.below(input.size() + 1),
                 tests::name5_item(static_cast<unsigned>(random.below(8)), text));
    input.resize(std::min(input.size(), most_bytes()));
  }
};

}  // namespace

const Target& names5_target() {
  static const Names5Target kTarget;
  return kTarget;
}

const Target& names_target() {
  static const NamesTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
