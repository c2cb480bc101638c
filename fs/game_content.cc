#include "fs/game_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "fs/game_reader.h"

namespace scidfs::fs {
namespace {

class GameContent : public Content {
 public:
  GameContent(std::shared_ptr<const Database> database, GameIndex game, std::uint64_t size)
      : database_(std::move(database)), game_(game), size_(size) {}

  std::uint64_t size() const override { return size_; }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const Database::ReaderPtr reader = database_->borrow_reader();
    codec::TextBuffer& text = reader->scratch();
    text.clear();
    if (absl::Status status = reader->append_checked(game_, text); !status.ok()) return status;
    out.append(text.view().substr(offset, length));
    return absl::OkStatus();
  }

  std::size_t memory() const override { return sizeof(*this); }

 private:
  std::shared_ptr<const Database> database_;
  GameIndex game_;
  std::uint64_t size_;
};

// Remembers where every kStride-th game begins; in between, sizes are added up.
class GamesContent : public Content {
 public:
  static absl::StatusOr<std::unique_ptr<Content>> open(std::shared_ptr<const Database> database,
                                                       GameList list,
                                                       std::vector<GameIndex> owned) {
    std::unique_ptr<GamesContent> content(new GamesContent);
    content->owned_ = std::move(owned);
    content->list_ = content->owned_.empty() ? list : GameList::of(content->owned_);
    content->database_ = std::move(database);
    if (absl::Status status = content->add_up(); !status.ok()) return status;
    return content;
  }

  std::uint64_t size() const override { return size_; }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;

  std::size_t memory() const override {
    return sizeof(*this) + begins_.capacity() * sizeof(begins_[0]) +
           owned_.capacity() * sizeof(owned_[0]);
  }

 private:
  static constexpr std::size_t kStride = 256;

  absl::Status add_up();

  std::shared_ptr<const Database> database_;
  std::vector<GameIndex> owned_;
  GameList list_;
  std::vector<std::uint64_t> begins_;  // of games 0, kStride, 2 * kStride, ...
  std::uint64_t size_ = 0;
};

absl::Status GamesContent::add_up() {
  if (!database_->all_sizes_known() && list_.size() > kMaxGamesOnDemand) {
    return absl::UnavailableError(
        fmt::format("{}: the sizes of the games are not known yet", database_->name()));
  }
  begins_.reserve(list_.size() / kStride + 1);
  for (std::size_t position = 0; position < list_.size(); ++position) {
    if (position % kStride == 0) begins_.push_back(size_);
    const absl::StatusOr<std::uint32_t> size = database_->text_size(list_[position]);
    if (!size.ok()) return size.status();
    size_ += *size;
  }
  return absl::OkStatus();
}

absl::Status GamesContent::read(std::uint64_t offset, std::size_t length, std::string& out) const {
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
  if (after == begins_.begin()) return absl::OutOfRangeError("read behind the end");
  std::uint64_t begin = *(after - 1);
  std::size_t position = static_cast<std::size_t>(after - 1 - begins_.begin()) * kStride;
  for (; position < list_.size(); ++position) {
    const absl::StatusOr<std::uint32_t> size = database_->text_size(list_[position]);
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
  reader->expect(std::min(list_.size() - position, length / kTypicalText));
  for (; position < list_.size() && text.size() < skip + length; ++position) {
    if (absl::Status status = reader->append_checked(list_[position], text); !status.ok()) {
      return status;
    }
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

absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    GameList list) {
  return GamesContent::open(std::move(database), list, {});
}

absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    std::vector<GameIndex> games) {
  return GamesContent::open(std::move(database), {}, std::move(games));
}

}  // namespace scidfs::fs
