#include "fs/file/text_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "fs/file/io.h"

namespace scidfs::fs {

TextStream::TextStream(const SourceFile& file) : file_(&file), name_(file.path().native()) {}

TextStream::TextStream(const SourceFile& zip, ZipMembers& members, const ZipMember& member)
    : file_(&zip),
      members_(&members),
      member_(&member),
      name_((zip.path() / member.file_name()).native()) {}

TextStream::TextStream(int descriptor, std::string name)
    : descriptor_(descriptor), name_(std::move(name)) {}

absl::StatusOr<std::size_t> TextStream::read_descriptor(std::span<std::uint8_t> out) const {
  ssize_t count;
  do {
    count = ::read(descriptor_, out.data(), out.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return file_error("read", name_, errno);
  return static_cast<std::size_t>(count);
}

absl::StatusOr<std::size_t> TextStream::read_input(std::span<std::uint8_t> out) {
  if (!front_.empty()) {
    const std::size_t count = std::min(out.size(), front_.size());
    std::copy_n(front_.begin(), count, out.begin());
    front_.erase(front_.begin(), front_.begin() + static_cast<std::ptrdiff_t>(count));
    return count;
  }
  absl::StatusOr<std::size_t> count = 0;
  if (file_ == nullptr) {
    count = read_descriptor(out);
  } else if (member_ != nullptr) {
    count = read_member_(out);
  } else {
    const std::span<std::uint8_t> part =
        out.first(std::min<std::uint64_t>(out.size(), file_->size() - at_));
    const absl::Status status = file_->read(at_, part);
    count = status.ok() ? absl::StatusOr<std::size_t>(part.size()) : status;
  }
  if (count.ok()) at_ += *count;
  return count;
}

absl::Status TextStream::begin() {
  if (std::exchange(is_begun_, true)) return absl::OkStatus();
  if (member_ != nullptr) {
    absl::StatusOr<ByteInput> input = members_->open(*member_);
    if (!input.ok()) return input.status();
    read_member_ = *std::move(input);
  }
  std::vector<std::uint8_t> front(kPackingMark);
  std::size_t size = 0;
  while (size < front.size()) {
    const absl::StatusOr<std::size_t> count = read_input(std::span(front).subspan(size));
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    size += *count;
  }
  front.resize(size);
  front_ = std::move(front);
  if (is_zip(front_)) {
    return absl::DataLossError(
        fmt::format("Cannot unpack {}: it is a zip file, whose name has to end in .zip", name_));
  }
  const std::optional<Packing> packing = packing_of(front_);
  if (!packing.has_value()) {
    if (packing_suffix(name_).empty()) return absl::OkStatus();
    return absl::DataLossError(
        fmt::format("Cannot unpack {}: it does not begin as its name says", name_));
  }
  absl::StatusOr<std::unique_ptr<Unpacker>> unpacker = Unpacker::create(
      *packing, name_, [this](std::span<std::uint8_t> out) { return read_input(out); });
  if (!unpacker.ok()) return unpacker.status();
  unpacker_ = *std::move(unpacker);
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> TextStream::read_text(std::span<std::uint8_t> out) {
  if (absl::Status status = begin(); !status.ok()) return status;
  std::size_t size = 0;
  while (size < out.size()) {
    const std::span<std::uint8_t> rest = out.subspan(size);
    const absl::StatusOr<std::size_t> count =
        unpacker_ == nullptr ? read_input(rest) : unpacker_->read(rest);
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    size += *count;
  }
  return size;
}

absl::StatusOr<std::size_t> TextStream::read(std::span<std::uint8_t> out) {
  absl::StatusOr<std::size_t> size = read_text(out);
  const bool is_end = !size.ok() || *size < out.size();
  if (is_end && file_ != nullptr && !file_->is_as_opened()) {
    return absl::FailedPreconditionError(fmt::format("{} has changed since it was opened", name_));
  }
  return size;
}

absl::Status TextStream::skip(std::uint64_t count) {
  if (absl::Status status = begin(); !status.ok()) return status;
  if (file_ != nullptr && member_ == nullptr && unpacker_ == nullptr) {
    if (count > file_->size()) return ends_before(count);
    front_.clear();
    at_ = count;
    return absl::OkStatus();
  }
  constexpr std::uint64_t kSkipped = std::uint64_t{64} << 10;
  std::vector<std::uint8_t> room(std::min(count, kSkipped));
  for (std::uint64_t left = count; left != 0; left -= std::min<std::uint64_t>(left, kSkipped)) {
    const auto part = std::span(room).first(std::min(left, kSkipped));
    const absl::StatusOr<std::size_t> size = read(part);
    if (!size.ok()) return size.status();
    if (*size < part.size()) return ends_before(count);
  }
  return absl::OkStatus();
}

absl::Status TextStream::ends_before(std::uint64_t offset) const {
  return absl::DataLossError(
      fmt::format("Cannot read {} from byte {} on: it ends before", name_, offset));
}

}  // namespace scidfs::fs
