#include "fs/database/game_content.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "fs/database/game_reader.h"

namespace scidfs::fs {
namespace {

// What is written of one game, made again for each reading.
class OfOneGame : public Content {
 public:
  OfOneGame(std::shared_ptr<const Database> database, GameIndex game, std::uint64_t size)
      : database_(std::move(database)), game_(game), size_(size) {}

  std::uint64_t size() const override { return size_; }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const Database::ReaderPtr reader = database_->borrow_reader();
    codec::TextBuffer& text = reader->scratch();
    text.clear();
    if (absl::Status status = append(*reader, text); !status.ok()) return status;
    out.append(text.view().substr(offset, length));
    return absl::OkStatus();
  }

  std::size_t memory() const override { return sizeof(*this); }

 protected:
  // Appends all size() bytes.
  virtual absl::Status append(GameReader& reader, codec::TextBuffer& text) const = 0;
  const Database& database() const { return *database_; }
  GameIndex game() const { return game_; }

 private:
  std::shared_ptr<const Database> database_;
  GameIndex game_;
  std::uint64_t size_;
};

class GameContent : public OfOneGame {
 public:
  using OfOneGame::OfOneGame;

 private:
  absl::Status append(GameReader& reader, codec::TextBuffer& text) const override {
    return reader.append_checked(game(), text);
  }
};

class PositionsContent : public OfOneGame {
 public:
  using OfOneGame::OfOneGame;

 private:
  absl::Status append(GameReader& reader, codec::TextBuffer& text) const override {
    if (absl::Status status = reader.append_positions(game(), text); !status.ok()) return status;
    if (text.size() == size()) return absl::OkStatus();
    return absl::DataLossError(fmt::format("{}: game {} has {} bytes of positions, not {}",
                                           database().name(), game() + 1, text.size(), size()));
  }
};

// Remembers where every kStride-th game begins; in between, sizes are added up.
class GamesContent : public Content {
 public:
  static absl::StatusOr<std::unique_ptr<Content>> open(std::shared_ptr<const Database> database,
                                                       GameList list, GameDeltas owned) {
    std::unique_ptr<GamesContent> content(new GamesContent);
    content->database_ = std::move(database);
    content->owned_ = std::move(owned);
    if (content->owned_.size() != 0) list = GameList::of(content->owned_.bytes());
    if (absl::Status status = content->add_up(list); !status.ok()) return status;
    return content;
  }

  std::uint64_t size() const override { return size_; }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;

  std::size_t memory() const override {
    return sizeof(*this) + marks_.capacity() * sizeof(marks_[0]) + owned_.bytes().size();
  }

 private:
  static constexpr std::size_t kStride = 512;

  // A place between two games: in the text and in the list.
  struct Mark {
    std::uint64_t begin = 0;
    GameList::Cursor rest;
  };

  absl::Status add_up(GameList list);

  std::shared_ptr<const Database> database_;
  GameDeltas owned_;
  std::vector<Mark> marks_;  // before games 0, kStride, 2 * kStride, ...
  std::uint64_t size_ = 0;
};

absl::Status GamesContent::add_up(GameList list) {
  Database::ReaderPtr reader;
  if (!database_->all_sizes_known()) {
    const std::size_t games = list.count(kMaxGamesOnDemand + 1);
    if (games > kMaxGamesOnDemand) {
      return absl::UnavailableError(
          fmt::format("{}: the sizes of the games are not known yet", database_->name()));
    }
    reader = database_->borrow_reader();
    reader->expect(games);
  }
  GameList::Cursor rest = list.begin();
  for (std::size_t position = 0;; ++position) {
    if (position % kStride == 0) marks_.push_back({.begin = size_, .rest = rest});
    const GameIndex game = rest.next();
    if (game == kNoGame) break;
    const absl::StatusOr<std::uint32_t> size =
        reader == nullptr ? database_->text_size(game) : database_->text_size(game, *reader);
    if (!size.ok()) return size.status();
    size_ += *size;
  }
  marks_.shrink_to_fit();
  return absl::OkStatus();
}

absl::Status GamesContent::read(std::uint64_t offset, std::size_t length, std::string& out) const {
  if (offset > size_ || length > size_ - offset)
    return absl::OutOfRangeError("read behind the end");
  auto [begin, rest] = *std::prev(
      std::upper_bound(marks_.begin(), marks_.end(), offset,
                       [](std::uint64_t wanted, const Mark& mark) { return wanted < mark.begin; }));
  GameIndex game = rest.next();
  for (; game != kNoGame; game = rest.next()) {
    const absl::StatusOr<std::uint32_t> size = database_->text_size(game);
    if (!size.ok()) return size.status();
    if (begin + *size > offset) break;
    begin += *size;
  }

  const Database::ReaderPtr reader = database_->borrow_reader();
  codec::TextBuffer& text = reader->scratch();
  text.clear();
  const std::size_t skip = offset - begin;
  // A guess, only to choose how much of the game file is read at once.
  constexpr std::size_t kTypicalText = 512;
  reader->expect(length / kTypicalText);
  for (; game != kNoGame && text.size() < skip + length; game = rest.next()) {
    if (absl::Status status = reader->append_checked(game, text); !status.ok()) return status;
  }
  if (text.size() < skip + length) return absl::OutOfRangeError("read behind the end");
  out.append(text.view().substr(skip, length));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_game(std::shared_ptr<const Database> database,
                                                   GameIndex game) {
  const absl::StatusOr<std::uint32_t> size = database->text_size(game);
  if (!size.ok()) return size.status();
  return std::make_unique<GameContent>(std::move(database), game, *size);
}

absl::StatusOr<std::unique_ptr<Content>> open_positions(std::shared_ptr<const Database> database,
                                                        GameIndex game) {
  const absl::StatusOr<std::size_t> size = database->borrow_reader()->measure_positions(game);
  if (!size.ok()) return size.status();
  return std::make_unique<PositionsContent>(std::move(database), game, *size);
}

absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    GameList list) {
  return GamesContent::open(std::move(database), list, {});
}

absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    GameDeltas games) {
  return GamesContent::open(std::move(database), {}, std::move(games));
}

}  // namespace scidfs::fs
