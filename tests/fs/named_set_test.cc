#include "fs/named_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <thread>

#include "fs/filename.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;

struct Item {
  std::uint32_t group;
  std::string name;
};

NamedSet make_set(const std::vector<Item>& items) {
  std::vector<std::uint32_t> ids(items.size());
  for (std::uint32_t id = 0; id < ids.size(); ++id) ids[id] = id;
  return NamedSet(
      ids, [items](std::uint32_t id, std::string& out) { out += items[id].name; },
      [items](std::uint32_t id, std::string_view) { return items[id].group; });
}

std::vector<std::string> listing(const NamedSet& set, std::uint32_t number) {
  std::vector<std::string> names;
  const NamedSet::Group* const group = set.find_group(number);
  if (group == nullptr) return names;
  for (std::uint32_t i = group->begin; i < group->end; ++i) {
    names.push_back(set.at(*group, i).name);
  }
  return names;
}

TEST(NamedSet, SortsWithoutCaseInGroups) {
  const NamedSet set = make_set({{2, "b"}, {1, "Zu"}, {2, "A"}, {1, "ab"}, {2, "C"}});
  EXPECT_THAT(listing(set, 1), ElementsAre("ab", "Zu"));
  EXPECT_THAT(listing(set, 2), ElementsAre("A", "b", "C"));
  EXPECT_EQ(set.find_group(3), nullptr);
  EXPECT_EQ(set.groups().size(), 2U);
}

TEST(NamedSet, OfEqualNamesTheLowestItemKeepsItsOwn) {
  const NamedSet set = make_set({{1, "x"}, {1, "Tal"}, {2, "tal"}, {1, "tal"}, {1, "TAL"}});
  EXPECT_THAT(listing(set, 1), ElementsAre("Tal", "tal~3", "TAL~4", "x"));
  EXPECT_THAT(listing(set, 2), ElementsAre("tal"));
  const NamedSet::Group& group = *set.find_group(1);
  EXPECT_EQ(set.find(group, "Tal")->id, 1U);
  EXPECT_EQ(set.find(group, "tal~3")->id, 3U);
  EXPECT_FALSE(set.find(group, "tal").has_value()) << "it is not listed so";
  EXPECT_FALSE(set.find(group, "Tal~1").has_value());
  EXPECT_FALSE(set.find(group, "tal~4").has_value());
  EXPECT_FALSE(set.find(group, "").has_value());
}

// Many items whose names collide: whatever is listed is found, under a number of its own.
TEST(NamedSet, WhatIsListedIsFound) {
  std::mt19937 random(3);
  std::vector<Item> items;
  for (int i = 0; i < 20000; ++i) {
    std::string name;
    for (std::size_t length = 1 + random() % 4; length > 0; --length) {
      name += static_cast<char>((random() % 2 ? 'a' : 'A') + random() % 6);
    }
    items.push_back({static_cast<std::uint32_t>(random() % 5), name});
  }
  const NamedSet set = make_set(items);
  std::set<std::uint32_t> ids;
  std::set<std::uint32_t> keys;
  for (const NamedSet::Group& group : set.groups()) {
    std::set<std::string> folded;
    for (std::uint32_t position = group.begin; position < group.end; ++position) {
      const NamedSet::Listed item = set.at(group, position);
      EXPECT_TRUE(folded.insert(fold_name(item.name)).second) << item.name;
      const auto found = set.find(group, item.name);
      ASSERT_TRUE(found.has_value()) << item.name;
      EXPECT_EQ(found->id, item.id);
      EXPECT_EQ(found->key, item.key);
      EXPECT_EQ(set.find_key(item.key), item.id);
      EXPECT_EQ(set.group_of(item.id), group.group);
      ids.insert(item.id);
      keys.insert(item.key);
    }
  }
  EXPECT_EQ(ids.size(), items.size());
  EXPECT_EQ(keys.size(), items.size());
}

// The number of a directory is that of its name, not of its place in a file.
TEST(NamedSet, KeysDoNotDependOnTheOtherItems) {
  const NamedSet few = make_set({{1, "Tal"}, {1, "Botvinnik"}});
  const NamedSet many = make_set({{1, "Aronian"}, {1, "Botvinnik"}, {2, "Tal"}, {1, "Tal"}});
  for (const char* const name : {"Tal", "Botvinnik"}) {
    EXPECT_EQ(few.find(*few.find_group(1), name)->key, many.find(*many.find_group(1), name)->key);
  }
}

TEST(NamedSet, MayBeListedByManyThreads) {
  std::vector<Item> items;
  for (int i = 0; i < 5000; ++i) items.push_back({1, std::to_string(i * 7919 % 5000)});
  const NamedSet set = make_set(items);
  std::vector<std::vector<std::string>> seen(4);
  std::vector<std::thread> threads;
  for (auto& names : seen) threads.emplace_back([&] { names = listing(set, 1); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& names : seen) {
    EXPECT_EQ(names.size(), items.size());
    EXPECT_TRUE(std::ranges::is_sorted(names));
  }
}

}  // namespace
}  // namespace scidfs::fs
