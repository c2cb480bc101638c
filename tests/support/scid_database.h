// A database of the tests, read completely, and the texts of its games.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/format.h"
#include "codec/scid/game_text.h"
#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

struct RenderedGame {
  std::string text;
  std::optional<codec::Damage> damage;  // also set if the record is outside of the game file
};

class ScidDatabase {
 public:
  // The files are `prefix` and .si4, .sn4, .sg4, or those of another format. Ends the test program
  // if the header is invalid.
  explicit ScidDatabase(const std::string& prefix, std::string_view index_suffix = ".si4");
  ScidDatabase(ScidFiles files, std::string_view index_suffix);

  // The number that the header declares; the index may have fewer.
  std::uint32_t games() const { return header_.games; }
  const codec::scid::IndexHeader& header() const { return header_; }
  const codec::scid::Format& format() const { return format_; }
  const codec::scid::Names& names() const { return names_; }

  // Games count from 0. A missing entry has no names and no data.
  bool has_entry(std::uint32_t game) const;
  codec::scid::IndexEntry entry(std::uint32_t game) const;
  codec::GameTags tags(std::uint32_t game) const;
  codec::scid::GamePlace place(std::uint32_t game) const;
  // Empty if the game file does not contain it.
  std::optional<codec::Bytes> record(std::uint32_t game) const;

  RenderedGame render(std::uint32_t game, codec::scid::GameText& writer) const;
  std::vector<RenderedGame> render_games(const codec::PgnOptions& options = {}) const;
  // All games, in order.
  std::string render(const codec::PgnOptions& options = {}) const;

 private:
  const codec::scid::Format& format_;
  ScidFiles files_;
  codec::scid::IndexHeader header_;
  codec::scid::Names names_;
};

// Record, header and tags of one game without a database, for texts made by tests.
codec::GameTags example_tags(codec::Result result = codec::Result::Unknown);
// The game of a record under these tags.
RenderedGame render_record(std::string_view record, const codec::PgnOptions& options = {},
                           const codec::GameTags& tags = example_tags());

}  // namespace scidfs::tests
