// repertoire/NAME/white/ and prepare/NAME/white/ of a set, and within= in its searches: its games
// against the lines of another database or PGN file of the mount.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "codec/types.h"
#include "fs/content/content.h"
#include "fs/content/directory.h"
#include "fs/content/work_budget.h"
#include "fs/repertoire/replay.h"
#include "fs/repertoire/side_lines.h"
#include "fs/search/facet.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Find a repertoire in the repertoire/, or the prepare/, of a set, by a name of AskedRepertoires.
std::optional<Child> find_repertoire(const Set& set, std::string_view name);
std::optional<Child> find_prepared(const Set& set, std::string_view name);
// Open the directory of a repertoire, where `set` is that of the query: white/ and black/, with the
// entry `kSide`.
template <SetEntry kSide>
std::optional<Child> find_side(const Set& set, std::string_view name);
template <SetEntry kSide>
absl::Status list_sides(const Set& set, std::uint64_t first, const WorkBudget& budget,
                        EmitChild emit);
std::optional<Child> find_side(const Set& set, std::string_view name, SetEntry side);

// Return the lines of a side of a repertoire, and the games of a set against those that its query
// asks about: cached results. Errors: NotFound if the mount shows no such file any more; those of
// reading it, of Repertoire::read() with its name before, and of RepertoireReplay::make().
absl::StatusOr<std::shared_ptr<const SideLines>> lines_of(const Version& version,
                                                          std::string_view repertoire,
                                                          codec::Color side,
                                                          const WorkBudget& budget);
absl::StatusOr<std::shared_ptr<const RepertoireReplay>> replay_of(const Set& set,
                                                                  const WorkBudget& budget);

// Open the files of a side; what is too large is added to the rejected names. Errors: see
// Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_left(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_gaps(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_choices(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_unused(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_lines_summary(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_lines_page(const Set& set, const WorkBudget& budget);
// Open the files of a side of prepare/. REQUIRES: the set has a subject.
absl::StatusOr<std::unique_ptr<Content>> open_prepare_table(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_prepare_text(const Set& set,
                                                           const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_prepare_page(const Set& set,
                                                           const WorkBudget& budget);

// Returns the games of a part that meet a facet `within=`. Errors: those of replay_of().
absl::StatusOr<DeltaList> games_within(const Version& version, const DatabaseGames& games,
                                       const std::optional<Subject>& subject, const Facet& facet,
                                       const WorkBudget& budget);

template <SetEntry kSide>
std::optional<Child> find_side(const Set& set, std::string_view name) {
  return find_side(set, name, kSide);
}

template <SetEntry kSide>
absl::Status list_sides(const Set& set, std::uint64_t first, const WorkBudget&, EmitChild emit) {
  static constexpr std::array<std::string_view, 2> kSides = {"white", "black"};
  return list_children(
      first, kSides.size(), [&](std::uint64_t i) { return find_side<kSide>(set, kSides[i]); },
      emit);
}

}  // namespace scidfs::fs
