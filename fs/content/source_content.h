// A file of the source, byte for byte.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
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

// Returns the bytes of a file that was opened just now. Errors: those of opening it;
// FailedPrecondition if it is not the version that has this stamp.
inline absl::StatusOr<std::unique_ptr<Content>> source_content(absl::StatusOr<SourceFile> file,
                                                               const FileStamp& stamp) {
  if (!file.ok()) return file.status();
  if (!file->stamp().has_same_bytes(stamp)) {
    return absl::FailedPreconditionError("the file has changed");
  }
  return std::make_unique<SourceContent>(*std::move(file));
}

}  // namespace scidfs::fs
