#include "codec/kvetka/sources.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <array>
#include <cassert>

namespace scidfs::codec::kvetka {
namespace {

// The results by their numbers in the file (section 7.3).
constexpr std::array<Result, 4> kResults = {Result::BlackWins, Result::WhiteWins, Result::Draw,
                                            Result::Unknown};

std::uint8_t number_of(Result result) {
  std::size_t number = 0;
  while (number + 1 < kResults.size() && kResults[number] != result) ++number;
  return static_cast<std::uint8_t>(number);
}

void append_bytes(Bytes bytes, std::size_t unit, std::vector<std::uint8_t>& out) {
  append_big(bytes.size() / unit, 4, out);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::optional<Bytes> read_string(ByteReader& in, std::size_t unit) {
  const std::uint64_t size = std::uint64_t{in.u32()} * unit;
  if (size > kMaxNameBytes * unit) return std::nullopt;
  return in.take(size);
}

}  // namespace

absl::StatusOr<std::vector<std::uint32_t>> parse_sources_toc(Bytes front, std::uint64_t file_size) {
  ByteReader in(front);
  const std::uint32_t count = in.u32();
  const std::uint64_t toc_size = sources_toc_size(count);
  if (!in.ok() || count > kMaxSources || toc_size > file_size) {
    return absl::InvalidArgumentError("its table of sources does not fit the file");
  }
  std::vector<std::uint32_t> offsets(count);
  for (std::uint32_t& offset : offsets) {
    offset = in.u32();
    if (offset < toc_size || offset >= file_size) offset = 0;
  }
  return offsets;
}

std::optional<SourceHead> read_source_head(ByteReader& in, std::uint64_t remaining) {
  const std::size_t begin = in.offset();
  SourceHead head;
  const std::uint8_t type = in.u8();
  if (!in.ok() || type > static_cast<std::uint8_t>(SourceType::ChessBase)) return std::nullopt;
  head.type = static_cast<SourceType>(type);
  if (head.type == SourceType::Empty) return head;
  head.is_bad = in.u8() != 0;
  const std::optional<Bytes> address = read_string(in, 2);
  if (!address.has_value()) return std::nullopt;
  head.address = *address;
  head.games = in.u32();
  const std::size_t size = in.offset() - begin;
  if (!in.ok() || size > remaining || head.games > (remaining - size) / kMinGameSize) {
    return std::nullopt;
  }
  return head;
}

std::optional<GameRecord> read_game_record(ByteReader& in) {
  GameRecord game{.address = in.u32(), .length = in.u32()};
  for (Bytes* const name : {&game.white, &game.black}) {
    const std::optional<Bytes> text = read_string(in, 1);
    if (!text.has_value()) return std::nullopt;
    *name = *text;
  }
  game.white_elo = in.u16();
  game.black_elo = in.u16();
  const std::uint8_t result = in.u8();
  if (!in.ok()) return std::nullopt;
  game.result = result < kResults.size() ? kResults[result] : Result::Unknown;
  return game;
}

std::size_t source_head_size(Bytes address) { return 2 + 4 + address.size() + 4; }

std::size_t game_record_size(const GameRecord& game) {
  return kMinGameSize + game.white.size() + game.black.size();
}

void append_sources_toc(std::span<const std::uint32_t> offsets, std::vector<std::uint8_t>& out) {
  assert(offsets.size() <= kMaxSources);
  const std::size_t end = out.size() + sources_toc_size(offsets.size());
  append_big(offsets.size(), 4, out);
  for (const std::uint32_t offset : offsets) append_big(offset, 4, out);
  out.resize(end);
}

void append_source_head(const SourceHead& head, std::vector<std::uint8_t>& out) {
  append_big(static_cast<std::uint8_t>(head.type), 1, out);
  append_big(head.is_bad ? 1 : 0, 1, out);
  append_bytes(head.address, 2, out);
  append_big(head.games, 4, out);
}

void append_game_record(const GameRecord& game, std::vector<std::uint8_t>& out) {
  append_big(game.address, 4, out);
  append_big(game.length, 4, out);
  append_bytes(game.white, 1, out);
  append_bytes(game.black, 1, out);
  append_big(game.white_elo, 2, out);
  append_big(game.black_elo, 2, out);
  append_big(number_of(game.result), 1, out);
}

}  // namespace scidfs::codec::kvetka
