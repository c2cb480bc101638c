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
  // `files` is the view that the files of the sets belong to, where the directories are but other
  // ways to them.
  SetView(std::uint8_t number, std::uint8_t files) : number_(number), files_(files) {}
  explicit SetView(std::uint8_t number) : SetView(number, number) {}

  const SetView* sets() const final { return this; }

  // The set that a place of this view belongs to; null if there is none. The version outlives it.
  virtual SetPtr bind(const Version& version, Place place) const = 0;
  SetPtr bind(const Version& version, std::uint32_t key) const {
    return bind(version, directory_of(key));
  }
  bool has_set(const Version& version, std::uint32_t key) const {
    return bind(version, key) != nullptr;
  }

  bool is_directory(Place place) const override;
  bool exists(const Version& version, Place place) const override;
  Place parent(const Version& version, Place directory) const override;
  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override;
  std::optional<Child> lookup(const Version& version, Place directory,
                              std::string_view name) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, Place file,
                                                const Effort& effort) const override;

  // The directory of a set, and its file of games, as children.
  Child set_directory(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = directory_of(key), .is_directory = true};
  }
  Child games_file(std::string name, std::uint32_t key) const {
    return {.name = std::move(name), .place = {.view = files_, .entry = kSetGames, .key = key}};
  }
  Place directory_of(std::uint32_t key) const { return {.view = number_, .key = key}; }

 protected:
  std::uint8_t files() const { return files_; }

 private:
  const std::uint8_t number_;
  const std::uint8_t files_;
};

}  // namespace scidfs::fs
