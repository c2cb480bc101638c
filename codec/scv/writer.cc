#include "codec/scv/writer.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cassert>
#include <new>
#include <vector>

#include "codec/scv/crc32.h"

namespace scidfs::codec::scv {
namespace {

constexpr std::size_t kNumberWidth = 11;

}  // namespace

std::string header_text(const ArchiveHeader& header) {
  std::string text = fmt::format("iveArch\n<TotalSize> {}\n", header.total_size);
  if (header.games) text += fmt::format("<Count> {}\n", *header.games);
  return text + fmt::format("<Format> {}\n<Type> {}\n", fmt::join(header.formats, ","),
                            header.is_single ? "single" : "multi");
}

std::string filled_in(std::uint64_t number) {
  std::string text = fmt::format("{:<{}}", number, kNumberWidth);
  assert(text.size() == kNumberWidth);
  return text;
}

MemberText member_text(const MemberHeader& header, bool is_first) {
  const std::string room(kNumberWidth, ' ');
  MemberText member;
  member.text = fmt::format(
      "{}<-- H E A D -->\n<FileName> {}\n<FileSize> {}\n<Compression> zlib\n<Modified> {}\n<Size> ",
      is_first ? "" : "\n", header.name, header.file_size, header.modified);
  member.size_at = member.text.size();
  member.text += room + "\n<Checksum> ";
  member.checksum_at = member.text.size();
  member.text += room + "\n<-- D A T A -->\n";
  return member;
}

struct Deflater::State {
  z_stream stream{};
  std::vector<std::uint8_t> packed;
  std::uint64_t packed_size = 0;
  std::uint32_t packed_crc32 = 0;
  std::uint32_t unpacked_crc32 = 0;
};

Deflater::Deflater() : state_(std::make_unique<State>()) {
  if (::deflateInit(&state_->stream, Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
}

Deflater::~Deflater() { ::deflateEnd(&state_->stream); }

Bytes Deflater::add(Bytes bytes, bool is_last) {
  State& state = *state_;
  state.unpacked_crc32 = add_to_crc32(state.unpacked_crc32, bytes);
  state.packed.clear();
  // zlib does not write through next_in, but its declaration does not say so.
  state.stream.next_in = const_cast<std::uint8_t*>(bytes.data());
  state.stream.avail_in = static_cast<unsigned>(bytes.size());
  std::array<std::uint8_t, std::size_t{64} << 10> room;
  do {
    state.stream.next_out = room.data();
    state.stream.avail_out = room.size();
    ::deflate(&state.stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    const Bytes made = Bytes(room).first(room.size() - state.stream.avail_out);
    state.packed.insert(state.packed.end(), made.begin(), made.end());
  } while (state.stream.avail_out == 0);
  state.packed_size += state.packed.size();
  state.packed_crc32 = add_to_crc32(state.packed_crc32, state.packed);
  return state.packed;
}

std::uint64_t Deflater::packed_size() const { return state_->packed_size; }
std::uint32_t Deflater::packed_crc32() const { return state_->packed_crc32; }
std::uint32_t Deflater::unpacked_crc32() const { return state_->unpacked_crc32; }

}  // namespace scidfs::codec::scv
