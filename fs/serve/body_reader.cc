#include "fs/serve/body_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

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

std::optional<BodyReader::Missing> BodyReader::missing() const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  if (part_ == body_.parts.size() || !next().empty()) return std::nullopt;
  const ByteRange& range = body_.parts[part_].range;
  return Missing{.offset = range.first + range_done_,
                 .size = std::min<std::uint64_t>(kAtOnce, range.size - range_done_)};
}

bool BodyReader::has_ended() const {
  if (deflater_ != nullptr) return deflater_->has_ended;
  return part_ == body_.parts.size() && next().empty();
}

std::size_t BodyReader::read(std::span<char> out) {
  if (deflater_ != nullptr) return compress(out);
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

std::size_t BodyReader::compress(std::span<char> out) {
  z_stream& stream = deflater_->stream;
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  while (stream.avail_out > 0 && !deflater_->has_ended) {
    const std::string_view bytes = next();
    const bool is_end = part_ == body_.parts.size() && bytes.empty();
    if (bytes.empty() && !is_end) break;
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    const int result = ::deflate(&stream, is_end ? Z_FINISH : Z_NO_FLUSH);
    if (!bytes.empty()) skip(bytes.size() - stream.avail_in);
    deflater_->has_ended = result == Z_STREAM_END;
  }
  return out.size() - stream.avail_out;
}

}  // namespace scidfs::fs
