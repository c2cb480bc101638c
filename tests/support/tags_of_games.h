// The tags of games as their PGN text shows them, to compare searches and tables of tags with.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/pgn_parse.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

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

inline std::vector<Tags> tags_of_text(std::string_view text) {
  std::vector<Tags> all;
  for (const PgnGame& game : parse_pgn(text)) {
    Tags& tags = all.emplace_back();
    for (const PgnTag& tag : game.tags) {
      std::string value;
      for (std::size_t i = 0; i < tag.value.size(); ++i) {
        if (tag.value[i] == '\\') ++i;
        value += tag.value[i];
      }
      if (is_index_tag(tag.name) || value.empty() || value == "?" || value == "-") continue;
      tags.emplace(tag.name, value);
    }
  }
  return all;
}

inline std::vector<Tags> tags_of(const ScidDatabase& read) { return tags_of_text(read.render()); }

// tags.tsv, and the tables in values/ by tag, counted from the tags of each game.
struct TagTexts {
  std::string tags = "tag\tgames\tvalues\n";
  std::map<std::string, std::string> values{};
};
inline TagTexts tables_of(const std::vector<Tags>& games) {
  using Counts = std::map<std::string, std::size_t>;
  const auto most_first = [](const Counts& counts) {
    std::vector<std::pair<std::string, std::size_t>> rows(counts.begin(), counts.end());
    std::ranges::stable_sort(rows,
                             [](const auto& a, const auto& b) { return a.second > b.second; });
    return rows;
  };
  Counts tags;
  std::map<std::string, Counts> values;
  for (const Tags& game : games) {
    for (const auto& [tag, value] : game) {
      ++tags[tag];
      ++values[tag][value];
    }
  }
  TagTexts texts;
  for (const auto& [tag, count] : most_first(tags)) {
    texts.tags += fmt::format("{}\t{}\t{}\n", tag, count, values[tag].size());
    std::string& table = texts.values[tag] = "value\tgames\n";
    for (const auto& [value, of_value] : most_first(values[tag])) {
      table += fmt::format("{}\t{}\n", value, of_value);
    }
  }
  return texts;
}

// Short games with tags of all kinds, of which some are damaged.
inline ScidFiles files_with_tags(Random& random, std::size_t games) {
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
  ScidFilesBuilder builder = builder_with_names();
  for (std::size_t game = 0; game < games; ++game) {
    ScidEncoder encoder;
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
  ScidFiles files = builder.files();
  // The last records do not lie in the file.
  files.games.resize(files.games.size() - 10);
  return files;
}

}  // namespace scidfs::tests
