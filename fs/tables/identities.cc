#include "fs/tables/identities.h"

#include "fs/tables/paths.h"

namespace scidfs::fs {

void Identities::append_path(std::uint32_t identity, std::string& out) const {
  const std::uint32_t known = person(identity);
  if (known == People::kNobody) {
    append_player_path(*players_, identity, out);
  } else {
    append_person_path(*people_, known, out);
  }
}

}  // namespace scidfs::fs
