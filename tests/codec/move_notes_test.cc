// Evaluations, clocks and NAGs in games: held against the PGN text.
#include "codec/scid/move_notes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/notes_seek.h"
#include "tests/support/files.h"
#include "tests/support/noted_games.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;

using Eval = std::optional<std::int32_t>;
using Clock = std::optional<std::uint32_t>;
using Ply = std::optional<std::uint32_t>;

struct CommentExample {
  std::string_view comment;
  Eval eval;
  Clock clock;
};

const std::vector<CommentExample>& comment_examples() {
  static const std::vector<CommentExample> kExamples = {
      {"[%eval 0.35]", 35, {}},
      {"[%eval -2.1]", -210, {}},
      {"[%eval +2.1]", 210, {}},
      {"[%eval 2.1,18]", 210, {}},
      {"[%eval 3]", 300, {}},
      {"[%eval 3.]", 300, {}},
      {"[%eval .5]", 50, {}},
      {"[%eval -0.0]", 0, {}},
      {"[%eval 35,18]", 35, {}},  // ChessBase
      {"[%eval -135,22]", -135, {}},
      {"[%eval 9999979,30]", 10000, {}},
      {"[%eval 152.65]", 10000, {}},
      {"[%eval -152.65,3]", -10000, {}},
      {"[%eval #3]", 10000, {}},
      {"[%eval #-3]", -10000, {}},
      {"[%eval -#3,19]", -10000, {}},
      {"[%eval #+3,19]", 10000, {}},
      {"[%eval #0]", -10000, {}},  // White is to move, and mated
      {"[%clk 0:05:23]", {}, 323},
      {"[%clk 1:02:03.4]", {}, 3723},
      {"[%clk 0:00:00.9]", {}, 0},
      {"[%clk 59:59]", {}, 3599},
      {"[%clk 123:00:00]", {}, 442800},
      {"[%clk 99999999999999999999:00:00]", {}, 9999999},
      {"[%eval 0.17] [%clk 0:00:30]", 17, 30},
      {"Better is Nf3 [%csl Ra1][%clk 0:00:30] [%eval\n\t0.17,9]!", 17, 30},
      {"[%eval 1.0] [%eval 2.0]", 100, {}},
      {"[%eval x] [%eval 2.0]", 200, {}},
      {"[%eval\x01\x7F 2.0]", 200, {}},
      {"[%clk 1] [%clk 0:09]", {}, 9},
      {"[[%eval 1.0]", 100, {}},
      {"[%eval [%eval 1.0]", 100, {}},
      {"", {}, {}},
      {"0.35 0:05:23", {}, {}},
      {"[%eval0.35]", {}, {}},
      {"[%evaluation 0.35]", {}, {}},
      {"[%eval 0.35", {}, {}},
      {"[%eval 0.355]", 35, {}},
      {"[%eval -0.345]", -34, {}},
      {"[%eval 0.3499999999999999]", 34, {}},
      {"[%eval 0.35/22]", 35, {}},
      {"[%eval #-3/22 ]", -10000, {}},
      {"[%eval 0,35]", 0, {}},  // ChessBase, too
      {"[%eval +0,35]", 35, {}},
      {"[%eval -0,5]", -50, {}},
      {"[%eval 0,35,22]", 35, {}},
      {"[%eval 1,35/22]", 135, {}},
      {"[%eval 0.35,22 ]", 35, {}},
      {"[%eval ,35]", {}, {}},
      {"[%eval 0.35/]", {}, {}},
      {"[%clk 0:00:58,6]", {}, 58},
      {"[%clk 0:01:00 ]", {}, 60},
      {"[%clk 0:01:00.5\t]", {}, 60},
      {"[%clk 0:01:00 0]", {}, {}},
      {"[%eval 12345678901]", {}, {}},
      {"[%eval 0.35 ]", 35, {}},
      {"[%eval 0.35,]", {}, {}},
      {"[%eval .]", {}, {}},
      {"[%eval -]", {}, {}},
      {"[%eval #]", {}, {}},
      {"[%eval --1.0]", {}, {}},
      {"[%eval ]", {}, {}},
      {"[%eval", {}, {}},
      {"[%clk 5]", {}, {}},
      {"[%clk 1:2:3:4]", {}, {}},
      {"[%clk :05:23]", {}, {}},
      {"[%clk 0:05:]", {}, {}},
      {"[%clk -0:05:23]", {}, {}},
      {"[%clk 0.1:05]", {}, {}},
      {"[%emt 0:05:23]", {}, {}},
      {"[%Eval 0.35]", {}, {}},
      {"[%", {}, {}},
  };
  return kExamples;
}

TEST(MoveNotesTest, ReadsTheCommandsOfComments) {
  for (const auto& [comment, eval, clock] : comment_examples()) {
    const MoveNotes notes = read_notes(tests::as_bytes(comment), Color::White);
    EXPECT_EQ(notes.eval, eval) << comment;
    EXPECT_EQ(notes.clock, clock) << comment;
  }
  EXPECT_EQ(read_notes(tests::as_bytes("[%eval #0]"), Color::Black).eval, 10000);
  EXPECT_EQ(read_notes(tests::as_bytes("[%eval #-0]"), Color::Black).eval, 10000);
}

TEST(MoveNotesTest, AgreesWithPatterns) {
  constexpr std::string_view kCharacters = "0123459.,/#+-:] [%evalclk";
  Random random(3);
  std::size_t found = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string comment(comment_examples()[random.below(comment_examples().size())].comment);
    if (random.one_in(3)) {
      comment += comment_examples()[random.below(comment_examples().size())].comment;
    }
    for (std::size_t changes = random.below(3); changes != 0 && !comment.empty(); --changes) {
      const char c = kCharacters[random.below(kCharacters.size())];
      if (random.one_in(2)) {
        comment.insert(random.below(comment.size()), 1, c);
      } else {
        comment[random.below(comment.size())] = c;
      }
    }
    const Color to_move = random.one_in(2) ? Color::White : Color::Black;
    const MoveNotes notes = read_notes(tests::as_bytes(comment), to_move);
    EXPECT_EQ(notes.eval, tests::eval_by_pattern(comment, to_move)) << comment;
    EXPECT_EQ(notes.clock, tests::clock_by_pattern(comment)) << comment;
    found += notes.eval.has_value() || notes.clock.has_value() ? 1 : 0;
  }
  EXPECT_GT(found, 5000U);
}

// What a search finds, and whether the game tells enough.
struct Found {
  Ply ply;
  bool is_known = false;

  friend bool operator==(const Found&, const Found&) = default;
};
std::ostream& operator<<(std::ostream& out, const Found& found) {
  return out << (found.ply.has_value() ? std::to_string(*found.ply) : "none") << ' '
             << found.is_known;
}

template <class Seeker>
Found find(Seeker seeker, const std::string& record) {
  const Ply ply = seeker.seek(tests::as_bytes(record));
  return {.ply = ply, .is_known = ply.has_value() || seeker.is_known()};
}
Found find_note(NoteKind kind, SoughtRange values, const std::string& record) {
  return find(NoteSeeker(kind, values), record);
}

TEST(NoteSeekerTest, FindsTheFirstPosition) {
  const std::string record = ScidEncoder()
                                 .comment("[%eval 0.2] [%clk 2:00:00]")
                                 .move("e4")
                                 .comment("[%eval 0.3] [%clk 0:00:50]")
                                 .move("e5")
                                 .comment("[%eval 4.5]")
                                 .begin_variation()
                                 .move("c5")
                                 .comment("[%eval 9] [%clk 0:00:01]")
                                 .end_variation()
                                 .move("Nf3")
                                 .comment("no more [%clk 0:00:09]")
                                 .move("Nc6")
                                 .comment("[%eval 0.5,20]")
                                 .move("Bb5")
                                 .comment("[%eval #-2,20]")
                                 .record();
  struct Example {
    NoteKind kind;
    SoughtRange values;
    Ply ply;
  };
  const std::vector<Example> examples = {
      {NoteKind::Eval, {20, 20}, 0},
      {NoteKind::Eval, {21, 500}, 1},
      {NoteKind::Eval, {400, 500}, 2},
      {NoteKind::Eval, {900, 900}, std::nullopt},
      {NoteKind::Eval, {0, 19}, std::nullopt},
      {NoteKind::Eval, {-10000, -1}, 5},
      {NoteKind::Swing, {420, 420}, 2},  // Black's move
      {NoteKind::Swing, {-10, -10}, 1},  // White's move gained that
      {NoteKind::Swing, {400, 419}, std::nullopt},
      {NoteKind::Swing, {-1000, -11}, std::nullopt},  // nothing is known at Nf3
      {NoteKind::Swing, {10050, 20000}, 5},
      {NoteKind::Clock, {0, 10}, 3},
      {NoteKind::Clock, {0, 50}, 1},
      {NoteKind::Clock, {7200, 7200}, 0},
      {NoteKind::Clock, {1, 1}, std::nullopt},
  };
  for (const auto& [kind, values, ply] : examples) {
    const Found expected = {.ply = ply, .is_known = true};
    EXPECT_EQ(find_note(kind, values, record), expected)
        << static_cast<int>(kind) << ' ' << values.first << ' ' << values.last;
  }
}

TEST(NoteSeekerTest, DoesNotKnowWithoutNotes) {
  constexpr SoughtRange kNone = {1, 0};
  const std::string one = ScidEncoder().move("e4").comment("[%eval 0.3]").moves("e5 d4").record();
  EXPECT_TRUE(find_note(NoteKind::Eval, kNone, one).is_known);
  EXPECT_FALSE(find_note(NoteKind::Swing, kNone, one).is_known);
  EXPECT_FALSE(find_note(NoteKind::Clock, kNone, one).is_known);
  const std::string gap = ScidEncoder()
                              .move("e4")
                              .comment("[%eval 0.3]")
                              .moves("e5 d4")
                              .comment("[%eval 0.3]")
                              .record();
  EXPECT_FALSE(find_note(NoteKind::Swing, kNone, gap).is_known);
  const std::string elsewhere = ScidEncoder()
                                    .move("e4")
                                    .comment("[%eval ?]")
                                    .begin_variation()
                                    .move("d4")
                                    .comment("[%eval 0.3]")
                                    .end_variation()
                                    .record();
  EXPECT_FALSE(find_note(NoteKind::Eval, kNone, elsewhere).is_known);
  EXPECT_FALSE(find_note(NoteKind::Eval, kNone, "").is_known);
}

TEST(NagSeekerTest, FindsTheFirstPosition) {
  const std::string record = ScidEncoder()
                                 .nag(9)  // of no move
                                 .moves("e4 e5")
                                 .nag(1)
                                 .nag(4)  // replaces the 1
                                 .begin_variation()
                                 .move("c5")
                                 .nag(6)
                                 .begin_variation()
                                 .move("c6")
                                 .nag(5)
                                 .end_variation()
                                 .nag(20)
                                 .end_variation()
                                 .nag(22)
                                 .move("Nf3")
                                 .nag(6)
                                 .nag(11)
                                 .record();
  const std::vector<std::pair<SoughtRange, Ply>> examples = {{{9, 9}, std::nullopt},
                                                             {{1, 1}, std::nullopt},
                                                             {{4, 4}, 2},
                                                             {{6, 6}, 1},
                                                             {{5, 5}, 1},
                                                             {{20, 20}, 1},
                                                             {{22, 22}, 2},
                                                             {{7, 15}, 3},
                                                             {{1, 255}, 1},
                                                             {{23, 255}, std::nullopt}};
  for (const auto& [nags, ply] : examples) {
    const Found expected = {.ply = ply, .is_known = true};
    EXPECT_EQ(find(NagSeeker(nags), record), expected) << nags.first;
  }
}

SoughtRange random_range(Random& random, const std::vector<std::int64_t>& known) {
  if (known.empty()) return {-100, 100};
  const std::int64_t value = known[random.below(known.size())];
  if (random.one_in(3)) return {value, value};
  return {value + 1, value + 1 + static_cast<std::int64_t>(random.below(500))};
}

TEST(NoteSeekerTest, AgreesWithThePgnText) {
  Random random(5);
  std::array<std::size_t, 3> verdicts{};  // met, not met, unknown
  for (int i = 0; i < 4000; ++i) {
    std::string record = tests::noted_record(random, random.below(20));
    if (random.one_in(5)) tests::flip_bit(record, random);
    if (random.one_in(20)) record.resize(record.size() - random.below(record.size()));
    const tests::RenderedGame game = tests::render_record(record);
    const tests::ShownNotes shown = tests::shown_notes(game.text);
    const auto compare = [&](NoteKind kind, const tests::ShownNotes::Values& values) {
      const std::vector<std::int64_t> known = tests::known_of(values);
      const SoughtRange range = random_range(random, known);
      const Ply ply = tests::first_in(values, range.first, range.last);
      const Found expected{.ply = ply, .is_known = !known.empty()};
      EXPECT_EQ(find_note(kind, range, record), expected) << i;
      ++verdicts.at(ply.has_value() ? 0 : expected.is_known ? 1 : 2);
    };
    compare(NoteKind::Eval, shown.evals());
    compare(NoteKind::Swing, shown.swings());
    compare(NoteKind::Clock, shown.clocks());
    std::vector<std::int64_t> nags;
    for (const auto& [ply, nag] : shown.nags) nags.push_back(nag);
    const SoughtRange range = random_range(random, nags);
    Ply expected;
    for (const auto& [ply, nag] : shown.nags) {
      if (range.contains(nag)) expected = std::min(expected.value_or(ply), ply);
    }
    const Found found = find(NagSeeker(range), record);
    EXPECT_EQ(found.ply, expected) << i;
    EXPECT_TRUE(found.is_known || game.damage.has_value()) << i;
  }
  for (const std::size_t count : verdicts) EXPECT_GT(count, 1000U);
}

// The damage that only the text has makes a game unknown.
TEST(NagSeekerTest, DoesNotKnowBehindTooManyNags) {
  ScidEncoder game;
  game.move("e4");
  for (std::uint8_t nag = 30; nag < 38; ++nag) game.nag(nag);
  const std::string record = game.move("e5").nag(4).record();
  const Found met = {.ply = 1, .is_known = true};
  const Found unknown = {.ply = {}, .is_known = false};
  EXPECT_EQ(find(NagSeeker({36, 36}), record), met);
  EXPECT_EQ(find(NagSeeker({4, 4}), record), unknown);
  EXPECT_EQ(find(NagSeeker({5, 5}), record), unknown);
}

}  // namespace
}  // namespace scidfs::codec::scid
