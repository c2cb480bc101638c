// Zip files: what is in them, and the bytes of one member.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A file in a zip file.
struct ZipMember {
  std::string name;          // with its folders, as it is stored
  std::size_t number = 0;    // among all entries of the zip file, from 0
  std::uint64_t size = 0;    // of its bytes, unpacked
  std::int64_t seconds = 0;  // since 1970; of its last change
  bool is_encrypted = false;
};

// Returns the files of a zip file, without folders. Reads its directory only. Errors: DataLoss if
// it is none, or damaged, or has more entries than any archive of games; those of reading.
absl::StatusOr<std::vector<ZipMember>> list_zip(const SourceFile& file);

// Unpacks a member piece by piece: `take` gets its bytes in order, and ends the work by an error,
// which is returned. Memory does not depend on the sizes: at most 8 MiB; 256 MiB where the method
// needs more than Deflate does. Errors: DataLoss if the member is damaged, encrypted, not as long
// as the directory says, or packed in a way that the library lacks, or by LZMA or XZ, whose memory
// a file chooses; those of reading.
absl::Status unpack_member(const SourceFile& file, const ZipMember& member,
                           absl::FunctionRef<absl::Status(codec::Bytes)> take);

}  // namespace scidfs::fs
