// players.tsv, opponents.tsv and openings.tsv of a set, made from lines of index.tsv alone.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/index_table.h"

namespace scidfs::tests {

// A game of a set: its line, and the players that the set is about.
struct SetGame {
  const IndexLine* line = nullptr;
  bool subject_is_white = false;
  bool subject_is_black = false;
};

// The players and codes with directories: those that have games that are not deleted.
class ListedThings {
 public:
  explicit ListedThings(const IndexTable& games);

  // "players/ca/Carlsen,M"; empty for a player who is not listed. If directories of players would
  // have the same name, all but one have a longer one, which begins with this.
  std::string path_of_player(std::string_view name) const;
  bool shares_directory(std::string_view name) const;
  // "eco/B/B90" or "eco/_unknown".
  std::string path_of_opening(std::string_view code) const;

 private:
  std::set<std::string, std::less<>> players_, openings_;
  std::set<std::string, std::less<>> seen_, shared_;  // names of directories in small letters
};

std::string players_table(const std::vector<SetGame>& games, const ListedThings& listed);
std::string opponents_table(const std::vector<SetGame>& games, const ListedThings& listed);
std::string openings_table(const std::vector<SetGame>& games, const ListedThings& listed);

// The differences between summary.txt and the tables of the same games, one line each.
std::vector<std::string> faults_of_summary(std::string_view summary,
                                           const std::vector<SetGame>& games, bool has_subject);

// The table without `~12` after the directories of players who share one.
std::string without_suffixes(std::string_view table, const ListedThings& listed);

}  // namespace scidfs::tests
