#include "fs/views/database_snapshot.h"

#include <fmt/format.h>

#include "fs/views/view.h"

namespace scidfs::fs {
namespace {

// Null if there is none.
const View* view_of(Place place) {
  return place.view < views().size() ? views()[place.view] : nullptr;
}

// The same place as its view calls it, and back.
Place within_view(Place place) { return {.level = place.level, .key = place.key}; }

Child in_database(Child child, std::uint8_t view) {
  if (view != kRootView) child.place.view = view;
  return child;
}

}  // namespace

std::string DatabaseSnapshot::summary() const {
  return fmt::format("{} games", database_->games());
}

bool DatabaseSnapshot::is_directory(Place place) const {
  const View* const view = view_of(place);
  return view != nullptr && view->is_directory(within_view(place));
}

bool DatabaseSnapshot::exists(Place place) const {
  const View* const view = view_of(place);
  return view != nullptr && view->exists(*database_, within_view(place));
}

Place DatabaseSnapshot::parent(Place directory) const {
  const View* const view = view_of(directory);
  if (view == nullptr || within_view(directory) == Place{}) return {};
  Place above = view->parent(*database_, within_view(directory));
  above.view = directory.view;
  return above;
}

void DatabaseSnapshot::list(Place directory, std::uint64_t first, EmitChild emit) const {
  const View* const view = view_of(directory);
  if (view == nullptr) return;
  view->list(*database_, within_view(directory), first, [&](Child child, std::uint64_t next) {
    return emit(in_database(std::move(child), directory.view), next);
  });
}

std::optional<Child> DatabaseSnapshot::lookup(Place directory, std::string_view name) const {
  const View* const view = view_of(directory);
  if (view == nullptr) return std::nullopt;
  std::optional<Child> child = view->lookup(*database_, within_view(directory), name);
  if (!child.has_value()) return std::nullopt;
  return in_database(*std::move(child), directory.view);
}

bool DatabaseSnapshot::is_cheap(Place file) const {
  const View* const view = view_of(file);
  return view != nullptr && view->is_cheap(within_view(file));
}

absl::StatusOr<std::unique_ptr<Content>> DatabaseSnapshot::open(Place file,
                                                                const Effort& effort) const {
  const View* const view = view_of(file);
  if (view == nullptr) return absl::NotFoundError("no such view");
  return view->open(database_, within_view(file), effort);
}

}  // namespace scidfs::fs
