#include "fs/reference/player_list_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/ending.h"
#include "codec/scid/spelling_file.h"
#include "codec/text.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/file/cache_folder.h"
#include "fs/file/fingerprint.h"
#include "fs/file/mapped_file.h"
#include "fs/file/section_file.h"
#include "fs/file/zip_file.h"
#include "fs/reference/fide_lines.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using FilePtr = std::shared_ptr<const SourceFile>;

constexpr std::size_t kBlockOfList = std::size_t{1} << 20;
// Several times the size of real lists.
constexpr std::uint64_t kMostBytesOfList = std::uint64_t{1} << 31;

absl::Status refused_list(std::string_view reason) {
  return absl::InvalidArgumentError(std::string(reason));
}

// Returns the month of a time, as MonthRating has it; 0 if there were no lists then.
std::uint16_t month_at(std::int64_t seconds) {
  constexpr std::uint16_t kMonths = 12;
  constexpr int kFirstYear = 1990;
  constexpr int kLastYear = 2047;
  constexpr std::int64_t kMostSeconds = std::int64_t{1} << 32;
  if (seconds < 0 || seconds > kMostSeconds) return 0;
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(
      std::chrono::sys_seconds(std::chrono::seconds(seconds)));
  const std::chrono::year_month_day date(day);
  const int year = static_cast<int>(date.year());
  if (year < kFirstYear || year > kLastYear) return 0;
  return static_cast<std::uint16_t>(year * kMonths + static_cast<int>(unsigned{date.month()}) - 1);
}

// Returns whether a text in a zip file begins with the header of a list.
absl::StatusOr<bool> is_list(ZipMembers& members, const ZipMember& member) {
  ASSIGN_OR_RETURN(const ByteInput input, members.open(member));
  std::array<std::uint8_t, FideColumns::kMostLine + 5> front{};  // with mark and CR LF
  std::size_t size = 0;
  while (size < front.size()) {
    ASSIGN_OR_RETURN(const std::size_t bytes, input(std::span(front).subspan(size)));
    if (bytes == 0) break;
    size += bytes;
  }
  const std::string_view text = codec::as_text(codec::Bytes(front).first(size));
  return FideColumns::parse_first_line(text.substr(0, text.find('\n'))).ok();
}

// Finds the only text in a zip file, or, of several, the only list.
absl::StatusOr<ZipMember> find_text(const SourceFile& file) {
  constexpr std::size_t kMostTexts = 16;
  ASSIGN_OR_RETURN(std::vector<ZipMember> texts, list_zip(file));
  std::erase_if(texts, [](const ZipMember& member) {
    return !member.has_name || member.file_name().starts_with('.') ||
           !codec::has_ending(member.file_name(), ".txt");
  });
  if (texts.empty()) return refused_list("there is no text in it");
  if (texts.size() > kMostTexts) return refused_list("there are too many texts in it");
  if (texts.size() > 1) {
    ZipMembers members(file);
    std::vector<ZipMember> lists;
    for (const ZipMember& text : texts) {
      const absl::StatusOr<bool> is_one = is_list(members, text);
      if (!is_one.ok() && !absl::IsDataLoss(is_one.status())) return is_one.status();
      if (is_one.value_or(false)) lists.push_back(text);
    }
    if (lists.empty()) return refused_list("no text in it is a list");
    if (lists.size() > 1) return refused_list("there are several lists in it");
    texts = std::move(lists);
  }
  if (texts.front().size > kMostBytesOfList) return refused_list("it unpacks to more than 2G");
  return std::move(texts.front());
}

// Reads the lines of an input.
absl::StatusOr<PlayerList::Arrays> read_lines(const ByteInput& input, std::uint16_t month,
                                              absl::FunctionRef<bool()> is_cancelled,
                                              std::uint64_t& skipped) {
  PlayerListBuilder builder;
  codec::scid::LineCutter lines;
  const auto add = [&builder](std::uint64_t, std::string_view line) { builder.add(line); };
  std::vector<std::uint8_t> block(kBlockOfList);
  while (!builder.has_failed()) {
    if (is_cancelled()) return WorkBudget::cancelled();
    ASSIGN_OR_RETURN(const std::size_t bytes, input(block));
    if (bytes == 0) break;
    lines.add(codec::as_text(codec::Bytes(block).first(bytes)), add);
  }
  lines.finish(add);
  absl::StatusOr<PlayerList::Arrays> arrays = builder.finish(month);
  skipped = builder.skipped();
  return arrays;
}

absl::StatusOr<PlayerList::Arrays> read_list(const SourceFile& file,
                                             absl::FunctionRef<bool()> is_cancelled,
                                             std::uint64_t& skipped) {
  std::array<std::uint8_t, 4> mark{};
  if (file.size() < mark.size()) return refused_list("it is too short");
  RETURN_IF_ERROR(file.read(0, mark));
  if (is_zip(mark)) {
    ASSIGN_OR_RETURN(const ZipMember member, find_text(file));
    ZipMembers members(file);
    ASSIGN_OR_RETURN(const ByteInput input, members.open(member));
    return read_lines(input, month_at(member.seconds), is_cancelled, skipped);
  }
  if (file.size() > kMostBytesOfList) return refused_list("it has more than 2G");
  const auto read = [&file, at = std::uint64_t{0}](
                        std::span<std::uint8_t> out) mutable -> absl::StatusOr<std::size_t> {
    const auto bytes =
        static_cast<std::size_t>(std::min<std::uint64_t>(out.size(), file.size() - at));
    RETURN_IF_ERROR(file.read(at, out.first(bytes)));
    at += bytes;
    return bytes;
  };
  return read_lines(read, month_at(file.stamp().mtime_seconds), is_cancelled, skipped);
}

// One for each path of a list.
stdfs::path saved_path(const SourceFile& file, const stdfs::path& folder) {
  const std::uint64_t number = cache::fingerprint("players\n" + file.path().string());
  return folder / (cache_digits(number).append(kPlayersExtension));
}

// Returns the list in a file of the cache folder; null if there is none that can be used.
std::shared_ptr<const PlayerList> map_saved(const stdfs::path& path, std::uint64_t key,
                                            const FilePtr& file) {
  absl::StatusOr<std::unique_ptr<const SectionFile>> saved =
      SectionFile::map(path, key, [file, key](absl::FunctionRef<bool(const SectionImage&)> take) {
        std::uint64_t skipped = 0;
        const auto arrays = read_list(
            *file, [] { return false; }, skipped);
        return arrays.ok() && file->is_as_opened() && take(arrays->image(key));
      });
  absl::Status status = saved.status();
  if (status.ok()) {
    absl::StatusOr<std::unique_ptr<const PlayerList>> list = PlayerList::from(*std::move(saved));
    if (list.ok()) return *std::move(list);
    status = absl::DataLossError(
        fmt::format("Cannot use {}: {}", path.native(), std::string(list.status().message())));
  }
  if (absl::IsDataLoss(status)) log_warning(std::string(status.message()));
  return nullptr;
}

// Saves a list, and maps it. Returns null if it cannot be saved or mapped.
std::shared_ptr<const PlayerList> save_list(const stdfs::path& path, std::uint64_t key,
                                            const FilePtr& file, const PlayerList::Arrays& arrays,
                                            absl::FunctionRef<bool()> is_cancelled) {
  // A file that changed during the read is read again at the next mount.
  if (!file->is_as_opened() || !MappedFile::may_show()) return nullptr;
  const absl::Status status = save_sections(path, arrays.image(key), is_cancelled);
  if (status.ok()) return map_saved(path, key, file);
  // A mount tells of a folder that it cannot use when it begins.
  if (!absl::IsCancelled(status) && !absl::IsFailedPrecondition(status)) {
    log_warning(fmt::format("{}; the list of players will be read again next time",
                            std::string(status.message())));
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PlayerList>> load_player_list(
    SourceFile opened, const stdfs::path& folder, absl::FunctionRef<bool()> is_cancelled) {
  const auto file = std::make_shared<const SourceFile>(std::move(opened));
  const std::uint64_t key = fingerprint_of(file->stamp(), PlayerList::kLayoutVersion);
  const stdfs::path path = saved_path(*file, folder);
  if (!folder.empty()) {
    if (std::shared_ptr<const PlayerList> list = map_saved(path, key, file)) return list;
  }
  std::uint64_t skipped = 0;
  absl::StatusOr<PlayerList::Arrays> arrays = read_list(*file, is_cancelled, skipped);
  if (!arrays.ok()) {
    return absl::Status(arrays.status().code(),
                        fmt::format("Cannot use the list of players {}: {}", file->path().native(),
                                    std::string(arrays.status().message())));
  }
  if (skipped != 0) {
    log_warning(fmt::format("{}: {} lines name no player, or one that is there twice",
                            file->path().native(), skipped));
  }
  if (!folder.empty()) {
    if (auto list = save_list(path, key, file, *arrays, is_cancelled)) return list;
  }
  return std::make_shared<const PlayerList>(*std::move(arrays));
}

}  // namespace scidfs::fs
