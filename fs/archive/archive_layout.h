// Where in its directory the members of an archive stand.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/archive/archive_file.h"
#include "fs/content/text_directory.h"

namespace scidfs::fs {

// What a name in the directory of an archive stands for.
enum ArchiveLevel : std::uint8_t { kArchiveTop, kArchiveDirectory, kArchiveText };

// A database of an archive, before its files are unpacked.
struct PlacedDatabase {
  std::string name;
  std::size_t folder = 0;  // index among the folders
  std::size_t index = 0;   // member
  // Members by the suffixes that they have for the database, its index among them.
  std::vector<std::pair<std::string, std::size_t>> files;
  std::vector<std::string_view> missing;  // suffixes of files that are not there, or damaged
};

// Immutable once built.
class ArchiveLayout {
 public:
  // A text: the bytes of a member, as they are or gunzipped.
  struct Text {
    std::size_t member = 0;
    bool is_gunzipped = false;
  };
  struct Directory {
    Place place;
    Place parent;
    std::optional<std::size_t> folder{};                // index among the folders
    std::map<std::string, Child, std::less<>> taken{};  // names, those of folders too
    std::vector<Child> listed{};                        // by name
  };

  explicit ArchiveLayout(const ArchiveFile& archive);
  ArchiveLayout(const ArchiveLayout&) = delete;
  ArchiveLayout& operator=(const ArchiveLayout&) = delete;

  const std::vector<InnerFolder>& folders() const { return folders_; }
  // By folder and name.
  const std::vector<PlacedDatabase>& databases() const { return databases_; }
  const std::vector<Text>& texts() const { return texts_; }
  // Null if there is none.
  const Directory* directory(Place place) const;
  // Members that could not be given a place, since something else has it.
  const std::vector<std::size_t>& displaced() const { return displaced_; }

 private:
  void place_databases(const ArchiveFile& archive);
  void place_texts(const ArchiveFile& archive);
  // The directory of a path, made if it is not there; null if a file has the name of a part of it.
  Directory* make_directory(std::string_view path);
  std::optional<std::size_t> make_folder(std::string_view path);
  bool add_text(std::string_view path, const Text& text);
  Place new_place(std::string_view path);
  void list_all();

  std::vector<InnerFolder> folders_;
  std::vector<PlacedDatabase> databases_;
  std::vector<bool> is_in_database_;  // by member
  std::vector<Text> texts_;
  std::vector<std::size_t> displaced_;
  std::map<std::string, Directory, std::less<>> directories_;  // by path
  std::map<std::uint32_t, const Directory*> by_key_;           // the top is 0
};

}  // namespace scidfs::fs
