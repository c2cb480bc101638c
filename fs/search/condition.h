// The condition of a facet on games, not yet bound to a database.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "codec/castling_target.h"
#include "codec/mate_target.h"
#include "codec/material_target.h"
#include "codec/target_position.h"
#include "fs/search/comment_pattern.h"
#include "fs/search/date_span.h"
#include "fs/search/eco_range.h"
#include "fs/search/first_games.h"
#include "fs/search/line_pattern.h"
#include "fs/search/material_pattern.h"
#include "fs/search/name_pattern.h"
#include "fs/search/number_range.h"
#include "fs/search/pieces_pattern.h"
#include "fs/search/played_pattern.h"
#include "fs/search/set_part.h"
#include "fs/search/tag_pattern.h"
#include "fs/search/within_lines.h"

namespace scidfs::fs {

// A set of flags (1 << codec::scid::Flag); a game must have all of them.
struct FlagSet {
  std::uint32_t flags = 0;
};

// A title of a player, as a bit (codec::scid::titles_to_string()).
struct PlayerTitle {
  std::uint32_t bit = 0;
};

// A country by its three letters, in capitals.
struct Country {
  std::string code;
};

// How a game is annotated, according to the counts in the index.
enum class Annotation : std::uint8_t { Comments, Variations, Nags, Any, No };

// The kind of position in which a game begins.
enum class StartKind : std::uint8_t {
  Standard,
  Fen,  // another one, given by a FEN
  Chess960,
};

// Material that is on the board at some time in the game, for at least two plies.
struct ReachedMaterial {
  MaterialPattern pattern;

  static std::optional<ReachedMaterial> parse(std::string_view text) {
    const std::optional<MaterialPattern> pattern = MaterialPattern::parse(text);
    if (!pattern.has_value()) return std::nullopt;
    return ReachedMaterial{.pattern = *pattern};
  }
  std::string text() const { return pattern.text(); }
};

// The value that a facet's condition has, of a type that its key decides. Immutable.
class Condition {
 public:
  using Value =
      std::variant<NamePattern, NumberRange, DateSpan, codec::Result, EcoRange, FlagSet,
                   PlayerTitle, Country, Annotation, StartKind, MaterialPattern, CommentPattern,
                   codec::TargetPosition, LinePattern, ReachedMaterial, PiecesPattern,
                   PlayedPattern, codec::BishopsTarget, codec::CastlingTarget, codec::MateTarget,
                   TagPattern, SetPart, FirstGames, WithinLines>;

  // In condition.cc: what a variant of so many types needs is compiled once.
  explicit Condition(Value value);
  Condition(const Condition& other);
  Condition(Condition&& other) noexcept;
  Condition& operator=(const Condition& other);
  Condition& operator=(Condition&& other) noexcept;
  ~Condition();

  // Returns the value. REQUIRES: T is the type that the key of the facet has.
  template <class T>
  const T& as() const {
    assert(std::holds_alternative<T>(value_));
    return std::get<T>(value_);
  }
  // Returns the value, or null if it has another type.
  template <class T>
  const T* find() const {
    return std::get_if<T>(&value_);
  }

 private:
  Value value_;
};

}  // namespace scidfs::fs
