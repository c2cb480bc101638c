// Conditions on the moves of games, bound to a database.
#pragma once

#include <memory>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index_signature.h"
#include "fs/search/condition.h"

namespace scidfs::fs {

// Immutable; any number of threads may use it.
class MovesFilter {
 public:
  // Looks at games; one for each thread.
  class Seeker {
   public:
    Seeker() = default;
    Seeker(const Seeker&) = delete;
    Seeker& operator=(const Seeker&) = delete;
    virtual ~Seeker() = default;

    // Whether the game of a record meets the condition.
    virtual bool meets(codec::Bytes record) = 0;
  };

  MovesFilter() = default;
  MovesFilter(const MovesFilter&) = delete;
  MovesFilter& operator=(const MovesFilter&) = delete;
  virtual ~MovesFilter() = default;

  // Which games can meet it, by what the index says of them.
  virtual codec::scid::Judged judge(std::span<const codec::scid::IndexSignature> games) const = 0;
  virtual std::unique_ptr<Seeker> seeker() const = 0;
};

// By the value of a condition, which is the one that the facet of this name has. `rule` is that of
// the database's records.
std::unique_ptr<MovesFilter> filter_position(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_line(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_reached(const Condition& condition, codec::CastlingRule rule);

}  // namespace scidfs::fs
