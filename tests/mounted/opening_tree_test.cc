// tree/ of sets of games: names of moves, which moves are listed, and which games are counted.
#include <dirent.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "tests/mounted/index_table.h"
#include "tests/mounted/mounted.h"
#include "tests/mounted/played_positions.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

constexpr std::array<const char*, 3> kFiles = {"moves.txt", "moves.tsv", "board.txt"};

// Names as the kernel lists them, without "." and "..".
std::vector<std::string> listed_in(const filesystem::path& directory) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  if (stream == nullptr) {
    ADD_FAILURE() << directory << ": " << std::strerror(errno);
    return names;
  }
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  return names;
}

// The moves of a moves.tsv with their numbers of games, in its order.
struct CountedMove {
  std::string san;
  std::string uci;
  unsigned games = 0;
};

std::vector<CountedMove> moves_in(const std::string& table) {
  std::vector<CountedMove> moves;
  std::istringstream in(table);
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    CountedMove move;
    fields >> move.san >> move.uci >> move.games;
    moves.push_back(move);
  }
  return moves;
}

std::set<std::string> lines_of(const filesystem::path& index) {
  std::set<std::string> lines;
  std::istringstream in(read_all(index));
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) lines.insert(line);
  return lines;
}

std::set<std::string> common(const std::set<std::string>& one, const std::set<std::string>& other) {
  std::set<std::string> both;
  std::ranges::set_intersection(one, other, std::inserter(both, both.end()));
  return both;
}

bool is_missing(const filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) != 0 && errno == ENOENT;
}

// Walks all that tree/ lists, and checks the rule.
class ListedTree {
 public:
  explicit ListedTree(const filesystem::path& tree) { visit(tree); }

  std::size_t directories() const { return directories_; }
  unsigned deepest() const { return deepest_; }
  // The least number of games of a listed line.
  unsigned fewest() const { return fewest_; }
  // The greatest number of games of a line that is not listed for lack of room.
  unsigned most_left_out() const { return most_left_out_; }

 private:
  struct Visited {
    filesystem::path path;
    unsigned depth;
  };

  void visit(const filesystem::path& tree) {
    root_games_ = lines_of(tree / "index.tsv").size();
    std::deque<Visited> queue = {{tree, 0}};
    for (; !queue.empty() && !testing::Test::HasFatalFailure(); queue.pop_front()) {
      visit_one(queue.front(), queue);
    }
  }
  void visit_one(const Visited& directory, std::deque<Visited>& queue) {
    SCOPED_TRACE(directory.path);
    ++directories_;
    deepest_ = std::max(deepest_, directory.depth);
    const std::vector<std::string> names = listed_in(directory.path);
    ASSERT_GE(names.size(), kFiles.size());
    for (std::size_t i = 0; i < kFiles.size(); ++i) {
      EXPECT_EQ(names[i], kFiles[i]);
      struct stat status {};
      ASSERT_EQ(::stat((directory.path / names[i]).c_str(), &status), 0) << std::strerror(errno);
      EXPECT_EQ(read_all(directory.path / names[i]).size(),
                static_cast<std::size_t>(status.st_size))
          << names[i];
    }
    const std::vector<std::string> children(names.begin() + kFiles.size(), names.end());
    // Listed moves were played often enough, and are sorted by number of games.
    std::vector<std::string> often;
    constexpr unsigned kMostPlies = 12;
    for (const CountedMove& move : moves_in(read_all(directory.path / "moves.tsv"))) {
      if (move.games * 100UL < root_games_ || directory.depth == kMostPlies) continue;
      often.push_back(move.san);
      const bool is_listed = std::ranges::find(children, move.san) != children.end();
      if (is_listed) {
        fewest_ = std::min(fewest_, move.games);
      } else {
        most_left_out_ = std::max(most_left_out_, move.games);
      }
    }
    ASSERT_LE(children.size(), often.size());
    often.resize(children.size());
    EXPECT_EQ(children, often);
    for (const std::string& name : children) {
      EXPECT_TRUE(filesystem::is_directory(directory.path / name)) << name;
      queue.push_back({directory.path / name, directory.depth + 1});
    }
  }

  std::size_t root_games_ = 0;
  std::size_t directories_ = 0;
  unsigned deepest_ = 0;
  unsigned fewest_ = ~0U;
  unsigned most_left_out_ = 0;
};

// The limits of a listing.
void expect_rule(const ListedTree& tree) {
  constexpr std::size_t kMostLines = 1000;
  EXPECT_LE(tree.directories(), kMostLines + 1);
  EXPECT_LE(tree.deepest(), 12U);
  if (tree.directories() < kMostLines) {
    EXPECT_EQ(tree.most_left_out(), 0U) << "there was room for it";
  } else {
    EXPECT_LE(tree.most_left_out(), tree.fewest());
  }
}

class OpeningTreeTest : public SampleTest {
 protected:
  // All files that distinguish positions: equal in each directory of the same position.
  std::string contents(const filesystem::path& directory) const {
    return read_all(directory / "moves.tsv") + read_all(directory / "board.txt") +
           read_all(directory / "index.tsv");
  }
  filesystem::path at(const std::string& path) const { return *mount_ / path; }
};

TEST_F(OpeningTreeTest, ListsFrequentMoves) {
  const ListedTree tree(at("tree"));
  expect_rule(tree);
  EXPECT_GT(tree.directories(), 20U);
  RecordProperty("directories", static_cast<int>(tree.directories()));
  for (const char* const path : {"search/result=1-0/tree", "eco/B/tree", "tree/e4/tree"}) {
    SCOPED_TRACE(path);
    expect_rule(ListedTree(at(path)));
  }
}

TEST_F(OpeningTreeTest, IsListedOnlyInTheDatabase) {
  EXPECT_THAT(names_in(mount_->path()), IsSupersetOf({"tree", "positions"}));
  EXPECT_THAT(names_in(at("positions")), ElementsAre("README.txt"));
  for (const char* const path : {"eco/B", "search", "search/eco=B", "years"}) {
    EXPECT_THAT(names_in(at(path)), Not(Contains("tree"))) << path;
    EXPECT_THAT(names_in(at(path)), Not(Contains("positions"))) << path;
  }
}

TEST_F(OpeningTreeTest, ListsFrequentMovesOfLargeDatabases) {
  const filesystem::path folder = filesystem::path(shared_folder()) / "data";
  if (!filesystem::exists(folder / "masters.si4")) {
    GTEST_SKIP() << "the shared databases are not here";
  }
  for (const char* const name : {"masters.si4", "annotated.si4"}) {
    SCOPED_TRACE(name);
    const Mount mount({.source = folder / name});
    ASSERT_TRUE(mount.ok());
    const ListedTree tree(mount / "tree");
    expect_rule(tree);
    EXPECT_GT(tree.directories(), 50U);
    RecordProperty(std::string("directories_") + name, static_cast<int>(tree.directories()));
  }
}

TEST_F(OpeningTreeTest, AcceptsManyNamesOfMoves) {
  struct Names {
    const char* before;
    std::vector<const char*> moves;
  };
  const std::vector<Names> all = {
      {"tree/e4/e5", {"Nf3", "Ngf3", "Ng1f3", "g1f3", "Nf3!", "Nf3?!", "Nf3+", "Nf3#", "G1F3"}},
      {"tree/e4/c5/Nf3/d6/d4/cxd4", {"Nxd4", "Nfxd4", "Nd4", "f3d4", "Nf3xd4", "Nf3-d4"}},
      {"tree/e4/e5/Nf3/Nc6/Bb5/a6/Ba4/Nf6", {"O-O", "0-0", "e1g1", "O-O!?", "0-0+", "o-o"}},
      {"tree/e4/d5", {"exd5", "ed5", "exd5!!", "e4d5", "e4xd5", "ed"}},
      {"positions/4k3-P7-8-8-8-8-8-4K3_w",
       {"a8=Q", "a8Q", "a8=Q+", "a8Q+!", "a7a8q", "a8(Q)", "a7-a8=Q+", "a8=q"}},
      {"positions/4k3-P7-8-8-8-8-8-4K3_w", {"a8=N", "a8N", "a7a8n"}},
      {"positions/r1bqkb1r-pppp1ppp-2n2n2-4p2Q-2B1P3-8-PPPP1PPP-RNB1K1NR_w",
       {"Qxf7#", "Qxf7", "Qxf7+", "Qf7", "h5f7", "Qxf7#!!", "Qxf7mate"}},
  };
  for (const Names& names : all) {
    SCOPED_TRACE(names.before);
    const std::string expected = contents(at(names.before) / names.moves.front());
    // The first one must be understood; of the others, those that are give the same.
    std::size_t understood = 0;
    for (const char* const move : names.moves) {
      if (is_missing(at(names.before) / move)) continue;
      ++understood;
      EXPECT_EQ(contents(at(names.before) / move), expected) << move;
    }
    RecordProperty(names.before, static_cast<int>(understood));
    EXPECT_GE(understood, 3U);
  }
  for (const char* const path :
       {"tree/e4/e5/Ngf3", "tree/e4/e5/g1f3", "tree/e4/e5/Nf3!", "tree/e4/e5/Nf3+",
        "tree/e4/e5/Nf3/Nc6/Bb5/a6/Ba4/Nf6/0-0", "tree/e4/e5/Nf3/Nc6/Bb5/a6/Ba4/Nf6/e1g1",
        "positions/4k3-P7-8-8-8-8-8-4K3_w/a8Q", "positions/4k3-P7-8-8-8-8-8-4K3_w/a8=Q+",
        "positions/4k3-P7-8-8-8-8-8-4K3_w/a7a8q",
        "positions/r1bqkb1r-pppp1ppp-2n2n2-4p2Q-2B1P3-8-PPPP1PPP-RNB1K1NR_w/Qxf7"}) {
    EXPECT_TRUE(filesystem::is_directory(at(path))) << path;
  }
}

// Follows games of the sample: each move by its own name, by that of engines and by its two
// squares.
TEST_F(OpeningTreeTest, FollowsWholeGames) {
  const IndexTable index(read_all(at("index.tsv")));
  const PlayedSet set{.directory = mount_->path(), .index = &index};
  Random random(1);
  for (unsigned i = 0; i < 10; ++i) {
    const IndexLine& game = index.lines()[random.below(index.lines().size())];
    const std::string text = read_all(set.epd(game));
    const std::vector<EpdLine> lines = epd_lines(text);
    if (lines.size() < 2) continue;
    constexpr std::size_t kMostPlies = 60;
    filesystem::path directory =
        at("positions") / position_directory(random.one_in(2) ? lines[0].board : lines[0].fields);
    std::set<std::string_view> seen;
    for (std::size_t ply = 0; ply + 1 < std::min(lines.size(), kMostPlies); ++ply) {
      SCOPED_TRACE(directory);
      ASSERT_FALSE(is_missing(directory));
      const std::string san(lines[ply].move);
      if (san == "--") break;
      std::string name = san;
      // A game counts with the move that it plays the first time.
      if (seen.insert(lines[ply].board).second) {
        const std::vector<CountedMove> moves = moves_in(read_all(directory / "moves.tsv"));
        const auto move = std::ranges::find(moves, san, &CountedMove::san);
        ASSERT_TRUE(move != moves.end()) << san;
        if (random.one_in(2)) name = move->uci;
        EXPECT_EQ(read_all(directory / move->uci / "moves.tsv"),
                  read_all(directory / move->san / "moves.tsv"));
      }
      EXPECT_THAT(lines_of(directory / name / "index.tsv"),
                  Contains(std::string(game.text.substr(0, game.text.size() - 1))));
      directory /= name;
    }
    EXPECT_FALSE(lines_of(directory / "index.tsv").empty());
  }
}

TEST_F(OpeningTreeTest, TranspositionsAreOnePosition) {
  const std::string expected = contents(at("tree/d4/Nf6/c4/e6"));
  EXPECT_GT(lines_of(at("tree/d4/Nf6/c4/e6/index.tsv")).size(), 1U);
  for (const char* const path : {"tree/c4/e6/d4/Nf6", "tree/d4/e6/c4/Nf6", "tree/c4/Nf6/d4/e6"}) {
    EXPECT_EQ(contents(at(path)), expected) << path;
  }
}

TEST_F(OpeningTreeTest, RefusesIllegalMoves) {
  for (const char* const path :
       {"tree/e5", "tree/Ke2", "tree/Nd4", "tree/0-0", "tree/e4/e4", "tree/e4/e5/Bb5/Ke7/O-O",
        "tree/e9", "tree/i4", "tree/nonsense", "tree/e4.txt", "tree/.git", "tree/e2e5", "tree/a8=Q",
        "positions/4k3-8-8-8-8-8-4r3-4K3_w/Kf2", "positions/4k3-P7-8-8-8-8-8-4K3_w/a8",
        "positions/4k3-P7-8-8-8-8-8-4K3_w/a8=K"}) {
    EXPECT_TRUE(is_missing(at(path))) << path;
  }
  // Two knights can move there.
  EXPECT_TRUE(is_missing(at("positions/4k3-8-8-8-8-2N3N1-8-4K3_w/Ne4")));
  EXPECT_FALSE(is_missing(at("positions/4k3-8-8-8-8-2N3N1-8-4K3_w/Nce4")));
}

TEST_F(OpeningTreeTest, CountsGamesOfItsSet) {
  const std::string player = "players/ca/Carlsen,_Magnus";
  const std::string reti = position_directory("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b");
  const std::vector<std::string> sets = {player,
                                         player + "/white",
                                         player + "/black",
                                         "eco/B",
                                         "eco/B/B90",
                                         "years/2018",
                                         "search/result=1-0",
                                         "search/elo=2600..",
                                         "search/result=1-0/plies=..60",
                                         "tree/d4",
                                         "tree/e4/tree/c4",
                                         "positions/" + reti,
                                         "tree/e4/search/result=1-0"};
  for (const char* const suffix : {"", "/e4", "/e4/c5", "/d4/Nf6", "/e4/e5/Nf3"}) {
    const std::string line = suffix;
    const std::set<std::string> all = lines_of(at("tree" + line + "/index.tsv"));
    EXPECT_FALSE(all.empty()) << line;
    for (const std::string& set : sets) {
      if (is_missing(at(set))) continue;
      SCOPED_TRACE(set + "/tree" + line);
      const std::set<std::string> games = common(lines_of(at(set + "/index.tsv")), all);
      EXPECT_EQ(lines_of(at(set + "/tree" + line + "/index.tsv")), games);
      // The sum of games by move, and those that ended.
      std::size_t played = 0;
      for (const CountedMove& move : moves_in(read_all(at(set + "/tree" + line + "/moves.tsv")))) {
        played += move.games;
      }
      EXPECT_LE(played, games.size());
    }
  }
}

TEST_F(OpeningTreeTest, CanBeCombinedWithSearches) {
  for (const char* const facet : {"result=1-0", "eco=C", "elo=2600.."}) {
    EXPECT_EQ(lines_of(at(fmt::format("tree/e4/search/{}/index.tsv", facet))),
              lines_of(at(fmt::format("search/{}/tree/e4/index.tsv", facet))))
        << facet;
  }
  EXPECT_EQ(lines_of(at("tree/e4/tree/d4/index.tsv")),
            common(lines_of(at("tree/e4/index.tsv")), lines_of(at("tree/d4/index.tsv"))));
  EXPECT_THAT(names_in(at("tree/e4/search")), Contains("README.txt"));
  for (const char* const name :
       {"games.pgn", "index.tsv", "summary.txt", "players.tsv", "openings.tsv", "c5.pgn"}) {
    const filesystem::path file = at("tree/e4/c5") / name;
    EXPECT_EQ(read_all(file).size(), filesystem::file_size(file)) << name;
    EXPECT_THAT(names_in(at("tree/e4/c5")), Not(Contains(name)));
  }
  EXPECT_EQ(cut_games(read_all(at("tree/e4/c5/games.pgn"))).size(),
            lines_of(at("tree/e4/c5/index.tsv")).size());
}

TEST_F(OpeningTreeTest, LinesMatchBeginningsOfGames) {
  const IndexTable index(read_all(at("index.tsv")));
  const PlayedSet set{.directory = mount_->path(), .index = &index};
  const std::vector<std::string> lines = {
      "e4",        "e4,c5,Nf3", "d4,Nf6,c4,e6", "c4,e6,d4,Nf6", "e4,e5,Nf3,Nc6,Bb5,a6,Ba4,Nf6,O-O",
      "Nf3,d5,g3", "h4,h5"};
  std::map<std::string, std::set<std::string>> expected;
  for (const IndexLine& game : index.lines()) {
    const std::string text = read_all(set.epd(game));
    const std::vector<EpdLine> positions = epd_lines(text);
    if (positions.empty() ||
        positions[0].board != "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w") {
      continue;
    }
    std::string played;
    for (const EpdLine& position : positions) played.append(position.move).append(",");
    for (const std::string& line : lines) {
      if (!played.starts_with(line + ",")) continue;
      expected[line].emplace(game.text.substr(0, game.text.size() - 1));
    }
  }
  EXPECT_GT(expected["e4,c5,Nf3"].size(), 1U);
  for (const std::string& line : lines) {
    EXPECT_EQ(lines_of(at("search/line=" + line + "/index.tsv")), expected[line]) << line;
  }
}

// "KRPvKR" of a board, with pieces in that order.
std::string material_of(std::string_view board) {
  std::string white;
  std::string black;
  for (const char c : std::string_view("KQRBNP")) {
    const auto count = [&](char piece) {
      return static_cast<std::size_t>(std::ranges::count(board.substr(0, board.find(' ')), piece));
    };
    white.append(count(c), c);
    black.append(count(static_cast<char>(c - 'A' + 'a')), c);
  }
  return white + "v" + black;
}

TEST_F(OpeningTreeTest, MaterialMustLastForTwoPlies) {
  const IndexTable index(read_all(at("index.tsv")));
  const PlayedSet set{.directory = mount_->path(), .index = &index};
  const std::string all = "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP";
  std::map<std::string, std::set<std::string>> expected = {
      {"KRPvKR", {}},   {"KPvK", {}}, {"KQvK", {}},
      {"KRPPvKRP", {}}, {all, {}},    {"KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPP", {}}};
  for (const IndexLine& game : index.lines()) {
    const std::string text = read_all(set.epd(game));
    std::string before;
    for (const EpdLine& position : epd_lines(text)) {
      const std::string material = material_of(position.board);
      if (material == before) {
        const std::size_t middle = material.find('v');
        const std::string other = material.substr(middle + 1) + "v" + material.substr(0, middle);
        for (const std::string& name : {material, other}) {
          if (const auto found = expected.find(name); found != expected.end()) {
            found->second.emplace(game.text.substr(0, game.text.size() - 1));
          }
        }
      }
      before = material;
    }
  }
  EXPECT_GT(expected[all].size(), 100U);
  for (const auto& [name, games] : expected) {
    EXPECT_EQ(lines_of(at("search/reached=" + name + "/index.tsv")), games) << name;
  }
}

TEST_F(OpeningTreeTest, ReportsInvalidPositions) {
  for (const char* const name :
       {"nothing", "8-8-8-8-8-8-8-8_w", "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR",
        "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP_w", "4k3-8-8-8-8-8-8-4K3_x", "4k3-8-8-8-8-8-8-4K3_w_-",
        "4k3-8-8-8-8-8-8-4K3_w_-_-_0_1_2"}) {
    EXPECT_TRUE(is_missing(at("positions") / name)) << name;
  }
  // The same text is shown for a second.
  ::usleep(1'100'000);
  const std::string status = read_all(at("status.txt"));
  for (const char* const name :
       {"nothing", "8-8-8-8-8-8-8-8_w", "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR",
        "4k3-8-8-8-8-8-8-4K3_x", "4k3-8-8-8-8-8-8-4K3_w_-"}) {
    EXPECT_THAT(status, HasSubstr(fmt::format("no position: {}: ", name)));
  }
}

// In files of any kind.
TEST(OpeningTreeFormatsTest, WorksInArchivesAndOtherFormats) {
  const TemporaryFolder folder;
  const filesystem::path pack = filesystem::path(scidfs_binary()).parent_path() / "scidfs-pack";
  run_ok(
      fmt::format("{} {} -o {}", word(pack), word(sample_database()), word(folder / "sample.scv")));
  const Mount packed({.source = folder.path()});
  const Mount plain({.source = test_data("")});
  ASSERT_TRUE(packed.ok() && plain.ok());
  const filesystem::path archived = packed / "sample.scv/sample.si4";
  const filesystem::path sample = plain / "sample/sample.si4";
  for (const char* const path : {"tree", "tree/e4/c5", "eco/B/tree/e4"}) {
    EXPECT_EQ(names_in(archived / path), names_in(sample / path)) << path;
    for (const char* const name : {"moves.txt", "moves.tsv", "board.txt", "index.tsv"}) {
      EXPECT_EQ(read_all(archived / path / name), read_all(sample / path / name)) << path;
    }
  }
  for (const char* const name : {"scid3/endings.si3", "scid5/chess960.si5", "scid4/fen.si4"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(names_in(plain / name), IsSupersetOf({"tree", "positions"}));
    expect_rule(ListedTree(plain / name / "tree"));
  }
}

}  // namespace
}  // namespace scidfs::tests
