// Chess knowledge besides the databases: the data files of Scid and FIDE, if the user has them.
#pragma once

#include <cstdint>
#include <memory>

#include "fs/base/lazy.h"
#include "fs/reference/opening_groups.h"
#include "fs/reference/opening_names.h"
#include "fs/reference/spelling_load.h"

namespace scidfs::fs {

// The data that all databases of a mount share: everything that depends only on the data files
// exists once. Immutable. Any number of threads may use it.
struct Reference {
  std::shared_ptr<const SpellingLoad> spelling;  // with FIDE's list; null: neither
  std::shared_ptr<const OpeningNames> openings;  // null: none
  // The fingerprint of the bytes of the files; 0 if there are none. The content shown of a database
  // depends on it.
  std::uint64_t fingerprint = 0;

  // Returns the directories of the opening names; null if there are none.
  const OpeningGroups* opening_groups() const {
    if (openings == nullptr) return nullptr;
    return &opening_groups_.get([this] { return OpeningGroups(*openings); });
  }

 private:
  Lazy<OpeningGroups> opening_groups_;
};

// Never null.
using ReferencePtr = std::shared_ptr<const Reference>;

// Returns a Reference without any files.
inline ReferencePtr no_reference() { return std::make_shared<const Reference>(); }

}  // namespace scidfs::fs
