#include "codec/scid/sample_seek.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/files.h"
#include "tests/support/random_game.h"

namespace scidfs::codec::scid {
namespace {

using tests::ScidEncoder;

// The sample of a record; 0 if it is in none, or in two.
std::uint32_t sample_of(std::string_view record, std::uint32_t of, std::uint32_t plies) {
  std::uint32_t found = 0;
  for (std::uint32_t number = 1; number <= of; ++number) {
    SampleSeeker seeker({.number = number, .of = of, .plies = plies});
    if (!seeker.seek(tests::as_bytes(record)).has_value()) continue;
    if (found != 0) return 0;
    found = number;
  }
  return found;
}

// A change of these numbers would mix the games that programs have trained and tested with.
TEST(SampleSeekTest, NeverChange) {
  const auto sample = [](std::string_view fen, std::string_view moves) {
    ScidEncoder game = fen.empty() ? ScidEncoder() : ScidEncoder(fen);
    return sample_of(game.moves(moves).record(), 1000, 24);
  };
  EXPECT_EQ(sample("", ""), 128U);
  EXPECT_EQ(sample("", "e4 c5 Nf3 d6 d4 cxd4"), 889U);
  EXPECT_EQ(sample("", "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O"), 988U);
  EXPECT_EQ(sample("8/P7/8/8/8/8/8/K1k5 w - - 0 1", "a8=N Kc2"), 837U);
}

TEST(SampleSeekTest, EachRecordIsInOne) {
  tests::Random random(24);
  for (int i = 0; i < 100; ++i) {
    std::string record = tests::random_game(random, {.plies = random.below(60)}).record();
    if (i % 4 == 1) tests::flip_bit(record, random);
    if (i % 4 == 2) record.resize(random.below(record.size() + 1));
    for (const std::uint32_t plies : {24U, Sample::kAllPlies}) {
      EXPECT_NE(sample_of(record, 7, plies), 0U) << i;
      EXPECT_EQ(sample_of(record, 1, plies), 1U) << i;
    }
  }
}

TEST(SampleSeekTest, DependOnFirstMovesAlone) {
  constexpr std::uint32_t kMany = 500;
  const std::string_view moves =
      "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 "
      "Bc2 c5 d4 Qc7 Nbd2 cxd4";
  const std::uint32_t first = sample_of(ScidEncoder().moves(moves).record(), kMany, 24);
  ScidEncoder annotated;
  annotated.tag("Annotator", "x").moves(moves.substr(0, 24));
  annotated.comment("a comment").nag(1).begin_variation().move("Bxc6").end_variation();
  annotated.moves(moves.substr(25)).moves("cxd4 Nc6 Nb3");
  EXPECT_EQ(sample_of(annotated.record(), kMany, 24), first);
  EXPECT_NE(sample_of(annotated.record(), kMany, Sample::kAllPlies),
            sample_of(ScidEncoder().moves(moves).record(), kMany, Sample::kAllPlies));
  // Another last one of the 24.
  EXPECT_NE(sample_of(ScidEncoder().moves(moves.substr(0, moves.size() - 4)).moves("exd4").record(),
                      kMany, 24),
            first);
  // Another start.
  EXPECT_NE(
      sample_of(ScidEncoder("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").moves("Ra8").record(), kMany, 24),
      sample_of(ScidEncoder("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1").moves("Ra8").record(), kMany, 24));
}

}  // namespace
}  // namespace scidfs::codec::scid
