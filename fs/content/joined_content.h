// A file that consists of others, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/content.h"

namespace scidfs::fs {

class JoinedContent : public Content {
 public:
  explicit JoinedContent(std::vector<std::unique_ptr<Content>> parts);

  std::uint64_t size() const override { return ends_.empty() ? 0 : ends_.back(); }
  absl::Status prepare(const WorkBudget& budget) const override;
  std::size_t cost(std::uint64_t offset, std::size_t length) const override;
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;
  bool has_damaged_games() const override;
  void expect(std::uint64_t offset, std::size_t length) const override;
  std::size_t memory() const override;

 private:
  // Calls visit(part, offset, length) for the bytes of each part that a range has.
  template <class Visit>
  void for_each_piece(std::uint64_t offset, std::size_t length, const Visit& visit) const;

  const std::vector<std::unique_ptr<Content>> parts_;
  std::vector<std::uint64_t> ends_;  // by part
};

}  // namespace scidfs::fs
