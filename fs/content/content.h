// The content of a virtual file.
#pragma once

#include <absl/status/status.h>

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>

#include "fs/content/work_budget.h"

namespace scidfs::fs {

// The bytes of one virtual file. Immutable; any number of threads may read it. The code that makes
// one knows its exact size: a file whose size is not known yet has no Content.
class Content {
 public:
  Content() = default;
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  virtual ~Content() = default;

  virtual std::uint64_t size() const = 0;

  // Does the work of the first read, if that is much; nothing for most contents. Returns
  // Unavailable if it exceeds the budget; Cancelled; the errors of read().
  virtual absl::Status prepare(const WorkBudget&) const { return absl::OkStatus(); }

  // Returns how much of a budget (fs/content/work_budget.h) it costs to read some bytes: 0 if they
  // are at hand. REQUIRES: they lie within size().
  virtual std::size_t cost(std::uint64_t /*offset*/, std::size_t /*length*/) const { return 0; }

  // Appends the `length` bytes from `offset` to `out`. REQUIRES: they lie within size(). Returns
  // DataLoss if the source cannot be read any more or gives text of another length than was
  // recorded.
  virtual absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const = 0;

  // Returns whether a game whose text this is, or is part of this, is damaged: the text says so. Of
  // texts that say something about games, false. Looks at all games, so it is not for each read.
  virtual bool has_damaged_games() const { return false; }

  // Says that these bytes will be read soon. Requests the needed data of a remote source without
  // waiting for them. Does nothing for most contents. REQUIRES: they lie within size().
  virtual void expect(std::uint64_t /*offset*/, std::size_t /*length*/) const {}

  // Returns how many bytes of memory it costs to keep this.
  virtual std::size_t memory() const = 0;
};

// A text in memory.
class TextContent : public Content {
 public:
  explicit TextContent(std::string text) : text_(std::move(text)) {}
  std::uint64_t size() const override { return text_.size(); }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    assert(offset + length <= size());
    out.append(text_, offset, length);
    return absl::OkStatus();
  }
  std::size_t memory() const override { return sizeof(*this) + text_.capacity(); }

 private:
  std::string text_;
};

}  // namespace scidfs::fs
