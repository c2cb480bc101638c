// The door for what a source holds besides databases: a file that is shown as a directory with a
// small tree of directories and texts of its own (an opening book, an archive).
//
// Who adds such a format writes a class derived from TextDirectory and one entry in the table of
// text_directory.cc. Finding the files, live reload, inode numbers and the mount itself are there:
// - A file whose name ends in the format's extension becomes a directory of the same name, or of
//   another one where it is one of several files (TextFormat::name_of). If it is itself the source
//   of the mount, its entries stand in the root, beside status.txt.
// - When the file changes and has been left alone for a moment, it is opened again, and what comes
//   out takes the place of the old version, which goes on living for those who read in it. A file
//   that is removed is gone. Before that, a version that cannot be opened or is not whole is not
//   shown in the place of a good one, unless it stays so.
// - A file cannot be opened: info.txt of its folder says why.
// - Databases that are in such a file are shown as any others, in folders of their own, if the
//   format says that its directories are folders.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/pgn.h"
#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A database that is in such a file. Its files are unpacked already.
struct InnerDatabase {
  std::string name;                  // of its directory
  std::size_t folder = 0;            // index among the folders
  std::filesystem::path index_path;  // in `origin`
  FileOrigin origin;
};
// A folder in such a file, with the entries of one of its directories.
struct InnerFolder {
  std::string name;
  std::size_t parent = 0;  // index among the folders; its own if it is the first one
  Place place{};           // the directory; no directory lists one that is a folder
};

// One version of such a file: immutable and shared. Any number of threads may call it at once.
//
// Its directories and files are places: a level (4 bits) and a key (32 bits), see fs/view.h. The
// directory itself is Place{}. What a place means may depend on nothing but the bytes of the file:
// places are part of inode numbers, which are the same after a remount. The place of a directory is
// looked up in the newest version, that of a text only in the version that it came from. Places may
// come from outside: one that means nothing is no directory and cannot be opened.
class TextDirectory {
 public:
  TextDirectory() = default;
  TextDirectory(const TextDirectory&) = delete;
  TextDirectory& operator=(const TextDirectory&) = delete;
  virtual ~TextDirectory() = default;

  // One line about it, for info.txt of its folder: "1,234 positions".
  virtual std::string summary() const = 0;
  // What is wrong with it, a line each.
  virtual std::vector<std::string> problems() const { return {}; }
  // Whether somebody may still be writing the file, as far as can be seen.
  virtual bool is_whole() const { return true; }

  // Of a format whose directories are folders: all those that hold databases here or below, parents
  // first; the first one is the directory itself. Names of databases and folders are different from
  // those of files and directories at their places.
  virtual std::span<const InnerFolder> folders() const { return {}; }
  // Lines for info.txt of the first of these, behind those about its databases.
  virtual std::string info() const { return {}; }
  virtual std::span<const InnerDatabase> databases() const { return {}; }

  virtual bool is_directory(Place place) const = 0;
  // The directory that another one lies in. REQUIRES: it is a directory, and not Place{}.
  virtual Place parent(Place) const { return {}; }
  // Lists a directory from position `first` until `emit` says false; `next` of a child, which is at
  // most 2^40, is where to go on behind it. Of a Child, `view` and `may_be_late` have no meaning
  // here. See list_children().
  virtual void list(Place directory, std::uint64_t first, EmitChild emit) const = 0;
  // Finds a name in a directory, also one that list() does not tell of. Never scans.
  virtual std::optional<Child> lookup(Place directory, std::string_view name) const = 0;
  // What is in a file, of exactly known size. It is kept for a while where opening takes work.
  // Errors: NotFound; DataLoss if it cannot be read.
  virtual absl::StatusOr<std::unique_ptr<Content>> open(Place file) const = 0;
};
using TextDirectoryPtr = std::shared_ptr<const TextDirectory>;

// A kind of files that are shown so.
struct TextFormat {
  struct Options {
    codec::PgnOptions pgn;
    UnpackOptions unpack;
  };
  using Open = absl::StatusOr<TextDirectoryPtr> (*)(SourceFile file, const Options& options);

  std::string_view extension;  // with its dot
  // Errors name file.path() and the cause. The file is the door's: what is opened later may have
  // changed since, see SourceFile::is_as_opened().
  Open open;
  // Whether each has at least one of TextDirectory::folders().
  bool is_folder = false;

  // For what lies in several files. The name under which a file is shown; nothing: it is but a part
  // of another one. Null: files are shown under their own names.
  std::optional<std::string> (*name_of)(std::string_view file) = nullptr;
  // All files that belong to one besides itself, as if they were one. Null: there are none.
  FileStamp (*companions)(const std::filesystem::path& path) = nullptr;
  // Extensions that companions may have besides that of the format; empty: none.
  std::array<std::string_view, 2> companion_extensions{};

  std::optional<std::string> shown_name(std::string_view file) const {
    return name_of != nullptr ? name_of(file) : std::string(file);
  }
  FileStamp companions_of(const std::filesystem::path& path) const {
    return companions != nullptr ? companions(path) : FileStamp{};
  }
};

// The one that a file has by its name; null if there is none.
const TextFormat* find_format(std::span<const TextFormat> formats,
                              const std::filesystem::path& path);

// Whether a file is, by its name, one that any format reads.
bool is_part_of_any(std::span<const TextFormat> formats, const std::filesystem::path& path);

// A directory of texts in its place in a library.
struct ShownTexts {
  std::string name;
  std::uint16_t slot = 0;  // shared with databases: no two things have the same
  std::uint16_t epoch = 0;
  std::uint64_t fingerprint = 0;
  std::uint64_t source_bytes = 0;
  // That of the file, or later: always later than that of the version before.
  std::int64_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
  TextDirectoryPtr directory;
};
using TextsPtr = std::shared_ptr<const ShownTexts>;

}  // namespace scidfs::fs
