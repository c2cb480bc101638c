#include "codec/kvetka/book.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "codec/text.h"

namespace scidfs::codec::kvetka {
namespace {

absl::Status bad(const std::string& reason) {
  return absl::InvalidArgumentError("not a Kvetka book: " + reason);
}

}  // namespace

bool RatingLimits::admits(std::uint16_t white_elo, std::uint16_t black_elo) const {
  return white_elo >= white && black_elo >= black && std::max(white_elo, black_elo) >= strong &&
         std::min(white_elo, black_elo) >= weak;
}

absl::StatusOr<BookHeader> parse_book_header(Bytes front) {
  ByteReader in(front);
  const std::uint8_t type = in.u8();
  if (!in.ok()) return bad("it is empty");
  if (type != kBookType) return bad(fmt::format("type {} is not supported, only 1 is", type));
  const std::uint32_t units = in.u32();
  if (!in.ok()) return bad("it ends within its header");
  if (units > kMaxCaptionUnits) return bad(fmt::format("its caption has {} characters", units));
  BookHeader header;
  header.caption = as_text(in.take(std::size_t{units} * 2));
  for (std::uint16_t* const limit :
       {&header.limits.white, &header.limits.black, &header.limits.strong, &header.limits.weak}) {
    *limit = in.u16();
  }
  header.max_plies = in.u8();
  header.element_type = in.u8();
  header.links = in.u8();
  header.blocks = in.u32();
  if (!in.ok()) return bad("it ends within its header");
  header.size = in.offset();
  return header;
}

std::vector<std::uint8_t> book_header_bytes(const BookHeader& header) {
  std::vector<std::uint8_t> out;
  const auto put = [&out](std::uint32_t value, std::size_t width) {
    for (std::size_t i = width; i-- > 0;) out.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  };
  put(kBookType, 1);
  put(static_cast<std::uint32_t>(header.caption.size() / 2), 4);
  out.insert(out.end(), header.caption.begin(), header.caption.end());
  for (const std::uint16_t limit :
       {header.limits.white, header.limits.black, header.limits.strong, header.limits.weak}) {
    put(limit, 2);
  }
  put(header.max_plies, 1);
  put(header.element_type, 1);
  put(header.links, 1);
  put(header.blocks, 4);
  return out;
}

std::optional<std::vector<Key>> parse_book_index(Bytes file, std::uint64_t blocks) {
  if (file.size() != blocks * kKeySize) return std::nullopt;
  std::vector<Key> keys(blocks);
  for (std::size_t i = 0; i < blocks; ++i) {
    std::ranges::copy(file.subspan(i * kKeySize, kKeySize), keys[i].begin());
    if (i > 0 && keys[i - 1] >= keys[i]) return std::nullopt;
  }
  return keys;
}

}  // namespace scidfs::codec::kvetka
