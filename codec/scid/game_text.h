// A game of a Scid database as PGN text.
// Source: FORMAT.md, sections 4 to 8.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codec/bytes.h"
#include "codec/game_visitor.h"
#include "codec/movetext.h"
#include "codec/pgn.h"
#include "codec/scid/fide_ids.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "codec/scid/walk.h"
#include "codec/text_buffer.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// Returns the tags of an index entry, ready to be written. The views point into `names`.
GameTags make_tags(const GameEntry& entry, const Names& names);

// The place of a game, named in the comment that a damaged game gets.
struct GamePlace {
  std::uint32_t number = 0;  // 1-based, as Scid shows it
  std::uint64_t offset = 0;  // of its record in the game file
};

// Returns the remark for readers of a damaged game: one line without quotes, at most
// kMaxRemarkLength bytes.
std::string damage_remark(const GamePlace& place, const Damage& damage);
inline constexpr std::size_t kMaxRemarkLength = 300;

// A converter of records to PGN text. Holds working memory between games: one per thread.
//
// The text is a pure function of tags, place, record and options. It is valid PGN for a damaged
// record too: its tags, the moves before the damage, and a comment that says what is wrong.
class GameText {
 public:
  // `rule` is that of the records' format.
  explicit GameText(const PgnOptions& options, CastlingRule rule = CastlingRule::Standard)
      : options_(options), rule_(rule) {}

  // Appends the game, with the empty line after it, to `out`. Returns the damage, if any.
  std::optional<Damage> append(const GameTags& tags, const GamePlace& place, Bytes record,
                               TextBuffer& out);

  // Passes the game to a visitor, as append() writes it, without a remark about damage. Returns the
  // damage, if any.
  std::optional<Damage> visit(const GameTags& tags, Bytes record, GameVisitor& visitor);

  // Appends a game without moves whose record cannot be read at all.
  void append_stub(const GameTags& tags, const GamePlace& place, std::string_view reason,
                   TextBuffer& out);

  // The length of the text that append() writes for the same arguments, and the damage that it
  // returns. They are found without writing the moves, and so faster.
  struct Measure {
    std::size_t length = 0;
    std::optional<Damage> damage;
    // Whether the IndexSignature of the entry is verified: the game is whole, and its moves agree
    // with it. (The positions of a damaged game may go further than its text.)
    bool has_verified_signature = false;
  };
  // Measures the text. `entry` is what the index says of the moves; IndexEntry() agrees with no
  // game.
  Measure length(const GameTags& tags, const GamePlace& place, Bytes record,
                 const IndexEntry& entry = IndexEntry());

  // Returns the FIDE ids in the tags of the game that append() or length() was called for last.
  // REQUIRES: its record still exists.
  FideIds fide_ids() const { return extra_tags_.empty() ? FideIds() : fide_ids_of(extra_tags_); }

  // Returns what `are_wanted` says of the comments that append() writes, passed all at once, each
  // as the record has it, without remarks about damage. REQUIRES: if it accepts some comments, it
  // accepts them with more comments too. So a game is decoded only if all texts in its record are
  // accepted.
  bool has_comments(Bytes record, absl::FunctionRef<bool(std::span<const Bytes>)> are_wanted);

 private:
  char* write_head(const GameTags& tags, const RecordHead& head, char* out);
  // Returns the length of the head.
  std::size_t head_length(const GameTags& tags, const RecordHead& head, Bytes record);
  // Writes the tags before SetUp and FEN, if not all tags are shown.
  char* write_roster(const GameTags& tags, const RecordHead& head, char* out);
  char* write_extra_tags(const GameTags& tags, char* out);
  GameTags override_names(const GameTags& tags);
  // Passes the moves to `movetext`, and returns their damage.
  template <class Movetext>
  std::optional<Damage> tell_moves(Bytes record, const RecordHead& head, Movetext& movetext);
  // Does the same for a meter. The result has no length yet.
  Measure measure_moves(Bytes record, const RecordHead& head, MovetextMeter& meter,
                        const IndexEntry& entry);
  // Walks with a visitor that writes to `movetext`; walks a second time if some notes are not where
  // they are shown.
  template <class Movetext, class Visitor>
  std::optional<Damage> walk(Bytes record, const RecordHead& head, CommentTexts texts,
                             Movetext& movetext, Visitor& visitor);
  // Returns whether a whole game from the standard position begins with a stored line.
  bool begins_with_line(Bytes record, const RecordHead& head, unsigned code);

  PgnOptions options_;
  CastlingRule rule_;
  Walker walker_;
  Replay replay_;
  std::vector<ExtraTag> extra_tags_;
  std::vector<std::string> tag_names_;  // those that are not shown as they are stored
  std::vector<std::string> overrides_;  // tags of the record that replace names of the index
  TextBuffer scratch_;
  std::vector<Bytes> comments_;
};

}  // namespace scidfs::codec::scid
