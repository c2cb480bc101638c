// Views with two levels of directories above the sets of a NamedSet: groups and their members.
#pragma once

#include <string>

#include "fs/database/named_set.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

// The key of a group is its number in the NamedSet. Members are sets; their keys are those of the
// NamedSet.
class GroupedView : public View {
 public:
  explicit GroupedView(ViewNumber number) : number_(number) {}

  bool is_directory(LocalId place) const override { return place.entry <= kGroup; }
  bool exists(const Version& version, LocalId place) const override;
  LocalId parent(const Version& version, LocalId directory) const override;
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> lookup(const Version& version, LocalId directory,
                              std::string_view name) const override;

  // Returns the directory that holds a member's directory; the view's own directory if there is no
  // such key.
  LocalId group_of(const Version& version, std::uint32_t key) const;

 protected:
  // Does the work that named() depends on. Errors: Unavailable; Cancelled; those of reading the
  // files.
  virtual absl::Status prepare(const Version&, const WorkBudget&) const { return absl::OkStatus(); }
  virtual const NamedSet& named(const Version& version) const = 0;
  virtual const SetView& members() const = 0;
  virtual std::string group_name(std::uint32_t group) const = 0;
  virtual std::optional<std::uint32_t> parse_group(std::string_view name) const = 0;
  // Finds a name in the view's own directory that is no group.
  virtual std::optional<Child> find_other(const Version&, std::string_view) const { return {}; }

  // Finds the member listed under `name` in a group, as a directory of `view`.
  std::optional<Child> find_member(const Version& version, std::uint32_t group,
                                   std::string_view name, const SetView& view) const;

 private:
  enum Entry : std::uint8_t { kDirectory, kGroup };

  Child group_directory(std::uint32_t group) const;

  const ViewNumber number_;
};

}  // namespace scidfs::fs
