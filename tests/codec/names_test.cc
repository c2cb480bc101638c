#include "codec/scid/names.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/text.h"
#include "tests/support/files.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::HasSubstr;
using tests::as_bytes;
using tests::read_file;
using tests::test_data;

// A dictionary for name_file().
struct Section {
  std::vector<std::pair<std::uint32_t, std::string>> names;  // in the order of the file
  std::uint32_t greatest_frequency = 1;
  std::optional<std::uint32_t> declared = std::nullopt;  // overrides the real count
};

void append_big(std::uint32_t value, std::size_t width, std::string& out) {
  while (width-- > 0) out += static_cast<char>(value >> (8 * width));
}

// Encodes a name file by codec/scid/FORMAT.md, section 2.
std::string name_file(const std::array<Section, kNameKinds>& sections) {
  std::string file("Scid.sn\0\0\0\0\0", 12);
  const auto count = [](const Section& section) {
    return section.declared.value_or(static_cast<std::uint32_t>(section.names.size()));
  };
  for (const Section& section : sections) append_big(count(section), 3, file);
  for (const Section& section : sections) append_big(section.greatest_frequency, 3, file);
  for (const Section& section : sections) {
    const std::uint32_t greatest = section.greatest_frequency;
    const std::string* previous = nullptr;
    for (const auto& [id, name] : section.names) {
      append_big(id, count(section) < 65536 ? 2 : 3, file);
      append_big(greatest, greatest < 256 ? 1 : greatest < 65536 ? 2 : 3, file);
      append_big(static_cast<std::uint32_t>(name.size()), 1, file);
      std::size_t prefix = 0;
      if (previous != nullptr) {
        const auto [end, other] = std::ranges::mismatch(name, *previous);
        prefix = static_cast<std::size_t>(end - name.begin());
        append_big(static_cast<std::uint32_t>(prefix), 1, file);
      }
      file += name.substr(prefix);
      previous = &name;
    }
  }
  return file;
}

Names parse_file4(std::string_view file) {
  // A copy of the exact size, so that a sanitizer detects reads beyond the end.
  const std::vector<std::uint8_t> exact(file.begin(), file.end());
  return parse_names(exact);
}

std::size_t present(const Names& names) {
  std::size_t count = 0;
  for (const NameTable& table : names.tables) {
    for (std::uint32_t id = 0; id < table.size(); ++id) count += table.contains(id);
  }
  return count;
}

// Checks invariants of names from any file, however damaged.
void check_texts(const Names& names) {
  for (const NameTable& table : names.tables) {
    for (std::uint32_t id = 0; id < table.size() + 2; ++id) {
      const std::string_view text = table.text(id);
      ASSERT_TRUE(is_utf8(as_bytes(text)));
      ASSERT_EQ(clean_line(as_bytes(text)), text);
      const std::string_view pgn = table.pgn(id);
      ASSERT_EQ(pgn, text.empty() ? "?" : pgn_escape(text));
      const std::string_view padded(pgn.data(), pgn.size() + NameTable::kPadding);
      ASSERT_GE(std::ranges::count(padded, '?'), 0);  // reads all bytes
    }
  }
}

std::vector<std::string> name_files() {
  std::vector<std::string> files;
  for (const std::string folder : {"scid4", "scid4/handmade"}) {
    for (const std::string& stem : tests::stems_in(folder, ".sn4")) {
      files.push_back(test_data(folder + "/" + stem + ".sn4"));
    }
  }
  return files;
}

std::string handmade(std::string_view name) {
  return read_file(test_data("scid4/handmade/" + std::string(name) + ".sn4"));
}

// Written by Scid: two players, and one name of each other kind.
TEST(Names, MatchesWorkedExample) {
  const Names names = parse_file4(read_file(test_data("scid4/worked_example.sn4")));
  EXPECT_TRUE(names.status.ok());
  EXPECT_EQ(names[NameKind::Player].size(), 2u);
  EXPECT_EQ(names[NameKind::Player].text(0), "Berg, A");
  EXPECT_EQ(names[NameKind::Player].text(1), "Berger, T");
  EXPECT_EQ(names[NameKind::Event].text(0), "City Cup");
  EXPECT_EQ(names[NameKind::Site].text(0), "Oslo NOR");
  EXPECT_EQ(names[NameKind::Round].text(0), "2");
  EXPECT_EQ(names[NameKind::Round].text(1), "?");
  EXPECT_FALSE(names[NameKind::Round].contains(1));
}

TEST(Names, EmptyFileHasNoNames) {
  const Names names = parse_file4(name_file({}));
  EXPECT_TRUE(names.status.ok());
  EXPECT_EQ(present(names), 0u);
}

TEST(Names, TextsAreCleanedAndEscapedForPgn) {
  const Names names = parse_file4(name_file({Section{
      .names = {{0, ""}, {1, R"(A "B" \C)"}, {2, "Caf\xE9"}, {3, "Tab\there"}, {4, "Z"}}}}));
  EXPECT_TRUE(names.status.ok());
  const NameTable& players = names[NameKind::Player];
  EXPECT_EQ(players.text(0), "");
  EXPECT_EQ(players.pgn(0), "?");
  EXPECT_EQ(players.text(1), R"(A "B" \C)");
  EXPECT_EQ(players.pgn(1), R"(A \"B\" \\C)");
  EXPECT_EQ(players.text(2), "Café");
  EXPECT_EQ(players.pgn(2), "Café");
  EXPECT_EQ(players.text(3), "Tab here");
  EXPECT_EQ(players.text(4), "Z");
  EXPECT_EQ(players.pgn(5), "?");
  check_texts(names);
}

// The prefix counts raw bytes, even within a UTF-8 sequence and after a NUL.
TEST(Names, FrontCodingUsesRawBytes) {
  using std::string_literals::operator""s;
  const Names names = parse_file4(name_file({Section{.names = {{0, "Ab\xC3\xA9"},
                                                               {1, "Ab\xC3"},
                                                               {2, "Ab\xC3\xA8"},
                                                               {3, "Ab"},
                                                               {4, "A\0b"s},
                                                               {5, "A\0bc"s},
                                                               {6, "A\xE9\xE9x"},
                                                               {7, "A\xE9\xE9y"}}}}));
  EXPECT_TRUE(names.status.ok());
  const NameTable& players = names[NameKind::Player];
  EXPECT_EQ(players.text(0), "Abé");
  EXPECT_EQ(players.text(1), "AbÃ");
  EXPECT_EQ(players.text(2), "Abè");
  EXPECT_EQ(players.text(3), "Ab");
  EXPECT_EQ(players.text(4), "A");
  EXPECT_EQ(players.text(5), "A");
  EXPECT_EQ(players.text(7), "Aééy");
}

TEST(Names, ReadsLongestNames) {
  const std::string wide(255, '\x80');
  const std::string quotes(255, '"');
  const Names names = parse_file4(name_file({Section{.names = {{0, wide}, {1, quotes}}}}));
  EXPECT_TRUE(names.status.ok());
  EXPECT_EQ(names[NameKind::Player].text(0).size(), 765u);
  EXPECT_EQ(names[NameKind::Player].pgn(1).size(), 510u);
  check_texts(names);
}

// The greatest frequency is 300, so frequencies have two bytes, with ids of two bytes.
TEST(Names, ReadsFrequenciesOfTwoBytes) {
  const std::string file = read_file(test_data("scid4/freq256.sn4"));
  const Names names = parse_file4(file);
  EXPECT_TRUE(names.status.ok()) << names.status.ToString();
  EXPECT_GE(as_bytes(file)[25], 1);  // the middle byte of the greatest frequency of the players
  check_texts(names);
}

TEST(Names, WidthOfFrequenciesDependsOnGreatestFrequency) {
  for (const std::uint32_t greatest : {255u, 256u, 65535u, 65536u}) {
    const Section section = {.names = {{1, "a"}, {0, "ab"}}, .greatest_frequency = greatest};
    const Names names = parse_file4(name_file({section, section, section, section}));
    EXPECT_TRUE(names.status.ok()) << greatest;
    EXPECT_EQ(names[NameKind::Round].text(0), "ab") << greatest;
  }
}

TEST(Names, ReadsIdsOfThreeBytes) {
  for (const std::uint32_t count : {65535u, 65536u, 70001u}) {
    Section players{.names = {}, .greatest_frequency = count};
    const auto id = [count](std::uint32_t i) { return (i * 7919u) % count; };
    for (std::uint32_t i = 0; i < count; ++i) {
      players.names.emplace_back(id(i), "Player " + std::to_string(100000 + i));
    }
    const Names names = parse_file4(name_file({players, Section{.names = {{0, "Event"}}}}));
    ASSERT_TRUE(names.status.ok()) << names.status.ToString();
    ASSERT_EQ(names[NameKind::Player].size(), count);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(names[NameKind::Player].text(id(i)), players.names[i].second);
    }
    EXPECT_EQ(names[NameKind::Event].text(0), "Event");
  }
}

TEST(Names, ReadsOddFilesThatScidOpens) {
  const Names unsorted = parse_file4(handmade("names_unsorted"));
  EXPECT_TRUE(unsorted.status.ok());
  EXPECT_EQ(unsorted[NameKind::Player].text(0), "ZZ");
  EXPECT_EQ(unsorted[NameKind::Player].text(1), "AA");
  EXPECT_TRUE(parse_file4(handmade("names_trailing")).status.ok());
  const Names nul = parse_file4(handmade("names_nul_inside"));
  EXPECT_TRUE(nul.status.ok());
  EXPECT_EQ(nul[NameKind::Player].text(0), "Z");
  EXPECT_EQ(nul[NameKind::Player].text(1), "zz");
  const Names latin1 = parse_file4(handmade("text_latin1_raw"));
  EXPECT_EQ(latin1[NameKind::Player].text(1), "Karpov");
  EXPECT_EQ(latin1[NameKind::Player].text(0), "Müller, Jürgen");
  EXPECT_EQ(latin1[NameKind::Event].text(0), "Genève");
}

struct Broken {
  std::string name;
  std::string fault;
  std::size_t kept;
};

class BrokenNames : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenNames, AreReportedAndSalvaged) {
  const Names names = parse_file4(handmade(GetParam().name));
  EXPECT_EQ(names.status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(names.status.message()), HasSubstr(GetParam().fault));
  EXPECT_EQ(present(names), GetParam().kept) << names.status.ToString();
  check_texts(names);
}

INSTANTIATE_TEST_SUITE_P(
    Handmade, BrokenNames,
    ::testing::Values(Broken{"bad_magic_names", "wrong magic", 0},
                      Broken{"names_bad_prefix", "prefix is longer than its name", 1},
                      Broken{"names_prefix_beyond_previous", "longer than the name before", 1},
                      Broken{"names_duplicate_id", "there twice", 4},
                      Broken{"names_duplicate_text", "there twice", 5},
                      Broken{"names_id_out_of_range", "out of range", 4},
                      Broken{"names_truncated", "round names: the file ends in name 1 of 1", 4}),
    [](const auto& test) { return test.param.name; });

TEST(BrokenNames, FirstOfTwoNamesWithTheSameIdWins) {
  const Names names = parse_file4(
      name_file({Section{.names = {{0, "a"}, {0, "b"}, {2, "c"}}}, Section{.names = {{0, "e"}}}}));
  EXPECT_THAT(
      std::string(names.status.message()),
      ::testing::AllOf(HasSubstr("player names: id 0 is there twice"), HasSubstr("byte 41")));
  EXPECT_EQ(names[NameKind::Player].text(0), "a");
  EXPECT_FALSE(names[NameKind::Player].contains(1));
  EXPECT_EQ(names[NameKind::Player].text(1), "?");
  EXPECT_EQ(names[NameKind::Player].text(2), "c");
  EXPECT_EQ(names[NameKind::Event].text(0), "e");
}

TEST(BrokenNames, PrefixIsAtMostThePrecedingName) {
  std::string file = name_file({Section{.names = {{0, "abcd"}, {1, "abc"}}}});
  EXPECT_EQ(parse_file4(file)[NameKind::Player].text(1), "abc");
  ASSERT_EQ(file.back(), 3);  // the prefix
  file.back() = 4;
  const Names names = parse_file4(file);
  EXPECT_THAT(std::string(names.status.message()), HasSubstr("longer than its name"));
  EXPECT_FALSE(names[NameKind::Player].contains(1));
}

TEST(BrokenNames, TruncationKeepsNamesBeforeIt) {
  for (const std::string& path : name_files()) {
    SCOPED_TRACE(path);
    const std::string file = read_file(path);
    const Names whole = parse_file4(file);
    check_texts(whole);
    std::size_t before = 0;
    for (std::size_t size = 0; size < file.size(); ++size) {
      const Names part = parse_file4(std::string_view(file).substr(0, size));
      const std::size_t count = present(part);
      ASSERT_GE(count, before) << size;
      if (count < present(whole)) {
        ASSERT_FALSE(part.status.ok()) << size;
      }
      before = count;
      for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
        const NameTable& table = part.tables[kind];
        for (std::uint32_t id = 0; id < table.size(); ++id) {
          if (table.contains(id)) {
            ASSERT_EQ(table.text(id), whole.tables[kind].text(id));
          }
        }
      }
    }
    ASSERT_LE(before, present(whole));
  }
}

TEST(BrokenNames, AnyChangedByteGivesValidTexts) {
  std::mt19937 random(1);
  for (const std::string& path : name_files()) {
    const std::string file = read_file(path);
    for (std::size_t at = 0; at < file.size(); ++at) {
      for (const int change : {0x01, 0x80, 0xFF, static_cast<int>(random() % 255 + 1)}) {
        std::string changed = file;
        changed[at] = static_cast<char>(changed[at] ^ change);
        check_texts(parse_file4(changed));
      }
    }
  }
}

TEST(BrokenNames, DeclaredCountsDoNotDriveMemory) {
  const std::array<std::uint32_t, kNameKinds> limits = {(1 << 20) - 1, (1 << 19) - 1, (1 << 19) - 1,
                                                        (1 << 18) - 1};
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    std::array<Section, kNameKinds> sections;
    sections[kind] = {.names = {{0, "a"}, {5, "b"}, {1000000, "c"}}, .declared = limits[kind]};
    const Names names = parse_file4(name_file(sections));
    EXPECT_FALSE(names.status.ok());
    EXPECT_EQ(present(names), 2u);
    EXPECT_EQ(names.tables[kind].text(5), "b");
    EXPECT_LT(names.tables[kind].size(), 100u);

    sections[kind].declared = limits[kind] + 1;
    const Names beyond = parse_file4(name_file(sections));
    EXPECT_THAT(std::string(beyond.status.message()), HasSubstr("are declared"));
    EXPECT_EQ(present(beyond), 0u);
  }
}

// A few bytes each expand to 765.
TEST(BrokenNames, HostileFrontCodingDoesNotDriveMemory) {
  Section players;
  for (std::uint32_t id = 0; id < 20000; ++id) {
    std::string name(255, '\x80');
    name[254] = static_cast<char>(id % 2);
    players.names.emplace_back(id, name);
  }
  const std::string file = name_file({players});
  const Names names = parse_file4(file);
  EXPECT_THAT(std::string(names.status.message()), HasSubstr("too long for a file of this size"));
  EXPECT_GT(present(names), 5000u);
  std::size_t text = 0;
  for (std::uint32_t id = 0; id < players.names.size(); ++id) {
    if (names[NameKind::Player].contains(id)) text += names[NameKind::Player].text(id).size();
  }
  EXPECT_LT(text, 64 * file.size() + 65536);
  check_texts(names);
}

// What a file of the cache folder has.
TEST(NamesOfAnother, AreMissingUnlessTheyLieWithinTheTexts) {
  const std::string name = "M\xC3\xBCller";
  const std::string texts = name + std::string(NameTable::kPadding, '\0');
  const auto of = [](std::uint32_t offset, unsigned length, unsigned pgn_length,
                     std::string_view bytes) {
    NameTable::Slot slot{.offset = offset, .present = 1};
    slot.length = length & 0x7FFFU;
    slot.pgn_length = pgn_length & 0x7FFFU;
    const NameTable table = NameTable::of(std::span(&slot, 1), bytes);
    EXPECT_EQ(table.contains(0), table.text(0) != NameTable::kMissing);
    return fmt::format("{} {}", table.text(0), table.pgn(0));
  };
  EXPECT_EQ(of(0, 7, 0, texts), name + " " + name);
  EXPECT_EQ(of(0, 1, 2, texts), "M \xC3\xBC");
  EXPECT_EQ(of(3, 4, 0, texts), "ller ller");
  EXPECT_EQ(of(0, 8, 0, texts), "? ?");  // padding is missing
  EXPECT_EQ(of(0, 4, 4, texts), "? ?");
  EXPECT_EQ(of(~0U, 1, 0, texts), "? ?");
  EXPECT_EQ(of(0, 0, 0, texts.substr(0, 5)), "? ?");
  EXPECT_EQ(of(0, 1, 0, texts.substr(0, 5)), "? ?");
}

}  // namespace
}  // namespace scidfs::codec::scid
