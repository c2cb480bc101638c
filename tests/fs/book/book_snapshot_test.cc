// Books in the name space of a mount: every text of the fixtures, and the readable rest of damaged
// ones.
#include "fs/book/book_snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include "codec/kvetka/moves.h"
#include "codec/san.h"
#include "fs/book/book_moves.h"
#include "fs/book/book_texts.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/html_check.h"
#include "tests/support/library.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/text.h"
#include "tests/support/tree_walk.h"
#include "tests/support/xml_check.h"

namespace scidfs::fs {
namespace {

using codec::Position;
using codec::kvetka::Key;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using tests::split;

std::string fixture(const std::string& name) {
  return tests::read_file(tests::test_data("kvetka/" + name));
}

class BookSnapshotTest : public LibraryTest {
 protected:
  void copy(const std::vector<std::string>& names) {
    for (const std::string& name : names) put(source_ / name, fixture(name));
  }
  void copy_all() {
    copy({"small_0.kob", "small.kin", "small.ksf", "split_0.kob", "split_1.kob", "split_2.kob",
          "split.ksf", "nolinks_0.kob", "nolinks.kin"});
  }
  std::vector<std::string> names(std::string_view path) const {
    std::vector<std::string> names;
    EXPECT_TRUE(tree_
                    ->list(inode(path), 0, tests::unlimited_budget(),
                           [&names](const DirectoryEntry& entry) {
                             names.emplace_back(entry.name);
                             return true;
                           })
                    .ok());
    return names;
  }
};

// The columns of the expected tables by key: position, wins, draws, losses, moves, ...
std::map<std::string, std::vector<std::string>> expected_positions(const std::string& name) {
  std::map<std::string, std::vector<std::string>> positions;
  for (const std::string& line : split(fixture(name + ".expected.tsv"), '\n')) {
    if (line.starts_with('#')) continue;
    const std::vector<std::string> fields = split(line, '\t');
    positions[fields[1]] = {fields.begin() + 2, fields.end()};
  }
  return positions;
}

TEST_F(BookSnapshotTest, FilesOfBookAreOneDirectory) {
  copy_all();
  copy({"bad_type_0.kob"});
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("nolinks.kob", "small.kob", "split.kob", "info.txt",
                                     "index.html", "status.txt", "README.txt"));
  EXPECT_THAT(names("small.kob"),
              ElementsAre("info.txt", "positions.epd", "lines.pgn", "games.pgn", "fen"));
  EXPECT_THAT(names("nolinks.kob"), ElementsAre("info.txt", "positions.epd", "lines.pgn", "fen"));
  EXPECT_THAT(names("small.kob/fen"), IsEmpty());
  EXPECT_THAT(text("info.txt"), HasSubstr("refused: "));
  EXPECT_FALSE(exists("nolinks.kob/games.pgn"));
  EXPECT_FALSE(exists("split_1.kob"));
}

TEST_F(BookSnapshotTest, InfoDescribesTheBook) {
  copy_all();
  open(source_);
  const std::string info = text("split.kob/info.txt");
  for (const char* const line :
       {"caption: Книга\n", "positions: 884\n", "games from the start position: 98\n",
        "least Elo: White 2250, stronger player 2400, weaker player 2200\n",
        "plies of each game: 16\n", "files: 3\n", "blocks: 21\n", "byte order: be\n",
        "source 2: web page (out of reach), 1 games: http://www.example.org/live.html\n",
        "health: good\n"}) {
    EXPECT_THAT(info, HasSubstr(line));
  }
  for (const char* const nothing : {"source 0", "lists of games"}) {
    EXPECT_THAT(info, Not(HasSubstr(nothing)));
  }
}

TEST_F(BookSnapshotTest, PositionsAreInOrderOfKeys) {
  copy_all();
  open(source_);
  for (const std::string name : {"small", "split", "nolinks"}) {
    const std::vector<std::string> lines = split(text(name + ".kob/positions.epd"), '\n');
    const auto expected = expected_positions(name);
    ASSERT_EQ(lines.size(), expected.size());
    std::size_t at = 0;
    for (const auto& [key, fields] : expected) {
      const std::string& line = lines[at++];
      EXPECT_THAT(line, StartsWith(fmt::format("{} wins {}; draws {}; losses {};", fields[0],
                                               fields[1], fields[2], fields[3])));
      const std::size_t moves = line.find("; moves ");
      ASSERT_EQ(moves == std::string::npos, fields[4] == "-") << line;
      if (moves == std::string::npos) continue;
      const std::string sans = line.substr(moves + 8, line.find(';', moves + 2) - moves - 8);
      std::string squares;
      const Position position = *Position::from_fen(fields[0]);
      for (const std::string& san : split(sans, ' ')) {
        const std::optional<codec::Move> move = codec::parse_san(position, san);
        ASSERT_TRUE(move.has_value()) << line;
        const auto square = [](codec::Square s) {
          return fmt::format("{}{}", static_cast<char>('a' + codec::file_of(s)),
                             codec::rank_of(s) + 1);
        };
        squares += (squares.empty() ? "" : " ") + square(move->from) + square(move->to);
      }
      std::string wanted;
      for (const std::string& move : split(fields[4], ' ')) {
        wanted += (wanted.empty() ? "" : " ") + move.substr(3);
      }
      EXPECT_EQ(squares, wanted) << line;
    }
  }
  EXPECT_THAT(text("small.kob/positions.epd"),
              HasSubstr("; eco B90; opening \"Sicilian Defence\"; variation \"Najdorf "
                        "Variation\";\n"));
}

// Reads the main lines of lines.pgn: the place of the first entry of each position, and its
// numbers.
struct Entered {
  std::map<Key, std::size_t> times;
  std::map<Key, std::string> remarks;
  std::set<Key> roots;  // beginnings of lines with a FEN
};

Entered read_lines(const std::string& text) {
  Entered entered;
  for (const tests::PgnGame& game : tests::parse_pgn(text)) {
    const std::string fen = tests::tag_value(game, "FEN");
    Position position = fen.empty() ? Position() : *Position::from_fen(fen);
    if (!fen.empty()) entered.roots.insert(*codec::kvetka::key_of(position));
    Position before = position;
    int depth = 0;
    bool is_main = false;
    for (const tests::PgnToken& token : tests::parse_movetext(game.movetext)) {
      using Kind = tests::PgnToken::Kind;
      if (token.kind == Kind::Open) ++depth;
      if (token.kind == Kind::Close) --depth;
      if (token.kind == Kind::Move) {
        const Position& at = depth == 0 ? position : before;
        const std::optional<codec::Move> move = codec::parse_san(at, token.text);
        if (!move.has_value()) {
          ADD_FAILURE() << token.text << " is no move in " << at.fen();
          return entered;
        }
        is_main = depth == 0;
        if (is_main) {
          before = position;
          position.make(*move);
        }
      }
      if (token.kind == Kind::Comment && is_main) {
        const std::string remark = tests::fold_spaces(token.text);
        if (remark.ends_with("; transposes")) continue;
        const Key key = *codec::kvetka::key_of(position);
        ++entered.times[key];
        entered.remarks[key] = remark;
      }
    }
  }
  return entered;
}

TEST_F(BookSnapshotTest, LinesContainEveryPositionOnce) {
  copy_all();
  open(source_);
  for (const std::string name : {"small", "split", "nolinks"}) {
    const std::string lines = text(name + ".kob/lines.pgn");
    EXPECT_THAT(tests::pgn_faults(lines), IsEmpty()) << name;
    const Entered entered = read_lines(lines);
    const auto expected = expected_positions(name);
    // Positions that no move of the book reaches begin a line, as the start position does.
    std::set<Key> seen = entered.roots;
    seen.insert(*codec::kvetka::key_of(Position()));
    for (const auto& [key, times] : entered.times) seen.insert(key);
    EXPECT_EQ(seen.size(), expected.size()) << name;
    EXPECT_LE(entered.roots.size(), name == "nolinks" ? 3U : 0U);
    for (const auto& [key, times] : entered.times) {
      EXPECT_EQ(times, 1U);
      const auto found = expected.find(codec::kvetka::key_to_hex(key));
      ASSERT_NE(found, expected.end());
      // From the view of the side that moved there.
      const std::vector<std::string>& fields = found->second;
      EXPECT_THAT(entered.remarks.at(key),
                  HasSubstr(fmt::format(" +{} ={} -{} ", fields[3], fields[2], fields[1])));
    }
  }
}

TEST_F(BookSnapshotTest, GamesOfPgnFileBesideBookAreShownUnchanged) {
  copy_all();
  open(source_);
  const std::string stubs = text("small.kob/games.pgn");
  EXPECT_THAT(tests::pgn_faults(stubs), IsEmpty());
  EXPECT_EQ(tests::parse_pgn(stubs).size(), 200U);
  EXPECT_THAT(stubs, HasSubstr("[White \"Ivanchuk, Vassily\"]\n[Black \"Giri, Anish\"]\n"
                               "[Result \"0-1\"]\n[WhiteElo \"2753\"]\n"));

  std::filesystem::create_directory(source_ / "pgn");
  for (const std::string name : {"games.pgn", "pgn/games.pgn"}) {
    put(source_ / name, fixture("games.pgn"));
    open(source_);
    for (const std::string book : {"small", "split"}) {
      const std::string games = text(book + ".kob/games.pgn");
      EXPECT_THAT(games, StartsWith(fixture("games.pgn").substr(0, 5000)));
      EXPECT_EQ(tests::parse_pgn(games).size(), book == "small" ? 200U : 201U);
    }
    std::filesystem::remove(source_ / name);
  }
}

TEST_F(BookSnapshotTest, AddressesOfSourcesStayInTheFolder) {
  put(folder_ / "outside.pgn", "x");
  put(source_ / "inside.pgn", "x");
  const auto found = [&](std::string_view address) { return find_book_source(source_, address); };
  EXPECT_EQ(found("inside.pgn"), source_ / "inside.pgn");
  EXPECT_EQ(found("C:\\games\\inside.pgn"), source_ / "inside.pgn");
  EXPECT_EQ(found("%currentdirinside.pgn"), source_ / "inside.pgn");
  EXPECT_FALSE(found("..\\outside.pgn").has_value());
  EXPECT_FALSE(found("../outside.pgn").has_value());
  EXPECT_FALSE(found((folder_ / "outside.pgn").string()).has_value());
  EXPECT_FALSE(found("").has_value());
}

std::string page_name(const std::string& fen) {
  std::string name = fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
  std::replace(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(name.find(' ')), '/', '-');
  std::ranges::replace(name, ' ', '_');
  return name + ".txt";
}

std::string line_of(const std::string& text, std::string_view start) {
  for (const std::string& line : split(text, '\n')) {
    if (line.starts_with(start)) return line;
  }
  return "";
}

// The pages of every position within 40 plies of book, each with its pieces and colors as on the
// board.
TEST_F(BookSnapshotTest, AnyFenOfPositionHasItsPage) {
  copy_all();
  open(source_);
  tests::Random random(5);
  std::size_t mirrored = 0;
  for (const std::string name : {"small", "split", "nolinks"}) {
    const auto expected = expected_positions(name);
    for (int game = 0; game < 30; ++game) {
      Position position;
      for (int ply = 0; ply < 100; ++ply) {
        const auto turning = codec::kvetka::turning_of(position);
        const auto found =
            expected.find(codec::kvetka::key_to_hex(*codec::kvetka::key_of(position, turning)));
        const std::string path = name + ".kob/fen/" + page_name(position.fen());
        ASSERT_EQ(exists(path), found != expected.end()) << path;
        if (found == expected.end()) break;
        mirrored += turning.mirrored ? 1 : 0;
        const std::string page = text(path);
        const std::vector<std::string>& fields = found->second;
        EXPECT_EQ(line_of(page, "wins: "), "wins: " + fields[1]);
        EXPECT_EQ(line_of(page, "draws: "), "draws: " + fields[2]);
        EXPECT_EQ(line_of(page, "losses: "), "losses: " + fields[3]);
        EXPECT_EQ(line_of(page, "position: ").substr(10, page.find(' ', 10) - 10),
                  position.fen().substr(0, position.fen().find(' ')));
        // Every move is legal in this position and leads to the given one.
        std::vector<codec::Move> moves;
        std::uint64_t last_games = ~std::uint64_t{0};
        std::size_t listed = 0;
        const std::string table = page.substr(page.find("\n\n") + 2);
        for (const std::string& line : split(table, '\n')) {
          if (line.starts_with("move\t")) continue;
          const std::vector<std::string> row = split(line, '\t');
          const std::optional<codec::Move> move = codec::parse_san(position, row[0]);
          ASSERT_TRUE(move.has_value()) << path << ": " << row[0];
          Position after = position;
          after.make(*move);
          const auto& behind =
              expected.at(codec::kvetka::key_to_hex(*codec::kvetka::key_of(after)));
          EXPECT_EQ(row[2] + row[3] + row[4], behind[3] + behind[2] + behind[1]);
          EXPECT_LE(std::stoull(row[1]), last_games);
          last_games = std::stoull(row[1]);
          listed += row[6] == "yes" ? 1 : 0;
          moves.push_back(*move);
        }
        EXPECT_EQ(listed, fields[4] == "-" ? 0 : split(fields[4], ' ').size()) << path;
        if (moves.empty()) break;
        position.make(moves[random.below(moves.size())]);
      }
    }
  }
  EXPECT_GT(mirrored, 50U);
}

TEST_F(BookSnapshotTest, MirroredPositionsShareOnePage) {
  copy_all();
  open(source_);
  const std::string start = "small.kob/fen/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_";
  EXPECT_TRUE(exists(start + "w_KQkq_-.txt"));
  EXPECT_EQ(inode(start + "w_KQkq_-.txt"), inode(start + "w_KQkq_-_0_1.txt"));
  // Black to move in the start position is the start position with colours swapped.
  const std::string flipped = text(start + "b_KQkq_-.txt");
  EXPECT_THAT(flipped, HasSubstr("side to move: Black\ngames: 200\n"));
  EXPECT_THAT(flipped, HasSubstr("\nd5\t101\t37\t54\t10\t"));
  for (const char* const name :
       {".txt", "x.txt", "8-8-8-8-8-8-8-8_w_-_-.txt", "rnbqkbnr", "w_KQkq_-.txt"}) {
    EXPECT_FALSE(exists(std::string("small.kob/fen/") + name)) << name;
  }
}

TEST_F(BookSnapshotTest, TurningPositionBackRestoresIt) {
  tests::Random random(9);
  for (int i = 0; i < 2000; ++i) {
    const absl::StatusOr<Position> position = Position::from_fen(tests::random_fen(random));
    ASSERT_TRUE(position.ok());
    const auto turning = codec::kvetka::turning_of(*position);
    const auto key = codec::kvetka::key_of(*position, turning);
    if (!key.has_value()) continue;
    const std::optional<Position> back = turn_back(*codec::kvetka::position_of(*key), turning);
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(codec::kvetka::key_of(*back), key);
    EXPECT_EQ(back->side_to_move(), position->side_to_move());
    EXPECT_EQ(back->castling(), position->castling());
    EXPECT_EQ(back->fen().substr(0, back->fen().find(' ')),
              position->fen().substr(0, position->fen().find(' ')));
  }
}

TEST(BookComments, OpeningsAndFreeTextAreParsed) {
  const auto opening = [](const std::string& text) {
    return comment_text(parse_book_comment(text));
  };
  EXPECT_EQ(opening("E98|King's Indian|Classical"), "E98 King's Indian, Classical");
  EXPECT_EQ(opening("A41|Queen's Pawn"), "A41 Queen's Pawn");
  EXPECT_EQ(opening("A41|"), "A41|");
  EXPECT_EQ(opening("Z41|Queen's Pawn"), "Z41|Queen's Pawn");
  EXPECT_EQ(opening("a strong | move"), "a strong | move");
  EXPECT_TRUE(parse_book_comment("").empty());
}

TEST_F(BookSnapshotTest, NewVersionIsShownAndOldOneStaysReadable) {
  copy({"small_0.kob", "small.kin", "small.ksf"});
  open(source_);
  const Inode info = inode("small.kob/info.txt");
  const Inode lines = inode("small.kob/lines.pgn");
  const std::string old_lines = *read(lines);
  EXPECT_FALSE(library_->rescan().changed);

  // Replaces another file of the book.
  put(source_ / "small.ksf", fixture("split.ksf"), tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_NE(inode("small.kob/info.txt"), info);
  EXPECT_THAT(text("small.kob/info.txt"), HasSubstr("source 2: web page"));
  EXPECT_THAT(*read(info), HasSubstr("source 0: PGN file"));

  std::filesystem::remove(source_ / "small.kin");
  put(source_ / "small_0.kob", fixture("nolinks_0.kob"), tests::replace);
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_THAT(text("small.kob/info.txt"), HasSubstr("caption: No links\n"));
  EXPECT_EQ(*read(lines), old_lines);

  // Overwritten: the old version can no longer be read, and the new one is never mixed with it.
  const Inode positions = inode("small.kob/positions.epd");
  put(source_ / "small_0.kob", fixture("fullblock_0.kob"));
  EXPECT_FALSE(tree_->read(positions, 0, 1000, tests::unlimited_budget()).ok());
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_THAT(text("small.kob/info.txt"), HasSubstr("positions: 3\n"));
}

TEST_F(BookSnapshotTest, BookCanBeTheSource) {
  copy({"small_0.kob"});
  open(source_ / "small_0.kob");
  EXPECT_THAT(names(""), ElementsAre("info.txt", "positions.epd", "lines.pgn", "fen", "index.html",
                                     "status.txt", "README.txt"));
  EXPECT_THAT(text("info.txt"), HasSubstr("positions: 2176\n"));
}

// Returns the targets of the links in a page.
std::vector<std::string> links_of(const std::string& page) {
  return tests::matches(page, std::regex(R"re(href="([^"]*)")re"));
}

TEST_F(BookSnapshotTest, PageOfBookLeadsToItsFiles) {
  copy_all();
  open(source_);
  EXPECT_THAT(text("index.html"), HasSubstr("href=\"small.kob/index.html\""));
  const std::string start = "fen/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-.html";
  const std::string page = text("small.kob/index.html");
  EXPECT_EQ(tests::html_fault(page), "");
  EXPECT_THAT(page, HasSubstr("positions: 2176\n"));
  EXPECT_THAT(links_of(page),
              ElementsAre("style.css", "icon.svg", "../index.html", "info.txt", "positions.epd",
                          "lines.pgn", "games.pgn", "fen/index.html", start));
  EXPECT_THAT(links_of(text("nolinks.kob/index.html")), testing::Not(Contains("games.pgn")));
  const std::string form = text("small.kob/fen/index.html");
  EXPECT_EQ(tests::html_fault(form), "");
  EXPECT_THAT(links_of(form), ElementsAre("style.css", "icon.svg", "../../index.html",
                                          "../index.html", start.substr(4)));
  EXPECT_THAT(form, HasSubstr("data-position=\".html\""));
  for (const std::string file : {"style.css", "board.js", "icon.svg"}) {
    EXPECT_EQ(text("small.kob/fen/" + file), text(file));
  }
}

// Follows the first moves of each position.
TEST_F(BookSnapshotTest, PagesOfPositionsLeadToTheNext) {
  copy_all();
  open(source_);
  std::string name = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-";
  for (int ply = 0; ply < 5; ++ply) {
    SCOPED_TRACE(name);
    const std::string path = "small.kob/fen/" + name;
    const std::string page = text(path + ".html");
    EXPECT_EQ(tests::html_fault(page), "");
    EXPECT_EQ(tests::parse_xml(text(path + ".svg")).fault, "");
    // The page names the position without an en passant square that means nothing.
    const std::string board = name.substr(0, name.rfind('_'));
    const std::size_t picture = page.find(fmt::format("src=\"{}_", board));
    ASSERT_NE(picture, std::string::npos);
    const std::size_t begin = page.find('"', picture) + 1;
    const std::string file = page.substr(begin, page.find('"', begin) - begin);
    EXPECT_EQ(text("small.kob/fen/" + file), text(path + ".svg"));
    // The moves of both, in the same order.
    const std::vector<std::string> lines = split(text(path + ".txt"), '\n');
    std::size_t at = 0;
    std::size_t moves = 0;
    for (const std::string& line : lines) {
      const std::vector<std::string> fields = split(line, '\t');
      if (fields.size() < 7 || fields[0] == "move") continue;
      at = page.find(fmt::format(">{}</a>", fields[0]), at);
      ASSERT_NE(at, std::string::npos) << line;
      EXPECT_EQ(page.substr(page.find("<td>", at) + 4, fields[1].size()), fields[1]) << line;
      ++moves;
    }
    EXPECT_GT(moves, 0U);
    std::vector<std::string> next = links_of(page);
    std::erase_if(next, [](const std::string& link) {
      return !link.ends_with(".html") || link.ends_with("index.html");
    });
    EXPECT_EQ(next.size(), moves);
    for (const std::string& link : next) EXPECT_TRUE(exists("small.kob/fen/" + link)) << link;
    ASSERT_FALSE(next.empty());
    name = next.front().substr(0, next.front().size() - std::string_view(".html").size());
  }
  const std::string sicilian =
      text("small.kob/fen/rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w_KQkq_-.html");
  EXPECT_THAT(sicilian, HasSubstr("<h1>B20 Sicilian Defence</h1>"));
  EXPECT_THAT(sicilian, HasSubstr("20 games. White to move: "));
}

TEST_F(BookSnapshotTest, PagesAreListedOnDemand) {
  copy({"small_0.kob"});
  const std::string position = "small.kob/fen/rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w_KQkq_-";
  options_.database.pages = PagesMode::Listed;
  open(source_);
  EXPECT_THAT(names("small.kob"), ElementsAre("info.txt", "positions.epd", "lines.pgn", "fen",
                                              "index.html", "style.css", "board.js", "icon.svg"));
  EXPECT_THAT(names("small.kob/fen"),
              ElementsAre("index.html", "style.css", "board.js", "icon.svg"));
  EXPECT_TRUE(exists(position + ".html"));
  options_.database.pages = PagesMode::None;
  open(source_);
  EXPECT_THAT(names("small.kob"), ElementsAre("info.txt", "positions.epd", "lines.pgn", "fen"));
  EXPECT_TRUE(exists(position + ".txt"));
  for (const std::string& path :
       {position + ".html", position + ".svg", std::string("small.kob/index.html"),
        std::string("small.kob/fen/index.html"), std::string("small.kob/fen/style.css")}) {
    EXPECT_FALSE(exists(path)) << path;
  }
}

// All invariants of the tree, for good books and for the damaged fixtures.
TEST_F(BookSnapshotTest, InvariantsOfTreeHoldForAllBooks) {
  for (const std::string& stem : tests::stems_in("kvetka", ".kob")) copy({stem + ".kob"});
  copy({"small.kin", "small.ksf", "split.ksf", "nolinks.kin", "games.pgn"});
  open(source_);
  const tests::WalkedTree walked = tests::walk_library(*library_);
  EXPECT_THAT(walked.faults, IsEmpty());
  for (const auto& [path, text] : walked.files) {
    if (!path.ends_with("lines.pgn")) continue;
    EXPECT_THAT(tests::pgn_faults(text), IsEmpty()) << path;
  }
  const auto positions = [&](const std::string& name) {
    return std::ranges::count(walked.files.at(name + ".kob/positions.epd"), '\n');
  };
  EXPECT_EQ(positions("bad_unsorted"), positions("bad_none_baseline"));
  EXPECT_EQ(positions("fullblock"), 3);
  EXPECT_THAT(walked.files.at("bad_fill_big.kob/info.txt"),
              HasSubstr("health: damaged, 1 problems\nproblem: block 0, byte 0: "));
}

// Random changed bytes: no crash, exact sizes, valid PGN.
TEST_F(BookSnapshotTest, DamagedBooksKeepInvariantsOfTree) {
  options_.patience = std::chrono::milliseconds(0);
  tests::Random random(17);
  const std::vector<std::string> files = {"small_0.kob", "small.kin", "small.ksf"};
  for (int round = 0; round < 40; ++round) {
    for (const std::string& name : files) {
      std::string bytes = fixture(name);
      if (name == "small_0.kob") bytes.resize(50 + 2048 * (1 + random.below(20)));
      for (std::size_t changes = random.below(60); changes > 0; --changes) {
        // Mostly after the header, so that the book can be opened.
        const std::size_t from = random.one_in(20) ? 0 : 50;
        bytes[from + random.below(bytes.size() - from)] = static_cast<char>(random.next());
      }
      put(source_ / name, bytes, tests::replace);
    }
    open(source_);
    const tests::WalkedTree walked = tests::walk_library(*library_);
    EXPECT_THAT(walked.faults, IsEmpty()) << round;
    const auto lines = walked.files.find("small.kob/lines.pgn");
    if (lines == walked.files.end()) continue;
    EXPECT_THAT(tests::pgn_faults(lines->second), IsEmpty()) << round;
  }
}

}  // namespace
}  // namespace scidfs::fs
