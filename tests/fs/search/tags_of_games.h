// The tags of games as their PGN text shows them, to compare searches and tables of tags with.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"

namespace scidfs::fs {

// The known values of one game by tag, without the tags of the index.
using Tags = std::map<std::string, std::string>;

inline bool is_index_tag(std::string_view name) {
  for (const std::string_view one :
       {"Event",      "Site",       "Date",      "Round",       "White",
        "Black",      "Result",     "ECO",       "EventDate",   "SetUp",
        "FEN",        "WhiteElo",   "BlackElo",  "WhiteRating", "BlackRating",
        "WhiteRapid", "BlackRapid", "WhiteICCF", "BlackICCF",   "WhiteUSCF",
        "BlackUSCF",  "WhiteDWZ",   "BlackDWZ",  "WhiteECF",    "BlackECF"}) {
    if (name == one) return true;
  }
  return false;
}

inline Tags tags_of_text(std::string_view text) {
  Tags tags;
  for (const tests::PgnGame& game : tests::parse_pgn(text)) {
    for (const tests::PgnTag& tag : game.tags) {
      std::string value;
      for (std::size_t i = 0; i < tag.value.size(); ++i) {
        if (tag.value[i] == '\\') ++i;
        value += tag.value[i];
      }
      if (is_index_tag(tag.name) || value.empty() || value == "?" || value == "-") continue;
      tags.emplace(tag.name, value);
    }
  }
  return tags;
}

inline std::vector<Tags> tags_of(const tests::ScidDatabase& read) {
  std::vector<Tags> all;
  for (const tests::RenderedGame& game : read.render_games())
    all.push_back(tags_of_text(game.text));
  return all;
}

// Short games with tags of all kinds, of which some are damaged.
inline tests::ScidFiles files_with_tags(tests::Random& random, std::size_t games) {
  constexpr std::array<std::string_view, 16> kNames = {
      "Annotator",  "TimeControl", "PlyCount", "Annotator", "Time Control", "_Source",
      "SourceDate", "White",       "WhiteElo", "Date",      "EventDate",    "WhiteTeam",
      "B\xE9zier",  "White_",      "Opening",  "annotator"};
  constexpr std::array<std::string_view, 14> kValues = {"Nunn, J",
                                                        "nunn",
                                                        "N\xFCnn",
                                                        "N\xC3\xBCnn",
                                                        "?",
                                                        "-",
                                                        "",
                                                        "40/7200:3600",
                                                        "a\"b\\c",
                                                        "tab\tand\x01",
                                                        std::string_view("cut\0here", 8),
                                                        " ",
                                                        "M\xE9nd\xE8z",
                                                        "Nunn,J;Speelman"};
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  for (std::size_t game = 0; game < games; ++game) {
    tests::ScidEncoder encoder;
    for (std::size_t tags = random.below(6); tags > 0; --tags) {
      std::string value(kValues[random.below(kValues.size())]);
      if (random.one_in(4)) value += std::to_string(random.below(30));
      encoder.tag(kNames[random.below(kNames.size())], value);
    }
    // More tags than a head usually has.
    const std::size_t more = random.one_in(20) ? random.below(30) : 0;
    for (std::size_t i = 0; i < more; ++i) {
      encoder.tag("Tag" + std::to_string(i), std::string(200, 'x'));
    }
    if (more > 0) encoder.tag("Last", "end");
    std::string record = encoder.move("e4").record();
    codec::scid::IndexEntry entry;
    if (random.one_in(3)) entry.white_rating = {.value = 2000};
    if (random.one_in(10)) record.resize(1 + random.below(record.size()));
    if (random.one_in(10)) record[random.below(record.size())] = static_cast<char>(random.next());
    if (random.one_in(10)) entry.flags |= 1U << codec::scid::kFlagDeleted;
    builder.game(entry, record);
  }
  tests::ScidFiles files = builder.files();
  // The last records do not lie in the file.
  files.games.resize(files.games.size() - 10);
  return files;
}

}  // namespace scidfs::fs
