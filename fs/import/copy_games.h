// Copies the games of a Scid database to a new one, as they are stored.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "fs/database/database.h"
#include "fs/database/game_reader.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {

// A database whose games are copied, as it was when it was opened. For one thread.
class CopySource {
 public:
  // Errors: those of Database::open().
  static absl::StatusOr<CopySource> open(const std::filesystem::path& index_path);

  // Returns the bytes of the games.
  std::uint64_t size() const { return database_->files().game_file().size(); }
  const codec::scid::DatabaseInfo& info() const { return database_->files().info(); }
  const DatabaseFiles& files() const { return database_->files(); }
  // Returns whether the files still are what they were.
  bool is_as_opened() const;

  // Appends all games, or the first `most_games`. Calls `advance` periodically with the number of
  // bytes that were copied since the last call, and `remark` with what is wrong with the files or
  // with a game. `is_cancelled` is asked often whether to give up; empty: never. Errors:
  // Unavailable if another program writes to the database; Cancelled; those of reading and of
  // NewDatabase::add().
  absl::Status copy(NewDatabase& target, absl::FunctionRef<void(std::uint64_t)> advance,
                    absl::FunctionRef<void(std::string_view)> remark,
                    const std::function<bool()>& is_cancelled = {},
                    std::uint64_t most_games = std::numeric_limits<std::uint64_t>::max()) const;

 private:
  CopySource() = default;
  // Returns whether all of the files have lost their names. Open ones keep their bytes.
  bool is_removed() const;
  // Returns a name as it is stored.
  std::string_view name(codec::scid::NameKind kind, std::uint32_t id) const;
  absl::Status copy_block(std::size_t block, std::uint64_t most_games, GameReader& reader,
                          NewDatabase& target,
                          absl::FunctionRef<void(std::string_view)> remark) const;

  std::shared_ptr<Database> database_;
  codec::scid::StoredNames names_;
};

}  // namespace scidfs::fs
