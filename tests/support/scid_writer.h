// Makes Scid 4 databases and new versions of them, in the ways of Scid and in others.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

// A database in memory. New games and new records of old ones go after existing records, and ids of
// names do not change, until compact().
class ScidWriter {
 public:
  std::size_t count() const { return entries_.size(); }
  // Records are whole, as ScidEncoder makes them.
  void add(const std::string& record, std::string_view white, std::string_view black);
  void replace(std::size_t game, const std::string& record);
  void set_white(std::size_t game, std::string_view name);
  void toggle_flag(std::size_t game, unsigned flag);
  // Renames all players with the id of White in this game.
  void rename_white(std::size_t game, std::string_view name);
  // Swaps everything of two games.
  void swap(std::size_t a, std::size_t b) { std::swap(entries_[a], entries_[b]); }
  void describe(std::string_view description) { description_ = description; }
  // Removes deleted games, unused records and unused names.
  void compact();

  ScidFiles files() const;

 private:
  using Kind = codec::scid::NameKind;
  struct Entry {
    std::uint32_t offset = 0, length = 0, flags = 0;
    std::array<std::uint32_t, 5> ids{};  // white, black, event, site, round
  };
  std::uint32_t id_of(Kind kind, std::string_view name);
  std::string index() const;
  std::string name_file() const;

  std::vector<Entry> entries_;
  std::array<std::vector<std::string>, codec::scid::kNameKinds> names_;
  std::string games_, description_;
};

// Ways to write a file, which may exist already.
void overwrite(const std::filesystem::path& path,
               std::string_view bytes);                                 // truncates, then writes
void patch(const std::filesystem::path& path, std::string_view bytes);  // does not truncate first
void replace(const std::filesystem::path& path,
             std::string_view bytes);  // renames a new file into place

}  // namespace scidfs::tests
