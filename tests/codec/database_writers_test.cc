// Index and name files that are parsed and written again keep their bytes.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "codec/scid/index_writer.h"
#include "codec/scid/names_writer.h"
#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::codec::scid {
namespace {

using tests::ScidDatabase;

// Returns the index of a database, written again.
std::string index_again(const ScidDatabase& database) {
  std::vector<std::uint8_t> out;
  const bool is_scid4 = database.header().layout == &kScid4Index;
  if (is_scid4) append_index4_header(database.header(), out);
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    if (is_scid4) {
      append_index4_entry(database.entry(game), out);
    } else {
      append_index5_entry(database.entry(game), out);
    }
  }
  return std::string(as_text(out));
}

TEST(IndexWriter, WritesTheBytesOfScid) {
  for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
    const std::string prefix = tests::test_data("scid4/" + stem);
    const std::string index = tests::read_file(prefix + ".si4");
    const std::string again = index_again(ScidDatabase(prefix));
    ASSERT_EQ(again.size(), index.size()) << stem;
    std::size_t different = 0;
    for (std::size_t i = 0; i < index.size(); ++i) different += again[i] != index[i] ? 1 : 0;
    // A game of unknown date that had an event date: Scid stores another kind of none.
    EXPECT_EQ(different, stem == "dates" || stem == "tags" ? 1u : 0u) << stem;
  }
  for (const std::string& stem : tests::stems_in("scid5", ".si5")) {
    const std::string prefix = tests::test_data("scid5/" + stem);
    EXPECT_EQ(index_again(ScidDatabase(prefix, ".si5")), tests::read_file(prefix + ".si5")) << stem;
  }
}

// Returns the names of a database, written again for Scid 4, with the frequencies of its games.
std::string names_again(const ScidDatabase& database) {
  std::array<std::vector<NameUses>, kNameKinds> names;
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    const NameTable& table = database.names().tables[kind];
    for (std::uint32_t id = 0; id < table.size(); ++id) {
      names[kind].push_back({.name = table.text(id)});
    }
  }
  const auto use = [&names](NameKind kind, std::uint32_t id) {
    ++names[static_cast<std::size_t>(kind)][id].uses;
  };
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const IndexEntry entry = database.entry(game);
    use(NameKind::Player, entry.white);
    use(NameKind::Player, entry.black);
    use(NameKind::Event, entry.event);
    use(NameKind::Site, entry.site);
    use(NameKind::Round, entry.round);
  }
  std::vector<std::uint8_t> out;
  append_names4({names[0], names[1], names[2], names[3]}, out);
  return std::string(as_text(out));
}

TEST(NamesWriter, WritesTheBytesOfScid) {
  for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
    const std::string prefix = tests::test_data("scid4/" + stem);
    EXPECT_EQ(names_again(ScidDatabase(prefix)), tests::read_file(prefix + ".sn4")) << stem;
  }
}

TEST(NamesWriter, WritesWideIdsAndFrequencies) {
  constexpr std::uint32_t kNames = 70'001;
  std::vector<std::string> texts;
  for (std::uint32_t id = 0; id < kNames; ++id) texts.push_back(std::to_string(id * 7919 % kNames));
  std::vector<NameUses> players;
  for (const std::string& text : texts) players.push_back({.name = text});
  players[3].uses = 70'000;
  std::vector<std::uint8_t> out;
  append_names4({players, {}, {}, {}}, out);
  const Names names = parse_names(out);
  EXPECT_TRUE(names.status.ok()) << names.status;
  const NameTable& table = names[NameKind::Player];
  ASSERT_EQ(table.size(), kNames);
  for (std::uint32_t id = 0; id < kNames; ++id) ASSERT_EQ(table.text(id), texts[id]);
}

TEST(NamesWriter, WritesNamesAndPropertiesOfScid5) {
  DatabaseInfo info;
  info.type = 3;
  info.autoload = 7;
  info.description = "My games";
  info.custom_flags[1] = "two";
  std::vector<std::uint8_t> out;
  append_name5(NameKind::Event, "Cup", out);
  append_name5(NameKind::Player, std::string(300, 'p'), out);
  append_info5(info, out);
  append_info5({}, out);
  const std::string expected =
      tests::name5_item(1, "Cup") + tests::name5_item(0, std::string(300, 'p')) +
      tests::name5_item(4, "type3") + tests::name5_item(4, "autoload7") +
      tests::name5_item(4, "descriptionMy games") + tests::name5_item(4, "flag2two");
  EXPECT_EQ(as_text(out), expected);
}

TEST(IndexWriter, CutsTextsBeforeACharacter) {
  IndexHeader header;
  header.description = std::string(106, 'd') + "\u00e4";
  header.custom_flags[5] = "123456789";
  std::vector<std::uint8_t> out;
  append_index4_header(header, out);
  ASSERT_EQ(out.size(), kIndexHeaderSize);
  const IndexHeader parsed = parse_index_header(out).value();
  EXPECT_EQ(parsed.description, std::string(106, 'd'));
  EXPECT_EQ(parsed.custom_flags[5], "12345678");
}

}  // namespace
}  // namespace scidfs::codec::scid
