#include "codec/scv/line_reader.h"

#include <algorithm>

#include "codec/text.h"

namespace scidfs::codec::scv {

std::string_view LineReader::buffered() const {
  if (position_ < buffer_start_ || position_ - buffer_start_ >= buffer_.size()) return {};
  return as_text(Bytes(buffer_).subspan(position_ - buffer_start_));
}

bool LineReader::fill() {
  buffer_start_ = position_;
  buffer_.resize(std::min<std::uint64_t>(remaining(), kMaxLine + 1));
  if (read_(position_, buffer_).ok()) return true;
  buffer_.clear();
  fault_ = Fault::Unreadable;
  return false;
}

void LineReader::skip_line_ends() {
  while (!at_end()) {
    if (buffered().empty() && !fill()) return;
    const std::string_view text = buffered();
    const std::size_t end = text.find_first_not_of("\r\n");
    position_ += end == std::string_view::npos ? text.size() : end;
    if (end != std::string_view::npos) return;
  }
}

std::optional<std::string_view> LineReader::next() {
  std::size_t end = buffered().find('\n');
  if (end == std::string_view::npos) {
    if (!fill()) return std::nullopt;
    end = buffered().find('\n');
  }
  if (end == std::string_view::npos) {
    fault_ = remaining() > kMaxLine ? Fault::TooLong : Fault::Unterminated;
    return std::nullopt;
  }
  const std::string_view line = buffered().substr(0, end);
  position_ += end + 1;
  return line;
}

}  // namespace scidfs::codec::scv
