#include "fs/file/text_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cerrno>
#include <utility>

#include "codec/ending.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

// How many bytes tell whether something is text.
constexpr std::size_t kFront = 512;

// The control characters of texts: white space, the end of a file of DOS, and Escape.
constexpr std::string_view kControlsOfText = "\t\n\v\f\r\x1A\x1B";
// One byte of so many may be another one: a tenth of what is compressed is.
constexpr std::size_t kRare = 32;

// Returns "an HTML page" or "a PDF file"; empty for other bytes.
std::string_view kind_of_document(codec::Bytes front) {
  const std::string small = codec::in_small_letters(codec::trim_left(codec::as_text(front)));
  if (small.starts_with("%pdf-")) return "a PDF file";
  const bool is_page = small.starts_with("<!doctype html") || small.starts_with("<html");
  return is_page ? "an HTML page" : std::string_view();
}

}  // namespace

TextStream::TextStream(const SourceFile& file, Cut cut)
    : file_(&file), name_(file.path().native()), cut_(cut) {}

TextStream::TextStream(const SourceFile& zip, ZipMembers& members, const ZipMember& member, Cut cut)
    : file_(&zip),
      members_(&members),
      member_(&member),
      name_((zip.path() / member.file_name()).native()),
      cut_(cut) {}

TextStream::TextStream(int descriptor, std::string name, Cut cut)
    : descriptor_(descriptor), name_(std::move(name)), cut_(cut) {}

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

absl::Status TextStream::read_front() {
  std::vector<std::uint8_t> front(kFront);
  ASSIGN_OR_RETURN(
      const std::size_t size,
      read_whole([this](std::span<std::uint8_t> out) { return read_input(out); }, front));
  front.resize(size);
  front_ = std::move(front);
  return absl::OkStatus();
}

absl::Status TextStream::begin() {
  if (std::exchange(is_begun_, true)) return absl::OkStatus();
  RETURN_IF_ERROR(find_packing());
  if (unpacker_ != nullptr) {
    std::vector<std::uint8_t> front(kFront);
    ASSIGN_OR_RETURN(const std::size_t count, read_encoded(front));
    front.resize(count);
    text_front_ = std::move(front);
  }
  const std::optional<std::endian> order = utf16_order(unpacker_ == nullptr ? front_ : text_front_);
  if (order.has_value()) utf16_.emplace(*order);
  return absl::OkStatus();
}

absl::Status TextStream::find_packing() {
  if (member_ != nullptr) {
    ASSIGN_OR_RETURN(ByteInput input, members_->open(*member_));
    read_member_ = std::move(input);
  }
  RETURN_IF_ERROR(read_front());
  if (const std::optional<Packing> packing = packing_of(front_)) {
    ASSIGN_OR_RETURN(std::unique_ptr<Unpacker> unpacker,
                     Unpacker::create(*packing, name_, [this](std::span<std::uint8_t> out) {
                       return read_input(out);
                     }));
    unpacker_ = std::move(unpacker);
    return absl::OkStatus();
  }
  if (const std::string_view kind = other_kind_of(front_); !kind.empty()) {
    return refused(is_zip(front_)
                       ? "it is a zip file, whose name has to end in .zip"
                       : fmt::format("it is {}, whose files have to be unpacked first", kind));
  }
  is_misnamed_ = !packing_suffix(name_).empty();
  if (file_ != nullptr && !is_misnamed_) return absl::OkStatus();
  if (const std::string_view kind = kind_of_document(front_); !kind.empty()) {
    return refused(fmt::format("it is {}, and no PGN", kind));
  }
  const bool may_be_text = looks_like_text();
  if (is_misnamed_ && (!may_be_text || front_.size() < kPackingMark)) {
    return refused("it does not begin as its name says");
  }
  return may_be_text ? absl::OkStatus()
                     : refused(
                           "it is neither text nor compressed by a program "
                           "that is known here");
}

absl::Status TextStream::refused(std::string_view reason) const {
  return absl::DataLossError(fmt::format("Cannot unpack {}: {}", name_, reason));
}

bool TextStream::looks_like_text() const {
  if (utf16_order(front_).has_value()) return true;
  const std::string_view front = codec::as_text(front_);
  const auto is_of_none = [](char c) {
    return codec::is_ascii_control(c) && kControlsOfText.find(c) == std::string_view::npos;
  };
  const auto controls = static_cast<std::size_t>(std::ranges::count_if(front, is_of_none));
  return front.find('\0') == std::string_view::npos && controls * kRare <= front.size();
}

absl::StatusOr<std::size_t> TextStream::read_text(std::span<std::uint8_t> out) {
  RETURN_IF_ERROR(begin());
  return utf16_.has_value() ? read_utf16(out) : read_encoded(out);
}

absl::StatusOr<std::size_t> TextStream::read_utf16(std::span<std::uint8_t> out) {
  constexpr std::size_t kEncodedPiece = std::size_t{16} << 10;
  std::array<std::uint8_t, kEncodedPiece> encoded;
  std::size_t size = 0;
  while (size < out.size()) {
    const std::span<const std::uint8_t> rest =
        codec::as_bytes(std::string_view(decoded_).substr(decoded_at_));
    const std::size_t count = std::min(rest.size(), out.size() - size);
    std::copy_n(rest.begin(), count, out.begin() + static_cast<std::ptrdiff_t>(size));
    size += count;
    decoded_at_ += count;
    if (count != 0) continue;
    ASSIGN_OR_RETURN(const std::size_t more, read_encoded(encoded));
    if (more == 0) break;
    decoded_.clear();
    decoded_at_ = 0;
    utf16_->append(std::span(encoded).first(more), decoded_);
  }
  return size;
}

absl::StatusOr<std::size_t> TextStream::read_encoded(std::span<std::uint8_t> out) {
  std::size_t size = std::min(out.size(), text_front_.size());
  std::copy_n(text_front_.begin(), size, out.begin());
  text_front_.erase(text_front_.begin(), text_front_.begin() + static_cast<std::ptrdiff_t>(size));
  while (size < out.size() && cut_status_.ok()) {
    const std::span<std::uint8_t> rest = out.subspan(size);
    const absl::StatusOr<std::size_t> count =
        unpacker_ == nullptr ? read_input(rest) : unpacker_->read(rest);
    if (!count.ok()) {
      const bool ends = cut_ == Cut::End && unpacker_ != nullptr && unpacker_->is_cut();
      if (!ends) return count.status();
      cut_status_ = count.status();
      break;
    }
    if (*count == 0) break;
    size += *count;
  }
  return size;
}

bool TextStream::is_unchanged() const {
  if (file_ == nullptr) return true;
  return may_grow_ ? file_->may_begin_as_opened() : file_->is_as_opened();
}

absl::StatusOr<std::size_t> TextStream::read(std::span<std::uint8_t> out) {
  absl::StatusOr<std::size_t> size = read_text(out);
  const bool is_end = !size.ok() || *size < out.size();
  if (is_end && !is_unchanged()) {
    return absl::FailedPreconditionError(fmt::format("{} has changed since it was opened", name_));
  }
  return size;
}

absl::Status TextStream::skip(std::uint64_t count) {
  assert(at_ == 0);
  RETURN_IF_ERROR(begin());
  if (file_ != nullptr && member_ == nullptr && unpacker_ == nullptr && !utf16_.has_value()) {
    if (count > file_->size()) return ends_before(count);
    front_.clear();
    at_ = count;
    return absl::OkStatus();
  }
  constexpr std::uint64_t kSkipped = std::uint64_t{64} << 10;
  std::vector<std::uint8_t> room(std::min(count, kSkipped));
  for (std::uint64_t left = count; left != 0; left -= std::min<std::uint64_t>(left, kSkipped)) {
    const auto part = std::span(room).first(std::min(left, kSkipped));
    ASSIGN_OR_RETURN(const std::size_t size, read(part));
    if (size < part.size()) return ends_before(count);
  }
  return absl::OkStatus();
}

absl::Status TextStream::ends_before(std::uint64_t offset) const {
  return absl::DataLossError(
      fmt::format("Cannot read {} from byte {} on: it ends before", name_, offset));
}

}  // namespace scidfs::fs
