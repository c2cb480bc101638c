#include "fs/search/moves_filter.h"

#include <algorithm>
#include <array>

#include "codec/castling_target.h"
#include "codec/mate_target.h"
#include "codec/material_target.h"
#include "codec/scid/castling_seek.h"
#include "codec/scid/mate_seek.h"
#include "codec/scid/notes_seek.h"
#include "codec/scid/pattern_seek.h"
#include "codec/scid/sample_seek.h"
#include "codec/scid/seek.h"
#include "codec/scid/sequence_seek.h"

namespace scidfs::fs {
namespace {

using codec::scid::MaterialBound;
using codec::scid::NoteKind;
using codec::scid::SignatureFilter;

std::optional<std::uint32_t> ply_of(std::optional<std::uint32_t> ply) { return ply; }
std::optional<std::uint32_t> ply_of(const std::optional<codec::scid::Reached>& reached) {
  if (!reached.has_value()) return std::nullopt;
  return reached->ply;
}

// A filter that consists of an index filter and a function that makes a seeker for a thread.
template <class MakeSeeker>
class SeekingFilter : public MovesFilter {
 public:
  SeekingFilter(SignatureFilter filter, MakeSeeker make)
      : filter_(std::move(filter)), make_(std::move(make)) {}

  codec::scid::Judged judge(std::span<const codec::scid::IndexSignature> games) const override {
    return filter_.judge(games);
  }
  std::unique_ptr<Seeker> seeker() const override { return std::make_unique<Any>(make_()); }

 private:
  using Sought = decltype(std::declval<const MakeSeeker&>()());

  class Any : public Seeker {
   public:
    explicit Any(Sought sought) : sought_(std::move(sought)) {}
    std::optional<std::uint32_t> seek(codec::Bytes record) override {
      return ply_of(sought_.seek(record));
    }
    bool is_known(codec::Bytes record) override {
      if constexpr (requires { sought_.is_known(); }) return sought_.is_known();
      return Seeker::is_known(record);
    }

   private:
    Sought sought_;
  };

  const SignatureFilter filter_;
  const MakeSeeker make_;
};

template <class MakeSeeker>
std::unique_ptr<MovesFilter> seeking(SignatureFilter filter, MakeSeeker make) {
  return std::make_unique<SeekingFilter<MakeSeeker>>(std::move(filter), std::move(make));
}

// The highest count of a piece that the index has for the end of a game; it means that or more.
constexpr std::uint32_t kMostCounted = 3;
constexpr std::array<std::uint32_t, codec::MaterialTarget::kKinds> kOfStart = {1, 2, 2, 2, 8};

// Returns the most material that may be left if this has been on the board, where `white` is
// White's.
MaterialBound bound_of(const codec::MaterialTarget::Side& white,
                       const codec::MaterialTarget::Side& black) {
  constexpr unsigned kPieceBits = 2;
  constexpr unsigned kPawnBits = 4;
  constexpr std::size_t kPawns = codec::MaterialTarget::kKinds - 1;
  MaterialBound bound{.most = 0};
  for (const codec::MaterialTarget::Side* const side : {&white, &black}) {
    for (std::size_t kind = 0; kind < kPawns; ++kind) {
      bound.most =
          bound.most << kPieceBits | std::min<std::uint32_t>(side->most[kind], kMostCounted);
      bound.is_promoted |= side->least[kind] > kOfStart[kind];
    }
    bound.most = bound.most << kPawnBits | side->most[kPawns];
  }
  return bound;
}

codec::scid::SoughtRange sought_range(const Condition& condition) {
  const auto& range = condition.as<NumberRange>();
  return {.first = range.first, .last = range.last};
}

// No signature tells of notes.
std::unique_ptr<MovesFilter> filter_notes(NoteKind kind, const Condition& condition,
                                          codec::CastlingRule rule) {
  return seeking(SignatureFilter::for_pawns({}), [kind, values = sought_range(condition), rule] {
    return codec::scid::NoteSeeker(kind, values, rule);
  });
}

std::unique_ptr<MovesFilter> seeking_sample(const Condition& condition, std::uint32_t plies,
                                            codec::CastlingRule rule) {
  const auto& part = condition.as<SetPart>();
  const codec::scid::Sample sample{.number = part.number, .of = part.of, .plies = plies};
  return seeking(SignatureFilter::for_pawns({}),
                 [sample, rule] { return codec::scid::SampleSeeker(sample, rule); });
}

}  // namespace

std::unique_ptr<MovesFilter> filter_position(const Condition& condition, codec::CastlingRule rule) {
  const auto& target = condition.as<codec::TargetPosition>();
  return seeking(SignatureFilter::for_position(target),
                 [target, rule] { return codec::scid::PositionSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_line(const Condition& condition, codec::CastlingRule rule) {
  const auto& line = condition.as<LinePattern>();
  return seeking(SignatureFilter::for_line(line.moves()),
                 [line, rule] { return codec::scid::LineSeeker(line.moves(), rule); });
}

std::unique_ptr<MovesFilter> filter_reached(const Condition& condition, codec::CastlingRule rule) {
  const codec::MaterialTarget target = condition.as<ReachedMaterial>().pattern.target();
  const std::array bounds = {bound_of(target.sides[0], target.sides[1]),
                             bound_of(target.sides[1], target.sides[0])};
  return seeking(SignatureFilter::for_material(bounds),
                 [target, rule] { return codec::scid::MaterialSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_pieces(const Condition& condition, codec::CastlingRule rule) {
  const codec::BoardPattern& pattern = condition.as<PiecesPattern>().pattern();
  return seeking(SignatureFilter::for_pawns(pattern.pawns),
                 [pattern, rule] { return codec::scid::PatternSeeker(pattern, rule); });
}

std::unique_ptr<MovesFilter> filter_played(const Condition& condition, codec::CastlingRule rule) {
  const codec::MoveSequence& moves = condition.as<PlayedPattern>().moves();
  return seeking(SignatureFilter::for_pawns({}),
                 [moves, rule] { return codec::scid::SequenceSeeker(moves, rule); });
}

std::unique_ptr<MovesFilter> filter_nag(const Condition& condition, codec::CastlingRule rule) {
  return seeking(SignatureFilter::for_pawns({}), [nags = sought_range(condition), rule] {
    return codec::scid::NagSeeker(nags, rule);
  });
}

std::unique_ptr<MovesFilter> filter_eval(const Condition& condition, codec::CastlingRule rule) {
  return filter_notes(NoteKind::Eval, condition, rule);
}

std::unique_ptr<MovesFilter> filter_swing(const Condition& condition, codec::CastlingRule rule) {
  return filter_notes(NoteKind::Swing, condition, rule);
}

std::unique_ptr<MovesFilter> filter_clock(const Condition& condition, codec::CastlingRule rule) {
  return filter_notes(NoteKind::Clock, condition, rule);
}

std::unique_ptr<MovesFilter> filter_balance(const Condition& condition, codec::CastlingRule rule) {
  constexpr std::int64_t kMost = codec::BalanceTarget::kMost;
  const auto& range = condition.as<NumberRange>();
  const codec::BalanceTarget target{.least = static_cast<int>(range.first),
                                    .most = static_cast<int>(std::min(range.last, kMost))};
  return seeking(SignatureFilter::for_pawns({}),
                 [target, rule] { return codec::scid::BalanceSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_bishops(const Condition& condition, codec::CastlingRule rule) {
  constexpr auto kAny = codec::MaterialTarget::kAnyNumber;
  const auto target = condition.as<codec::BishopsTarget>();
  const codec::MaterialTarget::Side side{.most = {kAny, kAny, 1, kAny, kAny}};
  const std::array bounds = {bound_of(side, side)};
  return seeking(SignatureFilter::for_material(bounds),
                 [target, rule] { return codec::scid::BishopsSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_castling(const Condition& condition, codec::CastlingRule rule) {
  const auto& target = condition.as<codec::CastlingTarget>();
  return seeking(SignatureFilter::for_pawns({}),
                 [target, rule] { return codec::scid::CastlingSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_mate(const Condition& condition, codec::CastlingRule rule) {
  const auto& target = condition.as<codec::MateTarget>();
  return seeking(SignatureFilter::for_pawns({}),
                 [target, rule] { return codec::scid::MateSeeker(target, rule); });
}

std::unique_ptr<MovesFilter> filter_sample(const Condition& condition, codec::CastlingRule rule) {
  constexpr std::uint32_t kPliesOfSample = 24;
  return seeking_sample(condition, kPliesOfSample, rule);
}

std::unique_ptr<MovesFilter> filter_exact_sample(const Condition& condition,
                                                 codec::CastlingRule rule) {
  return seeking_sample(condition, codec::scid::Sample::kAllPlies, rule);
}

}  // namespace scidfs::fs
