// Some games of a database as one of its own, whose names have other numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::tests {

class PartBuilder {
 public:
  // The database must outlive this.
  explicit PartBuilder(const ScidDatabase& from) : from_(from) {}

  void add(std::uint32_t game) {
    codec::scid::IndexEntry entry = from_.entry(game);
    entry.white = own(Kind::Player, entry.white);
    entry.black = own(Kind::Player, entry.black);
    entry.event = own(Kind::Event, entry.event);
    entry.site = own(Kind::Site, entry.site);
    entry.round = own(Kind::Round, entry.round);
    const std::optional<codec::Bytes> record = from_.record(game);
    ASSERT_TRUE(record.has_value()) << game;
    builder_.game(entry, {reinterpret_cast<const char*>(record->data()), record->size()});
  }
  ScidFiles files() const { return builder_.files(); }

 private:
  using Kind = codec::scid::NameKind;

  std::uint32_t own(Kind kind, std::uint32_t id) {
    const auto [found, is_new] = ids_.try_emplace({kind, id}, 0);
    if (is_new) found->second = builder_.name(kind, from_.names()[kind].text(id));
    return found->second;
  }

  const ScidDatabase& from_;
  ScidFilesBuilder builder_;
  std::map<std::pair<Kind, std::uint32_t>, std::uint32_t> ids_;
};

// All games of a database as one, and dealt at random to several.
struct DealtGames {
  ScidFiles whole;
  std::vector<ScidFiles> parts;
};
inline DealtGames deal_games(const ScidDatabase& from, std::size_t parts, Random& random) {
  PartBuilder whole(from);
  std::vector<PartBuilder> dealt(parts, PartBuilder(from));
  for (std::uint32_t game = 0; game < from.games(); ++game) {
    whole.add(game);
    dealt[random.below(parts)].add(game);
  }
  DealtGames games{.whole = whole.files(), .parts = {}};
  for (const PartBuilder& part : dealt) games.parts.push_back(part.files());
  return games;
}

// The lines of an index.tsv without what says where a game is stored, sorted.
inline std::vector<std::string> games_of_index(const std::string& index) {
  const std::vector<std::string> head = fields_of(index.substr(0, index.find('\n')));
  std::vector<std::string> lines;
  for (const std::vector<std::string>& row : rows_of(index)) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_place =
          head[i] == "number" || head[i] == "path" || head[i] == "offset" || head[i] == "database";
      if (!is_place) line += row[i] + '\t';
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

inline std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace scidfs::tests
