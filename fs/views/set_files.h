// A table of the files and directories of sets.
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

// A row of the table. It sets one of open, list and child.
struct SetFile {
  std::string_view name;                  // empty: found by another row or function
  SetEntry entry = kSet;                  // kSet: `child` gives the entry
  bool (*has)(const Set& set) = nullptr;  // whether a set has it; null: each set
  bool needs_spelling = false;            // whether it exists only with a spelling file
  unsigned listed = 0;                    // the sets that list it: bits, by in()
  SetEntry directory = kSet;              // the directory of the set that contains it
  // For a file. Errors: see Snapshot::open().
  absl::StatusOr<std::unique_ptr<Content>> (*open)(const Set& set,
                                                   const WorkBudget& budget) = nullptr;
  // For a directory: lists and finds the children that follow those with a row.
  absl::Status (*list)(const Set& set, std::uint64_t first, const WorkBudget& budget,
                       EmitChild emit) = nullptr;
  std::optional<Child> (*find)(const Set& set, std::string_view name) = nullptr;
  // Whether its text depends on the path of the set.
  bool depends_on_path = false;
  // Whether it serves pages: pages do not list it.
  bool is_of_pages = false;
  // Whether it takes a pass over the moves of all games, or several: pages do not list it, so that
  // crawlers do not ask for it in every set.
  bool is_costly = false;
  // For a child in another place, or with an entry that varies.
  std::optional<Child> (*child)(const Set& set) = nullptr;

  constexpr bool is_directory() const { return list != nullptr; }
  // Returns whether it is a table of tab-separated values.
  constexpr bool is_table() const { return name.ends_with(".tsv"); }
  static constexpr unsigned in(Listing listing) { return 1U << static_cast<unsigned>(listing); }
};

// Returns the rows in the order in which they are listed.
std::span<const SetFile> set_files();
// Return the rows that sets with a listing list, and those in a directory of a set.
std::vector<const SetFile*> listed_files(Listing listing);
std::vector<const SetFile*> files_in(std::uint8_t directory);
// Returns the row of an entry; null if there is none.
const SetFile* set_file(std::uint8_t entry);
// Returns whether a set has what a row needs.
bool has_file(const Set& set, const SetFile& file);
// Returns a row as a child of the set; nothing if the set does not have it.
std::optional<Child> set_child(const Set& set, const SetFile& file);

}  // namespace scidfs::fs
