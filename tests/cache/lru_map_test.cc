#include "cache/lru_map.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace scidfs::cache {
namespace {

template <class Map>
std::vector<int> keys_of(const typename Map::Entries& entries) {
  std::vector<int> keys;
  for (const auto& entry : entries) keys.push_back(entry.key);
  return keys;
}

using Map = LruMap<int, std::string>;

TEST(LruMap, RemovesTheOldestUntilTheChargesFit) {
  Map map;
  for (int key = 0; key < 5; ++key) map.add(key, std::to_string(key), 10);
  ASSERT_NE(map.use(0), nullptr);
  ASSERT_NE(map.find(1), nullptr);
  map.add_charge(4, 5);
  EXPECT_EQ(map.charge(), 55);

  Map::Entries removed;
  EXPECT_EQ(map.shrink(55, removed), 0);
  EXPECT_EQ(map.shrink(35, removed), 2);
  EXPECT_EQ(keys_of<Map>(removed), (std::vector<int>{1, 2}));
  EXPECT_EQ(map.shrink(10, removed), 2);
  EXPECT_EQ(keys_of<Map>(removed), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(map.find(4), nullptr);
  EXPECT_EQ(*map.find(0), "0");
  EXPECT_EQ(map.charge(), 10);
  EXPECT_EQ(map.size(), 1);
}

TEST(LruMap, RemovesByKey) {
  Map map;
  for (int key = 0; key < 6; ++key) map.add(key, "", 1 << key);
  Map::Entries removed;
  map.remove(3, removed);
  map.remove(3, removed);
  map.remove_if([](int key) { return key % 2 == 0; }, removed);
  EXPECT_EQ(keys_of<Map>(removed), (std::vector<int>{3, 4, 2, 0}));
  EXPECT_EQ(map.use(3), nullptr);
  EXPECT_EQ(map.charge(), 1 << 1 | 1 << 5);
}

TEST(LruMap, WhatItRemovesLivesUntilTheOwnerFreesIt) {
  LruMap<int, std::shared_ptr<int>> map;
  const std::weak_ptr<int> value = map.add(1, std::make_shared<int>(7), 1);
  {
    LruMap<int, std::shared_ptr<int>>::Entries removed;
    map.remove_oldest(removed);
    EXPECT_EQ(map.size(), 0);
    EXPECT_FALSE(value.expired());
  }
  EXPECT_TRUE(value.expired());
}

struct FailingHash {
  static inline bool fails = false;
  std::size_t operator()(int key) const {
    if (fails) throw std::bad_alloc();
    return std::hash<int>()(key);
  }
};

TEST(LruMap, AFailureToAddChangesNothing) {
  LruMap<int, std::string, FailingHash> map;
  map.add(1, "kept", 10);
  FailingHash::fails = true;
  EXPECT_THROW(map.add(2, "too much", 10), std::bad_alloc);
  FailingHash::fails = false;
  EXPECT_EQ(map.size(), 1);
  EXPECT_EQ(map.charge(), 10);
  EXPECT_EQ(map.find(2), nullptr);
  map.add(2, "now", 10);
  EXPECT_EQ(*map.use(2), "now");
}

}  // namespace
}  // namespace scidfs::cache
