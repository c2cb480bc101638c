#include "fs/file/unpacker.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "codec/ending.h"
#include "codec/scv/unpack.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kXzMark("\3757zXZ\0", kPackingMark);

constexpr std::string_view kDamaged = "the compressed data are damaged";

// What else may come instead of a text, by its first bytes.
struct OtherKind {
  std::string_view mark;
  std::string_view words;
};
constexpr std::array kOtherKinds = {
    OtherKind{"PK\3\4", "a zip file"},
    OtherKind{"7z\xBC\xAF\x27\x1C", "a 7z archive"},
    OtherKind{"Rar!\x1A\x07", "a RAR archive"},
    OtherKind{"\x04\x22\x4D\x18", "an lz4 file"},
};

// How zstd marks a frame that is to be skipped, after a byte from 0x50 to 0x5F.
constexpr std::string_view kSkippable = "\x2A\x4D\x18";

bool is_skippable(codec::Bytes front) {
  return front.size() > kSkippable.size() && (front[0] & 0xF0U) == 0x50 &&
         codec::as_text(front.subspan(1)).starts_with(kSkippable);
}

struct PackingRow {
  Packing packing;
  std::string_view mark;
  std::string_view suffix;
  // Of libarchive; null: it is not used.
  int (*enable)(archive*);
  int filter;
};

// The readers of libarchive are named one by one, since some of its others start programs.
constexpr std::array kPackings = {
    PackingRow{Packing::Gzip, "\x1F\x8B", ".gz", nullptr, 0},
    PackingRow{Packing::Zstd, "\x28\xB5\x2F\xFD", ".zst", archive_read_support_filter_zstd,
               ARCHIVE_FILTER_ZSTD},
    PackingRow{Packing::Bzip2, "BZh", ".bz2", archive_read_support_filter_bzip2,
               ARCHIVE_FILTER_BZIP2},
    PackingRow{Packing::Xz, kXzMark, ".xz", archive_read_support_filter_xz, ARCHIVE_FILTER_XZ},
};

// Unpacks gzip with its checksums, which libarchive does not read.
class GzipUnpacker : public Unpacker {
 public:
  GzipUnpacker(std::string name, ByteInput input) : Unpacker(std::move(name), std::move(input)) {}

  absl::StatusOr<std::size_t> read(std::span<std::uint8_t> out) override {
    while (at_ == unpacked_.size() && !is_end_) {
      RETURN_IF_ERROR(unpack_more());
    }
    const std::size_t count = std::min(out.size(), unpacked_.size() - at_);
    std::copy_n(unpacked_.begin() + static_cast<std::ptrdiff_t>(at_), count, out.begin());
    at_ += count;
    return count;
  }

 private:
  absl::Status unpack_more() {
    // They unpack to 4 MiB at most.
    std::array<std::uint8_t, std::size_t{4} << 10> packed;
    ASSIGN_OR_RETURN(const std::size_t count, read_packed(packed));
    unpacked_.clear();
    at_ = 0;
    is_end_ = count == 0;
    if (gunzipper_.add(codec::Bytes(packed).first(count)) && !is_end_) return absl::OkStatus();
    const codec::scv::Fault fault = gunzipper_.finish().fault;
    if (fault == codec::scv::Fault::None) return absl::OkStatus();
    return is_end_ ? cut() : damaged(kDamaged);
  }
  bool take(codec::Bytes bytes) {
    unpacked_.insert(unpacked_.end(), bytes.begin(), bytes.end());
    return true;
  }

  std::vector<std::uint8_t> unpacked_;
  std::size_t at_ = 0;
  bool is_end_ = false;
  const std::function<bool(codec::Bytes)> sink_ = [this](codec::Bytes bytes) {
    return take(bytes);
  };
  codec::scv::Gunzipper gunzipper_{std::numeric_limits<std::uint64_t>::max(), sink_};
};

class ArchiveUnpacker : public Unpacker {
 public:
  ArchiveUnpacker(std::string name, ByteInput input)
      : Unpacker(std::move(name), std::move(input)) {}

  // Returns false if libarchive does not unpack that by itself.
  bool enable(const PackingRow& row) {
    filter_ = row.filter;
    // A warning says that it would start a program.
    return archive_ != nullptr && row.enable(archive_.get()) == ARCHIVE_OK &&
           archive_read_support_format_raw(archive_.get()) == ARCHIVE_OK &&
           archive_read_support_format_empty(archive_.get()) == ARCHIVE_OK;
  }

  absl::StatusOr<std::size_t> read(std::span<std::uint8_t> out) override {
    if (!std::exchange(is_begun_, true)) {
      if (filter_ == ARCHIVE_FILTER_ZSTD) input_status_ = pass_skippable();
      if (!input_status_.ok() || !begin()) return failure();
    }
    if (is_empty_) return 0;
    const la_ssize_t count = archive_read_data(archive_.get(), out.data(), out.size());
    if (count < 0) return failure();
    if (count == 0 && !out.empty()) {
      RETURN_IF_ERROR(check_end());
    }
    return static_cast<std::size_t>(count);
  }

 private:
  // Passes the frames at the beginning that are to be skipped: libarchive does not know zstd by
  // them. What comes after them is in front_.
  absl::Status pass_skippable() {
    constexpr std::size_t kHead = 8;
    for (;;) {
      front_.resize(kHead);
      ASSIGN_OR_RETURN(
          const std::size_t size,
          read_whole([this](std::span<std::uint8_t> out) { return read_packed(out); }, front_));
      front_.resize(size);
      if (!is_skippable(front_)) break;
      if (size < kHead) return cut();
      std::uint64_t left = codec::ByteReader(codec::Bytes(front_).subspan(kHead / 2)).u32_little();
      while (left > 0) {
        const auto part = std::span(packed_).first(std::min<std::uint64_t>(left, packed_.size()));
        ASSIGN_OR_RETURN(const std::size_t count, read_packed(part));
        if (count == 0) return cut();
        left -= count;
      }
    }
    passed_ = packed_bytes() - front_.size();
    return absl::OkStatus();
  }
  // Returns whether the bytes begin as they must.
  bool begin() {
    is_empty_ = passed_ > 0 && front_.empty();
    if (is_empty_) return true;
    archive* const in = archive_.get();
    if (archive_read_open(in, this, nullptr, read_next, nullptr) != ARCHIVE_OK) return false;
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(in, &entry);
    is_empty_ = result == ARCHIVE_EOF;
    // Damage at the beginning looks like an empty file, but leaves an error; or like a file that is
    // not compressed.
    return (is_empty_ || result == ARCHIVE_OK) && archive_errno(in) == 0 &&
           archive_filter_code(in, 0) == filter_;
  }
  // libarchive takes what it does not understand after some compressed bytes for the end.
  absl::Status check_end() {
    const auto taken =
        static_cast<std::uint64_t>(archive_filter_bytes(archive_.get(), -1)) + passed_;
    const bool has_rest = taken < packed_bytes();
    ASSIGN_OR_RETURN(const std::size_t count, read_packed(packed_));
    return has_rest || count != 0 ? damaged(kDamaged) : absl::OkStatus();
  }
  static la_ssize_t read_next(archive*, void* self, const void** bytes) {
    auto& unpacker = *static_cast<ArchiveUnpacker*>(self);
    if (!unpacker.front_.empty() && !std::exchange(unpacker.is_front_given_, true)) {
      *bytes = unpacker.front_.data();
      return static_cast<la_ssize_t>(unpacker.front_.size());
    }
    *bytes = unpacker.packed_.data();
    const absl::StatusOr<std::size_t> count = unpacker.read_packed(unpacker.packed_);
    if (count.ok()) return static_cast<la_ssize_t>(*count);
    unpacker.input_status_ = count.status();
    return ARCHIVE_FATAL;
  }

  absl::Status failure() {
    if (!input_status_.ok()) return input_status_;
    const char* const error = archive_error_string(archive_.get());
    const std::string_view reason = error != nullptr ? error : std::string_view();
    // The input may have ended before a wrong byte in it was reached.
    constexpr std::string_view kWrong = "Corrupted";
    if (has_ended() && reason.find(kWrong) == std::string_view::npos) return cut();
    return damaged(reason.empty() ? kDamaged : reason);
  }

  absl::Status input_status_;
  std::vector<std::uint8_t> front_;  // the first bytes for libarchive, read already
  std::uint64_t passed_ = 0;         // packed bytes before them
  bool is_front_given_ = false;
  std::vector<std::uint8_t> packed_ = std::vector<std::uint8_t>(std::size_t{64} << 10);
  const std::unique_ptr<archive, int (*)(archive*)> archive_{archive_read_new(), archive_read_free};
  int filter_ = 0;
  bool is_begun_ = false;
  bool is_empty_ = false;
};

}  // namespace

absl::StatusOr<std::size_t> read_whole(
    absl::FunctionRef<absl::StatusOr<std::size_t>(std::span<std::uint8_t> out)> input,
    std::span<std::uint8_t> out) {
  std::size_t size = 0;
  while (size < out.size()) {
    ASSIGN_OR_RETURN(const std::size_t count, input(out.subspan(size)));
    if (count == 0) break;
    size += count;
  }
  return size;
}

std::optional<Packing> packing_of(codec::Bytes front) {
  for (const PackingRow& row : kPackings) {
    if (codec::as_text(front).starts_with(row.mark)) return row.packing;
  }
  return is_skippable(front) ? std::optional(Packing::Zstd) : std::nullopt;
}

std::string_view other_kind_of(codec::Bytes front) {
  const auto* const found = std::ranges::find_if(kOtherKinds, [front](const OtherKind& kind) {
    return codec::as_text(front).starts_with(kind.mark);
  });
  return found == kOtherKinds.end() ? std::string_view() : found->words;
}

std::string_view packing_suffix(std::string_view name) {
  for (const PackingRow& row : kPackings) {
    if (codec::has_ending(name, row.suffix)) return name.substr(name.size() - row.suffix.size());
  }
  return {};
}

absl::StatusOr<std::unique_ptr<Unpacker>> Unpacker::create(Packing packing, std::string name,
                                                           ByteInput input) {
  const PackingRow& row = kPackings[static_cast<std::size_t>(packing)];
  if (row.enable == nullptr) {
    return std::make_unique<GzipUnpacker>(std::move(name), std::move(input));
  }
  auto unpacker = std::make_unique<ArchiveUnpacker>(name, std::move(input));
  if (unpacker->enable(row)) return unpacker;
  return absl::UnimplementedError(
      fmt::format("Cannot unpack {}: the library of this system cannot do it", name));
}

absl::StatusOr<std::size_t> Unpacker::read_packed(std::span<std::uint8_t> out) {
  absl::StatusOr<std::size_t> count = input_(out);
  if (count.ok()) {
    packed_bytes_ += *count;
    has_ended_ = *count == 0;
  }
  return count;
}

absl::Status Unpacker::cut() {
  is_cut_ = true;
  return damaged("the compressed data end too early");
}

absl::Status Unpacker::damaged(std::string_view reason) const {
  return absl::DataLossError(
      fmt::format("Cannot unpack {}: before byte {}: {}", name_, packed_bytes_, reason));
}

}  // namespace scidfs::fs
