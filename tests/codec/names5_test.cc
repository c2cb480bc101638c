// The name file of Scid 5.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/scid/names.h"
#include "tests/support/files.h"
#include "tests/support/scid_formats.h"

namespace scidfs::codec::scid {
namespace {

using ::testing::HasSubstr;
using tests::name5_item;

enum Type : unsigned { kPlayer, kEvent, kSite, kRound, kInfo };

// From a separate allocation, so that a sanitizer detects reads beyond the end.
Names parse_file5(std::string_view file) {
  return parse_names5(std::vector<std::uint8_t>(file.begin(), file.end()));
}

TEST(Names5, ReadsExampleOfTheFormat) {
  const Names names = parse_file5(
      "\xA1\x01"
      "26. Leon Masters g20"
      "\x42"
      "Leon ESP"
      "\x0B"
      "4");
  EXPECT_TRUE(names.status.ok()) << names.status;
  EXPECT_EQ(names[NameKind::Event].text(0), "26. Leon Masters g20");
  EXPECT_EQ(names[NameKind::Site].text(0), "Leon ESP");
  EXPECT_EQ(names[NameKind::Round].text(0), "4");
  EXPECT_EQ(names[NameKind::Player].size(), 0u);
}

TEST(Names5, NumbersEachKindSeparately) {
  const Names names = parse_file5(name5_item(kPlayer, "a") + name5_item(kRound, "1") +
                                  name5_item(kPlayer, "b") + name5_item(kPlayer, "a"));
  EXPECT_EQ(names[NameKind::Player].size(), 3u);
  EXPECT_EQ(names[NameKind::Player].text(1), "b");
  EXPECT_EQ(names[NameKind::Player].text(2), "a");
  EXPECT_EQ(names[NameKind::Round].text(0), "1");
  EXPECT_EQ(names[NameKind::Player].text(3), "?");
}

TEST(Names5, CleansAndEscapesTexts) {
  const Names names = parse_file5(name5_item(kPlayer, "T\xF6nu \"X\"") + name5_item(kEvent, ""));
  EXPECT_EQ(names[NameKind::Player].text(0), "T\u00F6nu \"X\"");
  EXPECT_EQ(names[NameKind::Player].pgn(0), "T\u00F6nu \\\"X\\\"");
  EXPECT_EQ(names[NameKind::Event].text(0), "");
  EXPECT_EQ(names[NameKind::Event].pgn(0), "?");
}

TEST(Names5, ReadsDescriptionTypeAndFlagsOfDatabase) {
  const Names names = parse_file5(name5_item(kInfo, "descriptionold") + name5_item(kInfo, "type3") +
                                  name5_item(kInfo, "descriptionMy games") +
                                  name5_item(kInfo, "autoload12") + name5_item(kInfo, "flag1One") +
                                  name5_item(kInfo, "flag6Six") + name5_item(kInfo, "flag7none") +
                                  name5_item(kInfo, "whatever") + name5_item(kInfo, ""));
  EXPECT_TRUE(names.status.ok());
  ASSERT_TRUE(names.info.has_value());
  EXPECT_EQ(names.info->description, "My games");
  EXPECT_EQ(names.info->type, 3u);
  EXPECT_EQ(names.info->autoload, 12u);
  EXPECT_EQ(names.info->custom_flags[0], "One");
  EXPECT_EQ(names.info->custom_flags[5], "Six");
  EXPECT_EQ(parse_file5(name5_item(kInfo, "typex")).info->type, 0u);
  EXPECT_EQ(parse_file5(name5_item(kInfo, "type99999999999")).info->type, 0u);
}

TEST(Names5, EmptyFileHasNoNames) {
  const Names names = parse_file5("");
  EXPECT_TRUE(names.status.ok());
  for (const NameTable& table : names.tables) EXPECT_EQ(table.size(), 0u);
  EXPECT_EQ(names.info->description, "");
}

TEST(Names5, KeepsNamesBeforeFault) {
  const std::string good = name5_item(kPlayer, "Good") + name5_item(kSite, "Site");
  const std::vector<std::pair<std::string, std::string>> faults = {
      {name5_item(5, "x"), "unknown type 5"},
      {name5_item(7, ""), "unknown type 7"},
      {name5_item(kPlayer, "cut off").substr(0, 4), "ends in an item"},
      {std::string(1, '\x80'), "ends in an item"},
      {std::string(10, '\xFF') + '\x01', "damaged"},
      {std::string(9, '\xF8') + '\x01', "ends in an item"},
      // Zeros, as on a full disk.
      {std::string(100, '\0'), "empty name is there twice"},
  };
  for (const auto& [fault, reason] : faults) {
    const Names names = parse_file5(good + fault + name5_item(kPlayer, "After"));
    EXPECT_EQ(names[NameKind::Player].text(0), "Good");
    EXPECT_EQ(names[NameKind::Site].text(0), "Site");
    EXPECT_THAT(std::string(names.status.message()), HasSubstr(reason));
    for (std::uint32_t id = 1; id < 5; ++id) {
      EXPECT_NE(names[NameKind::Player].text(id), "After") << reason;
    }
  }
}

TEST(Names5, LongNamesAreTruncatedAndCounted) {
  const Names names =
      parse_file5(name5_item(kPlayer, std::string(100'000, '\xE9')) + name5_item(kPlayer, "next"));
  EXPECT_TRUE(names.status.ok());
  EXPECT_EQ(names.cut, 1u);
  EXPECT_EQ(names[NameKind::Player].text(0).size(), 2 * 4096u);
  EXPECT_EQ(names[NameKind::Player].text(1), "next");
}

TEST(Names5, EveryTruncationKeepsWholeNames) {
  const std::string file = tests::read_file(tests::test_data("scid5/chess960.sn5"));
  const Names whole = parse_file5(file);
  ASSERT_TRUE(whole.status.ok()) << whole.status;
  for (std::size_t size = 0; size < file.size(); ++size) {
    const Names names = parse_file5(std::string_view(file).substr(0, size));
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
      ASSERT_LE(names.tables[kind].size(), whole.tables[kind].size());
      for (std::uint32_t id = 0; id < names.tables[kind].size(); ++id) {
        EXPECT_EQ(names.tables[kind].text(id), whole.tables[kind].text(id));
      }
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
