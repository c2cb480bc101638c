// Events for the tests of crosstables.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "codec/types.h"
#include "fs/crosstable/crosstable.h"
#include "fs/crosstable/crosstable_tsv.h"

namespace scidfs::fs {

// An event under construction. Owns the names of its players and gives each an id.
class EventBuilder {
 public:
  std::uint32_t player(const std::string& name, std::uint16_t elo = 0) {
    const auto [at, is_new] = ids_.try_emplace(name, static_cast<std::uint32_t>(players_.size()));
    if (is_new) players_.push_back({name, elo});
    return at->second;
  }
  void play(std::uint32_t white, std::uint32_t black, codec::Result result,
            const std::string& round, codec::Date date = {}) {
    rounds_.push_back(round);
    games_.push_back({.white = players_[white].name,
                      .black = players_[black].name,
                      .white_id = white,
                      .black_id = black,
                      .white_rating = {.value = players_[white].elo},
                      .black_rating = {.value = players_[black].elo},
                      .round = rounds_.back(),
                      .result = result,
                      .date = date});
  }
  void play(const std::string& white, const std::string& black, codec::Result result,
            const std::string& round, codec::Date date = {}) {
    const std::uint32_t first = player(white);
    play(first, player(black), result, round, date);
  }

  std::vector<CrosstableGame>& games() { return games_; }
  CrosstableLayout layout() const { return crosstable_layout(games_); }
  std::string standings() const {
    return standings_tsv(
        games_, [](std::uint32_t id, std::string& out) { out += "to/" + std::to_string(id); });
  }
  std::string pairs() const { return crosstable_tsv(games_); }
  std::string text() const { return format_crosstable({"Cup", "Town"}, games_); }

 private:
  struct Player {
    std::string name;
    std::uint16_t elo;
  };
  std::map<std::string, std::uint32_t> ids_;
  std::deque<Player> players_;
  std::deque<std::string> rounds_;
  std::vector<CrosstableGame> games_;
};

}  // namespace scidfs::fs
