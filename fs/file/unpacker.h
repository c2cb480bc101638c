// Unpacks compressed files: gzip, zstd, bzip2 and xz.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "codec/bytes.h"

namespace scidfs::fs {

enum class Packing : std::uint8_t { Gzip, Zstd, Bzip2, Xz };

// Returns how bytes are compressed, by their first kPackingMark bytes; nothing if they are not.
inline constexpr std::size_t kPackingMark = 6;
std::optional<Packing> packing_of(codec::Bytes front);
// Returns what bytes are, by their front, that are neither compressed in one of these ways nor
// text: "a 7z archive". Empty for all others.
std::string_view other_kind_of(codec::Bytes front);

// Returns the ending of the name of a compressed file: .gz, .zst, .bz2 or .xz, in any letter case;
// empty for other names.
std::string_view packing_suffix(std::string_view name);

// Fills the front of `out` with the next bytes of an input. Returns their number, 0 at the end.
using ByteInput = std::function<absl::StatusOr<std::size_t>(std::span<std::uint8_t> out)>;
// Fills `out` from an input, unless that ends before. Returns the number of bytes.
absl::StatusOr<std::size_t> read_whole(
    absl::FunctionRef<absl::StatusOr<std::size_t>(std::span<std::uint8_t> out)> input,
    std::span<std::uint8_t> out);

// One compressed file, or several in a row, piece by piece. Memory does not depend on how much the
// bytes unpack to: at most 8 MiB, and as much again as the compressor looked back (zstd: at most
// 128 MiB, xz: at most 1 GiB). No program is started. Not thread-safe.
class Unpacker {
 public:
  // `name` is for messages. Errors: Unimplemented if the libraries of this system lack the method.
  static absl::StatusOr<std::unique_ptr<Unpacker>> create(Packing packing, std::string name,
                                                          ByteInput input);
  virtual ~Unpacker() = default;

  // Fills the front of `out`. Returns the number of bytes, 0 only at the end. Errors, after which
  // it must not be called again: those of the input; DataLoss if the bytes are damaged or end too
  // early. Its message tells how many compressed bytes had been read then.
  virtual absl::StatusOr<std::size_t> read(std::span<std::uint8_t> out) = 0;
  // Returns whether read() has failed because the bytes end too early.
  bool is_cut() const { return is_cut_; }

 protected:
  Unpacker(std::string name, ByteInput input) : name_(std::move(name)), input_(std::move(input)) {}
  absl::StatusOr<std::size_t> read_packed(std::span<std::uint8_t> out);
  // Returns how many bytes read_packed() has returned.
  std::uint64_t packed_bytes() const { return packed_bytes_; }
  absl::Status damaged(std::string_view reason) const;
  // Returns the same for bytes of which more are needed.
  absl::Status cut();
  // Returns whether read_packed() has come to the end.
  bool has_ended() const { return has_ended_; }

 private:
  const std::string name_;
  const ByteInput input_;
  std::uint64_t packed_bytes_ = 0;
  bool has_ended_ = false;
  bool is_cut_ = false;
};

}  // namespace scidfs::fs
