#include "fs/search/query_table.h"

#include <absl/status/statusor.h>

#include <memory>
#include <utility>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

std::uint32_t hash_of(const Query& query) {
  return static_cast<std::uint32_t>(cache::fingerprint(query.path, pack({.place = query.base})) >>
                                    32);
}

// Return the bytes of memory, including those of the tables.
std::size_t memory_of_text(const Query& query) {
  constexpr std::size_t kTables = 200;
  return kTables + query.path.size();
}
std::size_t memory_of(const Query& query) {
  constexpr std::size_t kFacet = 700;  // with its condition, whose texts are counted with the path
  std::size_t memory = memory_of_text(query) + sizeof query + query.path.size();
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
  std::uint32_t number = hash_of(*asked);
  const Query* other = known(number);
  while (other != nullptr && *other != *asked) other = known(++number);
  if (queries_.use(number) == nullptr) keep(number, std::move(asked), freed);
  return number;
}

QueryPtr QueryTable::find(std::uint32_t number) {
  Query text;
  {
    const cache::MutexLock lock(mutex_);
    if (const QueryPtr* const query = queries_.use(number)) return *query;
    const Query* const kept = texts_.find(number);
    if (kept == nullptr) return nullptr;
    text = *kept;
  }
  absl::StatusOr<Query> read = parse_query(text.base, text.path);
  if (!read.ok()) return nullptr;  // then no query has this path
  auto again = std::make_shared<const Query>(*std::move(read));
  Freed freed;
  const cache::MutexLock lock(mutex_);
  const Query* const kept = texts_.find(number);
  if (kept != nullptr && *kept == text) keep(number, again, freed);
  return again;
}

const Query* QueryTable::known(std::uint32_t number) const {
  const QueryPtr* const query = queries_.find(number);
  return query != nullptr ? query->get() : texts_.find(number);
}

void QueryTable::keep(std::uint32_t number, QueryPtr query, Freed& freed) {
  const std::size_t memory = memory_of(*query);
  queries_.add(number, std::move(query), memory);
  texts_.remove(number, freed.texts);
  while (queries_.size() > 1 &&
         (queries_.size() > limits_.queries || queries_.charge() > limits_.bytes)) {
    queries_.remove_oldest(freed.queries);
    const auto& [last, old, charge] = freed.queries.back();
    texts_.add(last, {.base = old->base, .path = old->path}, memory_of_text(*old));
  }
  texts_.shrink(limits_.text_bytes, freed.texts);
}

std::size_t QueryTable::size() const {
  const cache::MutexLock lock(mutex_);
  return queries_.size();
}

std::size_t QueryTable::texts() const {
  const cache::MutexLock lock(mutex_);
  return texts_.size();
}

}  // namespace scidfs::fs
