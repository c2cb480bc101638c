#include "fs/database/common_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using codec::scid::NameTable;
using testing::ElementsAre;
using testing::IsEmpty;

class CommonNamesTest : public ::testing::Test {
 protected:
  const NameTable* table(const std::vector<std::string>& names) {
    const std::string file = tests::name_file({names});
    kept_.push_back(codec::scid::parse_names(tests::as_bytes(file)));
    EXPECT_TRUE(kept_.back().status.ok()) << kept_.back().status;
    return &kept_.back()[NameKind::Player];
  }
  static CommonNames merge(std::vector<const NameTable*> parts) {
    return CommonNames::merge(std::move(parts), WorkBudget::unlimited(nullptr)).value();
  }

  static std::vector<std::uint32_t> ids(const CommonNames& names, std::size_t part) {
    return {names.ids(part).begin(), names.ids(part).end()};
  }

  std::deque<codec::scid::Names> kept_;
};

TEST_F(CommonNamesTest, SameSpellingIsOneName) {
  const CommonNames names =
      merge({table({"Tal", "Keres", "Tal", "tal"}), table({}), table({"Fine", "Keres"}),
             table({"tal", "Fine"}), table({"?", "Euwe"})});
  EXPECT_THAT(ids(names, 0), ElementsAre(0, 1, 0, 2, 6));
  EXPECT_THAT(ids(names, 1), ElementsAre(6));
  EXPECT_THAT(ids(names, 2), ElementsAre(3, 1, 6));
  EXPECT_THAT(ids(names, 3), ElementsAre(2, 3, 6));
  EXPECT_THAT(ids(names, 4), ElementsAre(4, 5, 6));
  std::vector<std::string> texts;
  for (std::uint32_t id = 0; id < names.size(); ++id) texts.emplace_back(names.text(id));
  EXPECT_THAT(texts, ElementsAre("Tal", "Keres", "tal", "Fine", "?", "Euwe"));
  EXPECT_EQ(names.text(6), NameTable::kMissing);
  EXPECT_EQ(names.id_of(2, 0), 3U);
  EXPECT_EQ(names.id_of(2, 1000), 6U);
  EXPECT_THAT(names.ids_in(0, 0), ElementsAre(0, 2));
  EXPECT_THAT(names.ids_in(3, 3), ElementsAre(1));
  EXPECT_THAT(names.ids_in(3, 0), IsEmpty());
  EXPECT_THAT(names.ids_in(3, 6), IsEmpty());
}

TEST_F(CommonNamesTest, OnePartHasItsOwnIds) {
  const NameTable* const only = table({"Tal", "Keres", "Tal"});
  const auto merged = CommonNames::merge({only}, WorkBudget::limited(0));
  ASSERT_TRUE(merged.ok()) << merged.status();
  for (const CommonNames& names : {*merged, CommonNames(*only)}) {
    EXPECT_EQ(names.size(), 3U);
    EXPECT_THAT(ids(names, 0), IsEmpty());
    EXPECT_EQ(names.id_of(0, 2), 2U);
    EXPECT_EQ(names.id_of(0, 1000), 3U);
    EXPECT_EQ(names.text(1), "Keres");
    EXPECT_EQ(names.text(3), NameTable::kMissing);
    EXPECT_THAT(names.ids_in(0, 2), ElementsAre(2));
    EXPECT_THAT(names.ids_in(0, 3), IsEmpty());
    EXPECT_LE(names.memory(), 8U);
  }
}

TEST_F(CommonNamesTest, TakesEightBytesAName) {
  std::vector<std::string> texts(5000);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = "Player " + std::to_string(i);
  const NameTable* const names = table(texts);
  const NameTable* const others = table({texts.begin() + 2500, texts.end()});
  // Four for each name of a part, and four for each common one.
  EXPECT_LE(merge({names, others}).memory(), 4U * 7500 + 4U * 5000 + 200);
}

TEST_F(CommonNamesTest, RespectsBudget) {
  std::vector<std::string> texts(2000);
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i] = std::to_string(i);
  const std::vector<const NameTable*> parts = {table(texts), table(texts)};
  EXPECT_EQ(CommonNames::merge(parts, WorkBudget::limited(19)).status(), WorkBudget::exceeded());
  EXPECT_TRUE(CommonNames::merge(parts, WorkBudget::limited(40)).ok());
  EXPECT_EQ(CommonNames::merge(parts, WorkBudget::unlimited([] { return true; })).status(),
            WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
