// PGN as it is found: a text for each dialect, what the reader makes of it, and where Scid does
// not.
#pragma once

#include <span>

namespace scidfs::tests {

struct PgnDialect {
  const char* name;
  const char* pgn;
  const char* events;  // as PgnEvents::text() (pgn_events.h)
  const char* scid;    // what Scid's import makes of it instead; empty if it makes the same
};

std::span<const PgnDialect> pgn_dialects();

}  // namespace scidfs::tests
