// A text that is made section by section when it is read. Only the sizes of the sections are kept.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Where each section ends in the text.
using SectionEnds = std::shared_ptr<const std::vector<std::uint64_t>>;

// Makes each of `count` sections once, on at most `workers` threads, and returns their ends.
// Errors: those of run_tasks() and of `append`.
absl::StatusOr<SectionEnds> measure_sections(
    std::size_t count, std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t section, std::string& out)> append);

class SectionedContent : public Content {
 public:
  // Appends a section: always the same text, from any thread. It must own everything that it needs.
  using Render = std::function<absl::Status(std::size_t section, std::string& out)>;

  SectionedContent(SectionEnds ends, Render render)
      : ends_(std::move(ends)), render_(std::move(render)) {}

  std::uint64_t size() const override { return ends_->empty() ? 0 : ends_->back(); }
  // Returns DataLoss, too, if a section comes out longer or shorter than it was.
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;
  // Does not count the sizes: other objects share them.
  std::size_t memory() const override { return sizeof *this; }

 private:
  const SectionEnds ends_;
  const Render render_;
};

}  // namespace scidfs::fs
