#include "fs/database/database_files.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "cache/hash.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/file/companion.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

std::string_view bytes_of(const auto& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Returns the front of a name file, which tells how many bytes can be in use.
absl::StatusOr<std::vector<std::uint8_t>> read_names_front(const SourceFile& file) {
  return file.read_front(codec::scid::kNamesHeaderSize);
}

// Returns the bytes of a name file that can be in use.
absl::StatusOr<std::vector<std::uint8_t>> read_names(const SourceFile& file,
                                                     const codec::scid::Format& format) {
  const auto front = read_names_front(file);
  // A length without bytes costs nothing on disk: it must not cost memory.
  return front.ok() ? file.read_front(format.max_name_file_size(*front)) : front;
}

// Returns the path of the games or the names of an index.
std::filesystem::path beside(std::filesystem::path index_path, std::string_view suffix,
                             const FileOrigin& origin = {}) {
  if (origin.files() != nullptr) return index_path.replace_extension(suffix);
  return companion_of(index_path, suffix);
}

}  // namespace

DatabaseStamps DatabaseFiles::stamps_on_disk(const std::filesystem::path& index_path) {
  const codec::scid::Format* const format =
      codec::scid::format_of_index(index_path.extension().string());
  if (format == nullptr) return {};
  return {stamp_of(index_path), stamp_of(beside(index_path, format->games_suffix)),
          stamp_of(beside(index_path, format->names_suffix))};
}

absl::StatusOr<DatabaseFiles> DatabaseFiles::open(const std::filesystem::path& index_path,
                                                  const DatabaseOptions& options) {
  ASSIGN_OR_RETURN(IndexFile index,
                   IndexFile::open(index_path, options.origin, options.pgn.code_page));
  DatabaseFiles files;
  files.index_path_ = index_path;
  if (!options.problem.empty()) files.problems_.push_back(options.problem);
  files.index_file_ = std::move(index);
  if (!files.index_file_.problem().empty()) files.add_problem(files.index_file_.problem());
  absl::StatusOr<GameFile> games = GameFile::open(
      beside(index_path, files.format().games_suffix, options.origin), options.origin);
  absl::Status status = games.ok() ? absl::OkStatus() : files.add_failure(games.status());
  if (games.ok()) files.game_file_ = *std::move(games);
  if (status.ok()) status = files.open_names(options);
  if (!status.ok()) return status;
  return files;
}

void DatabaseFiles::add_problem(std::string problem) {
  problems_.push_back(std::move(problem));
  is_consistent_ = false;
}

// Returns failures that end open(). A file that cannot be opened for lack of resources is neither
// missing nor damaged, and a file that this user may not read is not broken: half a database would
// mislead users.
absl::Status DatabaseFiles::add_failure(const absl::Status& failure) {
  if (absl::IsResourceExhausted(failure) || absl::IsPermissionDenied(failure)) return failure;
  add_problem(std::string(failure.message()));
  return absl::OkStatus();
}

std::filesystem::path DatabaseFiles::names_path(const DatabaseOptions& options) const {
  return beside(index_path_, format().names_suffix, options.origin);
}

absl::Status DatabaseFiles::open_names(const DatabaseOptions& options) {
  const std::filesystem::path path = names_path(options);
  absl::StatusOr<SourceFile> file = SourceFile::open(path, options.origin);
  if (!file.ok()) return add_failure(file.status());
  names_stamp_ = file->stamp();
  auto front = read_names_front(*file);
  if (!front.ok()) return add_failure(front.status());
  names_front_ = *std::move(front);
  names_file_ = *std::move(file);
  return absl::OkStatus();
}

absl::Status DatabaseFiles::load_names(const DatabaseOptions& options) {
  if (!names_file_.has_value()) return absl::OkStatus();
  const auto bytes = names_file_->read_front(format().max_name_file_size(names_front_));
  if (!bytes.ok()) {
    names_file_.reset();
    return add_failure(bytes.status());
  }
  names_checksum_ = cache::fingerprint(*bytes);
  take_names(format().parse_names(*bytes, options.pgn.code_page, nullptr), options);
  return absl::OkStatus();
}

void DatabaseFiles::adopt_names(codec::scid::Names names, std::uint64_t checksum,
                                const DatabaseOptions& options) {
  names_checksum_ = checksum;
  take_names(std::move(names), options);
}

void DatabaseFiles::take_names(codec::scid::Names names, const DatabaseOptions& options) {
  names_file_.reset();
  names_ = std::move(names);
  const std::string name = names_path(options).filename().string();
  if (!names_.status.ok()) {
    add_problem(fmt::format("{}: {}", name, std::string(names_.status.message())));
  }
  const std::size_t most = codec::scid::kMaxNameFileSize;
  if (names_stamp_.size > most && format().max_name_file_size(names_front_) == most) {
    add_problem(fmt::format("{}: nothing after byte {} is read", name, most));
  }
}

absl::StatusOr<codec::scid::StoredNames> DatabaseFiles::stored_names(
    const DatabaseOptions& options) const {
  ASSIGN_OR_RETURN(const SourceFile file, SourceFile::open(names_path(options), options.origin));
  ASSIGN_OR_RETURN(const auto bytes, read_names(file, format()));
  codec::scid::StoredNames names;
  format().parse_names(bytes, options.pgn.code_page, &names);
  return names;
}

void DatabaseFiles::settle(const Records& records, const DatabaseOptions& options) {
  record_bytes_ = records.bytes;
  if (!records.are_complete || records.end != game_file_.size()) is_consistent_ = false;
  if (shares_records()) {
    problems_.push_back(fmt::format(
        "games share records: they are {} bytes long together, the game file has {}. Files for "
        "which more than {} of them have to be read are refused (EFBIG)",
        record_bytes_, game_file_.size(), most_record_bytes()));
  }
  game_file_.expect_records(records.end, records.bytes);

  fingerprint_ = fingerprint_of(options.pgn);
  std::vector<std::uint64_t> checksums = {index_file_.checksum(), names_checksum_};
  const OpeningNames* const openings = options.reference->openings.get();
  if (options.pgn.opening && openings != nullptr) checksums.push_back(openings->fingerprint());
  for (const std::uint64_t checksum : checksums) {
    fingerprint_ = cache::fingerprint(bytes_of(checksum), fingerprint_);
  }
  for (const FileStamp& stamp : stamps()) {
    source_bytes_ += stamp.size;
    mtime_ = std::max(mtime_, stamp.mtime());
  }
  fingerprint_ = add_stamps(fingerprint_);
}

std::uint64_t DatabaseFiles::add_stamps(std::uint64_t fingerprint) const {
  for (FileStamp stamp : stamps()) {
    // File systems such as sshfs assign new inode numbers at each mount.
    if (is_remote()) stamp.inode = 0;
    fingerprint = fingerprint_of(stamp, fingerprint);
  }
  return fingerprint;
}

std::uint64_t DatabaseFiles::source_key(const DatabaseOptions& options) const {
  const OpeningNames* const openings = options.reference->openings.get();
  const std::array<std::uint64_t, 4> parts = {
      index_file_.header_checksum(), cache::fingerprint(names_front_),
      openings == nullptr ? 0 : openings->fingerprint(), std::uint64_t{options.show_deleted}};
  return add_stamps(cache::fingerprint(bytes_of(parts), fingerprint_of(options.pgn)));
}

bool DatabaseFiles::are_as_read(const DatabaseOptions& options,
                                absl::FunctionRef<bool()> is_cancelled) const {
  const auto has_stamps = [&] {
    return options.origin.files() != nullptr || stamps_on_disk(index_path_) == stamps();
  };
  if (!has_stamps()) return false;
  std::vector<codec::scid::IndexEntry> room;
  for (std::size_t block = 0; block < index_file_.blocks(); ++block) {
    if (is_cancelled() || !index_file_.read_block(block, room).ok()) return false;
  }
  const absl::StatusOr<SourceFile> names = SourceFile::open(names_path(options), options.origin);
  const auto bytes = names.ok() ? read_names(*names, format()) : names.status();
  return bytes.ok() && cache::fingerprint(*bytes) == names_checksum_ && has_stamps();
}

absl::StatusOr<std::uint64_t> DatabaseFiles::checksum(
    absl::FunctionRef<bool()> is_cancelled) const {
  game_file_.sum_up(is_cancelled);
  if (is_cancelled()) return WorkBudget::cancelled();
  std::vector<std::uint64_t> sums = game_file_.copy_sums();
  if (sums.size() != game_file_.chunks() || std::ranges::count(sums, 0U) != 0) {
    return absl::DataLossError(fmt::format("Cannot read all games of {}", index_path_.string()));
  }
  sums.push_back(index_file_.checksum());
  sums.push_back(names_checksum_);
  return cache::fingerprint(
      {reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(sums[0])});
}

std::vector<std::string> DatabaseFiles::notes() const {
  if (names_.cut == 0) return {};
  return {fmt::format("names longer than {} bytes, which are cut there: {}",
                      codec::scid::kMaxNameBytes, names_.cut)};
}

std::size_t DatabaseFiles::memory() const {
  std::size_t bytes = index_file_.memory() + game_file_.memory();
  for (const codec::scid::NameTable& table : names_.tables) bytes += table.memory();
  return bytes;
}

}  // namespace scidfs::fs
