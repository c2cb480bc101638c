// A kind of files that are shown: how they are known by their names, and opened.
//
// Who adds a format writes a Snapshot (fs/content/snapshot.h), a function that opens a file as one,
// and an entry in the table of formats.cc. Finding the files, live reload, inode numbers and the
// mount itself are there.
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

#include "codec/pgn.h"
#include "fs/archive/inner_database.h"
#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"
#include "fs/file/time.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

// The code page of a database, or of all in a folder or archive.
struct EncodingRule {
  std::string path;  // relative to the source, or a mere name; empty: all
  codec::CodePage page = codec::CodePage::Windows1252;
};

// How a source is shown, and what opening it may use.
struct OpenOptions {
  codec::PgnOptions pgn{};
  bool show_deleted = false;  // among the others, as Scid exports them
  bool by_round = false;      // files of events, in round and board order
  UnpackOptions unpack{};     // of archives
  ReferencePtr reference = no_reference();
  std::filesystem::path cache_folder{};  // empty: nothing is kept until the next mount
  std::filesystem::path
      boundary{};  // links that lead out of this folder are not followed; empty: all are
  Locality distance = Locality::Auto;
  std::vector<EncodingRule> encodings{};

  // `pgn` for a database at a path relative to the source: of several rules that fit the last
  // counts.
  codec::PgnOptions pgn_of(std::string_view relative, std::string_view name) const;
  FileOrigin origin() const { return {boundary, distance}; }
};

// The files that something is made of, as they are at one moment: at most three; those that are
// missing are all zeros. Several files of one kind count as one.
using SourceStamps = std::array<FileStamp, 3>;

// What was opened, before it has a place in a catalog.
struct Opened {
  // Null for a container, which is made when its databases are open.
  SnapshotPtr snapshot;
  // Of a database: what `snapshot` shows.
  std::shared_ptr<Database> database;
  std::uint64_t fingerprint = 0;
  FileTime mtime;
  std::uint64_t source_bytes = 0;
  // Whether reading the files later may take long, or for ever (fs/file/locality.h).
  bool is_remote = false;
  // Whether somebody may still be writing the files, as far as can be seen.
  bool is_unlimited = true;
  std::vector<std::string> problems;
  // Of a container: its databases, and what makes the snapshot when each of these is open, or is
  // not.
  std::vector<InnerDatabase> inner;
  std::function<SnapshotPtr(const ContainerView& view)> finish;
};

struct SourceFormat {
  std::string_view extension;  // with its dot; small letters here, any in names of files
  // What info.txt calls one: "database", "directory".
  std::string_view noun = "directory";
  // Whether there are databases in it: it stands among the folders.
  bool is_container = false;
  // Errors name the path and the cause. ResourceExhausted: the same may go well later.
  absl::StatusOr<Opened> (*open)(const std::filesystem::path& path, const OpenOptions& options);
  SourceStamps (*stamps)(const std::filesystem::path& path);

  // For what lies in several files. The name under which a file is shown; nothing: it is but a part
  // of another one. Null: files are shown under their own names.
  std::optional<std::string> (*name_of)(std::string_view file) = nullptr;
  // The same of any file of these. Null: all of them have the first one's name before the
  // extension.
  std::string (*name_of_whole)(std::string_view file) = nullptr;
  // Extensions of files that belong to one besides itself; empty: none.
  std::array<std::string_view, 2> companions{};

  std::optional<std::string> shown_name(std::string_view file) const {
    return name_of != nullptr ? name_of(file) : std::string(file);
  }
};
using SourceFormats = std::span<const SourceFormat>;

// What tells a version of a database, as it is shown, from all others.
std::uint64_t fingerprint_of(const Database& database);

// All formats that this program knows.
SourceFormats source_formats();
// The one that a file has by its name; null if there is none.
const SourceFormat* find_format(SourceFormats formats, const std::filesystem::path& path);
// The name under which is shown what a file belongs to, by its name; nothing if no format reads it.
std::optional<std::string> name_of_whole(SourceFormats formats, const std::filesystem::path& file);
// Whether a file is, by its name, one that any format reads.
bool is_part_of_any(SourceFormats formats, const std::filesystem::path& path);

}  // namespace scidfs::fs
