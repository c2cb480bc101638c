// The positions of a game of a Scid database as EPD.
// Source: FORMAT.md, sections 4 to 6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/game_text.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "codec/text_buffer.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// A converter of records to EPD. Holds working memory between games: one per thread.
//
// The text is a pure function of place, result and record. For a damaged record it has the
// positions before the damage; for a record whose start is not known it is empty.
class GameEpd {
 public:
  explicit GameEpd(CastlingRule rule) : rule_(rule) {}

  // Appends the lines of the game to `out`.
  void append(const GamePlace& place, Result result, Bytes record, TextBuffer& out);
  // Appends only the line of the position after `ply` moves; nothing if the game does not come to
  // it. `id_prefix` is the text before the number in `id`, as strings have it.
  void append_line(const GamePlace& place, Result result, Bytes record, std::uint32_t ply,
                   TextBuffer& out, std::string_view id_prefix = {});
  // Returns the length of the text that append() writes.
  std::size_t length(const GamePlace& place, Result result, Bytes record);

 private:
  // Returns nothing if the record does not say where the game starts.
  std::optional<RecordHead> parse_head(Bytes record);
  // Passes all positions to `epd`. Returns the damage of the game after them, or an empty text.
  template <class Epd>
  std::string tell(const GamePlace& place, Bytes record, const RecordHead& head, Epd& epd);

  CastlingRule rule_;
  Walker walker_;
  std::vector<ExtraTag> tags_;
};

}  // namespace scidfs::codec::scid
