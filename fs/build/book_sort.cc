#include "fs/build/book_sort.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <queue>
#include <string_view>
#include <tuple>

#include "codec/bytes.h"
#include "codec/kvetka/element.h"
#include "fs/base/status_macros.h"
#include "fs/file/io.h"
#include "fs/file/nameless_file.h"

namespace scidfs::fs {
namespace {

using codec::ByteReader;
using codec::Bytes;
using codec::kvetka::append_compact;
using codec::kvetka::Key;

// The most links for which an element has room.
constexpr std::size_t kMostLinks = codec::kvetka::kMaxElementSize / codec::kvetka::kLinkSize;
constexpr std::size_t kMostRuns = 200;
constexpr std::size_t kBuffer = std::size_t{256} << 10;
// More than the size of any tally.
constexpr std::size_t kReadAhead = std::size_t{16} << 10;

// The name of run files in messages.
constexpr std::string_view kTemporary = "a temporary file";

// Returns the length of the common prefix, which keys usually share with their neighbors.
std::size_t common_front(const Key& a, const Key& b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

void add_moves(std::vector<Tally::Played>& moves, std::uint8_t code, std::uint64_t count) {
  const auto at = std::ranges::lower_bound(moves, code, {}, &Tally::Played::code);
  if (at != moves.end() && at->code == code) {
    at->count += count;
  } else {
    moves.insert(at, {code, count});
  }
}

void append_tally(const Tally& tally, const Key& before, std::vector<std::uint8_t>& out) {
  const std::size_t common = common_front(tally.key, before);
  append_compact(common, out);
  out.insert(out.end(), tally.key.begin() + static_cast<std::ptrdiff_t>(common), tally.key.end());
  for (const std::uint64_t counter : {tally.wins, tally.draws, tally.losses}) {
    append_compact(counter, out);
  }
  append_compact(tally.passing.has_value() ? std::uint64_t{*tally.passing} + 1 : 0, out);
  append_compact(tally.moves.size(), out);
  for (const Tally::Played& move : tally.moves) {
    out.push_back(move.code);
    append_compact(move.count, out);
  }
  append_compact(tally.last_games.size(), out);
  BookGameNumber last = 0;
  for (const BookGameNumber game : tally.last_games) {
    append_compact(game - last, out);
    last = game;
  }
}

// Reads a tally. The file is our own, but the disk may fail: any bytes give a valid tally, or `in`
// is not ok.
bool read_tally(ByteReader& in, const Key& before, Tally& tally) {
  bool is_whole = true;
  const auto number = [&] {
    const auto value = codec::kvetka::read_compact(in, codec::kvetka::kLongCompact);
    is_whole &= value.has_value();
    return value.value_or(0);
  };
  tally = Tally{.key = before};
  const std::size_t common = std::min<std::size_t>(number(), tally.key.size());
  std::ranges::copy(in.take(tally.key.size() - common), tally.key.begin() + common);
  tally.wins = number();
  tally.draws = number();
  tally.losses = number();
  if (const std::uint64_t passing = number(); passing != 0) {
    tally.passing = static_cast<BookGameNumber>(passing - 1);
  }
  for (std::uint64_t left = number(); left > 0 && is_whole; --left) {
    const std::uint8_t code = in.u8();
    tally.moves.push_back({code, number()});
  }
  BookGameNumber last = 0;
  for (std::uint64_t left = number(); left > 0 && is_whole; --left) {
    last += static_cast<BookGameNumber>(number());
    tally.last_games.push_back(last);
  }
  return is_whole && in.ok();
}

void add_sighting(const Sighting& sighting, bool is_first_of_game, Tally& tally) {
  if (is_first_of_game) {
    switch (sighting.result) {
      case MoverResult::Win:
        ++tally.wins;
        break;
      case MoverResult::Draw:
        ++tally.draws;
        break;
      case MoverResult::Loss:
        ++tally.losses;
        break;
    }
  }
  if (sighting.has_code) add_moves(tally.moves, sighting.code, 1);
  if (!sighting.is_last) {
    if (!tally.passing.has_value()) tally.passing = sighting.game;
  } else if (tally.last_games.size() < kMostLinks) {
    tally.last_games.push_back(sighting.game);
  }
}

}  // namespace

void Tally::add(const Tally& other) {
  wins += other.wins;
  draws += other.draws;
  losses += other.losses;
  if (other.passing.has_value()) {
    passing = std::min(passing.value_or(*other.passing), *other.passing);
  }
  for (const Played& move : other.moves) add_moves(moves, move.code, move.count);
  const auto middle = static_cast<std::ptrdiff_t>(last_games.size());
  last_games.insert(last_games.end(), other.last_games.begin(), other.last_games.end());
  std::inplace_merge(last_games.begin(), last_games.begin() + middle, last_games.end());
  last_games.resize(std::min(last_games.size(), kMostLinks));
}

std::vector<std::uint8_t> Tally::codes() const {
  std::vector<Played> sorted = moves;
  std::ranges::stable_sort(sorted, std::greater<>(), &Played::count);
  std::vector<std::uint8_t> codes;
  codes.reserve(sorted.size());
  for (const Played& move : sorted) codes.push_back(move.code);
  return codes;
}

absl::StatusOr<TallyRun> TallyRun::create(const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(Descriptor file, open_nameless(folder));
  TallyRun run;
  run.file_ = std::move(file);
  return run;
}

absl::Status TallyRun::append(const Tally& tally) {
  assert((written_ == 0 && buffer_.empty()) || last_key_ < tally.key);
  append_tally(tally, last_key_, buffer_);
  last_key_ = tally.key;
  return buffer_.size() < kBuffer ? absl::OkStatus() : flush();
}

absl::Status TallyRun::finish() {
  absl::Status status = flush();
  std::vector<std::uint8_t>().swap(buffer_);
  return status;
}

absl::Status TallyRun::flush() {
  absl::Status status = write_fully(file_.get(), written_, buffer_, kTemporary);
  written_ += buffer_.size();
  buffer_.clear();
  return status;
}

absl::Status TallyRun::Reader::refill() {
  window_.erase(window_.begin(), window_.begin() + static_cast<std::ptrdiff_t>(at_));
  at_ = 0;
  const std::size_t had = window_.size();
  window_.resize(kBuffer);
  const absl::StatusOr<std::size_t> count =
      read_up_to(run_->file_.get(), offset_, std::span(window_).subspan(had), kTemporary);
  window_.resize(had + count.value_or(0));
  if (!count.ok()) return count.status();
  is_over_ = window_.size() < kBuffer;
  offset_ += *count;
  return absl::OkStatus();
}

absl::StatusOr<bool> TallyRun::Reader::next(Tally& tally) {
  if (window_.size() - at_ < kReadAhead && !is_over_) {
    RETURN_IF_ERROR(refill());
  }
  if (at_ == window_.size()) return false;
  ByteReader in(Bytes(window_).subspan(at_));
  if (!read_tally(in, last_key_, tally)) {
    return absl::DataLossError("Cannot read a temporary file: its contents changed");
  }
  at_ += in.offset();
  last_key_ = tally.key;
  return true;
}

absl::Status tally_up(std::vector<Sighting>& sightings,
                      absl::FunctionRef<absl::Status(const Tally&)> visit) {
  std::ranges::sort(sightings, [](const Sighting& a, const Sighting& b) {
    const int order = std::memcmp(a.key.data(), b.key.data(), a.key.size());
    return order != 0 ? order < 0 : std::tie(a.game, a.ply) < std::tie(b.game, b.ply);
  });
  for (auto next = sightings.begin(); next != sightings.end();) {
    const auto first = next;
    Tally tally{.key = first->key};
    for (; next != sightings.end() && next->key == first->key; ++next) {
      add_sighting(*next, next == first || next->game != std::prev(next)->game, tally);
    }
    RETURN_IF_ERROR(visit(tally));
  }
  return absl::OkStatus();
}

absl::Status merge_runs(std::vector<TallyRun> runs, const std::filesystem::path& folder,
                        absl::FunctionRef<absl::Status(const Tally&)> visit) {
  while (runs.size() > kMostRuns) {
    const auto end = runs.begin() + kMostRuns;
    std::vector<TallyRun> some(std::make_move_iterator(runs.begin()), std::make_move_iterator(end));
    runs.erase(runs.begin(), end);
    absl::StatusOr<TallyRun> longer = TallyRun::create(folder);
    if (!longer.ok()) return longer.status();
    absl::Status status = merge_runs(
        std::move(some), folder, [&longer](const Tally& tally) { return longer->append(tally); });
    if (status.ok()) status = longer->finish();
    if (!status.ok()) return status;
    runs.push_back(*std::move(longer));
  }
  struct Head {
    TallyRun::Reader reader;
    Tally tally;
  };
  std::vector<Head> heads;
  const auto is_later = [&heads](std::size_t a, std::size_t b) {
    return heads[a].tally.key > heads[b].tally.key;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(is_later)> queue(is_later);
  const auto advance = [&](std::size_t i) -> absl::Status {
    ASSIGN_OR_RETURN(const bool more, heads[i].reader.next(heads[i].tally));
    if (more) queue.push(i);
    return absl::OkStatus();
  };
  heads.reserve(runs.size());
  for (const TallyRun& run : runs) heads.push_back({.reader = TallyRun::Reader(run), .tally = {}});
  for (std::size_t i = 0; i < heads.size(); ++i) {
    RETURN_IF_ERROR(advance(i));
  }
  while (!queue.empty()) {
    std::size_t i = queue.top();
    queue.pop();
    Tally tally = std::move(heads[i].tally);
    RETURN_IF_ERROR(advance(i));
    while (!queue.empty() && heads[queue.top()].tally.key == tally.key) {
      i = queue.top();
      queue.pop();
      tally.add(heads[i].tally);
      RETURN_IF_ERROR(advance(i));
    }
    RETURN_IF_ERROR(visit(tally));
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
