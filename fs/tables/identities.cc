#include "fs/tables/identities.h"

#include <cassert>

#include "fs/tables/paths.h"

namespace scidfs::fs {

Identities::Identities(SetParts parts, Of of)
    : Identities(parts.players() != nullptr
                     ? parts.players()
                     : std::make_shared<const CommonPlayers>(parts[0].database()),
                 of) {
  assert(parts.size() == 1 || parts.players() != nullptr);
}

void Identities::append_path(std::uint32_t identity, std::string& out) const {
  const std::uint32_t known = person(identity);
  if (known == People::kNobody) {
    append_player_path(*players_, identity, out);
  } else {
    append_person_path(*people_, known, out);
  }
}

}  // namespace scidfs::fs
