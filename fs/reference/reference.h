// What is known of chess beside the databases: Scid's data files, where the user has them.
#pragma once

#include <cstdint>
#include <memory>

#include "fs/base/lazy.h"
#include "fs/reference/opening_groups.h"
#include "fs/reference/opening_names.h"
#include "fs/reference/spelling_load.h"

namespace scidfs::fs {

// Immutable, and shared by all databases of a mount: what depends on the data files alone is there
// once. Any number of threads may use it.
struct Reference {
  std::shared_ptr<const SpellingLoad> spelling;  // null: none
  std::shared_ptr<const OpeningNames> openings;  // null: there are none
  // Of the bytes of the files; 0 if there are none. What is shown of a database depends on it.
  std::uint64_t fingerprint = 0;

  // The directories that the names of openings make; null if there are none.
  const OpeningGroups* opening_groups() const {
    if (openings == nullptr) return nullptr;
    return &opening_groups_.get([this] { return OpeningGroups(*openings); });
  }

 private:
  Lazy<OpeningGroups> opening_groups_;
};

// Never null.
using ReferencePtr = std::shared_ptr<const Reference>;

// Without any file.
inline ReferencePtr no_reference() { return std::make_shared<const Reference>(); }

}  // namespace scidfs::fs
