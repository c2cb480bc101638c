// Records that are decoded and encoded again keep their bytes; games in the order of PGN become
// what Scid makes of them.
#include "codec/scid/record_encoder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/san.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidDatabase;
using tests::ScidEncoder;

// Gives a walk to an encoder.
class Encoding {
 public:
  Encoding(RecordEncoder& encoder, bool is_standard, CommentTexts texts)
      : encoder_(encoder), is_standard_(is_standard), texts_(texts) {}

  void start(const Position& position) { encoder_.start(position, is_standard_); }
  template <Color>
  void move(const Position& after, const Move& move) {
    encoder_.move(move, after);
  }
  std::string_view nag(std::uint8_t value) {
    encoder_.nag(value);
    return {};
  }
  std::string_view comment() {
    const std::optional<Bytes> text = texts_.next();
    if (!text.has_value()) return "no text";
    encoder_.comment(as_text(*text));
    return {};
  }
  void begin_variation(const Position&) { encoder_.open_variation(); }
  void end_variation(const Position&) { encoder_.close_variation(); }
  void end(const Position&) {}

 private:
  RecordEncoder& encoder_;
  const bool is_standard_;
  CommentTexts texts_;
};

// Returns the bytes of a record that has been decoded and encoded again; nothing if it is damaged.
std::optional<std::string> encode_again(Bytes record, RecordEncoder& encoder,
                                        CastlingRule rule = CastlingRule::Standard) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  if (parse_record_head(record, tags, head, rule).has_value()) return std::nullopt;
  encoder.begin();
  for (const ExtraTag& tag : tags) encoder.tag(tag.name, as_text(tag.value));
  Encoding encoding(encoder, !head.fen.has_value(), CommentTexts(record, head.moves_offset));
  Walker walker;
  if (walker.walk(record, head, encoding).has_value()) return std::nullopt;
  return std::string(as_text(encoder.end()));
}

TEST(RecordEncoder, AgreesWithTheEncoderOfTheTests) {
  Random random(1);
  RecordEncoder encoder;
  for (int round = 0; round < 400; ++round) {
    tests::RandomGameOptions options{.plies = 80};
    if (round % 3 == 1) options.fen = tests::random_fen(random);
    if (round % 3 == 2) {
      options.fen = tests::example_fens()[random.below(tests::example_fens().size())];
    }
    // FENs of examples are written anew.
    if (!options.fen.empty()) options.fen = Position::from_fen(options.fen)->fen();
    const std::string record = tests::random_game(random, options).record();
    ASSERT_EQ(encode_again(tests::as_bytes(record), encoder), record) << round;
  }
}

TEST(RecordEncoder, KnowsTheFactsOfAGame) {
  Random random(2);
  RecordEncoder encoder;
  for (int round = 0; round < 100; ++round) {
    const std::string record = tests::random_game(random).record();
    ASSERT_TRUE(encode_again(tests::as_bytes(record), encoder).has_value());
    const GameFacts facts = encoder.facts();
    const GameFacts expected = tests::facts_of_record(tests::as_bytes(record)).value();
    EXPECT_EQ(disagreements(tests::entry_of_facts(expected), facts) &
                  ~(1U << static_cast<unsigned>(IndexField::Plies) |
                    1U << static_cast<unsigned>(IndexField::Variations) |
                    1U << static_cast<unsigned>(IndexField::Comments) |
                    1U << static_cast<unsigned>(IndexField::Nags)),
              0u);
    EXPECT_EQ(facts.plies, expected.plies);
    EXPECT_EQ(facts.variations, expected.variations);
    EXPECT_EQ(facts.comments, expected.comments);
    EXPECT_EQ(facts.nags, expected.nags);
  }
}

// Encodes each game of a database again. Returns how many games there are, how many of them are
// damaged, and the games that get other bytes, with the first that differs.
struct Outcome {
  std::size_t games = 0, damaged = 0;
  std::vector<std::string> different;
};
Outcome encode_all(const std::string& prefix, std::string_view suffix) {
  const ScidDatabase database(prefix, suffix);
  RecordEncoder encoder;
  Outcome outcome;
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const std::optional<Bytes> record = database.record(game);
    if (!record.has_value()) continue;
    ++outcome.games;
    const auto bytes = encode_again(*record, encoder, database.format().castling);
    if (!bytes.has_value()) {
      ++outcome.damaged;
      continue;
    }
    const std::string_view stored = as_text(*record);
    if (*bytes == stored) continue;
    const auto at = std::ranges::mismatch(*bytes, stored).in2 - stored.begin();
    outcome.different.push_back(
        fmt::format("game {}, byte {}: {:02X}", game + 1, at,
                    at < static_cast<std::ptrdiff_t>(stored.size())
                        ? static_cast<unsigned char>(stored[static_cast<std::size_t>(at)])
                        : 0));
  }
  return outcome;
}

TEST(RecordEncoder, WritesTheBytesOfScid) {
  std::size_t games = 0;
  for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
    const Outcome outcome = encode_all(tests::test_data("scid4/" + stem), ".si4");
    games += outcome.games;
    EXPECT_EQ(outcome.damaged, 0u) << stem;
    EXPECT_THAT(outcome.different, testing::IsEmpty()) << stem;
  }
  EXPECT_GT(games, 700u);
}

TEST(RecordEncoder, WritesTheBytesOfScid5) {
  std::size_t games = 0;
  for (const std::string& stem : tests::stems_in("scid5", ".si5")) {
    const Outcome outcome = encode_all(tests::test_data("scid5/" + stem), ".si5");
    games += outcome.games;
    EXPECT_THAT(outcome.different, testing::IsEmpty()) << stem;
  }
  EXPECT_GT(games, 10u);
}

TEST(RecordEncoder, WritesTheBytesOfLargeDatabases) {
  namespace stdfs = std::filesystem;
  const stdfs::path folder = stdfs::path(tests::shared_folder()) / "data";
  if (!stdfs::exists(folder)) GTEST_SKIP() << "no shared data";
  // Records that tell of promotions which their games do not have: other versions of Scid.
  const std::map<std::string, std::vector<std::string>> exceptions = {
      {"svpc_endings", {"game 12, byte 7: 07"}}, {"svpc_matein1", {"game 8, byte 7: 03"}}};
  std::size_t games = 0;
  for (const auto& entry : stdfs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".si4") continue;
    const std::string stem = entry.path().stem();
    const Outcome outcome = encode_all((entry.path().parent_path() / stem).string(), ".si4");
    games += outcome.games;
    EXPECT_EQ(outcome.damaged, stem == "scinc_broken" ? 2u : 0u) << stem;
    const auto known = exceptions.find(stem);
    EXPECT_EQ(outcome.different,
              known == exceptions.end() ? std::vector<std::string>() : known->second)
        << stem;
  }
  EXPECT_GT(games, 100'000u);
}

// Adds notes in an order in which PGN may have them, but Scid does not.
using Steps = std::function<void(RecordEncoder&, const std::function<void(std::string_view)>&)>;

std::string encode(const Steps& steps) {
  RecordEncoder encoder;
  encoder.begin();
  Position position;
  encoder.start(position, true);
  steps(encoder, [&](std::string_view san) {
    const Move move = parse_san(position, san).value();
    position.make(move);
    encoder.move(move, position);
  });
  return std::string(as_text(encoder.end()));
}

TEST(RecordEncoder, PutsNotesInTheOrderOfScid) {
  const std::string notes_first = ScidEncoder()
                                      .move("e4")
                                      .nag(1)
                                      .nag(36)
                                      .comment("one two")
                                      .begin_variation()
                                      .comment("start")
                                      .move("d4")
                                      .comment("end")
                                      .end_variation()
                                      .move("e5")
                                      .comment("late")
                                      .begin_variation()
                                      .move("c5")
                                      .end_variation()
                                      .record();
  EXPECT_EQ(encode([](RecordEncoder& game, const auto& play) {
              play("e4");
              game.comment("one");
              game.nag(36);
              game.open_variation();
              game.comment("start");
              const Position start;
              Position after = start;
              const Move move = parse_san(start, "d4").value();
              after.make(move);
              game.move(move, after);
              game.comment("");
              game.comment("end");
              game.close_variation();
              game.nag(1);
              game.comment("two");
              play("e5");
              game.open_variation();
              Position other = Position();
              other.make(parse_san(other, "e4").value());
              const Move reply = parse_san(other, "c5").value();
              other.make(reply);
              game.move(reply, other);
              game.close_variation();
              game.comment("late");
            }),
            notes_first);
}

TEST(RecordEncoder, FollowsTheRulesOfScidForNags) {
  const auto nags = [](std::vector<std::uint8_t> values) {
    return encode([&](RecordEncoder& game, const auto& play) {
      game.nag(5);  // before any move
      play("e4");
      for (const std::uint8_t value : values) game.nag(value);
    });
  };
  EXPECT_EQ(nags({14, 0, 3}), ScidEncoder().move("e4").nag(3).nag(14).record());
  EXPECT_EQ(nags({14, 16, 2, 1}), ScidEncoder().move("e4").nag(1).nag(16).record());
  ScidEncoder seven;
  seven.move("e4");
  for (std::uint8_t nag = 30; nag < 37; ++nag) seven.nag(nag);
  EXPECT_EQ(nags({30, 31, 32, 33, 34, 35, 36, 37}), seven.record());
}

TEST(RecordEncoder, KeepsToTheLimitsOfRecords) {
  const std::string longest(kMaxRecordSize - 6, 'x');  // besides two ends, flags, e4, mark and NUL
  const auto commented = [](const std::string& text) {
    return encode([&](RecordEncoder& game, const auto& play) {
      play("e4");
      game.comment(text);
      // Nothing of a game that has become too long may be read or written.
      game.open_variation();
      game.close_variation();
    });
  };
  EXPECT_EQ(commented(longest.substr(2)).size(), kMaxRecordSize);
  EXPECT_EQ(commented(longest.substr(1)), "");
  EXPECT_EQ(commented(longest + longest), "");

  RecordEncoder encoder;
  encoder.begin();
  EXPECT_TRUE(encoder.tag("A", std::string(255, 'v')));
  EXPECT_FALSE(encoder.tag("B", std::string(254, 'v') + "\u00e4"));
  EXPECT_FALSE(encoder.tag("", "v"));
  EXPECT_FALSE(encoder.tag(std::string(241, 'n'), "v"));
  EXPECT_TRUE(encoder.tag("PlyCount", "7"));
  encoder.start(Position(), true);
  EXPECT_EQ(as_text(encoder.end()), ScidEncoder()
                                        .tag("A", std::string(255, 'v'))
                                        .tag("B", std::string(254, 'v'))
                                        .tag("PlyCount", "7")
                                        .record());
}

// Games whose moves alone come near the limit, and go on behind it.
TEST(RecordEncoder, KeepsToTheLimitInMoves) {
  struct Ply {
    Move move;
    Position after;
  };
  std::vector<Ply> plies;
  Position position;
  for (const std::string_view san : {"e4", "e5", "Nf3", "Nf6", "Ng1", "Ng8", "Qh5"}) {
    const Move move = parse_san(position, san).value();
    position.make(move);
    plies.push_back({move, position});
  }
  RecordEncoder encoder;
  const auto play = [&](std::size_t ply) { encoder.move(plies[ply].move, plies[ply].after); };
  constexpr std::size_t kOfLevel = 9;  // the queen's move, and marks and text of notes
  for (std::size_t moves = kMaxRecordSize - 60; moves < kMaxRecordSize + 8; ++moves) {
    for (std::size_t level = 0; level < 5; ++level) {
      encoder.begin();
      encoder.start(Position(), true);
      for (std::size_t i = 0; i < moves; ++i) play(i < 2 ? i : 2 + (i - 2) % 4);
      for (std::size_t i = 0; i < level; ++i) {
        play(6);
        encoder.nag(1);
        encoder.open_variation();
        encoder.comment("x");
      }
      for (std::size_t i = 0; i < level; ++i) encoder.close_variation();
      const std::size_t size = moves + kOfLevel * level + 3;
      EXPECT_EQ(encoder.end().size(), size <= kMaxRecordSize ? size : 0) << moves << " " << level;
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
