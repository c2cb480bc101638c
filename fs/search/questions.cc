#include "fs/search/questions.h"

#include <absl/status/statusor.h>

#include <iterator>
#include <memory>
#include <utility>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

std::uint32_t hash_of(const Question& question) {
  return static_cast<std::uint32_t>(
      cache::fingerprint(question.path, pack({.place = question.base})) >> 32);
}

// Bytes of memory, with what the tables need for it.
std::size_t memory_of_text(std::size_t path) {
  constexpr std::size_t kTables = 200;
  return kTables + path;
}
std::size_t memory_of(const Question& question) {
  constexpr std::size_t kFacet = 700;  // with its condition, whose texts are parts of the path
  std::size_t memory =
      memory_of_text(question.path.size()) + sizeof question + 2 * question.path.size();
  for (const FacetGroup& group : question.groups)
    memory += sizeof(FacetGroup) + group.size() * kFacet;
  if (question.line != nullptr) {
    memory += sizeof(Line) + question.line->moves.size() * sizeof(codec::Move);
  }
  return memory;
}

}  // namespace

std::uint32_t Questions::number_of(Question question) {
  auto asked = std::make_shared<const Question>(std::move(question));
  Freed freed;
  const cache::MutexLock lock(mutex_);
  const Order::iterator known = place_of(*asked);
  use(known, known->question != nullptr ? known->question : std::move(asked));
  shrink(freed);
  return known->number;
}

QuestionPtr Questions::find(std::uint32_t number) {
  Question text;
  {
    const cache::MutexLock lock(mutex_);
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) return nullptr;
    const Order::iterator known = found->second;
    if (known->question != nullptr) {
      use(known, known->question);
      return known->question;
    }
    text = {.base = known->base, .path = known->path};
  }
  absl::StatusOr<Question> read = parse_question(text.base, text.path);
  if (!read.ok()) return nullptr;  // so it was not asked by these names
  auto again = std::make_shared<const Question>(*std::move(read));
  Freed freed;
  const cache::MutexLock lock(mutex_);
  const auto found = by_number_.find(number);
  if (found != by_number_.end() && found->second->is_of(text)) {
    use(found->second, again);
    shrink(freed);
  }
  return again;
}

Questions::Order::iterator Questions::place_of(const Question& question) {
  for (std::uint32_t number = hash_of(question);; ++number) {
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) {
      texts_.push_front({.number = number, .base = question.base, .path = question.path});
      text_memory_ += memory_of_text(question.path.size());
      return by_number_.emplace(number, texts_.begin()).first->second;
    }
    if (found->second->is_of(question)) return found->second;
  }
}

void Questions::use(Order::iterator known, QuestionPtr question) {
  if (known->question == nullptr) {
    text_memory_ -= memory_of_text(known->path.size());
    memory_ += memory_of(*question);
    known->question = std::move(question);
    order_.splice(order_.begin(), texts_, known);
  } else {
    order_.splice(order_.begin(), order_, known);
  }
}

void Questions::shrink(Freed& freed) {
  while (order_.size() > 1 && (order_.size() > limits_.questions || memory_ > limits_.bytes)) {
    Known& last = order_.back();
    freed.questions.push_back(last.question);
    memory_ -= memory_of(*last.question);
    text_memory_ += memory_of_text(last.path.size());
    last.question = nullptr;
    texts_.splice(texts_.begin(), order_, std::prev(order_.end()));
  }
  while (text_memory_ > limits_.text_bytes) {
    const Known& last = texts_.back();
    text_memory_ -= memory_of_text(last.path.size());
    by_number_.erase(last.number);
    freed.texts.splice(freed.texts.end(), texts_, std::prev(texts_.end()));
  }
}

std::size_t Questions::size() const {
  const cache::MutexLock lock(mutex_);
  return order_.size();
}

std::size_t Questions::texts() const {
  const cache::MutexLock lock(mutex_);
  return texts_.size();
}

}  // namespace scidfs::fs
