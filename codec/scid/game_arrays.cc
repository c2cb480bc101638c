#include "codec/scid/game_arrays.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "codec/uci.h"

namespace scidfs::codec::scid {
namespace {

// By PieceType.
constexpr std::array<std::uint8_t, kPieceTypes + 1> kPieceNumbers = {6, 5, 4, 3, 2, 1, 0};
static_assert(kPieceNumbers[static_cast<std::size_t>(PieceType::Pawn)] == 1);
static_assert(kPieceNumbers[static_cast<std::size_t>(PieceType::Queen)] == 5);

// A visitor of replays that counts moves.
struct PlyCounter {
  bool start(const ReplayBoard&, Color) { return true; }
  template <Color kUs>
  bool move(const ReplayBoard&, const Move&, const std::uint8_t*) {
    ++plies;
    return true;
  }

  std::uint32_t plies = 0;
};

// A visitor of replays and walks that writes moves.
class MoveWriter {
 public:
  MoveWriter(const Position& start, char* out) : homes_(chess960_homes(start)), out_(out) {}

  char* end() const { return out_; }

  bool start(const ReplayBoard&, Color) { return true; }
  template <Color kUs>
  bool move(const ReplayBoard&, const Move& move, const std::uint8_t*) {
    write(move);
    return true;
  }
  void start(const Position&) {}
  void move(const Position&, const Move& move) { write(move); }

 private:
  void write(const Move& move) {
    const PackedMove packed = pack_move(move, homes_);
    *out_++ = static_cast<char>(packed & 0xFF);
    *out_++ = static_cast<char>(packed >> 8);
  }

  const std::optional<CastlingHomes> homes_;
  char* out_;
};

}  // namespace

PackedMove pack_move(const Move& move, const std::optional<CastlingHomes>& homes) {
  if (move.kind == MoveKind::Null) return kNullMove;
  const unsigned promotion = move.promotion == PieceType::None
                                 ? 0
                                 : kPieceNumbers[static_cast<std::size_t>(move.promotion)];
  return static_cast<PackedMove>(move.from | uci_target(move, homes) << 6U | promotion << 12U);
}

ByteBoard board_bytes(const Position& position) {
  ByteBoard board;
  for (Square square = 0; square < kNoSquare; ++square) {
    const Piece piece = position.piece_at(square);
    const int number = kPieceNumbers[static_cast<std::size_t>(piece.type)];
    board[square] = static_cast<std::int8_t>(piece.color == Color::Black ? -number : number);
  }
  return board;
}

ByteState state_bytes(const Position& position) {
  constexpr std::uint32_t kMostClock = 255;
  static_assert(kWhiteShort == 1 && kWhiteLong == 2 && kBlackShort == 4 && kBlackLong == 8);
  return {static_cast<std::uint8_t>(position.side_to_move() == Color::White ? 0 : 1),
          position.castling(), static_cast<std::uint8_t>(position.en_passant()),
          static_cast<std::uint8_t>(std::min(position.halfmove_clock(), kMostClock))};
}

std::uint32_t GameArrays::count_plies(Bytes record, bool is_whole) {
  if (!is_whole) {
    std::uint32_t plies = 0;
    for_each_position(record, [&](std::uint32_t ply, const Position&) { plies = ply; });
    return plies;
  }
  if (!reader_.open(record)) return 0;
  PlyCounter counter;
  reader_.replay(counter);
  return counter.plies;
}

void GameArrays::append_moves(Bytes record, bool is_whole, TextBuffer& out) {
  if (!reader_.open(record)) return;
  // Each move has a byte of the record.
  const std::size_t most = record.size() - reader_.head().moves_offset;
  MoveWriter writer(reader_.start(), out.room(most * sizeof(PackedMove)));
  if (is_whole) {
    reader_.replay(writer);
  } else {
    reader_.walk(writer);
  }
  out.commit(writer.end());
}

template <class Cell>
void GameArrays::append_positions(Bytes record, Cell (*cell_of)(const Position&), TextBuffer& out) {
  if (!reader_.open(record)) {
    Cell none{};
    if constexpr (std::is_same_v<Cell, ByteState>) none[2] = kNoSquare;
    out.append({reinterpret_cast<const char*>(none.data()), none.size()});
    return;
  }
  const std::size_t most = record.size() - reader_.head().moves_offset + 1;
  char* at = out.room(most * sizeof(Cell));
  for_each_position(record, [&](std::uint32_t, const Position& position) {
    const Cell cell = cell_of(position);
    std::memcpy(at, cell.data(), cell.size());
    at += cell.size();
  });
  out.commit(at);
}

void GameArrays::append_boards(Bytes record, TextBuffer& out) {
  append_positions(record, &board_bytes, out);
}

void GameArrays::append_states(Bytes record, TextBuffer& out) {
  append_positions(record, &state_bytes, out);
}

}  // namespace scidfs::codec::scid
