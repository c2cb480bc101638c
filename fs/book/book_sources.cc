#include "fs/book/book_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "codec/bytes.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::ByteReader;
using codec::Bytes;
using codec::kvetka::GameRecord;
using codec::kvetka::SourceHead;

constexpr std::size_t kWindow = std::size_t{1} << 20;
static_assert(kWindow >= codec::kvetka::kMaxGameSize);

// A reader of a file from some offset on, one window at a time.
class Window {
 public:
  Window(const SourceFile& file, std::uint64_t offset) : file_(file), offset_(offset) {}

  std::uint64_t offset() const { return offset_ + at_; }

  // Returns the bytes from here on: at least `wanted`, unless the file ends before.
  absl::StatusOr<Bytes> front(std::size_t wanted) {
    if (bytes_.size() - at_ < wanted) {
      offset_ += at_;
      at_ = 0;
      const std::uint64_t left = file_.size() - std::min(file_.size(), offset_);
      bytes_.resize(std::min<std::uint64_t>(std::max(wanted, kWindow), left));
      if (absl::Status status = file_.read(offset_, bytes_); !status.ok()) {
        bytes_.clear();
        return status;
      }
    }
    return Bytes(bytes_).subspan(at_);
  }
  void skip(std::size_t count) { at_ += count; }

 private:
  const SourceFile& file_;
  std::uint64_t offset_;
  std::size_t at_ = 0;
  std::vector<std::uint8_t> bytes_;
};

// Returns the next game; its views live until the next call. Returns nothing if it is damaged.
absl::StatusOr<std::optional<GameRecord>> next_game(Window& window) {
  ASSIGN_OR_RETURN(const Bytes bytes, window.front(codec::kvetka::kMaxGameSize));
  ByteReader in(bytes);
  const std::optional<GameRecord> game = codec::kvetka::read_game_record(in);
  if (game.has_value()) window.skip(in.offset());
  return game;
}

}  // namespace

absl::StatusOr<std::unique_ptr<BookSources>> BookSources::open(
    const std::filesystem::path& path, std::optional<codec::kvetka::ByteOrder> order,
    const std::filesystem::path& boundary) {
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, boundary));
  std::unique_ptr<BookSources> sources(new BookSources());
  sources->file_ = std::move(file);
  if (absl::Status status = sources->load(order); !status.ok()) {
    return absl::Status(status.code(), fmt::format("Cannot read {}: {}", path.string(),
                                                   std::string(status.message())));
  }
  return sources;
}

absl::Status BookSources::load(std::optional<codec::kvetka::ByteOrder> order) {
  ASSIGN_OR_RETURN(const auto front,
                   file_.read_front(codec::kvetka::sources_toc_size(codec::kvetka::kMaxSources)));
  ASSIGN_OR_RETURN(const auto offsets, codec::kvetka::parse_sources_toc(front, file_.size()));
  sources_.resize(offsets.size());
  std::vector<std::string> addresses(offsets.size());
  codec::kvetka::ByteOrderVote order_vote;
  codec::kvetka::CodePageVote page_vote;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint32_t offset = offsets[i];
    std::optional<SourceHead> head;
    Window window(file_, offset);
    if (offset != 0) {
      ASSIGN_OR_RETURN(const Bytes bytes, window.front(codec::kvetka::kMaxSourceHead));
      ByteReader in(bytes);
      head = codec::kvetka::read_source_head(in, file_.size() - offset);
      window.skip(in.offset());
    }
    if (!head.has_value()) {
      problems_.push_back(fmt::format("source {} is damaged", i));
      continue;
    }
    sources_[i].type = head->type;
    sources_[i].is_bad = head->is_bad;
    order_vote.add(head->address);
    addresses[i].assign(head->address.begin(), head->address.end());
    load_games(i, window.offset(), head->games, page_vote);
  }
  code_page_ = page_vote.decide();
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::string& units = addresses[i];
    sources_[i].address =
        codec::kvetka::decode_units(codec::as_bytes(units), order.value_or(order_vote.decide()));
  }
  return absl::OkStatus();
}

void BookSources::load_games(std::size_t source, std::uint64_t offset, std::uint32_t games,
                             codec::kvetka::CodePageVote& vote) {
  BookSource& loaded = sources_[source];
  Window window(file_, offset);
  for (std::uint32_t i = 0; i < games; ++i) {
    const std::uint64_t begin = window.offset();
    const absl::StatusOr<std::optional<GameRecord>> game = next_game(window);
    if (!game.ok() || !game->has_value()) {
      problems_.push_back(fmt::format("source {} is damaged at game {} of {}", source, i, games));
      return;
    }
    if (i % BookSource::kStride == 0) {
      loaded.offsets.push_back(static_cast<std::uint32_t>(begin));
    }
    vote.add((*game)->white);
    vote.add((*game)->black);
    ++loaded.games;
  }
}

std::uint64_t BookSources::games() const {
  std::uint64_t games = 0;
  for (const BookSource& source : sources_) games += source.games;
  return games;
}

absl::Status BookSources::visit_games(
    std::size_t source, std::uint32_t first,
    absl::FunctionRef<bool(std::uint32_t game, const BookGame&)> visit) const {
  assert(source < sources_.size());
  const BookSource& from = sources_[source];
  if (first >= from.games) return absl::OkStatus();
  const std::uint32_t stop = first / BookSource::kStride;
  Window window(file_, from.offsets[stop]);
  for (std::uint32_t i = stop * BookSource::kStride; i < from.games; ++i) {
    ASSIGN_OR_RETURN(const std::optional<GameRecord> game, next_game(window));
    if (!game.has_value()) {
      return absl::DataLossError(
          fmt::format("{} changed since it was opened", file_.path().string()));
    }
    if (i < first) continue;
    const GameRecord& record = *game;
    if (!visit(i, {.address = record.address,
                   .length = record.length,
                   .white = codec::clean_line(record.white, code_page_),
                   .black = codec::clean_line(record.black, code_page_),
                   .white_elo = record.white_elo,
                   .black_elo = record.black_elo,
                   .result = record.result})) {
      break;
    }
  }
  if (!file_.is_as_opened()) {
    return absl::FailedPreconditionError(fmt::format("{} has changed", file_.path().string()));
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
