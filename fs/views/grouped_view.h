// Views with two levels of directories above the sets of a NamedSet: groups and their members.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/database/common_set.h"
#include "fs/database/game_list.h"
#include "fs/database/named_set.h"
#include "fs/pages/list_page.h"
#include "fs/search/nearest_names.h"
#include "fs/views/set_view.h"

namespace scidfs::fs {

// The key of a group is its number in the NamedSet. Members are sets; their keys are those of the
// NamedSet.
class GroupedView : public PlacesView {
 public:
  explicit GroupedView(ViewNumber number) : number_(number) {}

  const GroupedView* groups() const final { return this; }
  bool is_directory(LocalId place) const override { return place.entry <= kGroup; }
  bool exists(const Version& version, LocalId place) const override;
  LocalId parent(const Version& version, LocalId directory) const override;
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(const Version& version, LocalId directory,
                            std::string_view name) const override;

  // Looks at the members of all groups.
  absl::StatusOr<std::vector<std::string>> nearest(const Version& version, LocalId directory,
                                                   std::string_view name,
                                                   const WorkBudget& budget) const override;

  // Returns the directory that holds a member's directory; the view's own directory if there is no
  // such key.
  LocalId group_of(const Version& version, std::uint32_t key) const;

  // Returns the members with most games, the largest first: their titles, with links from the
  // view's own directory, and numbers of games. Errors: Unavailable; Cancelled; as list().
  absl::StatusOr<std::vector<PageEntry>> largest(const Version& version, std::size_t most,
                                                 const WorkBudget& budget) const;
  // The facet that finds members by name, and how groups are named.
  struct Finder {
    std::string_view facet;
    std::string_view groups;
  };
  virtual Finder finder() const = 0;

  // Of several databases together, members have the names of a CommonSet. REQUIRES: the version is
  // one of several databases; `directory` exists in one of them.
  //
  // Returns whether the directory is a group, which has no other children.
  static bool is_group(LocalId directory) { return directory.entry == kGroup; }
  // Lists the names of the members in a group. Errors: those of comparing the names.
  absl::Status list_joined(const Version& together, LocalId group, std::uint64_t first,
                           const WorkBudget& budget, EmitChild emit) const;
  // Finds a name in a directory: returns the directories of the member in each database, which it
  // may have several times, none if there is no such member; nothing if the name is no member's.
  std::optional<JoinedPlaces> find_joined(const Version& together, LocalId directory,
                                          std::string_view name) const;

 protected:
  // Returns whether a database of a version has content.
  bool has_content_in_any(const Version& version) const;
  // Does the work that named() depends on. Errors: Unavailable; Cancelled; those of reading the
  // files.
  virtual absl::Status prepare(const Version&, const WorkBudget&) const { return absl::OkStatus(); }
  virtual const NamedSet& named(const Version& version) const = 0;
  // Calls visit(id, games) for each member until it returns false; also for ids that are none, with
  // no games. REQUIRES: prepare() was successful.
  using VisitGames = absl::FunctionRef<bool(std::uint32_t id, const GameList& games)>;
  virtual void for_each(const Version& version, VisitGames visit) const = 0;
  // Looks at the listed names of all members. Errors: Unavailable; Cancelled. REQUIRES: prepare()
  // was successful.
  virtual absl::StatusOr<NearestNames> nearest_members(const Version& version,
                                                       const MisspelledName& wanted,
                                                       const WorkBudget& budget) const;
  // Returns the members of several databases. Errors: those of prepare(), of each database.
  using CommonSetOr = absl::StatusOr<std::shared_ptr<const CommonSet>>;
  virtual CommonSetOr common(const Version& together, const WorkBudget& budget) const = 0;
  // Returns set_of(owner), which keeps the owner.
  template <class Owner, class SetOf>
  static CommonSetOr share(absl::StatusOr<std::shared_ptr<const Owner>> owner,
                           const SetOf& set_of) {
    if (!owner.ok()) return owner.status();
    const CommonSet* const set = &std::invoke(set_of, **owner);
    return std::shared_ptr<const CommonSet>(*std::move(owner), set);
  }
  virtual const SetView& members() const = 0;
  virtual std::string group_name(std::uint32_t group) const = 0;
  virtual std::optional<std::uint32_t> parse_group(std::string_view name) const = 0;
  // A group in which a member is looked for, and the view of the directory that is found.
  struct MembersOf {
    std::uint32_t group = 0;
    const SetView& view;
  };
  // Returns where to look for a name in the view's own directory that is no group; nothing:
  // nowhere.
  virtual std::optional<MembersOf> alias(std::string_view) const { return {}; }
  // Finds any other name there.
  virtual std::optional<Child> find_other(std::string_view) const { return {}; }

 private:
  enum Entry : std::uint8_t { kDirectory, kGroup };

  std::string path_to(const Version& version, LocalId directory, std::uint32_t member) const;
  Child group_directory(std::uint32_t group) const;
  bool has_group(const Version& version, std::string_view name) const;
  std::optional<Child> find_member(const Version& version, const MembersOf& members,
                                   std::string_view name) const;

  const ViewNumber number_;
};

}  // namespace scidfs::fs
