// The games of a piece of PGN, ready for a database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/game_builder.h"
#include "codec/types.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {

// Receives the games of the PGN reader and keeps them. Keeps its room between pieces.
class GameBatch : public codec::scid::GameBuilder {
 public:
  // What was wrong, and where.
  struct Remark {
    std::uint64_t line = 0;
    std::size_t game = 0;  // in the batch, from 0; that of the next game for one between games
    std::string reason;
  };

  void begin_game(std::uint64_t line);
  void remark(std::uint64_t line, std::string_view reason);
  void end_game(codec::Result result);
  // Forgets all games.
  void clear();

  std::size_t size() const { return games_.size(); }
  // Returns a game, valid until the next game is added.
  NewGame game(std::size_t number) const;
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  static constexpr std::size_t kTexts = 6;  // five names and the record

  struct Game {
    codec::scid::IndexEntry entry;
    std::array<std::uint32_t, kTexts> lengths{};
    std::size_t offset = 0;  // of the first text
  };

  std::vector<Game> games_;
  std::string texts_;
  std::vector<Remark> remarks_;
};

}  // namespace scidfs::fs
