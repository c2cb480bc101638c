// What a facet wants of a game, before it is known of which database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "codec/target_position.h"
#include "fs/search/comment_pattern.h"
#include "fs/search/date_span.h"
#include "fs/search/eco_range.h"
#include "fs/search/line_pattern.h"
#include "fs/search/material_pattern.h"
#include "fs/search/name_pattern.h"
#include "fs/search/number_range.h"

namespace scidfs::fs {

// All of these flags (1 << codec::scid::Flag).
struct FlagSet {
  std::uint32_t flags = 0;
};

// What a game is annotated with, by the counts of the index.
enum class Annotation : std::uint8_t { Comments, Variations, Nags, Any, No };

// Where a game begins.
enum class StartKind : std::uint8_t {
  Standard,
  Fen,  // in a position of its own
  Chess960,
};

// What is on the board at some time, for two plies at least.
struct ReachedMaterial {
  MaterialPattern pattern;

  static std::optional<ReachedMaterial> parse(std::string_view text) {
    const std::optional<MaterialPattern> pattern = MaterialPattern::parse(text);
    if (!pattern.has_value()) return std::nullopt;
    return ReachedMaterial{.pattern = *pattern};
  }
  std::string text() const { return pattern.text(); }
};

// Immutable.
class Condition {
 public:
  using Value = std::variant<NamePattern, NumberRange, DateSpan, codec::Result, EcoRange, FlagSet,
                             Annotation, StartKind, MaterialPattern, CommentPattern,
                             codec::TargetPosition, LinePattern, ReachedMaterial>;

  explicit Condition(Value value) : value_(std::move(value)) {}

  // REQUIRES: what the key of the facet has.
  template <class T>
  const T& as() const {
    return std::get<T>(value_);
  }
  // The same; null if it has another value.
  template <class T>
  const T* find() const {
    return std::get_if<T>(&value_);
  }

 private:
  Value value_;
};

}  // namespace scidfs::fs
