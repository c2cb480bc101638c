#include "codec/scv/unpack.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "codec/scv/crc32.h"
#include "codec/scv/output.h"

namespace scidfs::codec::scv {
namespace {

// Deflate packs at best 1032 to 1.
constexpr std::uint64_t kMaxRatio = 1100;

std::uint64_t most_of(std::uint64_t stored, std::uint64_t most) {
  return std::min(most, (stored + 1) * kMaxRatio);  // stored is below 2^63 / kMaxRatio on any disk
}

// An unpacker of zlib and gzip streams.
class Inflater {
 public:
  enum class Form { Zlib, Gzip };

  explicit Inflater(Form form) {
    constexpr int kGzip = 16;
    is_ready_ = ::inflateInit2(&stream_, MAX_WBITS + (form == Form::Gzip ? kGzip : 0)) == Z_OK;
  }
  ~Inflater() {
    if (is_ready_) ::inflateEnd(&stream_);
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  bool is_ready() const { return is_ready_; }
  bool is_finished() const { return is_finished_; }
  void start_another() {
    ::inflateReset(&stream_);
    is_finished_ = false;
  }

  // Takes bytes from the front of `bytes`: all of them unless the stream ends.
  Fault run(Bytes& bytes, Output& output) {
    std::array<std::uint8_t, std::size_t{64} << 10> room;
    // zlib does not write through next_in, but its declaration does not say so.
    stream_.next_in = const_cast<std::uint8_t*>(bytes.data());
    stream_.avail_in = static_cast<unsigned>(bytes.size());
    int result = Z_OK;
    while (result == Z_OK && (stream_.avail_in != 0 || stream_.avail_out == 0)) {
      stream_.next_out = room.data();
      stream_.avail_out = room.size();
      result = ::inflate(&stream_, Z_NO_FLUSH);
      // A buffer error only means that there was nothing to do.
      if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) return Fault::BadData;
      const Bytes made = Bytes(room).first(room.size() - stream_.avail_out);
      if (const Fault fault = output.write(made); fault != Fault::None) return fault;
    }
    is_finished_ = result == Z_STREAM_END;
    bytes = bytes.last(stream_.avail_in);
    return is_finished_ || bytes.empty() ? Fault::None : Fault::BadData;
  }

 private:
  z_stream stream_{};
  bool is_ready_ = false;
  bool is_finished_ = false;
};

// Unpacks the next bytes of one stream, or of several in a row, between and after which there may
// be zeros: programs that write blocks fill them up.
Fault inflate(Bytes bytes, Inflater& inflater, bool may_repeat, Output& output) {
  while (!bytes.empty()) {
    if (inflater.is_finished()) {
      if (!may_repeat) return Fault::TrailingBytes;
      const auto next = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte != 0; });
      bytes = bytes.subspan(static_cast<std::size_t>(next - bytes.begin()));
      if (bytes.empty()) break;
      inflater.start_another();
    }
    if (const Fault fault = inflater.run(bytes, output); fault != Fault::None) return fault;
  }
  return Fault::None;
}

Fault inflate_all(Input& input, Inflater::Form form, Output& output) {
  Inflater inflater(form);
  if (!inflater.is_ready()) return Fault::Refused;
  while (true) {
    const Bytes bytes = input.next();
    if (bytes.empty()) break;
    const Fault fault = inflate(bytes, inflater, false, output);
    if (fault != Fault::None) return fault;
  }
  if (!input.is_readable()) return Fault::Unreadable;
  return inflater.is_finished() ? Fault::None : Fault::Incomplete;
}

Fault copy_all(Input& input, Output& output) {
  while (true) {
    const Bytes bytes = input.next();
    if (bytes.empty()) break;
    if (const Fault fault = output.write(bytes); fault != Fault::None) return fault;
  }
  return input.is_readable() ? Fault::None : Fault::Unreadable;
}

// Returns Scidb's checksum of raw data: of each byte as UTF-8, with NUL in two bytes.
std::uint32_t text_crc32(Input input) {
  std::uint32_t crc = 0;
  std::vector<std::uint8_t> text;
  while (true) {
    const Bytes bytes = input.next();
    if (bytes.empty()) return crc;
    text.clear();
    for (const std::uint8_t byte : bytes) {
      if (byte != 0 && byte < 0x80) {
        text.push_back(byte);
      } else {
        text.push_back(static_cast<std::uint8_t>(0xC0 | byte >> 6));
        text.push_back(static_cast<std::uint8_t>(0x80 | (byte & 0x3F)));
      }
    }
    crc = add_to_crc32(crc, text);
  }
}

std::uint32_t stored_crc32(Input input) {
  std::uint32_t crc = 0;
  while (true) {
    const Bytes bytes = input.next();
    if (bytes.empty()) return crc;
    crc = add_to_crc32(crc, bytes);
  }
}

Fault unpack_data(const Member& member, ReadAt read, Output& output) {
  Input input(member.offset, member.size, read);
  switch (member.method) {
    case Method::Raw:
      return copy_all(input, output);
    case Method::Zlib:
      return inflate_all(input, Inflater::Form::Zlib, output);
    case Method::Gzip:
      return inflate_all(input, Inflater::Form::Gzip, output);
    case Method::Lzo:
      return unpack_lzo(member, read, output);
    case Method::Unknown:
      return Fault::UnknownMethod;
  }
  return Fault::UnknownMethod;
}

// Compares the checksum, which is that of the stored bytes; a raw member consists of them.
Fault check_sum(const Member& member, ReadAt read, Unpacked& unpacked) {
  if (!member.checksum) return Fault::None;
  const Input input(member.offset, member.size, read);
  if (*member.checksum == (member.method == Method::Raw ? unpacked.crc32 : stored_crc32(input))) {
    return Fault::None;
  }
  if (member.method != Method::Raw || *member.checksum != text_crc32(input)) {
    return Fault::WrongChecksum;
  }
  unpacked.has_text_checksum = true;
  return Fault::None;
}

}  // namespace

Fault Output::write(Bytes bytes) {
  if (bytes.size() > most_ - size_) return Fault::UnpacksToMore;
  size_ += bytes.size();
  crc32_ = add_to_crc32(crc32_, bytes);
  return bytes.empty() || sink_(bytes) ? Fault::None : Fault::Refused;
}

Unpacked unpack(const Member& member, ReadAt read, std::uint64_t most, Sink sink) {
  assert(member.is_usable());
  Output output(std::min(most, member.file_size.value_or(most_of(member.size, most))), sink);
  Unpacked unpacked;
  unpacked.fault = unpack_data(member, read, output);
  unpacked.size = output.size();
  unpacked.crc32 = output.crc32();
  if (unpacked.fault == Fault::None && member.file_size && output.size() != *member.file_size) {
    unpacked.fault = Fault::WrongFileSize;
  }
  if (unpacked.fault == Fault::None) unpacked.fault = check_sum(member, read, unpacked);
  return unpacked;
}

struct Gunzipper::State {
  State(std::uint64_t most, Sink sink) : inflater(Inflater::Form::Gzip), output(most, sink) {
    if (!inflater.is_ready()) fault = Fault::Refused;
  }

  Inflater inflater;
  Output output;
  Fault fault = Fault::None;
};

Gunzipper::Gunzipper(std::uint64_t most, Sink sink) : state_(std::make_unique<State>(most, sink)) {}
Gunzipper::~Gunzipper() = default;

bool Gunzipper::add(Bytes bytes) {
  if (state_->fault == Fault::None) {
    state_->fault = inflate(bytes, state_->inflater, true, state_->output);
  }
  return state_->fault == Fault::None;
}

Unpacked Gunzipper::finish() const {
  const bool is_cut = state_->fault == Fault::None && !state_->inflater.is_finished();
  return {.fault = is_cut ? Fault::Incomplete : state_->fault,
          .size = state_->output.size(),
          .crc32 = state_->output.crc32()};
}

}  // namespace scidfs::codec::scv
