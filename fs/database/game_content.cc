#include "fs/database/game_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <span>

#include "fs/base/status_macros.h"
#include "fs/content/joined_content.h"
#include "fs/content/sort.h"
#include "fs/content/work_cost.h"
#include "fs/database/decoding.h"
#include "fs/database/game_reader.h"
#include "fs/database/measure.h"
#include "fs/database/read_ahead.h"

namespace scidfs::fs {
namespace {

// A text made from one game, again for each read.
class OfOneGame : public Content {
 public:
  OfOneGame(DatabasePtr database, GameIndex game, std::uint64_t size)
      : database_(std::move(database)), game_(game), size_(size) {}

  std::uint64_t size() const override { return size_; }

  std::size_t cost(std::uint64_t /*offset*/, std::size_t /*length*/) const override {
    return games_of_record(*database_, game_);
  }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const ReaderPool::Loan reader = database_->readers().borrow();
    codec::TextBuffer& text = reader->scratch();
    text.clear();
    RETURN_IF_ERROR(append(*reader, text));
    out.append(text.view().substr(offset, length));
    return absl::OkStatus();
  }

  // Measures the text of the game if that has not been done.
  bool has_damaged_games() const override {
    return database_->text_size(game_).ok() && database_->sizes().is_damaged(game_);
  }

  std::size_t memory() const override { return sizeof(*this); }

 protected:
  // Appends all size() bytes.
  virtual absl::Status append(GameReader& reader, codec::TextBuffer& text) const = 0;
  const Database& database() const { return *database_; }
  GameIndex game() const { return game_; }

 private:
  DatabasePtr database_;
  GameIndex game_;
  std::uint64_t size_;
};

class GameContent : public OfOneGame {
 public:
  using OfOneGame::OfOneGame;

 private:
  absl::Status append(GameReader& reader, codec::TextBuffer& text) const override {
    return append_text(database(), game(), reader, text);
  }
};

class PositionsContent : public OfOneGame {
 public:
  using OfOneGame::OfOneGame;

 private:
  absl::Status append(GameReader& reader, codec::TextBuffer& text) const override {
    RETURN_IF_ERROR(reader.append_positions(game(), text));
    if (text.size() == size()) return absl::OkStatus();
    return absl::DataLossError(fmt::format("{}: game {} has {} bytes of positions, not {}",
                                           database().name(), game() + 1, text.size(), size()));
  }
};

// An estimate, used only to choose how much of the game file is read at once.
constexpr std::size_t kTypicalText = 512;

// A game and its database.
struct LocatedGame {
  const Database& database;
  GameIndex game;
};

// Returns the game that a cursor has returned.
LocatedGame locate(const DatabaseGames& set, GameIndex game) { return {*set.database(), game}; }
LocatedGame locate(const GameOrder& order, GameIndex number) {
  const GameOfPart at = order.numbers().at(number);
  return {*order.numbers().part(at.part), at.game};
}

// Returns how many games in a row, adjacent in the game file, a read of `length` bytes needs.
std::size_t neighbors(const DatabaseGames&, std::size_t length) { return length / kTypicalText; }
std::size_t neighbors(const GameOrder&, std::size_t) { return 1; }

// A reader of the database that it was last asked for.
class OtherReader {
 public:
  GameReader& of(const Database& database) {
    if (database_ != &database) {
      reader_ = database.readers().borrow();
      reader_->expect(1);
      database_ = &database;
    }
    return *reader_;
  }

 private:
  const Database* database_ = nullptr;
  ReaderPool::Loan reader_;
};

// The texts of a DatabaseGames or a GameOrder. Remembers where every kStride-th game begins, and
// adds up sizes in between.
template <class Games>
class GamesContent : public Content {
 public:
  // REQUIRES: the sizes of the games are known.
  static absl::StatusOr<std::unique_ptr<Content>> make(Games games, const WorkBudget& budget);

  std::uint64_t size() const override { return size_; }

  std::size_t cost(std::uint64_t offset, std::size_t length) const override;
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;
  void expect(std::uint64_t offset, std::size_t length) const override {
    expect_games(find(offset), offset + length);
  }
  bool has_damaged_games() const override;

  std::size_t memory() const override {
    return sizeof(*this) + marks_.capacity() * sizeof(marks_[0]) + games_.memory();
  }

 private:
  static constexpr std::size_t kStride = 512;

  explicit GamesContent(Games games) : games_(std::move(games)) {}
  absl::Status add_up(const WorkBudget& budget);

  // A place between two games: in the text and in the list.
  struct Mark {
    std::uint64_t begin = 0;
    typename Games::Cursor rest;
  };

  // A game, the beginning of its text, and the games after it.
  struct Start {
    std::uint64_t begin = 0;
    GameIndex game = kNoGame;
    typename Games::Cursor rest;
  };

  // Returns 0 if the size is not known.
  std::uint32_t size_of(GameIndex game) const {
    const LocatedGame at = locate(games_, game);
    return at.database.sizes().size(at.game).value_or(0);
  }
  // Returns the game whose text has the byte at `offset`.
  Start find(std::uint64_t offset) const;
  // Requests the records of the games from `start` on whose texts begin before `end`. Returns the
  // number of these games if they are close together in the database, else 1.
  std::size_t expect_games(Start start, std::uint64_t end) const;

  Games games_;
  std::vector<Mark> marks_;  // before games 0, kStride, 2 * kStride, ...
  std::uint64_t size_ = 0;
};

template <class Games>
absl::StatusOr<std::unique_ptr<Content>> GamesContent<Games>::make(Games games,
                                                                   const WorkBudget& budget) {
  std::unique_ptr<GamesContent> content(new GamesContent(std::move(games)));
  RETURN_IF_ERROR(content->add_up(budget));
  return content;
}

template <class Games>
absl::Status GamesContent<Games>::add_up(const WorkBudget& budget) {
  constexpr std::size_t kGamesOfLook = std::size_t{1} << 16;
  typename Games::Cursor rest = games_.begin();
  for (std::size_t position = 0;; ++position) {
    if (position % kStride == 0) marks_.push_back({.begin = size_, .rest = rest});
    if (position % kGamesOfLook == kGamesOfLook - 1) {
      if (!budget.spend(kGamesOfLook / kSizesOfGame)) return WorkBudget::exceeded();
      if (budget.is_cancelled()) return WorkBudget::cancelled();
    }
    const GameIndex game = rest.next();
    if (game == kNoGame) break;
    const std::uint32_t size = size_of(game);
    // Each text has bytes: only a wrong index file of the cache folder (stored_index.h) says so.
    if (size == 0) return absl::DataLossError("the size of a game is not known");
    size_ += size;
  }
  marks_.shrink_to_fit();
  return absl::OkStatus();
}

template <class Games>
std::size_t GamesContent<Games>::cost(std::uint64_t offset, std::size_t length) const {
  assert(offset + length <= size());
  std::size_t games = 0;
  std::size_t bytes = 0;
  for (Start start = find(offset); start.game != kNoGame && start.begin < offset + length;
       start.game = start.rest.next()) {
    start.begin += size_of(start.game);
    const LocatedGame at = locate(games_, start.game);
    bytes += at.database.index().value(at.game, PackedIndex::Column::Length);
    ++games;
  }
  return games_of_records(games, bytes);
}

template <class Games>
typename GamesContent<Games>::Start GamesContent<Games>::find(std::uint64_t offset) const {
  auto [begin, rest] = *std::prev(
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::uint64_t wanted, const Mark& mark) { return wanted < mark.begin; }));
  GameIndex game = rest.next();
  for (; game != kNoGame; game = rest.next()) {
    const std::uint32_t size = size_of(game);
    if (begin + size > offset) break;
    begin += size;
  }
  return {.begin = begin, .game = game, .rest = rest};
}

template <class Games>
std::size_t GamesContent<Games>::expect_games(Start start, std::uint64_t end) const {
  constexpr std::size_t kWidestGap = 64;
  std::optional<ReadAhead> ahead;
  const Database* asked = nullptr;
  std::size_t count = 0;
  GameIndex least = kNoGame;
  GameIndex most = 0;
  for (; start.game != kNoGame && start.begin < end; start.game = start.rest.next()) {
    start.begin += size_of(start.game);
    const LocatedGame at = locate(games_, start.game);
    if (asked != &at.database) {
      if (ahead.has_value()) ahead->ask();
      ahead.emplace(at.database);
      asked = &at.database;
    }
    ahead->add(at.game);
    ++count;
    least = std::min(least, start.game);
    most = std::max(most, start.game);
  }
  if (ahead.has_value()) ahead->ask();
  return count != 0 && (most - least) / count < kWidestGap ? count : 1;
}

template <class Games>
absl::Status GamesContent<Games>::read(std::uint64_t offset, std::size_t length,
                                       std::string& out) const {
  if (offset > size_ || length > size_ - offset) return absl::OutOfRangeError("read after the end");
  if (length == 0) return absl::OkStatus();
  const Start start = find(offset);
  auto [begin, game, rest] = start;
  const Database& first = locate(games_, game).database;
  const ReaderPool::Loan reader = first.readers().borrow();
  codec::TextBuffer& text = reader->scratch();
  text.clear();
  const std::size_t skip = offset - begin;
  reader->expect(first.files().game_file().is_remote() ? expect_games(start, offset + length)
                                                       : neighbors(games_, length));
  OtherReader other;
  for (; game != kNoGame && text.size() < skip + length; game = rest.next()) {
    const LocatedGame at = locate(games_, game);
    GameReader& own = &at.database == &first ? *reader : other.of(at.database);
    RETURN_IF_ERROR(append_text(at.database, at.game, own, text));
  }
  if (text.size() < skip + length) return absl::OutOfRangeError("read after the end");
  out.append(text.view().substr(skip, length));
  return absl::OkStatus();
}

template <class Games>
bool GamesContent<Games>::has_damaged_games() const {
  typename Games::Cursor rest = games_.begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    const LocatedGame at = locate(games_, game);
    if (at.database.sizes().is_damaged(at.game)) return true;
  }
  return false;
}

// Returns whether the sizes of a database need no measure().
bool is_measured(const Database& database) {
  return database.sizes().complete() && !database.files().shares_records();
}

// Measures the games of an order, each once, database after database.
absl::Status measure_order(const GameOrder& games, const WorkBudget& budget) {
  const GameNumbers& numbers = games.numbers();
  std::vector<GameIndex> sorted = games.games();
  RETURN_IF_ERROR(sort_while_wanted(std::span(sorted), budget));
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return numbers.for_each_part(
      sorted.size(), [&](std::size_t i) { return sorted[i]; },
      [&](std::size_t part, std::size_t begin, std::size_t end) {
        DeltaList wanted;
        for (std::size_t i = begin; i < end; ++i) wanted.add(numbers.at(sorted[i]).game);
        return measure(*numbers.part(part), GameList::of(wanted.bytes()), budget);
      });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_game(DatabasePtr database, GameIndex game,
                                                   const WorkBudget& budget) {
  if (!database->sizes().is_known(game) && !budget.spend(games_of_record(*database, game))) {
    return WorkBudget::exceeded();
  }
  ASSIGN_OR_RETURN(const std::uint32_t size, database->text_size(game));
  return std::make_unique<GameContent>(std::move(database), game, size);
}

absl::StatusOr<std::unique_ptr<Content>> open_positions(DatabasePtr database, GameIndex game,
                                                        const WorkBudget& budget) {
  if (!budget.spend(games_of_record(*database, game))) return WorkBudget::exceeded();
  ASSIGN_OR_RETURN(const std::size_t size, database->readers().borrow()->measure_positions(game));
  return std::make_unique<PositionsContent>(std::move(database), game, size);
}

absl::StatusOr<std::unique_ptr<Content>> open_games(GameOrder games, const WorkBudget& budget) {
  bool are_measured = true;
  for (std::size_t part = 0; part < games.numbers().parts(); ++part) {
    are_measured = are_measured && is_measured(*games.numbers().part(part));
  }
  if (!are_measured) {
    RETURN_IF_ERROR(measure_order(games, budget));
  }
  return GamesContent<GameOrder>::make(std::move(games), budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_games(const GameSet& games,
                                                    const WorkBudget& budget) {
  std::vector<std::unique_ptr<Content>> parts;
  for (const DatabaseGames& part : games) {
    RETURN_IF_ERROR(measure(*part.database(), part.list(), budget));
    ASSIGN_OR_RETURN(std::unique_ptr<Content> content,
                     GamesContent<DatabaseGames>::make(part, budget));
    parts.push_back(std::move(content));
  }
  if (parts.size() == 1) return std::move(parts.front());
  return std::make_unique<JoinedContent>(std::move(parts));
}

}  // namespace scidfs::fs
