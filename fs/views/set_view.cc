#include "fs/views/set_view.h"

#include "fs/views/set_files.h"

namespace scidfs::fs {

bool SetView::is_directory(LocalId place) const {
  if (place.entry == kSet) return true;
  const SetFile* const file = set_file(place.entry);
  return file != nullptr && file->is_directory();
}

bool SetView::is_table(LocalId file) const {
  const SetFile* const row = set_file(file.entry);
  return row != nullptr && row->is_table();
}

SetPtr SetView::set_of(const Version& version, LocalId place) const {
  place.entry = kSet;
  return bind_(version, place);
}

ViewNodePtr SetView::bind(const Version& version, LocalId place) const {
  if (place.entry != kSet && set_file(place.entry) == nullptr) return nullptr;
  const SetPtr set = set_of(version, place);
  return set == nullptr || place.entry == kSet ? set : set->bind_entry(place.entry);
}

}  // namespace scidfs::fs
