#include "fs/database/stored_positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <system_error>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/database/index_folder.h"
#include "fs/file/cache_folder.h"

namespace scidfs::fs {
namespace {

constexpr std::uint64_t number_of(PositionPart part) { return static_cast<std::uint64_t>(part); }

absl::Status bad_positions(std::string_view reason) {
  return absl::DataLossError(fmt::format("The positions file is damaged: {}", reason));
}

// Reads the numbers of a list, a few kilobytes at a time.
class ListReader {
 public:
  ListReader(const SectionReader& file, std::uint64_t place)
      : file_(file), place_(place), size_(file.bytes(number_of(PositionPart::Lists))) {}

  absl::StatusOr<std::uint32_t> next() {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < kMaxDeltaBytes * kDeltaBits; shift += kDeltaBits) {
      if (at_ == room_.size()) RETURN_IF_ERROR(fill());
      const std::uint8_t byte = room_[at_++];
      value |= std::uint32_t{byte} % (1U << kDeltaBits) << shift;
      if (byte >> kDeltaBits == 0) return value;
    }
    return bad_positions("a number is too long");
  }

 private:
  absl::Status fill() {
    constexpr std::uint64_t kMost = 4096;
    // Most lists are short.
    const std::uint64_t wanted = room_.empty() ? 64 : kMost;
    if (place_ >= size_) return bad_positions("a list is cut");
    room_.resize(std::min(wanted, size_ - place_));
    RETURN_IF_ERROR(file_.read(number_of(PositionPart::Lists), place_, room_));
    place_ += room_.size();
    at_ = 0;
    return absl::OkStatus();
  }

  const SectionReader& file_;
  std::uint64_t place_;
  const std::uint64_t size_;
  std::vector<std::uint8_t> room_;
  std::size_t at_ = 0;
};

}  // namespace

std::filesystem::path StoredPositions::path_of(const DatabaseFiles& files,
                                               const DatabaseOptions& options) {
  return index_path_of(options,
                       fmt::format("{}\n{}", files.index_path().string(), options.show_deleted),
                       kPositionsExtension);
}

std::uint64_t StoredPositions::key_of(const DatabaseFiles& files, const DatabaseOptions& options) {
  return cache::fingerprint(options.show_deleted ? "positions 2 of all" : "positions 2",
                            files.moves_key());
}

std::shared_ptr<const StoredPositions> StoredPositions::find(const DatabaseFiles& files,
                                                             const DatabaseOptions& options) {
  std::filesystem::path path = path_of(files, options);
  absl::StatusOr<std::unique_ptr<const SectionReader>> file =
      SectionReader::open(path, key_of(files, options));
  if (!file.ok()) {
    if (absl::IsDataLoss(file.status())) log_warning(std::string(file.status().message()));
    return nullptr;
  }
  std::array<PositionFacts, 1> facts;
  const absl::Status status = (*file)->read_values(number_of(PositionPart::Facts), 0, facts);
  constexpr std::uint64_t kMostBits = 32;
  const PositionFacts& found = facts.front();
  const bool fits = status.ok() && found.games == files.index_file().games() &&
                    found.bucket_bits > 0 && found.bucket_bits <= kMostBits;
  if (!fits) return nullptr;
  // Not by make_shared: the constructor is private.
  return std::shared_ptr<const StoredPositions>(
      new StoredPositions(std::move(path), *std::move(file), found));
}

absl::StatusOr<std::optional<std::vector<StoredPositions::Games>>> StoredPositions::find_games(
    codec::scid::BoardKey key, std::size_t most) const {
  const BoardPlace place = board_place(key, static_cast<unsigned>(facts_.bucket_bits));
  std::array<std::uint32_t, 2> bounds{};
  RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::Buckets), place.bucket, bounds));
  constexpr std::uint32_t kMostInBucket = 1U << 16;
  if (bounds[1] < bounds[0] || bounds[1] - bounds[0] > kMostInBucket) {
    return bad_positions("its buckets are in disorder");
  }
  std::vector<std::uint16_t> marks(bounds[1] - bounds[0]);
  RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::Marks), bounds[0], marks));
  std::vector<Games> found;
  for (auto mark = std::ranges::find(marks, place.mark); mark != marks.end();
       mark = std::find(mark + 1, marks.end(), place.mark)) {
    std::array<std::uint32_t, 1> value{};
    const auto board = bounds[0] + static_cast<std::uint64_t>(mark - marks.begin());
    RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::Values), board, value));
    ASSIGN_OR_RETURN(std::optional<Games> games, games_of(value.front(), most));
    if (!games.has_value()) return std::nullopt;
    found.push_back(*std::move(games));
  }
  return found;
}

absl::StatusOr<std::optional<StoredPositions::Games>> StoredPositions::games_of(
    std::uint32_t value, std::size_t most) const {
  Games out;
  if ((value & kListedBit) == 0) {
    RETURN_IF_ERROR(add_run(value, 1, out));
    out.witness = out.games.front();
    return out;
  }
  ListReader list(*file_, value & ~kListedBit);
  ASSIGN_OR_RETURN(const std::uint32_t count, list.next());
  ASSIGN_OR_RETURN(const std::uint32_t witness, list.next());
  if (count > facts_.games || witness >= count) return bad_positions("a list is too long");
  if (count > most) return std::nullopt;
  out.games.reserve(count);
  std::uint64_t rank = 0;
  while (out.games.size() < count) {
    ASSIGN_OR_RETURN(const std::uint32_t gap, list.next());
    std::uint64_t run = 1;
    if (gap % 2 != 0) {
      ASSIGN_OR_RETURN(const std::uint32_t more, list.next());
      run = std::uint64_t{more} + 2;
    }
    rank += gap / 2;
    if (run > count - out.games.size()) return bad_positions("a run is too long");
    RETURN_IF_ERROR(add_run(rank, run, out));
    rank += run;
  }
  out.witness = out.games[witness];
  return out;
}

absl::StatusOr<std::optional<std::vector<std::uint8_t>>> StoredPositions::find_table(
    std::string_view name) const {
  const std::uint64_t hash = cache::fingerprint(name);
  const std::uint64_t count = file_->bytes(number_of(PositionPart::TableHashes)) / sizeof hash;
  std::array<std::uint64_t, 1> found{};
  std::uint64_t first = 0;
  for (std::uint64_t end = count; first < end;) {
    const std::uint64_t middle = first + (end - first) / 2;
    RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::TableHashes), middle, found));
    if (found.front() == hash) {
      first = middle;
      break;
    }
    (found.front() < hash ? first : end) = found.front() < hash ? middle + 1 : middle;
  }
  // Of two names with one hash one is stored.
  if (first == count || found.front() != hash) return std::nullopt;
  std::array<std::uint32_t, 2> bounds{};
  RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::TableEnds), first, bounds));
  constexpr std::uint32_t kMostBytes = 1U << 20;
  if (bounds[1] <= bounds[0] || bounds[1] - bounds[0] > kMostBytes) {
    return bad_positions("its tables are in disorder");
  }
  std::vector<std::uint8_t> bytes(bounds[1] - bounds[0]);
  RETURN_IF_ERROR(file_->read(number_of(PositionPart::Tables), bounds[0], bytes));
  const std::string_view text = codec::as_text(bytes);
  const std::size_t name_size = bytes.front();
  if (text.size() < 1 + name_size || text.substr(1, name_size) != name) return std::nullopt;
  bytes.erase(bytes.begin(), bytes.begin() + 1 + static_cast<std::ptrdiff_t>(name_size));
  return bytes;
}

// The next mount makes it again.
void StoredPositions::refuse(const absl::Status& status) const {
  if (is_refused_.exchange(true)) return;
  log_warning(std::string(status.message()));
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

absl::Status StoredPositions::add_run(std::uint64_t first, std::uint64_t count, Games& out) const {
  const std::size_t before = out.games.size();
  out.games.resize(before + count);
  const std::span<GameIndex> added = std::span(out.games).subspan(before);
  RETURN_IF_ERROR(file_->read_values(number_of(PositionPart::Games), first, added));
  const bool are_there =
      std::ranges::all_of(added, [this](GameIndex game) { return game < facts_.games; });
  return are_there ? absl::OkStatus() : bad_positions("a game does not exist");
}

}  // namespace scidfs::fs
