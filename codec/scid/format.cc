#include "codec/scid/format.h"

#include <algorithm>
#include <array>

#include "codec/ending.h"

namespace scidfs::codec::scid {
namespace {

absl::StatusOr<IndexHeader> parse_header(Bytes front, std::uint64_t, CodePage page) {
  return parse_index_header(front, page);
}

absl::StatusOr<IndexHeader> parse_header5(Bytes front, std::uint64_t file_size, CodePage) {
  return parse_index5_header(front, file_size);
}

std::size_t most_of_any_name_file(Bytes) { return kMaxNameFileSize; }

constexpr std::array<Format, 3> kFormats = {{
    {.index_suffix = ".si3",
     .names_suffix = ".sn3",
     .games_suffix = ".sg3",
     .parse_header = parse_header,
     .max_name_file_size = max_name_file_size,
     .parse_names = parse_names,
     .game_block_size = 32'768,
     .castling = CastlingRule::Standard},
    {.index_suffix = ".si4",
     .names_suffix = ".sn4",
     .games_suffix = ".sg4",
     .parse_header = parse_header,
     .max_name_file_size = max_name_file_size,
     .parse_names = parse_names,
     .game_block_size = 131'072,
     .castling = CastlingRule::Standard},
    {.index_suffix = ".si5",
     .names_suffix = ".sn5",
     .games_suffix = ".sg5",
     .parse_header = parse_header5,
     .max_name_file_size = most_of_any_name_file,
     .parse_names = parse_names5,
     .game_block_size = 131'072,
     .castling = CastlingRule::Chess960},
}};

template <class Fits>
const Format* find(const Fits& fits) {
  const auto* const found = std::ranges::find_if(kFormats, fits);
  return found == kFormats.end() ? nullptr : &*found;
}

}  // namespace

std::span<const Format> formats() { return kFormats; }

const Format* format_of_index(std::string_view file_name) {
  return find(
      [file_name](const Format& format) { return has_ending(file_name, format.index_suffix); });
}

const Format* format_of_file(std::string_view file_name) {
  return find([file_name](const Format& format) {
    return has_ending(file_name, format.index_suffix) ||
           has_ending(file_name, format.names_suffix) || has_ending(file_name, format.games_suffix);
  });
}

}  // namespace scidfs::codec::scid
