// Conditions on the moves of games, bound to the castling rule of a database.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/index_signature.h"
#include "fs/search/condition.h"

namespace scidfs::fs {

// Immutable; any number of threads may use it.
class MovesFilter {
 public:
  // A test of games; each thread has its own.
  class Seeker {
   public:
    Seeker() = default;
    Seeker(const Seeker&) = delete;
    Seeker& operator=(const Seeker&) = delete;
    virtual ~Seeker() = default;

    // Returns the ply of the position in which the game first meets the condition: the moves before
    // it. Returns nothing if the game does not meet it.
    virtual std::optional<std::uint32_t> seek(codec::Bytes record) = 0;
    // Returns whether the record tells enough to deny the condition. It has been read to its end,
    // and seek() has just found that it does not meet the condition.
    virtual bool is_known(codec::Bytes) { return true; }
  };

  MovesFilter() = default;
  MovesFilter(const MovesFilter&) = delete;
  MovesFilter& operator=(const MovesFilter&) = delete;
  virtual ~MovesFilter() = default;

  // Returns which games can meet the condition, judged by their index signatures.
  virtual codec::scid::Judged judge(std::span<const codec::scid::IndexSignature> games) const = 0;
  virtual std::unique_ptr<Seeker> seeker() const = 0;
};

// Make a filter from the value of a condition. `rule` is the castling rule of the database's
// records. REQUIRES: the facet of this name made the value.
std::unique_ptr<MovesFilter> filter_position(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_line(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_pieces(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_played(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_reached(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_nag(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_eval(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_swing(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_clock(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_balance(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_bishops(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_castling(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_mate(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_sample(const Condition& condition, codec::CastlingRule rule);
std::unique_ptr<MovesFilter> filter_exact_sample(const Condition& condition,
                                                 codec::CastlingRule rule);

}  // namespace scidfs::fs
