#include "fs/sets/questions.h"

#include <iterator>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

constexpr unsigned kHashBits = 32 - Questions::kCountBits;
constexpr std::uint16_t kMostOfHash = (1U << Questions::kCountBits) - 1;

std::uint32_t hash_of(const Question& question) {
  return static_cast<std::uint32_t>(
      cache::fingerprint(question.path, pack({.place = question.base})) >> (64 - kHashBits));
}

// Bytes of memory, with what the tables need for it.
std::size_t memory_of(const Question& question) {
  constexpr std::size_t kTables = 250;
  constexpr std::size_t kFacet = 700;  // with its condition, whose texts are parts of the path
  std::size_t memory = sizeof question + kTables + 4 * question.path.size();
  for (const FacetGroup& group : question.groups)
    memory += sizeof(FacetGroup) + group.size() * kFacet;
  if (question.line != nullptr) {
    memory += sizeof(Line) + question.line->moves.size() * sizeof(codec::Move);
  }
  return memory;
}

}  // namespace

Questions::Key Questions::key_of(const Question& question) {
  return {pack({.place = question.base}), question.path};
}

absl::StatusOr<std::uint32_t> Questions::number_of(Question question) {
  if (question.path.size() > limits_.path) {
    return absl::ResourceExhaustedError("the path is too long");
  }
  Order forgotten;  // freed after the lock
  const cache::MutexLock lock(mutex_);
  const auto [found, is_new] = by_question_.try_emplace(key_of(question));
  if (!is_new) {
    order_.splice(order_.begin(), order_, found->second);
    return found->second->number;
  }
  const std::uint32_t hash = hash_of(question);
  std::uint16_t& taken = taken_[hash];
  if (taken == kMostOfHash) {
    by_question_.erase(found);
    return absl::ResourceExhaustedError("questions of this kind have been asked too often");
  }
  const std::uint32_t number = hash << kCountBits | taken++;
  const std::size_t memory = memory_of(question);
  order_.push_front({.number = number,
                     .question = std::make_shared<const Question>(std::move(question)),
                     .memory = memory});
  found->second = order_.begin();
  by_number_.emplace(number, order_.begin());
  memory_ += memory;
  while (order_.size() > 1 && (order_.size() > limits_.questions || memory_ > limits_.bytes)) {
    const Kept& last = order_.back();
    memory_ -= last.memory;
    by_number_.erase(last.number);
    by_question_.erase(key_of(*last.question));
    forgotten.splice(forgotten.end(), order_, std::prev(order_.end()));
  }
  return number;
}

QuestionPtr Questions::find(std::uint32_t number) const {
  const cache::MutexLock lock(mutex_);
  const auto found = by_number_.find(number);
  if (found == by_number_.end()) return nullptr;
  order_.splice(order_.begin(), order_, found->second);
  return found->second->question;
}

std::size_t Questions::size() const {
  const cache::MutexLock lock(mutex_);
  return order_.size();
}

}  // namespace scidfs::fs
