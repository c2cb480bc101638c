// The source of a mount: a folder of databases with its sub-folders, or one database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "codec/pgn.h"
#include "fs/database.h"

namespace scidfs::fs {

// How sizes of games come to be known.
enum class IndexMode {
  Wait,        // before the mount is ready
  Background,  // after it; large files appear when they are ready
  None,        // only when somebody asks
};

struct LibraryOptions {
  codec::PgnOptions pgn;
  bool show_deleted = false;  // among the others, as Scid exports them
  bool follow_links = false;  // of databases, out of the source
  IndexMode index = IndexMode::Wait;
  std::filesystem::path cache_folder;  // empty: sizes are not kept
  unsigned threads = 0;                // for building sizes; 0: one for each processor
};

// A folder of the source that holds a database somewhere below.
struct Folder {
  std::string name;                        // as on disk; empty for the source itself
  std::string path;                        // relative to the source, without a leading slash
  std::uint32_t key = 0;                   // stable across mounts
  std::uint32_t parent = 0;                // key; 0 for the source
  std::vector<std::uint32_t> folders{};    // keys, by name
  std::vector<std::uint16_t> databases{};  // slots, by name
  std::vector<std::string> refused{};      // "name: why" of databases that cannot be opened
  std::int64_t mtime_seconds = 0;
};

// Progress of building sizes: games done, games in all.
using Progress = absl::FunctionRef<void(std::uint64_t done, std::uint64_t total)>;

class Library {
 public:
  // Finds and opens everything below `source`. Errors: the source does not exist, is neither a
  // folder nor an .si4 file, cannot be read, or is itself a database that cannot be opened. A
  // broken database in a folder is not an error; it is listed in Folder::refused. Starts no thread.
  static absl::StatusOr<std::unique_ptr<Library>> open(const std::filesystem::path& source,
                                                       const LibraryOptions& options);
  ~Library();

  const LibraryOptions& options() const { return options_; }
  // The slot of the one database that is the root itself; 0 if the root is a folder.
  std::uint16_t root_database() const { return root_database_; }
  const Folder* folder(std::uint32_t key) const;
  const Folder& root_folder() const;
  // The folder of a database that exists.
  const Folder& folder_of(std::uint16_t database) const;
  // The newest snapshot of a database; null for an unknown slot.
  std::shared_ptr<const Database> database(std::uint16_t slot) const;
  std::vector<std::shared_ptr<const Database>> databases() const;

  // Loads the kept sizes, computes what is missing on all processors and keeps the result. Blocks
  // until all sizes are known. Problems with the cache folder are warnings in the log.
  void build_sizes(Progress progress);
  // Does on a thread of its own, which the destructor stops, what nobody need wait for: warms all
  // databases up and, with IndexMode::Background, builds the sizes.
  void start_background();
  // Games whose size is known, and games in all.
  std::uint64_t sizes_known() const;
  std::uint64_t games() const;

 private:
  Library() = default;
  struct Scan;

  absl::Status add_database(const std::filesystem::path& path, const std::string& relative,
                            std::uint32_t folder);
  void load_kept_sizes(Database& database);
  void keep_sizes(const Database& database) const;
  void compute_sizes(Progress progress, const std::atomic<bool>& stop);

  LibraryOptions options_;
  std::filesystem::path link_boundary_;  // see Database::Options
  std::uint16_t root_database_ = 0;
  std::vector<Folder> folders_;  // the source first
  std::vector<std::shared_ptr<Database>> slots_;
  std::map<std::uint16_t, std::filesystem::path> sizes_paths_;  // of databases worth the trouble
  struct Background;
  std::unique_ptr<Background> background_;
};

}  // namespace scidfs::fs
