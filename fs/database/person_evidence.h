// Whose a game is, by what the spelling file knows of each person whom a name can mean.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "codec/types.h"
#include "fs/reference/rating_history.h"

namespace scidfs::fs {

// What a game tells of the player of one side.
struct SideFacts {
  std::uint32_t date = 0;  // codec::pack_date()
  std::uint32_t elo = 0;   // 0: unknown
};

// What speaks against a person.
enum class Against : std::uint8_t { Lifetime, Age, Rating };

// What is known of a person.
struct PersonFacts {
  // Younger persons play no games.
  static constexpr unsigned kLeastAge = 6;
  // No game is of a person whose best rating is so much lower than the Elo in the game, or whose
  // rating at the time is so much lower or higher.
  static constexpr std::uint32_t kTooFar = 400;

  std::uint32_t first = 0;  // the first date that a game can have
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t first_elo_too_high = std::numeric_limits<std::uint32_t>::max();
  std::uint16_t born = 0;  // the year; 0: unknown
  // Has a title, or a rating that was estimated for the time before there were titles.
  bool is_master = false;
  std::span<const MonthRating> ratings{};  // by month

  // Returns what speaks against a game, even if there were no other persons of that name. A game of
  // unknown year may be of any time.
  std::optional<Against> against(const SideFacts& game) const {
    const bool is_dated = game.date >> codec::kYearShift != 0;
    if (is_dated && game.date < first) return Against::Age;
    if (is_dated && game.date > last) return Against::Lifetime;
    if (game.elo >= first_elo_too_high) return Against::Rating;
    return std::nullopt;
  }
  // Returns whether the person was born, as far as is known, and alive: even against all else, a
  // FIDE id is theirs then.
  bool may_play(const SideFacts& game) const {
    const std::uint32_t year = game.date >> codec::kYearShift;
    return year == 0 || (year >= born && game.date <= last);
  }
};

// How the Elo of a game goes with a person.
enum class Fit : std::uint8_t {
  Out,      // something speaks against the person
  Far,      // the rating at the time is another
  Unknown,  // the rating at the time is not known
  Near,
};
// Returns that. A rating is near within 150; if the next known one is of another month, up to three
// years off, within 250. REQUIRES: the game has an Elo.
Fit fit_of(const PersonFacts& person, const SideFacts& game);
// Returns whether a person played at the time as far as is known: was rated within five years, or
// a master of an age at which masters play.
bool is_active(const PersonFacts& person, const SideFacts& game);

// The persons whom a name can mean, by their places in a table of facts.
struct Candidates {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  std::vector<std::uint32_t> places{};
  std::uint32_t named = kNobody;  // the only one who has exactly this name
  bool are_namesakes = false;     // all have exactly this name, but for a number
};

struct PersonVerdict {
  std::uint32_t place = Candidates::kNobody;
  // Among the candidates: those with a rating that is near, and those whose rating at the time
  // is not known, of a game with an Elo.
  std::uint32_t near = 0;
  std::uint32_t unknown = 0;
};
// Returns whose a game is. With an Elo: of the candidate to whose rating it is near, if all others
// are out or had another rating; the one of exactly this name needs only that it is near to no
// other. Without: of the only candidate who was active then; if none was, of the one of exactly
// this name, or the only one of namesakes who can have played. Otherwise, and without Elo and year,
// of none.
PersonVerdict verdict(std::span<const PersonFacts> table, const Candidates& candidates,
                      const SideFacts& game);

}  // namespace scidfs::fs
