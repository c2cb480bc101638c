#include "fs/database/person_claims.h"

#include <algorithm>
#include <cstddef>

namespace scidfs::fs {

std::vector<Claim> Claims::joined(std::span<Claims> parts) {
  std::vector<Claim> claims;
  for (Claims& part : parts) {
    claims.insert(claims.end(), part.all_.begin(), part.all_.end());
    part.all_ = {};
  }
  std::ranges::sort(claims);
  claims.erase(std::unique(claims.begin(), claims.end()), claims.end());
  return claims;
}

absl::flat_hash_set<NameInEvent> find_disputed(std::span<const Claim> claims) {
  absl::flat_hash_set<NameInEvent> disputed;
  std::size_t first = 0;  // the first claim of the year before
  for (const Claim& claim : claims) {
    const NameInEvent& in = claim.in;
    const NameInEvent begin{in.player, in.event, in.year == 0 ? 0 : in.year - 1};
    while (claims[first].in < begin) ++first;
    if (!claim.is_weak) continue;
    const NameInEvent end{in.player, in.event, in.year + 2};
    for (std::size_t i = first; i < claims.size() && claims[i].in < end; ++i) {
      if (claims[i].place == claim.place) continue;
      disputed.insert(in);
      break;
    }
  }
  return disputed;
}

}  // namespace scidfs::fs
