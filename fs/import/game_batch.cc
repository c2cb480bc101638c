#include "fs/import/game_batch.h"

#include "codec/text.h"

namespace scidfs::fs {
namespace {

// One bad game, or a file that is no PGN, does not fill the memory.
constexpr std::size_t kMostRemarksOfPiece = 100'000;

}  // namespace

void GameBatch::begin_game(std::uint64_t line) { GameBuilder::begin_game(line); }

void GameBatch::remark(std::uint64_t line, std::string_view reason) {
  if (remarks_.size() == kMostRemarksOfPiece) return;
  remarks_.push_back({.line = line, .game = games_.size(), .reason = std::string(reason)});
}

void GameBatch::end_game(codec::Result result) {
  finish(result);
  if (!loss().empty()) remark(line(), loss());
  Game& game = games_.emplace_back(Game{.entry = entry(), .offset = texts_.size()});
  const std::array<std::string_view, kTexts> texts = {event(), site(),  round(),
                                                      white(), black(), codec::as_text(record())};
  for (std::size_t i = 0; i < kTexts; ++i) {
    game.lengths[i] = static_cast<std::uint32_t>(texts[i].size());
    texts_ += texts[i];
  }
}

void GameBatch::clear() {
  games_.clear();
  texts_.clear();
  remarks_.clear();
}

NewGame GameBatch::game(std::size_t number) const {
  const Game& game = games_[number];
  std::string_view rest = std::string_view(texts_).substr(game.offset);
  std::array<std::string_view, kTexts> texts;
  for (std::size_t i = 0; i < kTexts; ++i) {
    texts[i] = rest.substr(0, game.lengths[i]);
    rest.remove_prefix(game.lengths[i]);
  }
  return {.entry = game.entry,
          .event = texts[0],
          .site = texts[1],
          .round = texts[2],
          .white = texts[3],
          .black = texts[4],
          .record = codec::as_bytes(texts[5])};
}

}  // namespace scidfs::fs
