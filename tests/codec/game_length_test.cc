// length() counts the bytes that append() writes and reports the same damage: sizes of files depend
// on it.
#include <gtest/gtest.h>

#include "codec/scid/game_text.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"

namespace scidfs::codec::scid {
namespace {

std::vector<PgnOptions> option_combinations() {
  std::vector<PgnOptions> all;
  for (unsigned bits = 0; bits < 8; ++bits) {
    for (const unsigned width : {0u, 20u, 80u}) {
      all.push_back({.comments = (bits & 1) != 0,
                     .variations = (bits & 2) != 0,
                     .nags = (bits & 4) != 0,
                     .width = width});
    }
  }
  all.push_back({.all_tags = false});
  return all;
}

void expect_same(const std::optional<Damage>& measured, const std::optional<Damage>& written) {
  ASSERT_EQ(measured.has_value(), written.has_value());
  if (!written.has_value()) return;
  EXPECT_EQ(measured->offset, written->offset);
  EXPECT_EQ(measured->reason, written->reason);
}

void expect_lengths(const tests::ScidDatabase& database, const std::string& name) {
  for (const PgnOptions& options : option_combinations()) {
    GameText writer(options);
    for (std::uint32_t game = 0; game < database.games(); ++game) {
      const std::optional<Bytes> record = database.record(game);
      if (!record.has_value()) continue;
      const auto measure = writer.length(database.tags(game), database.place(game), *record);
      const tests::RenderedGame rendered = database.render(game, writer);
      ASSERT_EQ(measure.length, rendered.text.size()) << name << " game " << game + 1;
      expect_same(measure.damage, rendered.damage);
    }
  }
}

TEST(GameLength, EqualsTextLengthOfEveryBundledGame) {
  for (const std::string& name : tests::stems_in("scid4", ".si4")) {
    expect_lengths(tests::ScidDatabase(tests::test_data("scid4/" + name)), name);
  }
  for (const std::string name : {"bad_offset", "corrupt_games", "edge_comments", "edge_index",
                                 "edge_nags", "edge_tags", "text_latin1_raw"}) {
    expect_lengths(tests::ScidDatabase(tests::test_data("scid4/handmade/" + name)), name);
  }
  expect_lengths(tests::ScidDatabase(tests::test_data("scid5/chess960"), ".si5"), "chess960");
}

TEST(GameLength, EqualsTextLengthOfDamagedGames) {
  tests::Random random(13);
  for (int round = 0; round < 1000; ++round) {
    std::string record = tests::random_game(random, {.plies = 20}).record();
    record[random.below(record.size())] = static_cast<char>(random.below(256));
    GameText writer({.width = static_cast<unsigned>(20 + random.below(180))});
    TextBuffer out;
    const GamePlace place{.number = 7, .offset = 123456789};
    const std::optional<Damage> damage =
        writer.append(tests::example_tags(), place, tests::as_bytes(record), out);
    const auto measure = writer.length(tests::example_tags(), place, tests::as_bytes(record));
    ASSERT_EQ(measure.length, out.size());
    expect_same(measure.damage, damage);
  }
}

TEST(GameText, WritesOpeningTagUnlessRecordHasOne) {
  GameTags tags = tests::example_tags();
  tags.eco = 1;
  tags.opening = "Sicilian: Najdorf, 6.a4";
  constexpr std::string_view kTag = "[ECO \"A00\"]\n[Opening \"Sicilian: Najdorf, 6.a4\"]\n";
  const std::string plain = tests::ScidEncoder().move("e4").record();
  const std::string with_fen = tests::ScidEncoder("4k3/8/8/8/8/8/4P3/4K3").move("e4").record();
  const std::string annotated = tests::ScidEncoder().tag("Annotator", "x").move("e4").record();
  const std::string named = tests::ScidEncoder().tag("Opening", "Own").move("e4").record();
  GameText writer{PgnOptions()};
  for (const std::string& record : {plain, with_fen, annotated, named}) {
    TextBuffer buffer;
    writer.append(tags, {}, tests::as_bytes(record), buffer);
    EXPECT_EQ(writer.length(tags, {}, tests::as_bytes(record)).length, buffer.size());
    const bool has_own = record == named;
    EXPECT_EQ(buffer.view().find(kTag) != std::string_view::npos, !has_own) << buffer.view();
    EXPECT_EQ(buffer.view().find("[Opening \"Own\"]") != std::string_view::npos, has_own);
  }
}

TEST(GameText, GamesDoNotAffectTextOfLaterGames) {
  const tests::ScidDatabase database(tests::test_data("scid4/handmade/corrupt_games"));
  GameText shared({});
  for (const bool backwards : {false, true}) {
    for (std::uint32_t i = 0; i < database.games(); ++i) {
      const std::uint32_t game = backwards ? database.games() - 1 - i : i;
      GameText fresh({});
      EXPECT_EQ(database.render(game, shared).text, database.render(game, fresh).text);
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
