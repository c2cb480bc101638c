// Views whose directories are sets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "fs/views/set.h"
#include "fs/views/view.h"

namespace scidfs::fs {

// The sets of one kind, each with a key.
class SetView : public View {
 public:
  // Returns the set of a directory of this view; null if there is none. The version outlives the
  // set.
  using BindSet = SetPtr (*)(const Version& version, LocalId directory);

  SetView(std::uint8_t number, BindSet bind_set) : number_(number), bind_(bind_set) {}

  const SetView* sets() const final { return this; }

  // Return the set that a place of this view belongs to; null if there is none.
  SetPtr set_of(const Version& version, LocalId place) const;
  SetPtr set_of(const Version& version, std::uint32_t key) const {
    return set_of(version, directory_of(key));
  }

  bool is_directory(LocalId place) const override;
  bool is_table(LocalId file) const override;
  ViewNodePtr bind(const Version& version, LocalId place) const override;

  // Return the directory of a set, as a place and as a child.
  LocalId directory_of(std::uint32_t key) const { return {.view = number_, .key = key}; }
  Child set_directory(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = directory_of(key), .is_directory = true};
  }
  // Returns the file of its games as a child. REQUIRES: the set's files belong to this view.
  Child games_file(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = {.view = number_, .entry = kSetGames, .key = key}};
  }

 private:
  const std::uint8_t number_;
  const BindSet bind_;
};

}  // namespace scidfs::fs
