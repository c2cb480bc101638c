// A snapshot whose places need nothing but their numbers to answer.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "fs/content/snapshot.h"

namespace scidfs::fs {

// Its nodes are places; each function is that of Node of the same name.
class PlacesSnapshot : public Snapshot {
 public:
  NodePtr bind(LocalId place) const final;

 private:
  class Place;

  virtual bool exists(LocalId place) const = 0;
  // REQUIRES, of these and all below: the place exists.
  virtual bool is_directory(LocalId place) const = 0;
  virtual LocalId parent(LocalId) const { return {}; }
  virtual absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                            EmitChild emit) const = 0;
  virtual std::optional<Child> find(LocalId directory, std::string_view name) const = 0;
  virtual std::optional<FileTime> mtime(LocalId) const { return std::nullopt; }
  virtual bool is_of_source(LocalId) const { return false; }
  virtual bool is_cheap() const { return false; }
  virtual absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                        const WorkBudget& budget) const = 0;
};

}  // namespace scidfs::fs
