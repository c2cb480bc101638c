// A sort for the positions of games that may exceed memory: runs in temporary files, merged
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

// The number of a game, in the order in which the games of all databases are added.
using BookGameNumber = std::uint32_t;

enum class MoverResult : std::uint8_t { Win, Draw, Loss };

// One position in one game.
struct Sighting {
  codec::kvetka::Key key{};
  std::uint16_t ply = 0;  // gives the order in a game, but not always in a very long one
  BookGameNumber game = 0;
  MoverResult result = MoverResult::Draw;
  std::uint8_t code = 0;  // of the move that follows
  bool has_code = false;  // whether there is one that a book can encode
  bool is_last = false;   // the last position that is kept of the game
};
static_assert(sizeof(Sighting) == 32);

// The sightings of one position, from all games or some of them.
struct Tally {
  struct Played {
    std::uint8_t code = 0;
    std::uint64_t count = 0;
  };
  codec::kvetka::Key key{};
  std::uint64_t wins = 0, draws = 0, losses = 0;
  std::optional<BookGameNumber> passing{};   // the first game that continued from here
  std::vector<Played> moves{};               // by code
  std::vector<BookGameNumber> last_games{};  // that end here, ascending; as many as a book holds

  // Adds a tally of the same position from other games.
  void add(const Tally& other);
  // Returns the codes, most played first.
  std::vector<std::uint8_t> codes() const;
};

// A temporary file without a name: the kernel removes it when it is closed. Written once from front
// to end, then read.
class TallyRun {
 public:
  static absl::StatusOr<TallyRun> create(const std::filesystem::path& folder);

  // Appends a tally. REQUIRES: the keys of tallies are ascending.
  absl::Status append(const Tally& tally);
  // Ends the run. REQUIRES: all tallies have been appended.
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

// A reader of a finished run, from its start. The run must outlive it.
class TallyRun::Reader {
 public:
  explicit Reader(const TallyRun& run) : run_(&run) {}

  // Reads the next tally. Returns whether there was one.
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

// Sorts sightings and calls `visit` with the tally of each position, in order. A game counts once
// for a position. REQUIRES: `sightings` has all sightings of each of its games.
absl::Status tally_up(std::vector<Sighting>& sightings,
                      absl::FunctionRef<absl::Status(const Tally&)> visit);

// Calls `visit` with the tally of each position of all runs, in order. Opens no more files for up
// to kMostRuns runs; merges more runs into longer ones in `folder` first.
absl::Status merge_runs(std::vector<TallyRun> runs, const std::filesystem::path& folder,
                        absl::FunctionRef<absl::Status(const Tally&)> visit);

}  // namespace scidfs::fs
