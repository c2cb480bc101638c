// A FEN: parsed, printed, and its legal moves named.
#include <fmt/format.h>

#include <array>
#include <set>

#include "codec/movegen.h"
#include "codec/position.h"
#include "codec/san.h"
#include "codec/scid/facts.h"
#include "codec/scid/moves.h"
#include "tests/fuzz/target.h"

namespace scidfs::fuzz {
namespace {

using codec::Position;

void check_moves(const Position& position) {
  std::set<std::string> names;
  for (const codec::Move& move : codec::legal_moves(position)) {
    const std::string san = codec::to_san(position, move);
    require(san.size() <= codec::kMaxSanLength + 1, "a move's name is too long");
    require(names.insert(san).second, "two moves have one name: " + san);
    Position after = position;
    const Position::Undo undo = after.undo();
    after.make(move);
    require(!after.in_check(position.side_to_move()), "a legal move leaves the king in check");
    after.unmake(move, undo);
    require(after == position, "a move taken back leaves another position");
  }
  require(codec::has_legal_move(position) == !names.empty(), "two answers whether there are moves");
}

void check_fen(const std::string& input, codec::CastlingRule rule) {
  const absl::StatusOr<Position> position = Position::from_fen(input, rule);
  if (!position.ok()) {
    require(!position.status().message().empty(), "a bad FEN without a reason");
    return;
  }
  const std::string fen = position->fen();
  const absl::StatusOr<Position> again = Position::from_fen(fen, rule);
  require(again.ok(), "our own FEN is none: " + fen);
  require(again->fen() == fen, "a FEN is another one when read again: " + fen);
  require(*again == *position, "a position is another one when read again: " + fen);
  std::array<char, Position::kMaxEpdFields> fields;
  const std::string_view epd(
      fields.data(),
      static_cast<std::size_t>(position->write_epd_fields(fields.data()) - fields.data()));
  require(epd.size() == position->epd_fields_length(), "EPD is not as long as announced: " + fen);
  require(fen.starts_with(std::string(epd) + ' '), "EPD is not the beginning of " + fen);
  const auto lists = codec::scid::PieceLists::from_position(*position);
  for (const codec::Color color : {codec::Color::White, codec::Color::Black}) {
    require(lists.count(color) <= codec::scid::kMaxPieces && lists.count(color) != 0,
            "a side has an impossible number of pieces");
    require(lists.piece(color, 0).type() == codec::PieceType::King, "the king is not number 0");
  }
  require(codec::scid::material_of(*position) < 1U << 24, "the material has more than 24 bits");
  check_moves(*position);
}

class FenTarget : public Target {
 public:
  std::string_view name() const override { return "fen"; }
  std::size_t most_bytes() const override { return 200; }

  void check(std::string_view input) const override {
    const std::string exact(input);
    check_fen(exact, codec::CastlingRule::Standard);
    check_fen(exact, codec::CastlingRule::Chess960);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& fen : tests::example_fens()) {
      seeds.push_back({fmt::format("example-{}", seeds.size() + 1), fen});
    }
    seeds.push_back({"chess960-inner", "1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1"});
    seeds.push_back({"chess960-outer", "rkr5/8/8/8/8/8/8/5RKR b KQkq - 0 1"});
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kSigns = "KQRBNPkqrbnp12345678/ -wbabcdefghACFGH36";
    switch (random.below(4)) {
      case 0:
        input = tests::random_fen(random);
        break;
      case 1:
      case 2:
        for (std::size_t count = 1 + random.below(3); count > 0 && !input.empty(); --count) {
          input[random.below(input.size())] = kSigns[random.below(kSigns.size())];
        }
        break;
      default:
        plain(input, most_bytes());
    }
  }
};

}  // namespace

const Target& fen_target() {
  static const FenTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
