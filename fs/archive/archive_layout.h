// The places of the members of an archive in its directory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/archive/archive_file.h"
#include "fs/content/directory.h"

namespace scidfs::fs {

// The kinds of places in the directory of an archive; four are kPageFiles, in that order, and the
// last two kIgnoreFiles.
enum ArchiveEntry : std::uint8_t {
  kArchiveTop,
  kArchiveDirectory,
  kArchiveFile,
  kArchiveInfo,
  kArchivePage,
  kArchiveStyleSheet,
  kArchiveScript,
  kArchiveIcon,
  kArchiveIgnore,
  kArchiveFdIgnore
};

inline constexpr std::string_view kArchiveInfoName = "info.txt";
inline constexpr std::array<std::string_view, 2> kIgnoreFiles = {".ignore", ".fdignore"};

// A database of an archive, before its files are unpacked.
struct PlacedDatabase {
  std::string name;
  std::string folder;     // the path of the directory that contains it
  LocalId parent{};       // that directory
  std::size_t index = 0;  // member
  // Members by their suffixes after the name of the database, including its index; none if it is
  // that of a PGN file.
  std::vector<std::pair<std::string, std::size_t>> files{};
  std::vector<std::string_view> missing{};  // suffixes of files that are missing or damaged
  // The PGN file: its path, and its number in ArchiveLayout::files().
  struct Pgn {
    std::string path;
    std::size_t file = 0;
  };
  std::optional<Pgn> pgn{};
};

// Immutable once built.
class ArchiveLayout {
 public:
  // A file of the directory: the bytes of a member, unchanged or gunzipped.
  struct MemberFile {
    std::size_t member = 0;
    bool is_gunzipped = false;
  };
  struct Directory {
    LocalId place;
    LocalId parent;
    std::string path;  // empty: the top
    // Whether there are databases in it or below it: it then has its own info.txt, unless a member
    // takes that name.
    bool is_folder = false;
    std::map<std::string, Child, std::less<>> taken{};
    std::vector<Child> listed{};  // databases, folders, info.txt, then the rest by name
  };

  // `with_pgn`: each PGN file NAME.pgn has its database NAME.pgn.db beside it.
  ArchiveLayout(const ArchiveFile& archive, bool with_pgn);
  ArchiveLayout(const ArchiveLayout&) = delete;
  ArchiveLayout& operator=(const ArchiveLayout&) = delete;

  // Returns the databases by folder and name.
  const std::vector<PlacedDatabase>& databases() const { return databases_; }
  const std::vector<MemberFile>& files() const { return files_; }
  // Returns null if there is none.
  const Directory* directory(LocalId place) const;
  // Return info.txt of a directory that is a folder, and the directory of an info.txt or of a page;
  // null if there is none.
  static Child info_child(const Directory& directory);
  const Directory* directory_of_text(LocalId text) const;
  // Returns the members without a place, since something else has their path.
  const std::vector<std::size_t>& displaced() const { return displaced_; }

 private:
  void place_databases(const ArchiveFile& archive);
  void place_files(const ArchiveFile& archive);
  void place_databases_of_pgn();
  // Makes the directories of databases, when all are placed.
  void mount_databases();
  // Returns the directory of a path; makes it if necessary. Null if a file has the name of a part
  // of the path.
  Directory* make_directory(std::string_view path);
  // Does the same for a directory that has databases.
  Directory* make_folder(std::string_view path);
  bool add_file(std::string_view path, const MemberFile& file);
  bool add_pgn(std::string_view path, const MemberFile& file);
  LocalId new_place(std::string_view path);
  void list_all();

  std::vector<PlacedDatabase> databases_;
  std::vector<bool> is_in_database_;  // by member
  std::vector<MemberFile> files_;
  std::vector<PlacedDatabase::Pgn> pgn_files_;
  std::vector<std::size_t> displaced_;
  std::map<std::string, Directory, std::less<>> directories_;  // by path
  std::map<std::uint32_t, const Directory*> by_key_;           // the top is 0
};

}  // namespace scidfs::fs
