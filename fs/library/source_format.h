// A kind of source file: how scidfs recognizes it by name and opens it.
//
// To add a format, write a Snapshot (fs/content/snapshot.h), a function that opens a file as one,
// and an entry in the table of formats.cc. The rest exists already: finding the files, live reload,
// inode numbers and the mount itself.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/archive/inner_database.h"
#include "fs/base/progress.h"
#include "fs/content/snapshot.h"
#include "fs/content/work_budget.h"
#include "fs/database/database_options.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"
#include "fs/file/time.h"
#include "fs/pgn/lazy_database.h"
#include "fs/pgn/record_folder.h"

namespace scidfs::fs {

class Database;

// The code page of a database, or of all databases in a folder or an archive.
struct EncodingRule {
  std::string path;  // relative to the source, or only a name; empty: all
  codec::CodePage page = codec::CodePage::Windows1252;
  bool is_of_names = false;  // of files in zip files alone, not of texts

  // Returns whether it is for what has this path relative to the source and this name in the mount.
  bool applies_to(std::string_view relative, std::string_view name) const;
};

// How to show a source, and the resources for opening it.
struct OpenOptions {
  DatabaseOptions database{};                   // `origin` is that of all source files
  UnpackOptions unpack{};                       // of archives
  bool with_pgn = true;                         // whether PGN files in archives are databases
  std::shared_ptr<RecordFolder> pgn_records{};  // where the games of PGN files are kept
  std::vector<EncodingRule> encodings{};
  bool is_mount_point = false;
  codec::CodePage names = codec::CodePage::Windows1252;  // of files in the zip file

  // Return `database` with the code page for a database at a path relative to the source, and the
  // page of names for a zip file there. If several rules apply, the last one counts.
  DatabaseOptions database_of(std::string_view relative, std::string_view name) const;
  codec::CodePage names_of(std::string_view relative, std::string_view name) const;
};

// The files of one source at one moment: at most three. Missing files are all zeros. Several files
// of one kind count as one.
using SourceStamps = std::array<FileStamp, 3>;

// How to read a PGN file that is read when it is first needed.
struct LazySource {
  PgnFile file;
  // Returns quickly what an earlier call of `read` has made, perhaps for another mount; nothing if
  // there is none.
  std::function<std::optional<ReadDatabase>()> find;
  // Returns whether the file may be `before` with more at its end.
  std::function<bool(const PgnFile& before)> may_continue;
  // Errors: OutOfRange and DataLoss, with the reason, if the file is refused; those of
  // LazyDatabase::Read.
  std::function<absl::StatusOr<ReadDatabase>(const WorkBudget& budget, Progress progress)> read;
  // Returns how many bytes `read` may use now: if that is much more than it was, a file that was
  // refused with OutOfRange may be read.
  std::function<std::uint64_t()> room;
};

// A source that has been opened and has no place in a catalog yet.
struct Opened {
  // Null for a container: `finish` makes its snapshot when its databases are open. Null also if
  // there is `lazy`.
  SnapshotPtr snapshot;
  // The database that `snapshot` shows, if it is one.
  std::shared_ptr<Database> database;
  std::uint64_t fingerprint = 0;
  FileTime mtime;
  std::uint64_t source_bytes = 0;
  // Whether reading the files later may take long or never end (fs/file/locality.h).
  bool is_remote = false;
  // Whether the files fit together, as far as can be seen. If not, a program may still be writing
  // them.
  bool is_whole = true;
  std::vector<std::string> problems;
  // Of a container: its databases, and the function that makes the snapshot when each of them is
  // open or has failed to open.
  std::vector<InnerDatabase> inner;
  std::function<SnapshotPtr(const ContainerView& view)> finish;
  std::optional<LazySource> lazy{};
};

struct SourceFormat {
  // With its dot, in lower case; file names may use any case. May have two dots: ".pgn.gz".
  std::string_view extension;
  // The word of info.txt for it: "database", "directory".
  std::string_view noun = "directory";
  // Whether it contains databases and is listed among the folders.
  bool is_container = false;
  // Whether it holds PGN, and is left out with -o pgn=no.
  bool is_pgn = false;
  // Errors name the path and the cause. ResourceExhausted: a retry may succeed.
  absl::StatusOr<Opened> (*open)(const std::filesystem::path& path, const OpenOptions& options);
  SourceStamps (*stamps)(const std::filesystem::path& path);

  // For sources of several files. Returns the name of the source in the mount; nothing if the file
  // is only a part of another one. Null: files keep their names.
  std::optional<std::string> (*name_of)(std::string_view file) = nullptr;
  // Returns the same name for any file of the source. Null: all files have the name of the first
  // one before the extension. A source of one file has its name.
  std::string (*name_of_whole)(std::string_view file) = nullptr;
  // Extensions of the source's further files; empty: none.
  std::array<std::string_view, 2> companions{};

  std::optional<std::string> shown_name(std::string_view file) const {
    return name_of != nullptr ? name_of(file) : std::string(file);
  }
};
using SourceFormats = std::span<const SourceFormat>;

// Opens a PGN file in a container.
Opened open_inner_pgn(const InnerDatabase& found, const OpenOptions& options);

// Returns a number that tells this version of a database, with the options that it is shown by,
// from all others.
std::uint64_t fingerprint_of(const Database& database);

// Returns all formats that this program knows, with PGN or without.
SourceFormats source_formats(bool with_pgn = true);
// Returns the format of a file by its name; null if there is none.
const SourceFormat* find_format(SourceFormats formats, const std::filesystem::path& path);
// Returns the name in the mount of the source that a file belongs to, by the file's name; nothing
// if no format reads the file.
std::optional<std::string> name_of_whole(SourceFormats formats, const std::filesystem::path& file);
// Returns whether any format reads a file of this name.
bool is_part_of_any(SourceFormats formats, const std::filesystem::path& path);

}  // namespace scidfs::fs
