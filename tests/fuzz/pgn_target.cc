// A text of PGN: its games, found whole and in pieces, read, and stored as records.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "codec/pgn_reader/reader.h"
#include "codec/pgn_reader/scanner.h"
#include "codec/scid/game_builder.h"
#include "codec/scid/game_text.h"
#include "codec/text.h"
#include "codec/text_buffer.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/pgn_events.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"

namespace scidfs::fuzz {
namespace {

using codec::pgn_reader::FoundGame;
using codec::pgn_reader::GameScanner;

// Returns where games begin.
std::vector<std::size_t> check_whole(std::string_view text) {
  std::vector<std::size_t> begins;
  std::size_t at = 0;
  GameScanner scanner;
  while (const std::optional<FoundGame> game = scanner.next(text.substr(at), true)) {
    require(!game->text.empty() && game->text.data() == text.data() + at, "a game elsewhere");
    require(game->moves <= game->text.size(), "the moves of a game are outside of it");
    begins.push_back(at);
    at += game->text.size();
  }
  require(at == text.size(), "a text does not end with its last game");
  return begins;
}

// Gives the scanner more of the text whenever it asks for it, always from another place in memory.
void check_growing(std::string_view text, const std::vector<std::size_t>& begins) {
  std::vector<std::size_t> found;
  GameScanner scanner;
  std::size_t at = 0;
  std::size_t end = 0;
  while (at < text.size()) {
    const std::string part(text.substr(at, end - at));
    if (const std::optional<FoundGame> game = scanner.next(part, end == text.size())) {
      found.push_back(at);
      at += game->text.size();
    } else {
      require(end < text.size(), "the last game does not end");
      end = std::min(text.size(), end + 1 + end % 7);
    }
  }
  require(found == begins, "games begin elsewhere if the text comes in pieces");
}

// Reads one game after the other, in its own memory.
std::string read_alone(std::string_view text, const std::vector<std::size_t>& begins,
                       codec::CodePage page) {
  tests::PgnEvents events;
  codec::PgnReader<tests::PgnEvents> reader(events, page);
  std::uint64_t line = 1;
  for (std::size_t game = 0; game < begins.size(); ++game) {
    const std::size_t end = game + 1 < begins.size() ? begins[game + 1] : text.size();
    const std::string exact(text.substr(begins[game], end - begins[game]));
    reader.read(exact, line);
    line += static_cast<std::uint64_t>(std::ranges::count(exact, '\n'));
  }
  return events.text();
}

// Stores games as records, and shows these as PGN text. All players have the same name.
class Records : public codec::scid::GameBuilder {
 public:
  explicit Records(std::string_view text) {
    codec::PgnReader<Records> reader(*this, codec::CodePage::Windows1252);
    GameScanner scanner;
    while (const std::optional<FoundGame> game = scanner.next(text, true)) {
      reader.read(game->text, 1);
      text.remove_prefix(game->text.size());
    }
  }

  void remark(std::uint64_t, std::string_view) {}
  void end_game(codec::Result result) {
    finish(result);
    static constexpr std::string_view kName = "?                                        ";
    const std::string_view name = kName.substr(0, 1);
    codec::GameTags tags;
    tags.event = tags.site = tags.round = tags.white = tags.black = name;
    tags.result = entry().result;
    tags.chess960 = entry().chess960;
    const auto damage = text_.append(tags, {.number = 1}, record(), out_);
    require(!damage.has_value(), "a game of PGN becomes a damaged record");
  }
  std::string text() const { return std::string(out_.view()); }

 private:
  // As a database of Scid 5: records of Scid 4 need a tag for castling of Chess960.
  codec::scid::GameText text_{codec::PgnOptions(), codec::CastlingRule::Chess960};
  codec::TextBuffer out_;
};

// Returns a text with one blank between words, and one comment where there were several.
std::string joined(std::string_view text) {
  std::string folded = tests::fold_spaces(text);
  for (std::size_t at = 0; (at = folded.find("} {", at)) != std::string::npos;) {
    folded.replace(at, 3, " ");
  }
  return tests::fold_spaces(folded);
}

class PgnTarget : public Target {
 public:
  std::string_view name() const override { return "pgn"; }
  std::size_t most_bytes() const override { return 3000; }

  void check(std::string_view input) const override {
    const std::string exact(input);
    const std::vector<std::size_t> begins = check_whole(exact);
    check_growing(exact, begins);
    for (const codec::CodePage page :
         {codec::CodePage::Windows1252, codec::CodePage::Windows1251}) {
      // Throws where an event is none of chess, or contradicts the ones before.
      const std::string text = tests::events_of(exact, page).text();
      require(codec::is_utf8(tests::as_bytes(text)), "an event is no UTF-8");
      require(text.size() < 100 * (exact.size() + 10), "few bytes become many events");
      require(read_alone(exact, begins, page) == text, "a game is another one when it is alone");
    }
    const std::string stored = Records(exact).text();
    const std::string again = Records(stored).text();
    // A variant that comes after the moves is that of the whole game the next time.
    const bool has_variant = stored.find("[Variant ") != std::string::npos;
    require(has_variant || joined(again) == joined(stored),
            fmt::format("stored games change when they are stored again:\n{}\n{}", stored, again));
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds = {
        {"dialects",
         "\xEF\xBB\xBF[Event \"a \"b\" c\"][Site 'd']\n\n1. e2-e4 0-0 Ng8-f6 e8(Q) (1. d4 {x\n} "
         "$1 !? +/-) ; c\n%d\n2. Z0 -- e.p. 1-0\n[Event \"M\xFCller\"]\n[Variant \"Chess960\"]\n"
         "[FEN \"1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w GBgb - 0 1\"]\n1. O-O {[%clk 1:00]} O-O-O 1/2"},
        {"fen", "[FEN \"r1n4k/1P6/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. b8=N (1. bxa8Q+ Kh7 2. Qe4) *"}};
    for (const std::string_view stem : {"variations", "comments", "castling960", "nullmoves"}) {
      std::string text =
          tests::ScidDatabase(tests::test_data("scid4/" + std::string(stem))).render();
      text.resize(std::min(text.size(), most_bytes()));
      seeds.push_back({std::string(stem), std::move(text)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kPieces[] = {
        "[Event \"", "\"]\n",  "\n\n",     "{",       "}",      "(",           ")",
        ";",         "\n%",    "$",        "e4 ",     "Nf3 ",   "-- ",         "O-O ",
        "1-0",       "*",      "1/2",      "!?",      "e.p. ",  "e8=Q ",       "[FEN \"",
        "Ng1f3 ",    "\r\n",   "\xC3\xA9", "\xE9",    "\\\"",   "[Variant \"", "e2e4 ",
        "exd5 ",     "+-",     "\xC2\xA0", "\xA0",    "\u2026", "\u2013",      "\u203C",
        "\u2658",    " - ",    "1 - 0",    "0.5-0.5", "\n",     "[\nSite\n\"", "\"\n]",
        "($2 ",      "Nf31-0 "};
    insert_piece(kPieces, input, random, plain);
  }
};

}  // namespace

const Target& pgn_target() {
  static const PgnTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
