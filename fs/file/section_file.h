// Files of the cache folder that are mapped: sections of bytes, each with a meaning of its own.
//
// All numbers are in the byte order of the machine. A machine of the other order reads another
// version.
//
//  offset  bytes  field
//       0      8  magic: "scidfsIX"
//       8      4  version of this layout: 2
//      12      4  number of sections
//      16      8  key: a fingerprint of everything that the sections were computed from
//      24      8  bytes of the file
//      32      8  number of blocks of all sections
//      40      8  checksum (XXH3) of the 40 bytes before it and of the tables after it
//      48         the table of sections, 24 bytes for each, by ascending number:
//                   0  8  number: what the section has in it
//                   8  8  offset in the file, a multiple of 64
//                  16  8  bytes
//                 the table of blocks: a checksum (XXH3) for each 64 KiB of each section, of which
//                 the last may be shorter
//                 the sections
//
// Each block is compared with its checksum before its first use. Checksums find damage, not
// forgery: open_cache_file() looks at the owner.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "fs/file/mapped_file.h"

namespace scidfs::fs {

// One section as it is written: its bytes lie in pieces, one after the other.
struct Section {
  std::uint64_t number = 0;
  std::vector<codec::Bytes> pieces;

  std::uint64_t bytes() const;
};

// All bytes of a file with these sections.
class SectionImage {
 public:
  // Sorts the sections by number. REQUIRES: numbers differ. The bytes of the pieces outlive this.
  SectionImage(std::uint64_t key, std::vector<Section> sections);

  std::uint64_t size() const { return size_; }
  // Calls visit(bytes) for one part of the file after the other, until it returns an error.
  absl::Status for_each_part(absl::FunctionRef<absl::Status(codec::Bytes)> visit) const;

 private:
  std::vector<Section> sections_;
  std::vector<std::uint8_t> head_;  // the first bytes, with the tables
  std::uint64_t size_ = 0;
};

// Saves an image in a file at `path`, accessible only to its owner, in place of an older one.
// Errors: as save_words() (cache_file.h); Cancelled when `is_cancelled`.
absl::Status save_sections(const std::filesystem::path& path, const SectionImage& image,
                           absl::FunctionRef<bool()> is_cancelled);

// Where a section lies in its file.
struct SectionPlace {
  std::uint64_t number = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

// A mapped file. Where it is found to be damaged, it is removed, and its bytes are made again
// before any thread reads them (mapped_file.h). Immutable; any number of threads may read it.
class SectionFile {
 public:
  // Makes the image of a file again, for MappedFile::Rescue, whose rules hold: calls `take(image)`,
  // whose result it returns, or returns false.
  using Remake = std::function<bool(absl::FunctionRef<bool(const SectionImage& image)> take)>;

  // Errors: those of open_cache_file(); FailedPrecondition if it has another key or layout, lies on
  // a remote file system, which is never mapped, or is not leased (mapped_file.h); DataLoss if its
  // tables are damaged; ResourceExhausted.
  static absl::StatusOr<std::unique_ptr<const SectionFile>> map(const std::filesystem::path& path,
                                                                std::uint64_t key, Remake remake);

  // Returns the bytes of a section; none if there is no such section.
  codec::Bytes section(std::uint64_t number) const;
  // Returns the same as values; none also if it has another number of them.
  template <class Value>
  std::span<const Value> values(std::uint64_t number, std::size_t count) const {
    const codec::Bytes bytes = section(number);
    if (bytes.size() != count * sizeof(Value)) return {};
    return {reinterpret_cast<const Value*>(bytes.data()), count};
  }
  // Compares all checksums now, so that no later reader does, until `is_over` returns true.
  void check_ahead(absl::FunctionRef<bool()> is_over) const;

 private:
  SectionFile() = default;

  std::vector<SectionPlace> places_;
  std::unique_ptr<const MappedFile> file_;
};

// A file of sections that is read, not mapped: for answers that each need a few bytes of a large
// file. Each block is compared with its checksum before its first use. Immutable; any number of
// threads may read it.
class SectionReader {
 public:
  // Errors: those of open_cache_file(); FailedPrecondition if it has another key or layout, or lies
  // on a remote file system; DataLoss if its tables are damaged.
  static absl::StatusOr<std::unique_ptr<const SectionReader>> open(
      const std::filesystem::path& path, std::uint64_t key);
  ~SectionReader();

  // Returns the number of bytes of a section; 0 if there is no such section.
  std::uint64_t bytes(std::uint64_t number) const;
  // Fills `out` with the bytes of a section from `offset` on. Errors: DataLoss if the section ends
  // before, or a block has another checksum; those of read_fully().
  absl::Status read(std::uint64_t number, std::uint64_t offset, std::span<std::uint8_t> out) const;
  // Does the same for values, from the value `first` on.
  template <class Values>
  absl::Status read_values(std::uint64_t number, std::uint64_t first, Values&& out) const {
    const std::span values(out);
    return read(number, first * sizeof(values[0]),
                {reinterpret_cast<std::uint8_t*>(values.data()), values.size_bytes()});
  }

 private:
  struct State;
  explicit SectionReader(std::unique_ptr<const State> state);

  const std::unique_ptr<const State> state_;
};

// Returns whether a file of the cache folder begins as those of all layouts.
bool is_section_file(const std::filesystem::path& path);

}  // namespace scidfs::fs
