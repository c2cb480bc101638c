#include "fs/serve/body_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

struct BodyReader::Deflater {
  Deflater() {
    constexpr int kLevel = 3;       // twice as fast as the usual 6, and a twentieth longer
    constexpr int kGzip = 15 + 16;  // window of 2^15 bytes, header of gzip
    constexpr int kMemory = 8;
    if (::deflateInit2(&stream, kLevel, Z_DEFLATED, kGzip, kMemory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~Deflater() { ::deflateEnd(&stream); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  z_stream stream{};
  bool has_ended = false;
};

BodyReader::BodyReader(FileBody body) : body_(std::move(body)), piece_(std::move(body_.begin)) {
  if (body_.is_compressed) deflater_ = std::make_unique<Deflater>();
}

BodyReader::~BodyReader() = default;

std::optional<std::uint64_t> BodyReader::size() const {
  if (deflater_ != nullptr) return std::nullopt;
  std::uint64_t size = body_.after.size();
  for (const FilePart& part : body_.parts) size += part.before.size() + part.range.size;
  return size;
}

std::string_view BodyReader::next() const {
  const bool is_after = part_ == body_.parts.size();
  const std::string_view text = is_after ? body_.after : body_.parts[part_].before;
  if (text_done_ < text.size()) return text.substr(text_done_);
  if (is_after) return {};
  const std::uint64_t left = body_.parts[part_].range.size - range_done_;
  return piece_.bytes.substr(0, left);
}

void BodyReader::skip(std::size_t bytes) {
  const bool is_after = part_ == body_.parts.size();
  const std::string_view text = is_after ? body_.after : body_.parts[part_].before;
  if (text_done_ < text.size()) {
    text_done_ += bytes;
    return;
  }
  piece_.bytes.remove_prefix(bytes);
  range_done_ += bytes;
  if (range_done_ < body_.parts[part_].range.size) return;
  ++part_;
  text_done_ = 0;
  range_done_ = 0;
  piece_ = {};  // the next part begins elsewhere
}

bool BodyReader::wants_more() const {
  if (deflater_ != nullptr) return packed_done_ == packed_.size() && !deflater_->has_ended;
  return part_ < body_.parts.size() && next().empty();
}

bool BodyReader::has_ended() const {
  if (deflater_ != nullptr) return deflater_->has_ended && packed_done_ == packed_.size();
  return is_at_end();
}

std::size_t BodyReader::read(std::span<char> out) {
  if (deflater_ != nullptr) {
    const std::string_view bytes = std::string_view(packed_).substr(packed_done_, out.size());
    std::ranges::copy(bytes, out.begin());
    packed_done_ += bytes.size();
    return bytes.size();
  }
  std::size_t done = 0;
  while (done < out.size()) {
    const std::string_view bytes = next().substr(0, out.size() - done);
    if (bytes.empty()) break;
    std::memcpy(out.data() + done, bytes.data(), bytes.size());
    done += bytes.size();
    skip(bytes.size());
  }
  return done;
}

absl::Status BodyReader::fill(Tree& tree, const WorkBudget& budget) {
  if (deflater_ == nullptr) return get_piece(tree, budget);
  packed_.clear();
  packed_done_ = 0;
  while (packed_.empty() && !deflater_->has_ended) {
    if (next().empty() && !is_at_end()) RETURN_IF_ERROR(get_piece(tree, budget));
    compress();
  }
  return absl::OkStatus();
}

absl::Status BodyReader::get_piece(Tree& tree, const WorkBudget& budget) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  const ByteRange& range = body_.parts[part_].range;
  const std::size_t size = std::min<std::uint64_t>(kAtOnce, range.size - range_done_);
  ASSIGN_OR_RETURN(piece_, tree.read(body_.inode, range.first + range_done_, size, budget));
  if (piece_.bytes.empty()) return absl::DataLossError("a file is shorter than it was");
  return absl::OkStatus();
}

// Compresses what is at hand.
void BodyReader::compress() {
  constexpr std::size_t kRoom = std::size_t{1} << 16;
  z_stream& stream = deflater_->stream;
  while (!deflater_->has_ended) {
    const std::string_view bytes = next();
    const bool is_end = is_at_end();
    if (bytes.empty() && !is_end) return;
    const std::size_t before = packed_.size();
    packed_.resize(before + kRoom);
    stream.next_out = reinterpret_cast<Bytef*>(packed_.data() + before);
    stream.avail_out = kRoom;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    const int result = ::deflate(&stream, is_end ? Z_FINISH : Z_NO_FLUSH);
    packed_.resize(before + kRoom - stream.avail_out);
    if (!bytes.empty()) skip(bytes.size() - stream.avail_in);
    deflater_->has_ended = result == Z_STREAM_END;
  }
}

}  // namespace scidfs::fs
