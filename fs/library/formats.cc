// The table of all formats.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "cache/hash.h"
#include "codec/ending.h"
#include "fs/archive/archive_snapshot.h"
#include "fs/archive/zip_snapshot.h"
#include "fs/base/status_macros.h"
#include "fs/book/book_snapshot.h"
#include "fs/file/fingerprint.h"
#include "fs/library/mounted_version.h"
#include "fs/library/source_format.h"
#include "fs/pgn/pgn_records.h"
#include "fs/views/database_snapshot.h"

namespace scidfs::fs {
namespace {

std::uint64_t fingerprint_of_all(const SourceStamps& stamps, const codec::PgnOptions& pgn) {
  std::uint64_t fingerprint = fingerprint_of(pgn);
  for (const FileStamp& stamp : stamps) {
    if (stamp != FileStamp{}) fingerprint = fingerprint_of(stamp, fingerprint);
  }
  return fingerprint;
}

std::uint64_t bytes_of(const SourceStamps& stamps) {
  std::uint64_t bytes = 0;
  for (const FileStamp& stamp : stamps) bytes += stamp.size;
  return bytes;
}

absl::StatusOr<Opened> open_database(const std::filesystem::path& path,
                                     const OpenOptions& options) {
  ASSIGN_OR_RETURN(std::shared_ptr<Database> database,
                   Database::open(path, path.filename().string(), options.database));
  Opened opened;
  opened.fingerprint = fingerprint_of(*database);
  opened.mtime = database->files().mtime();
  opened.source_bytes = database->files().source_bytes();
  opened.is_remote = database->files().is_remote();
  opened.is_whole = database->files().is_consistent();
  opened.problems = database->files().problems();
  opened.database = std::move(database);
  return opened;
}

// Returns what a container of one file has before it is opened as one.
Opened opened_container(const SourceFile& file, const OpenOptions& options) {
  Opened opened;
  opened.fingerprint = fingerprint_of_all({file.stamp()}, options.database.pgn);
  opened.mtime = file.stamp().mtime();
  opened.source_bytes = file.size();
  opened.is_remote = file.is_remote();
  return opened;
}

absl::StatusOr<Opened> open_archive(const std::filesystem::path& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, options.database.origin));
  Opened opened = opened_container(file, options);
  absl::StatusOr<std::shared_ptr<const ArchiveContents>> contents =
      ArchiveContents::open(std::move(file), options.unpack, options.with_pgn);
  if (!contents.ok()) return contents.status();
  opened.is_whole = (*contents)->is_whole();
  opened.problems = (*contents)->problems();
  opened.inner = (*contents)->databases();
  opened.finish = [contents = *contents,
                   pages = options.database.pages](const ContainerView& view) -> SnapshotPtr {
    return std::make_shared<ArchiveSnapshot>(contents, view, pages);
  };
  return opened;
}

SourceStamps file_stamps(const std::filesystem::path& path) { return {stamp_of(path)}; }

Opened opened_pgn(const PgnFile& file, const OpenOptions& options) {
  const PgnRecordStore store(options.database, options.pgn_records);
  Opened opened;
  opened.fingerprint =
      with_options(fingerprint_of_all({file.stamp}, options.database.pgn), options.database);
  opened.mtime = file.stamp.mtime();
  opened.source_bytes = file.stamp.size;
  opened.lazy = LazySource{
      .file = file,
      .find = [store, file] { return store.find(file); },
      .may_continue = [store,
                       file](const PgnFile& before) { return store.may_continue(file, before); },
      .read = [store, file](const WorkBudget& budget,
                            Progress progress) { return store.make(file, budget, progress); },
      .room = [store] { return store.room(); }};
  return opened;
}

absl::StatusOr<Opened> open_pgn(const std::filesystem::path& path, const OpenOptions& options) {
  const FileOrigin& origin = options.database.origin;
  ASSIGN_OR_RETURN(const SourceFile source, SourceFile::open(path, origin));
  Opened opened = opened_pgn(
      {.path = path,
       .stamp = source.stamp(),
       .open = [path,
                origin](const std::function<bool()>&) { return SourceFile::open(path, origin); }},
      options);
  opened.is_remote = source.is_remote();
  return opened;
}

absl::StatusOr<Opened> open_zip(const std::filesystem::path& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, options.database.origin));
  Opened opened = opened_container(file, options);
  if (options.names != codec::CodePage::Windows1252) {
    opened.fingerprint =
        cache::fingerprint(fmt::to_string(options.names.number()), opened.fingerprint);
  }
  const absl::StatusOr<std::shared_ptr<const ZipContents>> contents = ZipContents::open(
      std::move(file), options.unpack, options.names,
      [](std::string_view name) { return find_format(source_formats(), name) != nullptr; });
  if (!contents.ok()) return contents.status();
  opened.problems = (*contents)->problems();
  opened.inner = (*contents)->databases();
  opened.finish = [contents = *contents,
                   pages = options.database.pages](const ContainerView& view) -> SnapshotPtr {
    return std::make_shared<ZipSnapshot>(contents, view, pages);
  };
  return opened;
}

SourceStamps book_stamps(const std::filesystem::path& path) {
  return {stamp_of(path), book_companions(path)};
}

absl::StatusOr<Opened> open_book(const std::filesystem::path& path, const OpenOptions& options) {
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, options.database.origin));
  const SourceStamps stamps = {file.stamp(), book_companions(path)};
  ASSIGN_OR_RETURN(std::shared_ptr<const BookSnapshot> book,
                   BookSnapshot::open(path, options.database.pages, options.is_mount_point));
  Opened opened;
  opened.fingerprint = fingerprint_of_all(stamps, options.database.pgn);
  opened.mtime = stamps[0].mtime();
  opened.source_bytes = bytes_of(stamps);
  opened.is_remote = file.is_remote();
  // Programs write the files of a book one after another: until they fit together, more will come.
  opened.problems = book->problems();
  opened.is_whole = opened.problems.empty();
  opened.snapshot = std::move(book);
  return opened;
}

constexpr SourceFormat database_format(std::string_view index, std::string_view names,
                                       std::string_view games) {
  return {.extension = index,
          .noun = kDatabaseNoun,
          .open = &open_database,
          .stamps = &DatabaseFiles::stamps_on_disk,
          .companions = {names, games}};
}

constexpr SourceFormat pgn_format(std::string_view extension) {
  return {.extension = extension,
          .noun = kDatabaseNoun,
          .is_pgn = true,
          .open = &open_pgn,
          .stamps = &file_stamps};
}

constexpr SourceFormat archive_format(std::string_view extension) {
  return {
      .extension = extension, .is_container = true, .open = &open_archive, .stamps = &file_stamps};
}

}  // namespace

Opened open_inner_pgn(const InnerDatabase& found, const OpenOptions& options) {
  return opened_pgn(
      {.path = found.index_path, .stamp = found.stamp, .open = found.open_pgn, .is_unpacked = true},
      options);
}

bool EncodingRule::applies_to(std::string_view relative, std::string_view name) const {
  const bool is_below =
      relative.size() > path.size() && relative.starts_with(path) && relative[path.size()] == '/';
  return path.empty() || path == relative || path == name || is_below;
}

DatabaseOptions OpenOptions::database_of(std::string_view relative, std::string_view name) const {
  DatabaseOptions chosen = database;
  for (const EncodingRule& rule : encodings) {
    if (!rule.is_of_names && rule.applies_to(relative, name)) chosen.pgn.code_page = rule.page;
  }
  return chosen;
}

codec::CodePage OpenOptions::names_of(std::string_view relative, std::string_view name) const {
  codec::CodePage chosen = names;
  for (const EncodingRule& rule : encodings) {
    if (rule.applies_to(relative, name)) chosen = rule.page;
  }
  return chosen;
}

std::uint64_t fingerprint_of(const Database& database) {
  return with_options(database.fingerprint(), database.options());
}

SourceFormats source_formats(bool with_pgn) {
  static constexpr std::array kFormats = {
      database_format(".si4", ".sn4", ".sg4"),
      database_format(".si5", ".sn5", ".sg5"),
      database_format(".si3", ".sn3", ".sg3"),
      archive_format(".scv"),
      archive_format(".ive"),
      SourceFormat{.extension = kBookExtension,
                   .open = &open_book,
                   .stamps = &book_stamps,
                   .name_of = &book_name,
                   .name_of_whole = &name_of_whole_book,
                   .companions = {kBookIndexExtension, kBookSourcesExtension}},
      SourceFormat{.extension = ".zip",
                   .is_container = true,
                   .is_pgn = true,
                   .open = &open_zip,
                   .stamps = &file_stamps},
      pgn_format(".pgn"),
      pgn_format(".pgn.gz"),
      pgn_format(".pgn.zst"),
      pgn_format(".pgn.bz2"),
      pgn_format(".pgn.xz"),
  };
  static constexpr auto kWithoutPgn = [] {
    std::array<SourceFormat, std::ranges::count(kFormats, false, &SourceFormat::is_pgn)> formats{};
    std::ranges::copy_if(kFormats, formats.begin(), std::logical_not{}, &SourceFormat::is_pgn);
    return formats;
  }();
  return with_pgn ? SourceFormats(kFormats) : SourceFormats(kWithoutPgn);
}

namespace {

// Returns whether a file has an ending, and something before it.
bool ends_with(std::string_view file, std::string_view ending) {
  return !ending.empty() && file.size() > ending.size() && codec::has_ending(file, ending);
}

}  // namespace

const SourceFormat* find_format(SourceFormats formats, const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const auto found = std::ranges::find_if(
      formats, [&name](const SourceFormat& format) { return ends_with(name, format.extension); });
  return found == formats.end() ? nullptr : &*found;
}

std::optional<std::string> name_of_whole(SourceFormats formats, const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  for (const SourceFormat& format : formats) {
    std::string_view own = format.extension;
    const auto is_its = [&name](std::string_view one) { return ends_with(name, one); };
    if (!is_its(own)) {
      const auto companion = std::ranges::find_if(format.companions, is_its);
      if (companion == format.companions.end()) continue;
      own = *companion;
    }
    if (format.name_of_whole != nullptr) return format.name_of_whole(name);
    if (format.companions.front().empty()) return name;
    return name.substr(0, name.size() - own.size()).append(format.extension);
  }
  return std::nullopt;
}

bool is_part_of_any(SourceFormats formats, const std::filesystem::path& path) {
  return name_of_whole(formats, path).has_value();
}

}  // namespace scidfs::fs
