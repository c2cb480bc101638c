#include "fs/views/database_snapshot.h"

#include <fmt/format.h>

#include <atomic>
#include <utility>

#include "cache/hash.h"
#include "fs/views/view.h"

namespace scidfs::fs {
namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> next = 0;
  return ++next;
}

}  // namespace

DatabaseSnapshot::DatabaseSnapshot(DatabasePtr database, std::shared_ptr<Searches> searches)
    : version_{.database = std::move(database),
               .searches = searches != nullptr ? std::move(searches) : std::make_shared<Searches>(),
               .id = next_id()} {}

std::string DatabaseSnapshot::summary() const {
  return fmt::format("{} games", database()->games());
}

std::uint64_t DatabaseSnapshot::memory() const {
  const auto doubles = version_.doubles->made();
  return database()->memory() + (doubles == nullptr ? 0 : doubles->memory());
}

bool DatabaseSnapshot::is_directory(Place place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->is_directory(place);
}

bool DatabaseSnapshot::exists(Place place) const {
  const View* const view = find_view(place.view);
  return view != nullptr && view->exists(version_, place);
}

std::uint64_t DatabaseSnapshot::identity(Place place) const {
  if (!is_question(place)) return 0;
  const QuestionPtr question = version_.searches->questions.find(question_number(place));
  if (question == nullptr) return 0;
  return cache::fingerprint(question->path, pack({.place = question->base}));
}

Place DatabaseSnapshot::parent(Place directory) const {
  const View* const view = find_view(directory.view);
  return view == nullptr ? Place{} : view->parent(version_, directory);
}

absl::Status DatabaseSnapshot::list(Place directory, std::uint64_t first, const Effort& effort,
                                    EmitChild emit) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return absl::OkStatus();
  return view->list(version_, directory, first, effort, emit);
}

std::optional<Child> DatabaseSnapshot::lookup(Place directory, std::string_view name) const {
  const View* const view = find_view(directory.view);
  if (view == nullptr) return std::nullopt;
  return view->lookup(version_, directory, name);
}

bool DatabaseSnapshot::is_cheap(Place file) const {
  const View* const view = find_view(file.view);
  return view != nullptr && view->is_cheap(file);
}

absl::StatusOr<std::unique_ptr<Content>> DatabaseSnapshot::open(Place file,
                                                                const Effort& effort) const {
  const View* const view = find_view(file.view);
  if (view == nullptr || view->is_directory(file) || !view->exists(version_, file)) {
    return absl::NotFoundError("no such file");
  }
  return view->open(version_, file, effort);
}

}  // namespace scidfs::fs
