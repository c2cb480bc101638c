#include "tests/support/tree_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "codec/position.h"
#include "codec/text.h"
#include "fs/database/index_tsv_line.h"
#include "tests/support/files.h"
#include "tests/support/library.h"
#include "tests/support/pgn_check.h"
#include "tests/support/tree_walk_lines.h"

namespace scidfs::tests {
namespace {

using fs::Attributes;
using fs::DirectoryEntry;
using fs::Inode;

constexpr std::string_view kStatusName = "status.txt";
constexpr std::size_t kMostFaults = 20;
constexpr int kPathColumn = 13;  // of index.tsv, from 1

class Walk {
 public:
  Walk(fs::Tree& tree, WalkedTree& walked) : tree_(tree), walked_(walked) {}

  void directory(Inode inode, Inode parent, const std::string& path) {
    const absl::StatusOr<fs::Entry> above = tree_.lookup(inode, "..", whole_effort());
    if (!above.ok() || above->attributes.inode != parent) fault(path, "\"..\" leads elsewhere");
    struct Listed {
      std::string name;
      Inode inode;
      bool is_directory;
      std::uint64_t next;
    };
    std::vector<Listed> entries;
    std::set<std::string, std::less<>> names;
    const absl::Status status = tree_.list(inode, 0, [&](const DirectoryEntry& entry) {
      entries.push_back({std::string(entry.name), entry.inode, entry.is_directory, entry.next});
      return true;
    });
    if (!status.ok()) fault(path, "cannot be listed");
    for (const Listed& entry : entries) {
      if (walked_.faults.size() >= kMostFaults) return;
      const std::string below = path + entry.name;
      if (!names.insert(entry.name).second) fault(below, "is listed twice");
      if (entry.name.empty() || entry.name.size() > 255 ||
          entry.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos) {
        fault(below, "is no name");
      }
      const absl::StatusOr<fs::Entry> found = tree_.lookup(inode, entry.name, whole_effort());
      if (!found.ok()) {
        fault(below, "does not open: " + std::string(found.status().message()));
        continue;
      }
      const Attributes& attributes = found->attributes;
      if (attributes.is_directory != entry.is_directory) fault(below, "is of two kinds");
      if (entry.name != kStatusName && attributes.inode != entry.inode) {
        fault(below, "has two inode numbers");
      }
      if (attributes.is_directory) {
        directory(attributes.inode, inode, below + "/");
      } else {
        file(attributes, below);
      }
    }
    // A listing that goes on from the middle gives the rest.
    if (entries.size() < 2) return;
    std::size_t position = entries.size() / 2;
    (void)tree_.list(inode, entries[position - 1].next, [&](const DirectoryEntry& entry) {
      if (position >= entries.size() || entry.name != entries[position].name) {
        fault(path, "lists otherwise from the middle on");
      }
      return ++position != 0;
    });
    if (position != entries.size()) fault(path, "lists otherwise from the middle on");
  }

 private:
  void fault(const std::string& path, const std::string& what) {
    walked_.faults.push_back(path + ": " + what);
  }

  void file(const Attributes& attributes, const std::string& path) {
    const absl::StatusOr<Attributes> again = tree_.attributes(attributes.inode, whole_effort());
    if (!again.ok() || again->size != attributes.size) fault(path, "has two sizes");
    std::string text;
    constexpr std::size_t kRead = 100'000;
    while (true) {
      const absl::StatusOr<fs::Slice> slice =
          tree_.read(attributes.inode, text.size(), kRead, whole_effort());
      if (!slice.ok()) {
        fault(path, "cannot be read: " + std::string(slice.status().message()));
        return;
      }
      if (slice->bytes.empty()) break;
      text += slice->bytes;
    }
    if (text.size() != attributes.size) {
      fault(path, fmt::format("has {} bytes, not {}", text.size(), attributes.size));
    }
    check_part(attributes.inode, path, text);
    if (!codec::is_utf8(as_bytes(text))) fault(path, "is no UTF-8");
    walked_.files.emplace(path, std::move(text));
  }

  void check_part(Inode inode, const std::string& path, const std::string& text) {
    const std::size_t offset = text.size() / 3;
    const absl::StatusOr<fs::Slice> part = tree_.read(inode, offset, 50, whole_effort());
    if (!part.ok() || part->bytes.empty() != text.empty() ||
        !std::string_view(text).substr(offset).starts_with(part->bytes)) {
      fault(path, "reads otherwise from the middle on");
    }
    const absl::StatusOr<fs::Slice> past = tree_.read(inode, text.size(), 1, whole_effort());
    if (!past.ok() || !past->bytes.empty()) fault(path, "has bytes beyond its end");
  }

  fs::Tree& tree_;
  WalkedTree& walked_;
};

// The files of one database and what they must have to do with each other.
class DatabaseCheck {
 public:
  DatabaseCheck(WalkedTree& walked, const std::string& prefix) : walked_(walked), prefix_(prefix) {}

  void run() {
    check_part("games", "", true);
    if (has("deleted/all.pgn")) check_part("deleted", "deleted/", false);
    check_lists();
    check_people();
    check_sets();
    check_openings();
    for (const char* const view : {"events/", "tournaments/"}) check_events(view);
    check_positions();
    check_lines();
    check_doubles();
    check_errors();
  }

 private:
  void fault(std::string_view path, std::string_view what) {
    walked_.faults.push_back(fmt::format("{}{}: {}", prefix_, path, what));
  }
  bool has(const std::string& path) const { return walked_.files.contains(prefix_ + path); }
  std::string_view text(const std::string& path) {
    const auto found = walked_.files.find(prefix_ + path);
    if (found != walked_.files.end()) return found->second;
    fault(path, "is missing");
    return {};
  }
  // Of a game by its shortest path, games/12345.pgn, under which nothing is listed.
  std::string_view game_text(const std::string& path) {
    const std::size_t number =
        std::stoul("0" + path.substr(std::min(path.size(), path.find_first_of("0123456789"))));
    const std::string start = fmt::format("{}games/{:05}/{:08}-", prefix_, number / 1000, number);
    const auto found = walked_.files.lower_bound(start);
    if (found != walked_.files.end() && found->first.starts_with(start)) return found->second;
    fault(path, "is missing");
    return {};
  }
  // Calls use(path, text) for each file whose path begins so.
  template <class Use>
  void for_each(const std::string& start, const Use& use) {
    const std::string from = prefix_ + start;
    for (auto file = walked_.files.lower_bound(from);
         file != walked_.files.end() && file->first.starts_with(from); ++file) {
      use(std::string_view(file->first).substr(prefix_.size()), std::string_view(file->second));
    }
  }

  // A part's games one by one, in all.pgn and in index.tsv.
  void check_part(const std::string& directory, const std::string& place, bool shown) {
    const std::string_view all = text(place + "all.pgn");
    for (const std::string& what : pgn_faults(all)) fault(place + "all.pgn", what);
    std::string together;
    std::size_t count = 0;
    for_each(directory + "/", [&](std::string_view path, std::string_view game) {
      if (std::ranges::count(path, '/') != 2) return;
      if (cut_games(game).size() != 1) fault(path, "is not one game");
      if (shown) ++games_[std::string(game)];
      together += game;
      ++count;
    });
    if (together != all) fault(place + "all.pgn", "is not what the games are together");
    check_table(place + "index.tsv", count);
  }

  void check_table(const std::string& path, std::size_t games) {
    std::string_view table = text(path);
    if (!table.starts_with(fs::IndexTsvLines::kHead)) fault(path, "has no head");
    std::size_t lines = 0;
    const auto tabs = std::ranges::count(fs::IndexTsvLines::kHead, '\t');
    for (; !table.empty(); ++lines) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      if (std::ranges::count(line, '\t') != tabs) fault(path, "has a line of other columns");
      const bool clean = std::ranges::none_of(line, [](char c) {
        return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7F;
      });
      if (!clean) fault(path, "has control characters");
    }
    if (lines != games + 1) {
      fault(path, fmt::format("has {} lines for {} games", lines, games));
    }
  }

  // The views that share out all games.
  void check_lists() {
    std::size_t size = 0;
    for (const auto& [game, times] : games_) size += game.size() * times;
    const auto is_year = [](std::string_view path) { return path.ends_with("/all.pgn"); };
    const auto is_month = [](std::string_view path) {
      return path.ends_with(".pgn") && !path.ends_with("/all.pgn");
    };
    const auto is_games = [](std::string_view path) { return path.ends_with("/games.pgn"); };
    const auto any = [](std::string_view path) { return path.ends_with(".pgn"); };
    check_shares("years/", is_year, size);
    check_shares("years/", is_month, size);
    check_shares("events/", is_games, size);
    check_shares("eco/", any, size);
    check_shares("flags/", any, std::string::npos);
    check_shares("players/", any, std::string::npos);
    check_shares("people/", any, std::string::npos);
    if (has("people.tsv")) check_shares("tournaments/", is_games, size);
  }

  // With a spelling file: a line for each person, with the games that are in his directory.
  void check_people() {
    std::set<std::string> people;
    for_each("people/", [&](std::string_view path, std::string_view) {
      if (std::ranges::count(path, '/') == 3) {
        people.insert(std::string(path.substr(0, path.rfind('/'))));
      }
    });
    if (!has("people.tsv")) {
      if (!people.empty()) fault("people.tsv", "is missing");
      return;
    }
    for_each_line(text("people.tsv"), [&](std::string_view line) {
      std::vector<std::string> fields;
      for (std::size_t tab = 0; tab != std::string_view::npos;) {
        tab = line.find('\t');
        fields.emplace_back(line.substr(0, tab));
        line.remove_prefix(tab == std::string_view::npos ? 0 : tab + 1);
      }
      constexpr std::size_t kColumns = 21;
      constexpr std::size_t kPath = 12;
      constexpr std::size_t kWhite = 2;
      if (fields.size() != kColumns) {
        fault("people.tsv", "has a line of other columns");
      } else if (people.erase(fields[kPath]) == 0) {
        fault("people.tsv", "lists somebody without a directory");
      } else if (fields[kWhite] != games_in(fields[kPath] + "/white.pgn") ||
                 fields[kWhite + 1] != games_in(fields[kPath] + "/black.pgn")) {
        fault(fields[kPath], "has other games than people.tsv says");
      }
    });
    for (const std::string& person : people) fault(person, "is not in people.tsv");
  }

  std::string games_in(const std::string& path) {
    return std::to_string(has(path) ? cut_games(text(path)).size() : 0);
  }

  template <class Wanted>
  void check_shares(const std::string& view, const Wanted& wanted, std::size_t expected) {
    std::size_t size = 0;
    for_each(view, [&](std::string_view path, std::string_view games) {
      if (!wanted(path)) return;
      size += games.size();
      for (const std::string& game : cut_games(games)) {
        if (!games_.contains(game)) fault(path, "has a game that no other file has");
      }
      if (games.empty()) fault(path, "is empty");
    });
    if (expected != std::string::npos && size != expected) {
      fault(view, fmt::format("holds {} bytes of games, not {}", size, expected));
    }
  }

  // Whatever lists games has a table of theirs: lines of the database's own, in its order. The file
  // of games beside it has these games.
  void check_sets() {
    std::map<std::string_view, std::string_view> paths;  // of games, by their line
    for (const char* const path : {"index.tsv", "deleted/index.tsv"}) {
      if (!has(path)) continue;
      for_each_line(text(path), [&](std::string_view line) {
        std::string_view rest = line;
        for (int column = 1; column < kPathColumn; ++column)
          rest.remove_prefix(rest.find('\t') + 1);
        paths.emplace(line, rest.substr(0, rest.find('\t')));
      });
    }
    for_each("", [&](std::string_view path, std::string_view table) {
      if (!path.ends_with("/index.tsv")) return;
      const std::string directory(path.substr(0, path.rfind('/') + 1));
      if (!has(directory + "summary.txt")) fault(directory, "has no summary.txt");
      std::string together;
      for_each_line(table, [&](std::string_view line) {
        const auto game = paths.find(line);
        if (game == paths.end()) {
          fault(path, "has a line that the database's table has not");
        } else {
          together += text(std::string(game->second));
        }
      });
      for (const char* const games : {"all.pgn", "games.pgn"}) {
        if (has(directory + games) && text(directory + games) != together) {
          fault(directory + games, "is not what the games of index.tsv are together");
        }
      }
    });
  }

  // An opening has the games of those below it, each in one of them at most; all that have one are
  // in openings/ itself.
  void check_openings() {
    const std::string start = "openings/";
    std::map<std::string, std::set<std::string_view>, std::less<>> lines;  // by directory
    for_each(start, [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kTable = "index.tsv";
      if (!path.ends_with(kTable)) return;
      std::set<std::string_view>& own = lines[std::string(path.substr(0, path.rfind('/') + 1))];
      for_each_line(table, [&](std::string_view line) { own.insert(line); });
    });
    std::map<std::string, std::size_t> below;
    for (const auto& [directory, games] : lines) {
      if (directory == start) continue;
      if (games.empty()) fault(directory, "is listed without games");
      const std::string parent =
          directory.substr(0, directory.rfind('/', directory.size() - 2) + 1);
      const std::set<std::string_view>& all = lines[parent];
      if (!std::ranges::includes(all, games)) fault(parent, "lacks games of " + directory);
      below[parent] += games.size();
    }
    for (const auto& [directory, games] : below) {
      if (games > lines[directory].size()) fault(directory, "has games in two openings below it");
    }
    if (!lines.empty() && below[start] != lines[start].size()) {
      fault(start, "has games that no opening has");
    }
  }

  // The tables of an event: each game counts for two players, and in two pairs.
  void check_events(const std::string& view) {
    for_each(view, [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kName = "standings.tsv";
      if (!path.ends_with(kName)) return;
      const std::string event(path.substr(0, path.size() - kName.size()));
      std::size_t games = 0;
      for_each_line(text(event + "index.tsv"), [&](std::string_view) { ++games; });
      const std::size_t of_players = sum_of_column(table, "games");
      if (of_players > 2 * games) fault(path, "counts more games than there are");
      if (sum_of_column(text(event + "crosstable.tsv"), "games") != of_players) {
        fault(event + "crosstable.tsv", "has not the games of standings.tsv");
      }
      if (text(event + "crosstable.txt").empty()) fault(event + "crosstable.txt", "is empty");
    });
  }

  static std::string_view column_of(std::string_view line, std::ptrdiff_t column) {
    for (; column > 0; --column) line.remove_prefix(std::min(line.find('\t') + 1, line.size()));
    return line.substr(0, line.find('\t'));
  }
  static std::size_t sum_of_column(std::string_view table, std::string_view name) {
    const std::string_view head = table.substr(0, table.find('\n'));
    std::ptrdiff_t column = 0;
    while (column < std::ranges::count(head, '\t') && column_of(head, column) != name) ++column;
    std::size_t sum = 0;
    for_each_line(table, [&](std::string_view line) {
      sum += std::stoul("0" + std::string(column_of(line, column)));
    });
    return sum;
  }

  // Calls use(line) for each line of a table but its head.
  template <class Use>
  static void for_each_line(std::string_view table, const Use& use) {
    table.remove_prefix(std::min(table.find('\n') + 1, table.size()));
    while (!table.empty()) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      use(line);
    }
  }

  // A file for each game, called like it, of lines that are positions.
  void check_positions() {
    std::set<std::string> games;
    for_each("games/", [&](std::string_view path, std::string_view) {
      games.insert(std::string(path.substr(0, path.rfind('.'))).substr(5));
    });
    for_each("fens/", [&](std::string_view path, std::string_view positions) {
      if (games.erase(std::string(path.substr(0, path.rfind('.'))).substr(4)) == 0) {
        fault(path, "has no game");
      }
      if (!path.ends_with(".epd")) fault(path, "is called otherwise");
      std::string_view number = path.substr(path.rfind('/') + 1);
      number = number.substr(0, number.find('-'));
      number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
      bool is_over = positions.empty();
      for (std::size_t ply = 1; !positions.empty(); ++ply) {
        const std::string_view line = positions.substr(0, positions.find('\n'));
        positions.remove_prefix(std::min(line.size() + 1, positions.size()));
        const std::size_t at = line.find(fmt::format(" id \"{}.{}\"; ", number, ply));
        const std::string_view fields = line.substr(0, at);
        if (is_over || at == std::string::npos ||
            !codec::Position::from_fen(fields, codec::CastlingRule::Chess960).ok()) {
          fault(path, "has a line that is no position");
          return;
        }
        is_over = line.find("\"; c0 \"", at) != std::string::npos;
      }
      if (!is_over) fault(path, "does not end");
    });
    for (const std::string& game : games) fault("fens" + game, "is missing");
  }

  // What is said of the positions in tree/, against the games' own positions.
  void check_lines() {
    PlayedInPositions played;
    for_each("fens/", [&](std::string_view, std::string_view positions) { played.add(positions); });
    std::size_t tables = 0;
    for_each("tree/", [&](std::string_view path, std::string_view table) {
      constexpr std::string_view kName = "moves.tsv";
      if (!path.ends_with(kName)) return;
      ++tables;
      const std::string board(path.substr(0, path.size() - kName.size()));
      for (const std::string& what :
           played.faults(fen_of_board(text(board + "board.txt")), table)) {
        fault(path, what);
      }
    });
    if (tables == 0) fault("tree/", "has no table");
  }

  // Games that are the same: each with its own text in all.pgn, one of each group in unique/ with
  // all that has no double.
  void check_doubles() {
    // A database that shows no game has no such directory.
    if (text("all.pgn").empty() && !has("doubles/doubles.tsv")) return;
    constexpr std::size_t kLongest = 8;  // columns of doubles.tsv
    constexpr std::size_t kKept = 12;
    std::map<std::string, std::vector<std::vector<std::string>>> groups;
    std::string together;
    for_each_line(text("doubles/doubles.tsv"), [&](std::string_view line) {
      std::vector<std::string> fields(1);
      for (const char c : line)
        c == '\t' ? (void)fields.emplace_back() : fields.back().push_back(c);
      if (fields.size() != 15) {
        fault("doubles/doubles.tsv", "has a line of other columns");
        return;
      }
      together += game_text(fields.back());
      groups[fields[0]].push_back(std::move(fields));
    });
    if (text("doubles/all.pgn") != together) {
      fault("doubles/all.pgn", "is not what the games of doubles.tsv are together");
    }
    for (const auto& [number, games] : groups) {
      const auto kept =
          std::ranges::count_if(games, [](const auto& f) { return f[kKept] == "yes"; });
      const bool is_longest = std::ranges::all_of(
          games, [](const auto& f) { return f[kKept].empty() || f[kLongest] == "yes"; });
      if (games.size() < 2 || kept != 1 || !is_longest) {
        fault("doubles/doubles.tsv", "has no game to keep in group " + number);
      }
    }
    const std::size_t games = cut_games(text("all.pgn")).size();
    const std::size_t unique = cut_games(text("doubles/unique/games.pgn")).size();
    std::size_t doubles = 0;
    for (const auto& [number, members] : groups) doubles += members.size() - 1;
    if (unique + doubles != games) fault("doubles/unique/games.pgn", "has not each game once");
  }

  // The numbers that errors.tsv lists, against the remarks in the texts.
  void check_errors() {
    std::set<std::string> listed;
    std::string_view table = text("errors.tsv");
    if (!table.starts_with("number\toffset\treason\n")) fault("errors.tsv", "has no head");
    table.remove_prefix(std::min(table.find('\n') + 1, table.size()));
    while (!table.empty()) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      if (std::ranges::count(line, '\t') != 2) fault("errors.tsv", "has a line of other columns");
      listed.insert(std::string(line.substr(0, line.find('\t'))));
    }
    for (const char* const part : {"games/", "deleted/"}) {
      for_each(part, [&](std::string_view path, std::string_view game) {
        if (std::ranges::count(path, '/') != 2) return;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        std::string_view number = name.substr(0, name.find('-'));
        number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
        const bool remark = has_remark(game, number);
        if (remark != (listed.erase(std::string(number)) == 1)) {
          fault(path, remark ? "is damaged and not in errors.tsv" : "is in errors.tsv but whole");
        }
      });
    }
    for (const std::string& number : listed) fault("errors.tsv", "lists no game: " + number);
  }

  static bool has_remark(std::string_view game, std::string_view number) {
    // A remark may be broken over two lines anywhere.
    std::string folded(game);
    std::ranges::replace(folded, '\n', ' ');
    for (const char* const what : {"is damaged at byte", "cannot be read at byte"}) {
      if (folded.find(fmt::format("scidfs: game {} {}", number, what)) != std::string::npos) {
        return true;
      }
    }
    return false;
  }

  WalkedTree& walked_;
  const std::string prefix_;
  std::unordered_map<std::string, std::size_t> games_;  // shown ones, and how many are the same
};

}  // namespace

WalkedTree walk_tree(fs::Tree& tree) {
  WalkedTree walked;
  Walk(tree, walked).directory(fs::kRootInode, fs::kRootInode, "");
  return walked;
}

void check_database(WalkedTree& walked, const std::string& prefix) {
  if (walked.faults.empty()) DatabaseCheck(walked, prefix).run();
}

WalkedTree walk_library(fs::Library& library) {
  const fs::CatalogPtr catalog = library.catalog();
  const std::vector<fs::ShownPtr> databases = shown_databases(library);
  for (const fs::ShownPtr& shown : databases) {
    const absl::Status status = shown->database->compute_sizes(0, shown->database->games());
    if (!status.ok()) return {.files = {}, .faults = {std::string(status.message())}};
  }
  fs::Tree tree(library, {.blocks = {.cache_bytes = std::size_t{1} << 20, .threads = 1}});
  WalkedTree walked = walk_tree(tree);
  for (const fs::ShownPtr& shown : databases) {
    check_database(walked, shown->slot == catalog->root() ? "" : shown->path + "/");
  }
  return walked;
}

}  // namespace scidfs::tests
