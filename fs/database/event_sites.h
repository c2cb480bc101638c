// The sites of events.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/scid/names.h"

namespace scidfs::fs {

// Returns what counts of a site for events: of an address (`https://lichess.org/abcdefgh`), in
// which servers have one for each game, the host alone.
std::string_view event_site(std::string_view site);

// The sites of a database by what counts of them. Takes four bytes a site if some are addresses.
// Immutable.
class EventSites {
 public:
  explicit EventSites(const codec::scid::NameTable& sites);

  // Returns one id for all sites of which the same counts. Accepts any id.
  std::uint32_t counted(std::uint32_t site) const {
    return site < counted_.size() ? counted_[site] : site;
  }

  // Returns the bytes of memory that this takes, without itself.
  std::size_t memory() const { return counted_.capacity() * sizeof(counted_[0]); }

 private:
  std::vector<std::uint32_t> counted_;  // by id; none if no site is an address
};

}  // namespace scidfs::fs
