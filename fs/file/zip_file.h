// Zip files: what is in them, and the bytes of one member.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/text.h"
#include "fs/file/source_file.h"
#include "fs/file/unpacker.h"

namespace scidfs::fs {

// Returns whether a name is that of a source of games.
using IsSource = absl::FunctionRef<bool(std::string_view name)>;

// A file in a zip file.
struct ZipMember {
  std::string name;          // with its folders, as a line of clean UTF-8; "entry 7" if it has none
  std::size_t number = 0;    // among all entries of the zip file, from 0
  std::uint64_t size = 0;    // of its bytes, unpacked
  std::int64_t seconds = 0;  // since 1970; of its last change
  bool has_name = true;      // false: it has none that can be read
  bool is_encrypted = false;
  bool is_link = false;  // or a device or the like

  // Returns the name without folders.
  std::string_view file_name() const { return std::string_view(name).substr(name.rfind('/') + 1); }
  // Returns whether it is a PGN file by its name, perhaps a compressed one; not what macOS adds,
  // whose names begin with a dot.
  bool is_pgn() const;
  // Returns why games that it may have are left out; empty if they are not, or it can have none.
  std::string_view loss(IsSource is_source) const;
};

// Returns the files of a zip file, without folders. `names` is the code page of names that are
// neither marked as UTF-8 nor valid UTF-8. Reads its directory only. Errors: DataLoss if it is
// none, or damaged, or has more entries than any archive of games; those of reading.
absl::StatusOr<std::vector<ZipMember>> list_zip(
    const SourceFile& file, codec::CodePage names = codec::CodePage::Windows1252);

// Returns whether a file is a zip file, by its first four bytes.
bool is_zip(codec::Bytes front);

class ZipReader;

// The members of a zip file, unpacked one after the other. Memory does not depend on their sizes:
// at most 8 MiB; 256 MiB where the method needs more than Deflate does. Not thread-safe.
class ZipMembers {
 public:
  // The file outlives this.
  explicit ZipMembers(const SourceFile& file) : file_(file) {}

  // Returns what reads the bytes of a member, which outlives it, until the next call. REQUIRES: the
  // number of the member is greater than those before. Errors, of each read, too: DataLoss if
  // the member is damaged, encrypted, a link, not as long as the directory says, or packed in a way
  // that the library lacks, or by LZMA or XZ, whose memory a file chooses; those of reading.
  absl::StatusOr<ByteInput> open(const ZipMember& member);

 private:
  const SourceFile& file_;
  std::shared_ptr<ZipReader> reader_;
  std::size_t next_ = 0;  // the number of its next entry
};

}  // namespace scidfs::fs
