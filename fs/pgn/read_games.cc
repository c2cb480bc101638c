#include "fs/pgn/read_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/number.h"
#include "fs/base/status_macros.h"
#include "fs/file/unpacker.h"
#include "fs/file/utf16.h"
#include "fs/import/pgn_games.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kMostRemarks = std::size_t{1} << 20;  // bytes
// Of smaller files one thread reads all before another one has begun, even if they are packed.
constexpr std::uint64_t kWorthThreads = std::uint64_t{64} << 10;

// Collects remarks, a line each, up to a limit. They name the file without its folder.
class Remarks {
 public:
  explicit Remarks(const std::filesystem::path& file)
      : path_(file.string()), name_(file.filename().string()) {}

  void add(std::string_view remark) {
    if (remark.starts_with(path_)) remark.remove_prefix(path_.size() - name_.size());
    if (text_.size() + remark.size() < kMostRemarks) {
      text_.append(remark).append("\n");
    } else {
      ++more_;
    }
  }
  // Adds those of an earlier state of the file that are about games before a place.
  void add_before(std::string_view remarks, const PgnPlace& place) {
    while (!remarks.empty()) {
      const std::string_view line = remarks.substr(0, remarks.find('\n'));
      remarks.remove_prefix(std::min(line.size() + 1, remarks.size()));
      if (is_before(line, place)) add(line);
    }
  }
  std::string take() {
    if (more_ > 0) text_ += fmt::format("and {} more remarks\n", more_);
    return std::move(text_);
  }

 private:
  // Takes ": game 12" or the like from the front of a remark.
  static std::optional<std::uint64_t> take_number(std::string_view words, std::string_view& rest) {
    if (!rest.starts_with(words)) return std::nullopt;
    const std::string_view digits = rest.substr(words.size(), rest.find(':', 1) - words.size());
    rest.remove_prefix(words.size() + digits.size());
    return codec::parse_number<std::uint64_t>(digits);
  }
  // A remark names its line, its game, or both; of both, the game tells more.
  bool is_before(std::string_view remark, const PgnPlace& place) const {
    if (!remark.starts_with(name_)) return false;
    remark.remove_prefix(name_.size());
    const std::optional<std::uint64_t> line = take_number(", line ", remark);
    const std::optional<std::uint64_t> game = take_number(": game ", remark);
    return game.has_value() ? *game <= place.games : line.has_value() && *line < place.line;
  }

  const std::string path_;
  const std::string name_;
  std::string text_;
  std::uint64_t more_ = 0;
};

absl::StatusOr<std::uint64_t> checksum_of_front(const SourceFile& file, std::uint64_t bytes) {
  constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> room(std::min(bytes, kPiece));
  std::uint64_t checksum = 0;
  for (std::uint64_t at = 0; at < bytes;) {
    const std::span<std::uint8_t> piece(room.data(), std::min(kPiece, bytes - at));
    RETURN_IF_ERROR(file.read(at, piece));
    checksum = cache::fingerprint(piece, checksum);
    at += piece.size();
  }
  return checksum;
}

// Returns whether the bytes of a file are those of its text, and cheap to read a second time.
absl::StatusOr<bool> can_be_continued(const SourceFile& file) {
  if (file.is_remote()) return false;
  constexpr std::size_t kFront = 512;
  ASSIGN_OR_RETURN(const std::vector<std::uint8_t> front, file.read_front(kFront));
  return !packing_of(front).has_value() && !utf16_order(front).has_value();
}

}  // namespace

absl::Status has_changed(const std::filesystem::path& file) {
  return absl::FailedPreconditionError(fmt::format("{} has changed", file.string()));
}

absl::Status no_room_for_records(std::uint64_t room) {
  constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
  return absl::OutOfRangeError(fmt::format(
      "its games need more than the {} that the cache folder may use for PGN files",
      room < kMebi ? fmt::format("{} KiB", room >> 10U) : fmt::format("{} MiB", room >> 20U)));
}

absl::StatusOr<bool> begins_with(const SourceFile& file, const PgnFront& earlier) {
  if (earlier.bytes == 0 || file.size() < earlier.bytes) return false;
  ASSIGN_OR_RETURN(const bool possible, can_be_continued(file));
  if (!possible) return false;
  ASSIGN_OR_RETURN(const std::uint64_t front, checksum_of_front(file, earlier.bytes));
  return front == earlier.checksum;
}

absl::StatusOr<bool> continues(const SourceFile& file, const RecordsText& earlier) {
  if (earlier.last.games == 0) return false;
  return begins_with(file, earlier.front);
}

absl::StatusOr<RecordsText> read_games(SourceFile file, const EarlierGames* earlier,
                                       const ReadOptions& how, const WorkBudget& budget,
                                       Progress progress, NewDatabase& records) {
  std::uint64_t checksum_before = 0;
  if (how.may_grow) {
    ASSIGN_OR_RETURN(const bool is_text, can_be_continued(file));
    if (!is_text) return has_changed(file.path());
    ASSIGN_OR_RETURN(checksum_before, checksum_of_front(file, file.size()));
  }
  Remarks remarks(file.path());
  const auto remark = [&remarks](std::string_view text) { remarks.add(text); };
  std::atomic<bool> is_full = false;
  const auto is_cancelled = [&] { return is_full || budget.is_cancelled(); };
  PgnImportOptions options{.threads = file.size() < kWorthThreads ? 1 : budget.threads(),
                           .page = how.page,
                           .takes_partial = true,
                           .may_grow = how.may_grow,
                           .is_cancelled = is_cancelled};
  std::uint64_t done = 0;
  if (earlier != nullptr) {
    options.begin = earlier->text.last;
    remarks.add_before(earlier->text.remarks, options.begin);
    RETURN_IF_ERROR(earlier->games.copy(
        records, [](std::uint64_t) {}, remark, is_cancelled, options.begin.games));
  }
  const std::uint64_t size = file.size();
  const PgnSource source(std::move(file));
  const absl::StatusOr<PgnImported> imported =
      source.import([&records](const NewGame& game) { return records.add(game); }, options,
                    [&](std::uint64_t bytes) {
                      progress(done += bytes, size);
                      is_full = records.bytes() > how.room;
                    },
                    remark);
  if (is_full) return no_room_for_records(how.room);
  if (absl::IsUnavailable(imported.status())) {
    return absl::FailedPreconditionError(imported.status().message());
  }
  if (!imported.ok()) return imported.status();
  RecordsText text{.remarks = remarks.take(), .is_cut = imported->is_cut};
  ASSIGN_OR_RETURN(const bool possible, can_be_continued(source.file()));
  if (!possible) return text;
  ASSIGN_OR_RETURN(const std::uint64_t checksum, checksum_of_front(source.file(), size));
  if (how.may_grow && checksum != checksum_before) return has_changed(source.file().path());
  // Else it may be that of other bytes than those that were read.
  if (!how.may_grow && !source.file().is_as_opened()) return text;
  text.last = imported->last;
  text.front = {.bytes = size, .checksum = checksum};
  return text;
}

}  // namespace scidfs::fs
