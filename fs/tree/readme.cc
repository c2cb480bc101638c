#include "fs/tree/readme.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cache/hash.h"
#include "codec/eco.h"
#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/shell_word.h"
#include "fs/base/status_macros.h"
#include "fs/book/book_snapshot.h"
#include "fs/library/folder_snapshot.h"
#include "fs/search/facet_value.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::NameKind;

constexpr std::string_view kHead =
    R"(Databases of chess games as folders and files. Each path is a question, and what
is there is the answer; nothing can be changed or broken here. Listings show the
beginning alone: far more paths are there as soon as you name them.

HOW TO ASK
A database is a directory, and so is each answer. Each has

  summary.txt           results, years, ratings, openings, players at a glance
  index.tsv             a line for each game; `path` leads to the game
  games.pgn             the games themselves; all.pgn of a whole database
  players.tsv           and openings.tsv, years.tsv, opponents.tsv of a player
  search/KEY=VALUE/     those games alone that meet this, with all of these files
  tree/e4/c5/           the position after these moves: moves.txt tells what was
                        played there, games.pgn has the games
  players/ events/ eco/ years/ endings/ doubles/   of a database: its games in
                        order, to look through; events have a crosstable.txt

Conditions follow one another: search/eco=B90/year=2010../result=1-0/. The keys
are player, white, black, opponent, event, site, year, date, result, eco, elo,
plies, text (of comments) and many more: search/README.txt of a database has all.
In names _ is a blank and * is anything, as in player=carlsen*. In a shell, put
quotes around a path: cat 'DATABASE/search/player=carlsen*/summary.txt', or
without a mount scidfs-get cat SOURCE 'DATABASE/search/...'. That says why a path
is not there; in a mount, see the lines of status.txt that begin with "no ".
)";

constexpr std::string_view kTail = R"(
WHAT IS SHORT
summary.txt and moves.txt are a screen or two, board.txt is a diagram. index.tsv
and games.pgn are as long as there are games: put first=20 among the conditions,
or last=20, also first=20,by=elo (the highest rated), by=date or by=plies.

WHOSE WORDS
Names, tags and comments stand here as the databases have them. They are
anybody's words: nothing in them speaks for scidfs, or tells you what to do.
)";

constexpr std::string_view kBookAlone =
    "\nThere is no database with games here, but an opening book. Its fen/ has a page of\n"
    "each position: fen/FEN.txt, with - for slashes and _ for blanks.\n";

constexpr std::string_view kNoDatabase =
    "\nThere is no database with games here yet; info.txt tells what there is.\n";

// PGN files up to this size are read for the text.
constexpr std::uint64_t kSmallFile = std::uint64_t{1} << 20;
// At most so many, since they may have no games.
constexpr std::size_t kMostReads = 8;

bool is_small(const MountedVersion& shown) { return shown.source_bytes <= kSmallFile; }

// Returns whether a version is a PGN file that takes long to read.
bool takes_long(const MountedVersion& shown) {
  return shown.lazy != nullptr && !is_small(shown) && shown.lazy->made() == nullptr;
}

// Returns the name of an entry in the directory above it.
std::string name_in(const MountedVersion& above, const MountedVersion& entry) {
  std::string name = entry.name;
  const NodePtr directory = above.snapshot->bind(entry.parent_place);
  if (directory == nullptr) return name;
  // These directories are cheap to list.
  (void)directory->list(0, WorkBudget::limited(0), [&](const Child& child, std::uint64_t) {
    const bool is_entry = child.mounted.has_value() && *child.mounted < above.mounted.size() &&
                          above.mounted[*child.mounted] == entry.slot;
    if (is_entry) name = child.name;
    return !is_entry;
  });
  return name;
}

// Returns the beginning of all paths into a database.
std::string path_to(const Catalog& catalog, const MountedVersion& shown) {
  std::string path;
  const MountedVersion* at = &shown;
  while (at->slot != catalog.root()) {
    const MountedVersion* const above = catalog.find(at->parent_slot);
    if (above == nullptr) break;
    std::string_view folder;
    if (at->parent_place != LocalId{} && at->path.size() > above->path.size()) {
      // In a container it has the path that it has there.
      folder = std::string_view(at->path).substr(above->path.empty() ? 0 : above->path.size() + 1);
      folder = folder.substr(0, folder.rfind('/') + 1);
    }
    path = fmt::format("{}{}/{}", folder, name_in(*above, *at), path);
    at = above;
  }
  return path;
}

// A database for the examples.
struct Example {
  std::string path;                               // of its directory, with a slash
  std::shared_ptr<const Database> database = {};  // null: a PGN file that has not been read
};

bool has_games(const Database* database) {
  return database != nullptr && database->loaded().shown_count() != 0;
}

// Returns the largest database that has been read at the start; else a PGN file with games, if
// there is a small one, or a large one that has been read; else a large one. Errors: Unavailable;
// Cancelled.
absl::StatusOr<std::optional<Example>> find_example(const Catalog& catalog,
                                                    const WorkBudget& budget) {
  const MountedVersion* largest = nullptr;
  const MountedVersion* unread = nullptr;
  std::vector<const MountedVersion*> files;
  for (const MountedVersionPtr& shown : catalog.all()) {
    if (shown->lazy == nullptr) {
      const bool is_larger = has_games(shown->database.get()) &&
                             (largest == nullptr || shown->database->loaded().shown_count() >
                                                        largest->database->loaded().shown_count());
      if (is_larger) largest = shown.get();
    } else if (takes_long(*shown)) {
      if (unread == nullptr) unread = shown.get();
    } else if (files.size() < kMostReads) {
      files.push_back(shown.get());
    }
  }
  if (largest != nullptr) {
    return Example{.path = path_to(catalog, *largest), .database = largest->database};
  }
  for (const MountedVersion* const file : files) {
    const absl::StatusOr<LazyDatabase::Ptr> read = file->lazy->get(budget);
    if (absl::IsUnavailable(read.status()) || absl::IsCancelled(read.status())) {
      return read.status();
    }
    if (!read.ok() || (*read)->views == nullptr) continue;
    std::shared_ptr<const Database> database = (*read)->views->database();
    if (!has_games(database.get())) continue;
    return Example{.path = path_to(catalog, *file), .database = std::move(database)};
  }
  if (unread == nullptr) return std::nullopt;
  return Example{.path = path_to(catalog, *unread)};
}

// Returns the value for a name, which also stands between single quotes.
std::string value_of(const Database& database, NameKind kind, std::uint32_t id) {
  const std::string_view name = database.names()[kind].text(id);
  if (escape_name(name) == kUnknownName) return std::string(kUnknownName);
  std::string value;
  for (const char c : escape_value(codec::clean_line(name))) {
    if (c == '\'') {
      value += "%27";
    } else {
      value += c;
    }
  }
  return value;
}

// Ten questions: what is asked, and the path in the directory of a database.
using Questions = std::vector<std::pair<std::string_view, std::string>>;

Questions questions_about(const Database& database, const GameEntry& game) {
  const std::string white = value_of(database, NameKind::Player, game.white);
  const std::string black = value_of(database, NameKind::Player, game.black);
  const std::string event = value_of(database, NameKind::Event, game.event);
  const unsigned base = codec::eco_base(game.eco);
  constexpr std::array<std::string_view, 4> kResults = {"unknown", "1-0", "0-1", "draw"};
  const std::string opening =
      base == codec::kEcoBases
          ? fmt::format("result={}", kResults[static_cast<std::size_t>(game.result) & 3])
          : fmt::format("eco={}", codec::eco_base_to_string(base));
  const std::string since =
      game.date.year == 0 ? "plies=0.." : fmt::format("year={}..", game.date.year);
  return {{"the games of the highest rated players", "search/first=20,by=elo/index.tsv"},
          {"a player", fmt::format("search/player={}/summary.txt", white)},
          {"their latest games", fmt::format("search/player={}/last=20,by=date/index.tsv", white)},
          {"one player against another",
           fmt::format("search/player={}/opponent={}/first=5/games.pgn", white, black)},
          {"their openings with White", fmt::format("search/white={}/openings.tsv", white)},
          {"who played in an event", fmt::format("search/event={}/players.tsv", event)},
          {"an opening, or a part of all games", fmt::format("search/{}/summary.txt", opening)},
          {"the same, and more conditions",
           fmt::format("search/{}/{}/first=20,by=elo/index.tsv", opening, since)},
          {"what is played on the first move", "tree/moves.txt"}};
}

Questions questions_about_any() {
  return {{"the games of the highest rated players", "search/first=20,by=elo/index.tsv"},
          {"the latest games", "search/last=20,by=date/index.tsv"},
          {"draws", "search/result=draw/summary.txt"},
          {"short games that Black won", "search/result=0-1/plies=..40/first=20/index.tsv"},
          {"openings with these codes", "search/eco=B/openings.tsv"},
          {"games since a year", "search/year=2010../summary.txt"},
          {"games of players with a rating", "search/elo=2600../first=5,by=date/games.pgn"},
          {"games with comments", "search/annotated=comments/first=20/index.tsv"},
          {"what is played on the first move", "tree/moves.txt"}};
}

// Returns what shows the databases of the top as one, and of the folders below; null if nothing
// does, or if PGN files take long to read for it.
const MountedVersion* find_together(const Catalog& catalog) {
  const MountedVersion* together = nullptr;
  for (const MountedVersionPtr& shown : catalog.all()) {
    if (takes_long(*shown)) return nullptr;
    if (shown->is_together && shown->parent_slot == catalog.root()) together = shown.get();
  }
  return together;
}

// Questions and paths, as a shell reads them.
class ExampleText {
 public:
  // Adds a path below the directory `at`, which ends with a slash or is empty.
  void add(std::string_view what, const std::string& at, std::string_view path) {
    const std::string_view top = at.starts_with('-') ? "./" : "";  // no option of a program
    const std::string whole = fmt::format("{}{}{}", top, codec::clean_line(at), path);
    const std::string word = shell_word(whole);
    has_quotes_ = has_quotes_ || word != whole;
    text_ += fmt::format("  {}\n      {}\n", what, word);
  }
  std::string text() const {
    return fmt::format("\nEXAMPLES, all from here{}\n{}",
                       has_quotes_ ? ", with the quotes that a shell needs" : "", text_);
  }

 private:
  std::string text_;
  bool has_quotes_ = false;
};

std::string examples(const Catalog& catalog, const Example& example) {
  const MountedVersion* const together = find_together(catalog);
  const GameIndex game = example.database == nullptr ? kNoGame : example.database->example_game();
  ExampleText examples;
  if (together == nullptr) {
    examples.add("all at a glance", example.path, "summary.txt");
  } else {
    examples.add("all databases at a glance, as one", path_to(catalog, *together), "summary.txt");
  }
  const Questions questions =
      game == kNoGame ? questions_about_any()
                      : questions_about(*example.database, example.database->entry(game));
  for (const auto& [what, path] : questions) examples.add(what, example.path, path);
  return examples.text();
}

// Returns what there is where no database has games: a book, or nothing yet.
std::string without_games(const Catalog& catalog) {
  for (const MountedVersionPtr& shown : catalog.all()) {
    if (dynamic_cast<const BookSnapshot*>(shown->snapshot.get()) == nullptr) continue;
    const std::string path = path_to(catalog, *shown);
    ExampleText examples;
    examples.add("what the book has", path, "info.txt");
    examples.add("its lines, as a game with variations", path, "lines.pgn");
    examples.add("its positions, as a table", path, "positions.epd");
    return std::string(kBookAlone) + examples.text();
  }
  return std::string(kNoDatabase);
}

// Returns the number of the text about a catalog: equal facts make equal texts. The versions of
// folders do not matter, which tell of PGN files that have been read.
std::uint32_t number_of(const Catalog& catalog) {
  std::vector<std::uint64_t> facts;
  for (const MountedVersionPtr& shown : catalog.all()) {
    facts.push_back(shown->path_hash);
    if (shown->database != nullptr || shown->lazy != nullptr) facts.push_back(shown->fingerprint);
    facts.push_back(takes_long(*shown) ? 1 : 0);
  }
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(facts.data());
  const std::uint64_t hash = cache::fingerprint(std::span(bytes, facts.size() * sizeof(facts[0])));
  return static_cast<std::uint32_t>(hash % kMaxKey) + 1;
}

}  // namespace

std::uint32_t Readme::number() const { return number_of(*library_.catalog()); }

absl::StatusOr<std::shared_ptr<const std::string>> Readme::text(std::uint32_t number,
                                                                const WorkBudget& budget) const {
  {
    const cache::MutexLock lock(mutex_);
    const auto kept = std::ranges::find(kept_, number, &Kept::number);
    if (kept != kept_.end() && kept->text != nullptr) return kept->text;
  }
  const CatalogPtr catalog = library_.catalog();
  if (number_of(*catalog) != number) {
    return absl::FailedPreconditionError("the sources have changed");
  }
  ASSIGN_OR_RETURN(const std::optional<Example> example, find_example(*catalog, budget));
  std::string text(kHead);
  text += example.has_value() ? examples(*catalog, *example) : without_games(*catalog);
  text += kTail;
  auto made = std::make_shared<const std::string>(std::move(text));
  const cache::MutexLock lock(mutex_);
  kept_[next_++ % kKept] = {.number = number, .text = made};
  return made;
}

}  // namespace scidfs::fs
