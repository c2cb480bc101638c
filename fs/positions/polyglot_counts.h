// The counts of the moves of a Polyglot book, as `polyglot make-book` counts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace scidfs::fs {

// A move that a game plays in a position.
struct PolyglotPly {
  std::uint64_t key = 0;     // of the position
  std::uint16_t move = 0;    // codec::polyglot_move()
  std::uint16_t points = 0;  // of the mover: 2 for a win, 1 for a draw or without a result
};

// How often games play moves, and with which points. Takes the plies of one position in the order
// of the games. When a move has been played kMostGames times, the numbers of all moves of its
// position are halved, rounded up: so they fit 16 bits, and their order decides what they are.
class PolyglotCounts {
 public:
  static constexpr std::uint32_t kMostGames = 16384;
  static constexpr std::size_t kEntryBytes = 16;  // in a book

  void add(const PolyglotPly& ply);
  // Appends the entries of moves with points that were played in at least `games` games (halved as
  // said): by key, then most points first, then in the order in which they were first played.
  void append_entries(std::uint32_t games, std::string& out) const;

  std::size_t memory() const { return slots_.capacity() * sizeof(Slot); }
  // Returns what memory() is at most after so many more calls of add().
  std::size_t memory_after(std::size_t plies) const;

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint16_t move = 0;
    std::uint16_t games = 0;  // 0: the slot is empty
    std::uint16_t points = 0;
  };

  // Returns the slot of a move, or the empty one that is next for it.
  Slot& find(std::uint64_t key, std::uint16_t move);
  void grow();
  void halve(std::uint64_t key);
  // Calls visit(slot) for each slot in use, after an empty one first. So the moves of a position
  // come in the order in which they were added: each took the next empty slot after its key's.
  template <class Visit>
  void for_each(const Visit& visit) const;

  std::vector<Slot> slots_;  // none, or a power of two, at most three quarters in use
  std::size_t used_ = 0;
};

}  // namespace scidfs::fs
