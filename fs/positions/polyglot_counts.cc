#include "fs/positions/polyglot_counts.h"

#include <algorithm>
#include <tuple>

#include "codec/bytes.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kFewest = 16;  // slots, but for none

}  // namespace

template <class Visit>
void PolyglotCounts::for_each(const Visit& visit) const {
  if (used_ == 0) return;
  const std::size_t mask = slots_.size() - 1;
  std::size_t first = 0;
  while (slots_[first].games != 0) ++first;
  for (std::size_t i = 1; i <= mask; ++i) {
    const Slot& slot = slots_[(first + i) & mask];
    if (slot.games != 0) visit(slot);
  }
}

PolyglotCounts::Slot& PolyglotCounts::find(std::uint64_t key, std::uint16_t move) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = key & mask;
  while (slots_[i].games != 0 && (slots_[i].key != key || slots_[i].move != move)) {
    i = (i + 1) & mask;
  }
  return slots_[i];
}

std::size_t PolyglotCounts::memory_after(std::size_t plies) const {
  std::size_t slots = slots_.size();
  while (4 * (used_ + plies) > 3 * slots) slots = std::max(kFewest, 2 * slots);
  return slots * sizeof(Slot);
}

void PolyglotCounts::grow() {
  PolyglotCounts larger;
  larger.slots_.resize(std::max(kFewest, 2 * slots_.size()));
  larger.used_ = used_;
  for_each([&](const Slot& slot) { larger.find(slot.key, slot.move) = slot; });
  *this = std::move(larger);
}

void PolyglotCounts::halve(std::uint64_t key) {
  const auto half = [](std::uint16_t count) { return static_cast<std::uint16_t>((count + 1) / 2); };
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = key & mask; slots_[i].games != 0; i = (i + 1) & mask) {
    Slot& slot = slots_[i];
    if (slot.key != key) continue;
    slot.games = half(slot.games);
    slot.points = half(slot.points);
  }
}

void PolyglotCounts::add(const PolyglotPly& ply) {
  if (4 * used_ >= 3 * slots_.size()) grow();
  Slot& slot = find(ply.key, ply.move);
  if (slot.games == 0) {
    slot = {.key = ply.key, .move = ply.move};
    ++used_;
  }
  ++slot.games;
  slot.points = static_cast<std::uint16_t>(slot.points + ply.points);
  if (slot.games >= kMostGames) halve(ply.key);
}

void PolyglotCounts::append_entries(std::uint32_t games, std::string& out) const {
  std::vector<Slot> entries;
  for_each([&](const Slot& slot) {
    if (slot.games >= games && slot.points != 0) entries.push_back(slot);
  });
  std::ranges::stable_sort(entries, [](const Slot& a, const Slot& b) {
    return std::tie(a.key, b.points) < std::tie(b.key, a.points);
  });
  out.reserve(out.size() + entries.size() * kEntryBytes);
  for (const Slot& entry : entries) {
    codec::append_big(entry.key, 8, out);
    codec::append_big(entry.move, 2, out);
    codec::append_big(entry.points, 2, out);
    codec::append_big(0, 4, out);  // of programs that learn
  }
}

}  // namespace scidfs::fs
