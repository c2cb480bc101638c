// The sources of a Kvetka book and their games (NAME.ksf).
// Source: FORMAT.md, section 7.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/types.h"

namespace scidfs::codec::kvetka {

enum class SourceType : std::uint8_t { Empty, PgnFile, WebPage, ChessBase };

inline constexpr std::size_t kMaxSources = 0x10000;
inline constexpr std::size_t kTocUnit = 512;
// The size of a game record without names.
inline constexpr std::size_t kMinGameSize = 21;
// A longer name or address is damage.
inline constexpr std::size_t kMaxNameBytes = 0xFFFF;

constexpr std::uint64_t sources_toc_size(std::uint64_t sources) {
  return (4 + 4 * sources + kTocUnit - 1) / kTocUnit * kTocUnit;
}

// Returns where the sources begin, by number. `front` is the file, or its first
// sources_toc_size(kMaxSources) bytes; `file_size` is the size of the whole file. InvalidArgument:
// the table does not fit the file. Offsets outside the file are 0.
absl::StatusOr<std::vector<std::uint32_t>> parse_sources_toc(Bytes front, std::uint64_t file_size);

// A source without its games. Views are valid as long as the bytes.
struct SourceHead {
  SourceType type = SourceType::Empty;
  bool is_bad = false;
  Bytes address{};  // 16-bit units
  std::uint32_t games = 0;
};
// The size of the largest head.
inline constexpr std::size_t kMaxSourceHead = 2 + 4 + 2 * kMaxNameBytes + 4;

// Reads a source's head from its start. `remaining` is the number of bytes of the file from there
// on, of which `in` may hold fewer. Returns nothing if it is damaged.
std::optional<SourceHead> read_source_head(ByteReader& in, std::uint64_t remaining);

struct GameRecord {
  std::uint32_t address = 0;
  std::uint32_t length = 0;
  Bytes white{}, black{};  // ANSI strings
  std::uint16_t white_elo = 0, black_elo = 0;
  Result result = Result::Unknown;
};
inline constexpr std::size_t kMaxGameSize = kMinGameSize + 2 * kMaxNameBytes;

// Reads a game record. Returns nothing if it is damaged.
std::optional<GameRecord> read_game_record(ByteReader& in);

// Functions to write the file: a table of contents for the sources in order, then each source's
// head, followed by its games. Sizes are known before games are, so a file is written from front to
// end.
std::size_t source_head_size(Bytes address);
std::size_t game_record_size(const GameRecord& game);
// REQUIRES: offsets.size() <= kMaxSources
void append_sources_toc(std::span<const std::uint32_t> offsets, std::vector<std::uint8_t>& out);
void append_source_head(const SourceHead& head, std::vector<std::uint8_t>& out);
void append_game_record(const GameRecord& game, std::vector<std::uint8_t>& out);

}  // namespace scidfs::codec::kvetka
