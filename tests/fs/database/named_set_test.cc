#include "fs/database/named_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "cache/hash.h"
#include "codec/bytes.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "tests/support/processor_time.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;

struct Item {
  std::uint32_t group;
  std::string name;
};

NamedSet::Naming naming_of(const std::vector<Item>& items) {
  return {.append_name = [items](std::uint32_t id, std::string& out) { out += items[id].name; },
          .group_of = [items](std::uint32_t id, std::string_view) { return items[id].group; }};
}

NamedSet make_set(const std::vector<Item>& items) {
  std::vector<std::uint32_t> ids(items.size());
  for (std::uint32_t id = 0; id < ids.size(); ++id) ids[id] = id;
  return NamedSet(ids, naming_of(items));
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

TEST(NamedSet, SortsGroupsIgnoringCase) {
  const NamedSet set = make_set({{2, "b"}, {1, "Zu"}, {2, "A"}, {1, "ab"}, {2, "C"}});
  EXPECT_THAT(listing(set, 1), ElementsAre("ab", "Zu"));
  EXPECT_THAT(listing(set, 2), ElementsAre("A", "b", "C"));
  EXPECT_EQ(set.find_group(3), nullptr);
  EXPECT_EQ(set.groups().size(), 2U);
}

TEST(NamedSet, IsTheSameFromItsArrays) {
  const std::vector<Item> items = {{1, "x"}, {1, "Tal"}, {2, "tal"}, {1, "tal"}, {1, "TAL"}};
  const NamedSet made = make_set(items);
  const auto found = NamedSet::of_arrays(made.arrays(), 5, naming_of(items));
  ASSERT_TRUE(found.has_value());
  EXPECT_THAT(listing(*found, 1), ElementsAre("Tal", "tal~3", "TAL~4", "x"));
  EXPECT_THAT(found->renamed(), ElementsAre(3, 4));
  for (std::uint32_t id = 0; id < items.size(); ++id) {
    const NamedSet::Listed item = found->of(id);
    EXPECT_EQ(item.key, made.of(id).key);
    EXPECT_EQ(found->find_key(item.key), id);
    EXPECT_EQ(found->find(*found->find_group(items[id].group), item.name)->id, id);
  }
}

TEST(NamedSet, TakesNoUnsoundArrays) {
  const std::vector<Item> items = {{1, "x"}, {1, "Tal"}};
  const NamedSet made = make_set(items);
  NamedSet::Arrays arrays = made.arrays();
  EXPECT_FALSE(NamedSet::of_arrays(arrays, 1, naming_of(items)).has_value()) << "an id";
  const NamedSet::Group far[] = {{.group = 1, .begin = 0, .end = 3}};
  arrays.groups = far;
  EXPECT_FALSE(NamedSet::of_arrays(arrays, 2, naming_of(items)).has_value()) << "a position";
}

TEST(NamedSet, LowestItemOfEqualNamesHasNoSuffix) {
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

// As Windows, Samba and macOS compare names.
TEST(NamedSet, NamesThatDifferOnlyInCaseCollideInAnyScript) {
  const NamedSet set = make_set({{1, "ÉLŐ"}, {1, "élő"}, {1, "Ήρα"}, {1, "ΉΡΑ"}, {1, "e\u0301lő"}});
  EXPECT_THAT(listing(set, 1),
              ::testing::UnorderedElementsAre("ÉLŐ", "élő~1", "e\u0301lő~4", "Ήρα", "ΉΡΑ~3"));
  const NamedSet::Group& group = *set.find_group(1);
  EXPECT_EQ(set.find(group, "élő~1")->id, 1U);
  EXPECT_EQ(set.find(group, "e\u0301lő~4")->id, 4U);
  EXPECT_EQ(set.find(group, "ΉΡΑ~3")->id, 3U);
  EXPECT_FALSE(set.find(group, "élő").has_value());
}

// Many items with colliding names: all listed names are found, with unique keys.
TEST(NamedSet, ListedNamesAreFound) {
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
      const NamedSet::Listed same = set.of(item.id);
      EXPECT_EQ(std::tie(same.id, same.key, same.name), std::tie(item.id, item.key, item.name));
      std::string name = "before/";
      set.append_listed_name(item.id, name);
      EXPECT_EQ(name, "before/" + item.name);
      EXPECT_TRUE(folded.insert(codec::fold_case(item.name)).second) << item.name;
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

// The key of a directory depends on its name, not on its place in a file.
TEST(NamedSet, KeysDoNotDependOnOtherItems) {
  const NamedSet few = make_set({{1, "Tal"}, {1, "Botvinnik"}});
  const NamedSet many = make_set({{1, "Aronian"}, {1, "Botvinnik"}, {2, "Tal"}, {1, "Tal"}});
  for (const char* const name : {"Tal", "Botvinnik"}) {
    EXPECT_EQ(few.find(*few.find_group(1), name)->key, many.find(*many.find_group(1), name)->key);
  }
}

// Names of one hash: in XXH3 of 32 bytes the second word does not count if the first one equals a
// secret word that follows from the seed. None if the first word has capital letters, which are
// folded.
std::optional<std::vector<Item>> names_of_one_hash(std::uint32_t group, std::size_t count) {
  constexpr std::uint64_t kSecret = 0xBE4BA423396CFEB8;
  const std::uint64_t first = kSecret + (group + 1) * std::uint64_t{0x9E3779B97F4A7C15};
  std::string name(32, 'x');
  codec::store_little_word(first, name.data());
  if (codec::fold_case(name) != name) return std::nullopt;
  std::vector<Item> items;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(10'000'000 + i * 7919 % count);
    items.push_back({group, name.replace(8, 8, number)});
  }
  return items;
}

// Lists and finds all names; returns the seconds.
double seconds_for_all(const std::vector<Item>& items) {
  const double start = tests::processor_time();
  const NamedSet set = make_set(items);
  std::size_t found = 0;
  for (const NamedSet::Group& group : set.groups()) {
    for (std::uint32_t position = group.begin; position < group.end; ++position) {
      const NamedSet::Listed item = set.at(group, position);
      const auto again = set.find(group, item.name);
      found += again.has_value() && again->id == item.id && again->key == item.key ? 1 : 0;
      EXPECT_FALSE(set.find(group, item.name + "?").has_value());
    }
  }
  EXPECT_EQ(found, items.size());
  return tests::processor_time() - start;
}

// The best of some rounds, so that other load affects both sides alike.
template <class MakeItems>
void expect_nearly_linear(const MakeItems& make_items) {
  constexpr std::size_t kItems = 50'000;
  constexpr int kMostRounds = 12;
  double half = 1e9;
  double whole = 3e9;
  for (int round = 0; round < kMostRounds && whole >= 3 * half; ++round) {
    half = std::min(half, seconds_for_all(make_items(kItems)));
    whole = std::min(whole, seconds_for_all(make_items(2 * kItems)));
  }
  EXPECT_LT(whole, 3 * half) << whole << " s and " << half << " s";
}

TEST(NamedSet, TimeIsLinearInCollidingNames) {
  expect_nearly_linear([](std::size_t count) {
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i) items.push_back({1, i % 2 == 0 ? "Tal" : "TAL"});
    return items;
  });
}

TEST(NamedSet, TimeIsLinearInNamesWithEqualHash) {
  std::uint32_t group = 0;
  while (!names_of_one_hash(group, 1).has_value()) ++group;
  const std::vector<Item> two = *names_of_one_hash(group, 2);
  const std::uint64_t seed = (group + 1) * std::uint64_t{0x9E3779B97F4A7C15};
  ASSERT_EQ(cache::fingerprint(two[0].name, seed), cache::fingerprint(two[1].name, seed));
  expect_nearly_linear([group](std::size_t count) { return *names_of_one_hash(group, count); });
}

TEST(NamedSet, CanBeListedByManyThreads) {
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
