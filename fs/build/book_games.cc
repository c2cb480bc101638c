#include "fs/build/book_games.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "codec/kvetka/moves.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using codec::Result;
using codec::kvetka::Turning;

// Reads ahead as for a long sequence of games.
constexpr std::size_t kGamesExpected = 1000;

// A recorder of the positions of the main line.
class PositionSink {
 public:
  PositionSink(Result result, BookGameNumber game, std::size_t plies,
               std::vector<Sighting>& sightings)
      : result_(result), game_(game), plies_left_(plies), sightings_(sightings) {}

  void start(const Position& position) { add(position); }

  template <Color kUs>
  void move(const Position& after, const codec::Move& move) {
    if (plies_left_ == 0 || depth_ != 0) return;
    if (move.kind == codec::MoveKind::Null || after.in_check(kUs)) {
      plies_left_ = 0;
      return;
    }
    --plies_left_;
    const auto code = codec::kvetka::encode_move(before_, turning_, move);
    if (has_current_ && code.has_value()) {
      sightings_.back().code = *code;
      sightings_.back().has_code = true;
    }
    add(after);
  }

  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() { return {}; }
  void begin_variation(const Position&) { ++depth_; }
  void end_variation(const Position&) { --depth_; }
  void end(const Position&) {
    if (is_any_) sightings_.back().is_last = true;
  }

 private:
  void add(const Position& position) {
    before_ = position;
    turning_ = codec::kvetka::turning_of(position);
    const auto key = codec::kvetka::key_of(position, turning_);
    has_current_ = key.has_value();
    if (!has_current_) return;
    is_any_ = true;
    sightings_.push_back(
        {.key = *key, .ply = ply_, .game = game_, .result = result_for(position.side_to_move())});
    if (ply_ < std::numeric_limits<std::uint16_t>::max()) ++ply_;
  }
  MoverResult result_for(Color mover) const {
    if (result_ == Result::Draw) return MoverResult::Draw;
    return (result_ == Result::WhiteWins) == (mover == Color::White) ? MoverResult::Win
                                                                     : MoverResult::Loss;
  }

  const Result result_;
  const BookGameNumber game_;
  std::size_t plies_left_;
  std::vector<Sighting>& sightings_;
  Position before_;
  Turning turning_;
  bool has_current_ = false;  // whether a book can hold the position before the next move
  bool is_any_ = false;
  std::uint16_t ply_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace

std::vector<GameIndex> games_for_book(const Database& database,
                                      const codec::kvetka::RatingLimits& limits) {
  std::vector<GameIndex> games;
  for (GameIndex game = 0; game < database.games(); ++game) {
    const codec::scid::GameEntry entry = database.entry(game);
    if (!database.loaded().holds(Part::Shown, entry.flags) || entry.result == Result::Unknown)
      continue;
    if (limits.admits(entry.white_rating.elo(), entry.black_rating.elo())) {
      games.push_back(game);
    }
  }
  return games;
}

BookGatherer::BookGatherer(const Database& database, unsigned plies)
    : reader_(database.readers().borrow()), database_(database), plies_(plies) {
  reader_->expect(kGamesExpected);
}

absl::StatusOr<bool> BookGatherer::gather(GameIndex game, BookGameNumber number,
                                          std::vector<Sighting>& sightings) {
  const codec::scid::GameEntry entry = database_.entry(game);
  ASSIGN_OR_RETURN(const std::optional<codec::Bytes> record, reader_->record(entry));
  if (!record.has_value()) return true;
  codec::scid::RecordHead head;
  tags_.clear();
  if (codec::scid::parse_record_head(*record, tags_, head, database_.files().format().castling)
          .has_value()) {
    return true;
  }
  const std::size_t plies =
      plies_ == codec::kvetka::kAllPlies ? std::numeric_limits<std::size_t>::max() : plies_;
  PositionSink sink(entry.result, number, plies, sightings);
  return walker_.walk(*record, head, sink).has_value();
}

}  // namespace scidfs::fs
