// The text of search/README.txt.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/eco.h"
#include "fs/base/filename.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::NameKind;

constexpr std::string_view kGrammar =
    R"(search/KEY=VALUE/KEY=VALUE/... is the set of the games that meet all of this,
each key once, in any order. It stands in every set of games: the database, a
player, an event, a year, a code, and again in each answer. An answer is a
directory with

  games.pgn      the games, in the order of the database
  index.tsv      a line for each, from the index alone
  summary.txt    results, years, ratings, openings, players at a glance
  players.tsv    and opponents.tsv, openings.tsv, years.tsv: tables with results
  moments.epd    for what is asked of moves: the positions found
  search/        to narrow it further, with the same keys again

It is there as soon as you name it: `cd` there, or type the path. Only a few
short questions are listed, with their tables; games.pgn is there in these too.

KEYS
  player, white, black   names
  opponent               of the player in the path, or of player=
  event, site, round     names
  year, month, date      2013; 1 to 12 of any year; 2013, 2013.11 or 2013.11.09
  result                 1-0, 0-1, draw, unknown
  eco                    B, B9, B90
  elo                    of either player; white_elo, black_elo; elo_difference
  plies, number          half-moves; place in the database; base: the database
  part, sample           17of64, as parts/64/17/; by chance; sample_exact
  first, last            20, of what all else leaves; 20,by=elo, date or plies
  within                 my.pgn,white: to the end of the lines of this file; ,to=12
  flag                   letters as in index.tsv: T; W+T for both
  annotated              comments, variations, nags, any, no
  start                  standard, fen, chess960
  material               on the board at the end: KRPvKR, either color;
                         KR+PvKR: a + after a piece means that many or more
  reached                the same at any time, for two half-moves at least
  balance                White's material minus Black's, as long: 3.., -1..1
  white_castled          short, long, no; black_castled; castled: opposite, same
  mate                   by Q, R, B, N, P, K; stalemate; bishops: opposite, same
  line                   the first moves, exactly: e4,c5,Nf3
  played                 moves anywhere: Bxh7,Kxh7,Ng5; .. stands for any between
  pieces                 men at one moment: Nd5,pe6,_c6; Pa-h7: on one of these
  pawns                  all pawns, as the board of a FEN with - for slashes;
                         white_pawns, black_pawns
  position               a FEN, _ for blanks, - for slashes, as in positions/
  nag                    4 or blunder, good, mistake, brilliant, ...
  eval, swing, clock     pawns for White; what a move costs, 3..; seconds left, ..10
  tag                    another tag: Source,*Week*; annotator, time_control
  text                   a word, or a few, of a comment; reads the games

VALUES
  Numbers, dates and codes take ranges, 2010..2015, 2010.. or ..2015, for Windows
  also from2010 and to2015. What is unknown of a game is in no range.
  A comma means `or`, except in names, words and moves: eco=B90,C42. With not-
  before a key: the other games, if it is known of them: not-result=draw.
  Names are written as in the names of directories: _ for a blank or for _, %XX
  for special characters. Case and accents do not matter; * stands for anything, ?
  for one character. _unknown is a name that is missing. The name of a directory
  that ends in ~ and a number stands for its player alone.

What is no key, or no value of it, is not there; status.txt at the top of the
mount says why. More than 32 conditions, or 2,048 bytes of path from the set on,
are refused: File name too long.
)";

// Used if there is a spelling file, before the line of `opponent`.
constexpr std::string_view kPersonKeys =
    R"(  person                 a person by the spelling file, under whatever name he is
                         there: white_person, black_person; opponent is his then
  title                  a title of either player, as a person: GM, WGM, IM, ...;
                         white_title, black_title
  country                three letters: NOR; white_country, black_country
  born                   year of birth: 2000..; white_born, black_born
  fide                   id of FIDE: 1503014; white_fide, black_fide
)";

// Used if names of openings are known, after the line of `eco`.
constexpr std::string_view kOpeningKey =
    R"(  opening                by the positions of the game: a name, its beginning,
                         or a part of it: Sicilian*Najdorf, 6.a4, Catalan
)";

std::string grammar(const Database& database) {
  std::string text(kGrammar);
  const Reference& reference = database.reference();
  if (reference.spelling != nullptr) text.insert(text.find("  opponent  "), kPersonKeys);
  if (reference.openings != nullptr) text.insert(text.find("  elo  "), kOpeningKey);
  return text;
}

std::string escaped(const Database& database, NameKind kind, std::uint32_t id) {
  return escape_name(database.names()[kind].text(id));
}

std::string examples(const Database& database) {
  const GameIndex example = database.example_game();
  if (example == kNoGame) return "";
  const GameEntry game = database.entry(example);
  const std::string white = escaped(database, NameKind::Player, game.white);
  const std::string black = escaped(database, NameKind::Player, game.black);
  const std::string event = escaped(database, NameKind::Event, game.event);
  constexpr std::array<std::string_view, 4> kResults = {"unknown", "1-0", "0-1", "draw"};
  const std::string_view result = kResults[static_cast<std::size_t>(game.result) & 3];
  const unsigned base = codec::eco_base(game.eco);
  const std::string eco =
      base == codec::kEcoBases ? "" : fmt::format("eco={}/", codec::eco_base_to_string(base));
  const std::string year = game.date.year == 0 ? "" : fmt::format("year={}../", game.date.year);
  const std::string elo =
      game.white_rating.elo() == 0 ? "" : fmt::format("elo={}../", game.white_rating.elo());

  std::string text = "\nEXAMPLES, all from this database\n";
  const auto line = [&text](std::string_view what, std::string_view path) {
    text += fmt::format("  {}\n      search/{}\n", what, path);
  };
  line("one player against another",
       fmt::format("player={}/opponent={}/summary.txt", white, black));
  line("the openings of a player with White, by one result",
       fmt::format("white={}/result={}/openings.tsv", white, result));
  line("an event in all its years", fmt::format("event={}/players.tsv", event));
  line("an opening since some year", fmt::format("{}{}result={}/games.pgn", eco, year, result));
  line("all whose names begin alike, with a rating",
       fmt::format("player={}*/{}index.tsv", white.substr(0, white.find(',')), elo));
  return text;
}

}  // namespace

std::string search_help(const Database& database) { return grammar(database) + examples(database); }

}  // namespace scidfs::fs
