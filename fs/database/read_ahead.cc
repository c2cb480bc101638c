#include "fs/database/read_ahead.h"

#include <algorithm>

#include "fs/database/database.h"

namespace scidfs::fs {
namespace {

// Reading this many unused bytes takes less time than another answer of a server.
constexpr std::uint64_t kGap = std::uint64_t{64} << 10;

}  // namespace

ReadAhead::ReadAhead(const Database& database)
    : database_(database), is_wanted_(database.files().game_file().is_remote()) {}

void ReadAhead::add(GameIndex game) {
  if (!is_wanted_) return;
  const codec::scid::GameEntry entry = database_.entry(game);
  const std::uint64_t end = entry.offset + entry.length;
  // Most records are in the order of the games.
  if (!pieces_.empty() && entry.offset >= pieces_.back().begin &&
      entry.offset <= pieces_.back().end + kGap) {
    pieces_.back().end = std::max(pieces_.back().end, end);
  } else {
    pieces_.push_back({.begin = entry.offset, .end = end});
  }
}

void ReadAhead::ask() {
  std::ranges::sort(pieces_, {}, &Piece::begin);
  for (std::size_t i = 0; i < pieces_.size();) {
    Piece piece = pieces_[i++];
    for (; i < pieces_.size() && pieces_[i].begin <= piece.end + kGap; ++i) {
      piece.end = std::max(piece.end, pieces_[i].end);
    }
    database_.files().game_file().expect(piece.begin, piece.end - piece.begin);
  }
  pieces_.clear();
}

}  // namespace scidfs::fs
