// The version of a database that views show.
#pragma once

#include <cstdint>
#include <memory>

#include "fs/content/once_value.h"
#include "fs/database/database.h"
#include "fs/duplicates/doubles.h"
#include "fs/positions/set_endings.h"
#include "fs/search/query_context.h"
#include "fs/tables/set_findings.h"

namespace scidfs::fs {

// One version of a database, and the queries of its mount. Immutable except for results that are
// found when first needed.
struct Version {
  DatabasePtr database;
  std::shared_ptr<QueryContext> searches;
  std::shared_ptr<OnceValue<Doubles>> doubles = std::make_shared<OnceValue<Doubles>>();
  // Of the games shown.
  std::shared_ptr<OnceValue<SetEndings>> endings = std::make_shared<OnceValue<SetEndings>>();
  std::shared_ptr<OnceValue<SetFindings>> findings = std::make_shared<OnceValue<SetFindings>>();
  std::uint64_t id = 0;       // unique as long as the process lives
  bool is_in_folder = false;  // whether the directory above has a page
};

}  // namespace scidfs::fs
