#include "fs/database/game_ids.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <functional>
#include <utility>

namespace scidfs::fs {
namespace {

constexpr std::size_t kSidesOfWord = 64;

// Where the bit of a side is in a block.
struct SideBit {
  SideBit(GameIndex game, codec::Color color) {
    const std::size_t side =
        2 * std::size_t{game % GameIds::kGames} + (color == codec::Color::Black ? 1 : 0);
    word = side / kSidesOfWord;
    mask = std::uint64_t{1} << side % kSidesOfWord;
  }
  std::size_t word = 0;
  std::uint64_t mask = 0;
};

std::size_t count_of(std::uint64_t bits) { return static_cast<std::size_t>(std::popcount(bits)); }

std::size_t count_of(const GameIds::Block& block) {
  std::size_t count = 0;
  for (const std::uint64_t word : block.sides) count += count_of(word);
  return count;
}

template <class Value>
std::size_t bytes_of(const std::vector<Value>& values) {
  return values.capacity() * sizeof(Value);
}

}  // namespace

GameIds::GameIds(std::span<const IdsOfGame> games) {
  if (games.empty()) return;
  own_ids_.reserve(2 * games.size());
  for (const IdsOfGame& of : games) {
    for (const std::uint32_t id : {of.ids.white, of.ids.black}) {
      if (id != 0) own_ids_.push_back(id);
    }
  }
  own_numbers_.reserve(own_ids_.size());
  std::ranges::sort(own_ids_);
  own_ids_.erase(std::unique(own_ids_.begin(), own_ids_.end()), own_ids_.end());
  own_ids_.shrink_to_fit();
  own_blocks_.resize(games.back().game / kGames + 1);
  for (const IdsOfGame& of : games) {
    for (const auto& [color, id] : {std::pair(codec::Color::White, of.ids.white),
                                    std::pair(codec::Color::Black, of.ids.black)}) {
      if (id == 0) continue;
      const SideBit bit(of.game, color);
      own_blocks_[of.game / kGames].sides[bit.word] |= bit.mask;
      const auto found = std::ranges::lower_bound(own_ids_, id);
      own_numbers_.push_back(static_cast<std::uint32_t>(found - own_ids_.begin()));
    }
  }
  std::uint64_t before = 0;
  for (Block& block : own_blocks_) {
    block.before = before;
    before += count_of(block);
  }
  arrays_ = {.blocks = own_blocks_, .numbers = own_numbers_, .ids = own_ids_};
}

std::shared_ptr<const GameIds> GameIds::of_stored(const Arrays& arrays, GameIndex games) {
  std::uint64_t before = 0;
  for (const Block& block : arrays.blocks) {
    if (block.before != before) return nullptr;
    before += count_of(block);
  }
  if (before != arrays.numbers.size() ||
      arrays.blocks.size() > (std::size_t{games} + kGames - 1) / kGames ||
      std::ranges::adjacent_find(arrays.ids, std::greater_equal<>()) != arrays.ids.end()) {
    return nullptr;
  }
  const std::shared_ptr<GameIds> ids(new GameIds());
  ids->arrays_ = arrays;
  return ids;
}

std::uint32_t GameIds::number(GameIndex game, codec::Color color) const {
  const std::size_t place = game / kGames;
  if (place >= arrays_.blocks.size()) return kNone;
  const Block& block = arrays_.blocks[place];
  const SideBit bit(game, color);
  if ((block.sides[bit.word] & bit.mask) == 0) return kNone;
  std::size_t at = block.before + count_of(block.sides[bit.word] & (bit.mask - 1));
  for (std::size_t word = 0; word < bit.word; ++word) at += count_of(block.sides[word]);
  const std::uint32_t number = arrays_.numbers[at];
  return number < arrays_.ids.size() ? number : kNone;
}

std::vector<IdsOfGame> GameIds::games() const {
  std::vector<IdsOfGame> games;
  games.reserve(arrays_.numbers.size());
  const auto id_of = [this](GameIndex game, codec::Color color) {
    const std::uint32_t number = this->number(game, color);
    return number == kNone ? 0 : arrays_.ids[number];
  };
  for (std::size_t block = 0; block < arrays_.blocks.size(); ++block) {
    if (!has_any(block)) continue;
    const auto first = static_cast<GameIndex>(block * kGames);
    for (GameIndex game = first; game < first + kGames; ++game) {
      const IdsOfGame of{.game = game,
                         .ids = {.white = id_of(game, codec::Color::White),
                                 .black = id_of(game, codec::Color::Black)}};
      if (of.ids.any()) games.push_back(of);
    }
  }
  return games;
}

std::size_t GameIds::memory() const {
  return bytes_of(own_blocks_) + bytes_of(own_numbers_) + bytes_of(own_ids_);
}

void FoundIds::add(GameIndex game, codec::scid::FideIds ids) const {
  assert(ids.any());
  const cache::MutexLock lock(mutex_);
  added_.push_back({.game = game, .ids = ids});
}

std::shared_ptr<const GameIds> FoundIds::known() const {
  const cache::MutexLock lock(mutex_);
  if (added_.empty()) return known_;
  std::vector<IdsOfGame> all = known_->games();
  all.insert(all.end(), added_.begin(), added_.end());
  std::ranges::sort(all);
  // Several threads may have read a game.
  const auto is_same = [](const IdsOfGame& a, const IdsOfGame& b) { return a.game == b.game; };
  all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
  known_ = std::make_shared<const GameIds>(all);
  added_ = {};
  return known_;
}

void FoundIds::adopt(std::shared_ptr<const GameIds> ids) {
  const cache::MutexLock lock(mutex_);
  known_ = std::move(ids);
  added_ = {};
}

std::size_t FoundIds::memory() const {
  const cache::MutexLock lock(mutex_);
  return added_.capacity() * sizeof(added_[0]) + known_->memory();
}

}  // namespace scidfs::fs
