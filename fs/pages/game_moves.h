// The moves of a game as HTML.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/game_visitor.h"
#include "codec/position.h"
#include "fs/pages/html.h"

namespace scidfs::fs {

// Writes the moves of a game with comments, variations and NAGs. Each move has an id, the FEN after
// it, its squares and the id of the move before it, for the script that goes through the game;
// marks on the board stand at the comment that has them. A move of the main line links to the page
// of its position.
class GameMoves : public codec::GameVisitor {
 public:
  // `positions` links to the directory positions/.
  explicit GameMoves(Link positions) : positions_(std::move(positions)) {}

  const std::string& tag_lines() const { return tags_; }
  const codec::Position& first() const { return first_; }
  // Returns the last position of the main line.
  const codec::Position& last() const { return last_; }
  Html moves() && { return std::move(html_); }

  void tags(std::string_view text) override { tags_ = text; }
  void start(const codec::Position& position) override;
  void move(const codec::Position& after, const codec::Move& move, bool is_check) override;
  void nag(unsigned value) override;
  void comment(std::string_view text) override;
  void open_variation() override;
  void close_variation() override;

 private:
  // Writes the blank before the next word, unless a line or variation begins with it.
  void separate();

  using Id = std::uint32_t;  // of a move, from 1; 0: the start

  const Link positions_;
  std::string tags_;
  codec::Position first_;
  codec::Position last_;
  Html html_;
  std::vector<Id> before_;      // by id: the move before it
  Id current_ = 0;              // the last move of the line
  std::vector<Id> variations_;  // the moves that the open variations replace
  bool is_numbered_ = true;     // the next move has its number, Black's too
  bool is_first_ = true;        // the next word begins the game or a variation
};

// Returns the sign for a NAG, "$N" for a rare one.
std::string nag_sign(unsigned value);

}  // namespace scidfs::fs
