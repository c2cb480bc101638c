// The files and directories that sets have, in one table.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "fs/views/set.h"

namespace scidfs::fs {

// What a set must have for one of its files to be there.
enum class SetNeed : std::uint8_t {
  Nothing,
  Subject,   // a player whose games they are
  Spelling,  // a spelling file
  Event,     // the SetKind of this name; so for the next three
  Position,
  Opening,
  Database,
  Sizes,  // Database, and that the sizes of all games are known
};

// A row of the table. It has one of open, list and child.
struct SetFile {
  std::string_view name;  // empty: found in another way
  SetEntry entry = kSet;  // kSet: `child` says what stands there
  SetNeed need = SetNeed::Nothing;
  unsigned listed = 0;        // in which sets: bits, by in()
  SetEntry directory = kSet;  // in which of the set's directories it stands
  // A file. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> (*open)(const Set& set,
                                                   const WorkBudget& budget) = nullptr;
  // A directory: what stands in it behind the rows that do.
  absl::Status (*list)(const Set& set, std::uint64_t first, EmitChild emit) = nullptr;
  std::optional<Child> (*find)(const Set& set, std::string_view name) = nullptr;
  // What leads elsewhere, or not always to the same entry.
  std::optional<Child> (*child)(const Set& set) = nullptr;

  bool is_directory() const { return list != nullptr; }
  static constexpr unsigned in(Listing listing) { return 1U << static_cast<unsigned>(listing); }
};

// The rows in the order in which they are listed.
std::span<const SetFile> set_files();
// Those that sets with a listing list, and those that stand in a directory of a set.
std::vector<const SetFile*> listed_files(Listing listing);
std::vector<const SetFile*> files_in(std::uint8_t directory);
// The row of an entry; null if there is none.
const SetFile* set_file(std::uint8_t entry);
// Whether a set has what a row needs.
bool has_file(const Set& set, const SetFile& file);
// A row as a child of the set; nothing if the set does not have it.
std::optional<Child> set_child(const Set& set, const SetFile& file);

}  // namespace scidfs::fs
