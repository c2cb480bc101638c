// Reads a text from its beginning to its end, from a file, a member of a zip file or standard
// input, and unpacks it if it is compressed. Text in UTF-16 becomes UTF-8.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/file/source_file.h"
#include "fs/file/unpacker.h"
#include "fs/file/utf16.h"
#include "fs/file/zip_file.h"

namespace scidfs::fs {

// The bytes of a text in their order. What the first bytes of the file say decides whether it is
// unpacked; a file whose name says that it is compressed must be, or be text. What has no name must
// look like text, too. Memory: that of Unpacker. Not thread-safe.
class TextStream {
 public:
  // Whether a compressed file that was cut ends there, or is damaged.
  enum class Cut : bool { Damage, End };

  // Reads a file, which outlives this. A file that changes while it is read is an error.
  explicit TextStream(const SourceFile& file, Cut cut = Cut::Damage);
  // Reads a member of a zip file; all three outlive this.
  TextStream(const SourceFile& zip, ZipMembers& members, const ZipMember& member,
             Cut cut = Cut::Damage);
  // Reads from a descriptor as from a pipe; `name` is for messages.
  TextStream(int descriptor, std::string name, Cut cut = Cut::Damage);
  TextStream(const TextStream&) = delete;
  TextStream& operator=(const TextStream&) = delete;

  // From now on what a program adds to the end of the file is left out, and no change.
  void let_file_grow() { may_grow_ = true; }

  // Returns whether the file is what it was when it was opened, or what it may become. True for a
  // pipe.
  bool is_unchanged() const;

  // Fills `out`, unless the text ends before. Returns the number of bytes. Errors, after which it
  // must not be called again: FailedPrecondition if the file has changed since it was opened;
  // DataLoss if it cannot be read, is no text, or the compressed bytes are damaged or cut: the
  // message names the file and about where in it.
  absl::StatusOr<std::size_t> read(std::span<std::uint8_t> out);
  // Passes bytes of the text. Errors: those of read(); DataLoss if the text ends before.
  // REQUIRES: nothing has been read.
  absl::Status skip(std::uint64_t count);

  // Returns the name of the file or member, for messages.
  const std::string& name() const { return name_; }
  // Returns how many bytes of the file have been read: fewer than of the text if it is compressed.
  // Those of a member count unpacked.
  std::uint64_t bytes_of_file() const { return at_; }
  // Return, as far as has been read, the error that read() would have returned where the text has
  // ended because the file was cut, and whether the file is no compressed one, though its name says
  // so.
  const absl::Status& cut() const { return cut_status_; }
  bool is_misnamed() const { return is_misnamed_; }

 private:
  absl::StatusOr<std::size_t> read_text(std::span<std::uint8_t> out);
  absl::StatusOr<std::size_t> read_utf16(std::span<std::uint8_t> out);
  // Reads bytes of the text as it is encoded.
  absl::StatusOr<std::size_t> read_encoded(std::span<std::uint8_t> out);
  // Read bytes of the file, which may be compressed.
  absl::StatusOr<std::size_t> read_input(std::span<std::uint8_t> out);
  absl::StatusOr<std::size_t> read_descriptor(std::span<std::uint8_t> out) const;
  // Finds out whether the file is compressed, and how its text is encoded, once.
  absl::Status begin();
  absl::Status find_packing();
  absl::Status read_front();
  absl::Status refused(std::string_view reason) const;
  // Returns whether the front looks like text.
  bool looks_like_text() const;
  absl::Status ends_before(std::uint64_t offset) const;

  const SourceFile* file_ = nullptr;   // or descriptor_
  ZipMembers* members_ = nullptr;      // of file_, if it is a zip file
  const ZipMember* member_ = nullptr;  // one of them
  ByteInput read_member_;              // once begun
  int descriptor_ = -1;
  std::string name_;
  std::uint64_t at_ = 0;             // in the file
  std::vector<std::uint8_t> front_;  // bytes that were read to find out
  const Cut cut_;
  bool may_grow_ = false;
  bool is_begun_ = false;
  absl::Status cut_status_;
  bool is_misnamed_ = false;
  std::unique_ptr<Unpacker> unpacker_;    // null if the file is not compressed
  std::vector<std::uint8_t> text_front_;  // bytes of the text that were read to find out
  std::optional<Utf16Decoder> utf16_;
  std::string decoded_;  // and not read yet, from decoded_at_ on
  std::size_t decoded_at_ = 0;
};

}  // namespace scidfs::fs
