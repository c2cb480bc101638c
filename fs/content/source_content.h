// A file of the source, byte for byte.
#pragma once

#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "fs/content/content.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// The bytes of a file, read from it when they are asked for. Keeps the file open.
class SourceContent : public Content {
 public:
  explicit SourceContent(SourceFile file) : file_(std::move(file)) {}

  std::uint64_t size() const override { return file_.size(); }
  // Errors: those of SourceFile::read().
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const std::size_t before = out.size();
    out.resize(before + length);
    return file_.read(offset, {reinterpret_cast<std::uint8_t*>(out.data()) + before, length});
  }
  void expect(std::uint64_t offset, std::size_t length) const override {
    file_.expect(offset, length);
  }
  std::size_t memory() const override { return sizeof(*this); }

 private:
  const SourceFile file_;
};

}  // namespace scidfs::fs
