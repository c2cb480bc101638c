#include "fs/search/query_table.h"

#include <absl/status/statusor.h>

#include <iterator>
#include <memory>
#include <utility>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

std::uint32_t hash_of(const Query& query) {
  return static_cast<std::uint32_t>(cache::fingerprint(query.path, pack({.place = query.base})) >>
                                    32);
}

// Returns the bytes of memory, including those of the tables.
std::size_t memory_of_text(std::size_t path) {
  constexpr std::size_t kTables = 200;
  return kTables + path;
}
std::size_t memory_of(const Query& query) {
  constexpr std::size_t kFacet = 700;  // with its condition, whose texts are counted with the path
  std::size_t memory = memory_of_text(query.path.size()) + sizeof query + 2 * query.path.size();
  for (const FacetGroup& group : query.groups) memory += sizeof(FacetGroup) + group.size() * kFacet;
  if (query.line != nullptr) {
    memory += sizeof(Line) + query.line->moves.size() * sizeof(codec::Move);
  }
  return memory;
}

}  // namespace

std::uint32_t QueryTable::number_of(Query query) {
  auto asked = std::make_shared<const Query>(std::move(query));
  Freed freed;
  const cache::MutexLock lock(mutex_);
  const Order::iterator known = place_of(*asked);
  use(known, known->query != nullptr ? known->query : std::move(asked));
  shrink(freed);
  return known->number;
}

QueryPtr QueryTable::find(std::uint32_t number) {
  Query text;
  {
    const cache::MutexLock lock(mutex_);
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) return nullptr;
    const Order::iterator known = found->second;
    if (known->query != nullptr) {
      use(known, known->query);
      return known->query;
    }
    text = {.base = known->base, .path = known->path};
  }
  absl::StatusOr<Query> read = parse_query(text.base, text.path);
  if (!read.ok()) return nullptr;  // then no query has this path
  auto again = std::make_shared<const Query>(*std::move(read));
  Freed freed;
  const cache::MutexLock lock(mutex_);
  const auto found = by_number_.find(number);
  if (found != by_number_.end() && found->second->is_of(text)) {
    use(found->second, again);
    shrink(freed);
  }
  return again;
}

QueryTable::Order::iterator QueryTable::place_of(const Query& query) {
  for (std::uint32_t number = hash_of(query);; ++number) {
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) {
      texts_.push_front({.number = number, .base = query.base, .path = query.path});
      text_memory_ += memory_of_text(query.path.size());
      return by_number_.emplace(number, texts_.begin()).first->second;
    }
    if (found->second->is_of(query)) return found->second;
  }
}

void QueryTable::use(Order::iterator known, QueryPtr query) {
  if (known->query == nullptr) {
    text_memory_ -= memory_of_text(known->path.size());
    memory_ += memory_of(*query);
    known->query = std::move(query);
    order_.splice(order_.begin(), texts_, known);
  } else {
    order_.splice(order_.begin(), order_, known);
  }
}

void QueryTable::shrink(Freed& freed) {
  while (order_.size() > 1 && (order_.size() > limits_.queries || memory_ > limits_.bytes)) {
    Known& last = order_.back();
    freed.queries.push_back(last.query);
    memory_ -= memory_of(*last.query);
    text_memory_ += memory_of_text(last.path.size());
    last.query = nullptr;
    texts_.splice(texts_.begin(), order_, std::prev(order_.end()));
  }
  while (text_memory_ > limits_.text_bytes) {
    const Known& last = texts_.back();
    text_memory_ -= memory_of_text(last.path.size());
    by_number_.erase(last.number);
    freed.texts.splice(freed.texts.end(), texts_, std::prev(texts_.end()));
  }
}

std::size_t QueryTable::size() const {
  const cache::MutexLock lock(mutex_);
  return order_.size();
}

std::size_t QueryTable::texts() const {
  const cache::MutexLock lock(mutex_);
  return texts_.size();
}

}  // namespace scidfs::fs
