// A text that is made section by section when it is read. Only the sizes of the sections are kept.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/single_flight_cache.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Where each section ends in the text.
using SectionEnds = std::shared_ptr<const std::vector<std::uint64_t>>;

// Finds the length of each of `count` sections once, on at most `workers` threads, and returns
// their ends. Errors: those of run_tasks() and of `length_of`.
absl::StatusOr<SectionEnds> ends_of_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::StatusOr<std::uint64_t>(std::size_t section)> length_of);
// Does the same by making the sections.
absl::StatusOr<SectionEnds> measure_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t section, std::string& out)> append);

// Returns the section of a byte; of the end the number of sections.
std::size_t section_at(const SectionEnds& ends, std::uint64_t offset);

// The text of a section. `owner` keeps it, where it would not stay otherwise.
struct SectionText {
  std::string_view text;
  std::shared_ptr<const void> owner;
};
// Appends the `length` bytes from `offset` of a text to `out`, whose sections text_of() returns.
// REQUIRES: they lie within the text; each section is as long as the ends say. Errors: those of
// text_of().
absl::Status read_sections(
    const SectionEnds& ends, std::uint64_t offset, std::size_t length, std::string& out,
    absl::FunctionRef<absl::StatusOr<SectionText>(std::size_t section, std::uint64_t bytes)>
        text_of);

class SectionedContent : public Content {
 public:
  // Appends a section: always the same text, from any thread. It must own everything that it needs.
  using Render = std::function<absl::Status(std::size_t section, std::string& out)>;

  // `cost`: what a section takes of a budget.
  SectionedContent(SectionEnds ends, Render render, std::size_t cost = 0);

  std::uint64_t size() const override { return ends_->empty() ? 0 : ends_->back(); }
  std::size_t cost(std::uint64_t offset, std::size_t length) const override;
  // Returns DataLoss, too, if a section comes out longer or shorter than it was.
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;
  // Counts the sections that may be kept, but not the sizes: other objects share them.
  std::size_t memory() const override {
    return sizeof *this + (has_large_ ? std::min<std::size_t>(size(), kMostKeptBytes) : 0);
  }

 private:
  // Sections above this size are kept for the reads that follow.
  static constexpr std::size_t kLargeBytes = std::size_t{128} << 10;
  static constexpr std::size_t kMostKeptBytes = std::size_t{4} << 20;
  struct Section {
    std::string text;

    std::size_t memory() const { return sizeof *this + text.capacity(); }
  };
  using SectionPtr = std::shared_ptr<const Section>;

  absl::StatusOr<SectionPtr> make(std::size_t section, std::uint64_t bytes) const;

  const SectionEnds ends_;
  const Render render_;
  const std::size_t cost_;
  const bool has_large_;  // a section that is kept
  mutable SingleFlightCache<std::size_t, Section> kept_{kMostKeptBytes};
};

}  // namespace scidfs::fs
