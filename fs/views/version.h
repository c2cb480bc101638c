// What views look at.
#pragma once

#include <cstdint>
#include <memory>

#include "fs/content/once_value.h"
#include "fs/database/database.h"
#include "fs/duplicates/doubles.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// One version of a database, and what its mount has been asked. Immutable but for what is found out
// when it is first wanted.
struct Version {
  DatabasePtr database;
  std::shared_ptr<QueryContext> searches;
  std::shared_ptr<OnceValue<Doubles>> doubles = std::make_shared<OnceValue<Doubles>>();
  std::uint64_t id = 0;  // no other version has it, as long as the process lives
};

}  // namespace scidfs::fs
