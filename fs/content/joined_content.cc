#include "fs/content/joined_content.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

JoinedContent::JoinedContent(std::vector<std::unique_ptr<Content>> parts)
    : parts_(std::move(parts)) {
  std::uint64_t end = 0;
  for (const auto& part : parts_) ends_.push_back(end += part->size());
}

template <class Visit>
void JoinedContent::for_each_piece(std::uint64_t offset, std::size_t length,
                                   const Visit& visit) const {
  auto part = static_cast<std::size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
  for (; length > 0 && part < parts_.size(); ++part) {
    const std::uint64_t begin = part == 0 ? 0 : ends_[part - 1];
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(length, ends_[part] - offset));
    if (piece == 0) continue;
    visit(*parts_[part], offset - begin, piece);
    offset += piece;
    length -= piece;
  }
}

absl::Status JoinedContent::prepare(const WorkBudget& budget) const {
  for (const auto& part : parts_) {
    RETURN_IF_ERROR(part->prepare(budget));
  }
  return absl::OkStatus();
}

std::size_t JoinedContent::cost(std::uint64_t offset, std::size_t length) const {
  std::size_t cost = 0;
  for_each_piece(offset, length, [&](const Content& part, std::uint64_t at, std::size_t bytes) {
    cost += part.cost(at, bytes);
  });
  return cost;
}

absl::Status JoinedContent::read(std::uint64_t offset, std::size_t length, std::string& out) const {
  assert(offset + length <= size());
  absl::Status status;
  for_each_piece(offset, length, [&](const Content& part, std::uint64_t at, std::size_t bytes) {
    if (status.ok()) status = part.read(at, bytes, out);
  });
  return status;
}

bool JoinedContent::has_damaged_games() const {
  return std::ranges::any_of(parts_, [](const auto& part) { return part->has_damaged_games(); });
}

void JoinedContent::expect(std::uint64_t offset, std::size_t length) const {
  for_each_piece(offset, length, [](const Content& part, std::uint64_t at, std::size_t bytes) {
    part.expect(at, bytes);
  });
}

std::size_t JoinedContent::memory() const {
  std::size_t memory = sizeof *this + ends_.capacity() * sizeof(ends_[0]);
  for (const auto& part : parts_) memory += part->memory();
  return memory;
}

}  // namespace scidfs::fs
