#include "fs/file/text_stream.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "codec/ending.h"
#include "codec/text.h"
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
  std::size_t size = 0;
  while (size < front.size()) {
    const absl::StatusOr<std::size_t> count = read_input(std::span(front).subspan(size));
    if (!count.ok()) return count.status();
    if (*count == 0) break;
    size += *count;
  }
  front.resize(size);
  front_ = std::move(front);
  return absl::OkStatus();
}

absl::Status TextStream::begin() {
  if (std::exchange(is_begun_, true)) return absl::OkStatus();
  if (member_ != nullptr) {
    absl::StatusOr<ByteInput> input = members_->open(*member_);
    if (!input.ok()) return input.status();
    read_member_ = *std::move(input);
  }
  if (absl::Status status = read_front(); !status.ok()) return status;
  if (const std::optional<Packing> packing = packing_of(front_)) {
    absl::StatusOr<std::unique_ptr<Unpacker>> unpacker = Unpacker::create(
        *packing, name_, [this](std::span<std::uint8_t> out) { return read_input(out); });
    if (!unpacker.ok()) return unpacker.status();
    unpacker_ = *std::move(unpacker);
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
  const std::string_view front = codec::as_text(front_);
  if (front.starts_with("\xFF\xFE") || front.starts_with("\xFE\xFF")) return true;
  // UTF-16 has a zero beside each letter of ASCII: about half of the bytes, all at odd places or
  // all at even ones.
  std::array<std::size_t, 2> zeros{};
  std::size_t controls = 0;
  for (std::size_t i = 0; i < front.size(); ++i) {
    if (front[i] == '\0') {
      ++zeros[i % 2];
    } else if (codec::is_ascii_control(front[i]) &&
               kControlsOfText.find(front[i]) == std::string_view::npos) {
      ++controls;
    }
  }
  const std::size_t most = std::max(zeros[0], zeros[1]);
  const bool is_utf16 = most * 4 > front.size() && std::min(zeros[0], zeros[1]) == 0;
  return (most == 0 || is_utf16) && controls * kRare <= front.size();
}

absl::StatusOr<std::size_t> TextStream::read_text(std::span<std::uint8_t> out) {
  if (absl::Status status = begin(); !status.ok()) return status;
  std::size_t size = 0;
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
