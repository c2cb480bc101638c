// Sorts what games say about positions, more than fits into memory: runs in temporary files, merged
// position by position.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codec/kvetka/key.h"
#include "fs/file/descriptor.h"

namespace scidfs::fs {

// A game as a number: in the order in which the games of all databases are added.
using BookGameNumber = std::uint32_t;

enum class MoverResult : std::uint8_t { Win, Draw, Loss };

// One position in one game.
struct Sighting {
  codec::kvetka::Key key{};
  std::uint16_t ply = 0;  // tells the order in a game; of very long ones not always
  BookGameNumber game = 0;
  MoverResult result = MoverResult::Draw;
  std::uint8_t code = 0;  // of the move that follows
  bool has_code = false;  // there is one, and a book can tell it
  bool is_last = false;   // of those that are kept of the game
};
static_assert(sizeof(Sighting) == 32);

// What all games, or some of them, say about one position.
struct Tally {
  struct Played {
    std::uint8_t code = 0;
    std::uint64_t count = 0;
  };
  codec::kvetka::Key key{};
  std::uint64_t wins = 0, draws = 0, losses = 0;
  std::optional<BookGameNumber> passing{};   // the first game that went on from here
  std::vector<Played> moves{};               // by code
  std::vector<BookGameNumber> last_games{};  // that end here, ascending; as many as a book holds

  // Adds what other games say of the same position.
  void add(const Tally& other);
  // The codes, most played first.
  std::vector<std::uint8_t> codes() const;
};

// A temporary file without a name: it is gone when nobody has it open any more. Written once from
// front to end, then read.
class TallyRun {
 public:
  static absl::StatusOr<TallyRun> create(const std::filesystem::path& folder);

  // Tallies come in ascending order of their keys.
  absl::Status append(const Tally& tally);
  // After the last one.
  absl::Status finish();

  class Reader;

 private:
  TallyRun() = default;
  absl::Status flush();

  Descriptor file_;
  std::uint64_t written_ = 0;  // bytes of the file
  std::vector<std::uint8_t> buffer_;
  codec::kvetka::Key last_key_{};
};

// Reads a finished run from its start. The run outlives the reader.
class TallyRun::Reader {
 public:
  explicit Reader(const TallyRun& run) : run_(&run) {}

  // Whether there was another one.
  absl::StatusOr<bool> next(Tally& tally);

 private:
  absl::Status refill();

  const TallyRun* run_;
  std::uint64_t offset_ = 0;  // in the file, of the end of window_
  std::vector<std::uint8_t> window_;
  std::size_t at_ = 0;
  bool is_over_ = false;
  codec::kvetka::Key last_key_{};
};

// Sorts sightings and calls `visit` with each position of theirs, in order. Sightings of one game
// must all be there; a game counts once for a position.
absl::Status tally_up(std::vector<Sighting>& sightings,
                      absl::FunctionRef<absl::Status(const Tally&)> visit);

// Calls `visit` with each position of all runs, in order. Opens no further file for up to
// kMostRuns of them; of more it first makes longer ones in `folder`.
absl::Status merge_runs(std::vector<TallyRun> runs, const std::filesystem::path& folder,
                        absl::FunctionRef<absl::Status(const Tally&)> visit);

}  // namespace scidfs::fs
