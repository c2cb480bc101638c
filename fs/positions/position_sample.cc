#include "fs/positions/position_sample.h"

#include <absl/container/flat_hash_map.h>
#include <absl/hash/hash.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "codec/scid/main_line.h"
#include "fs/positions/target_boards.h"
#include "fs/positions/target_hits.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::PieceType;
using codec::Position;
using codec::TargetPosition;
using codec::scid::RecordHead;

constexpr std::size_t kWantedGames = 16'384;
// The upper bound of hashes of games.
constexpr std::uint64_t kHashes = std::uint64_t{1} << 32;

std::uint64_t hash_of(GameIndex game) {
  // SplitMix64.
  std::uint64_t hash = (std::uint64_t{game} + 1) * 0x9E3779B97F4A7C15;
  hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
  hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
  return hash >> 32;
}

// Returns a hash of a position that is good enough for a guess.
std::uint64_t hash_of(const Position& position) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  auto hash = static_cast<std::uint64_t>(position.side_to_move()) + 1;
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t type = 0; type < codec::kPieceTypes; ++type) {
      hash = (hash ^ position.pieces(color, static_cast<PieceType>(type))) * kFactor;
      hash ^= hash >> 32;
    }
  }
  return hash;
}

struct Frequency {
  std::string name;  // from codec::position_name()
  std::size_t games = 0;
};
using Frequencies = absl::flat_hash_map<std::uint64_t, Frequency>;

// The ways, shared by all threads.
struct Ways {
  explicit Ways(std::span<const Onward> ways) : with_rights(ways.front().target.with_rights) {
    std::vector<TargetPosition> targets;
    targets.reserve(ways.size());
    for (const Onward& way : ways) targets.push_back(way.target);
    boards.emplace(targets);
    plies.resize(boards->size());
    for (std::uint32_t board = 0; board < plies.size(); ++board) {
      boards->for_each_target(board, [&](std::uint32_t target) {
        plies[board] = std::max({plies[board], ways[target].plies, 1U});
      });
    }
  }

  const bool with_rights;
  std::optional<TargetBoards> boards;
  std::vector<unsigned> plies;  // by board
};

// The part of one thread.
class Looker {
 public:
  Looker(const Database& database, const Ways& ways, GameFile::Check check,
         const WorkBudget& budget)
      : ways_(ways),
        records_(database, check, budget),
        hits_(*ways.boards, ways.plies, TargetHits::Which::First) {}

  std::size_t reached() const { return reached_; }
  const Frequencies& positions() const { return positions_; }

  absl::Status look(std::size_t block, const BlockMask& mask) {
    const std::span<const GameIndex> games = games_.emplace(block, mask);
    return records_.for_each_game(games, [&](std::size_t i, Bytes record, const RecordHead& head) {
      look_at(games[i], record, head);
    });
  }

 private:
  void look_at(GameIndex game, Bytes record, const RecordHead& head) {
    const std::span<const TargetHits::Hit> hits = hits_.find(game, record, head);
    if (hits.empty()) return;
    ++reached_;
    const auto look = [&, hit = hits.begin(), rest = 0U](std::uint32_t ply,
                                                         const Position& position) mutable {
      if (hit != hits.end() && hit->ply == ply) {
        rest = std::max(rest, ways_.plies[hit->board] + 1);
        ++hit;
      }
      if (rest == 0) return;
      --rest;
      add(position);
    };
    walk_positions(walker_, record, hits_.wanted_part(), head, look);
  }
  void add(const Position& position) {
    std::string name;
    if (ways_.with_rights) name = name_of(position);
    const std::uint64_t key = ways_.with_rights ? absl::HashOf(name) : hash_of(position);
    Frequency& frequency = positions_[key];
    if (frequency.games++ == 0) {
      frequency.name = ways_.with_rights ? std::move(name) : name_of(position);
    }
  }
  std::string name_of(const Position& position) const {
    return codec::position_name({.position = position, .with_rights = ways_.with_rights});
  }

  const Ways& ways_;
  GameRecords records_;
  TargetHits hits_;
  codec::scid::Walker walker_;
  std::optional<BlockGames> games_;
  std::size_t reached_ = 0;
  Frequencies positions_;
};

}  // namespace

struct PositionSample::Findings {
  std::size_t reached = 0;
  Frequencies positions;
};

GameBitmap PositionSample::pick(std::uint64_t limit) const {
  if (limit >= kHashes) return games_;
  GameBitmap picked(database_.games());
  for (std::size_t block = 0; block < games_.blocks(); ++block) {
    for_each_bit(games_.block(block), [&](std::size_t i) {
      const auto game = static_cast<GameIndex>(block * PackedIndex::kBlock + i);
      if (hash_of(game) < limit) picked.add(game);
    });
  }
  return picked;
}

absl::StatusOr<PositionSample::Findings> PositionSample::look(const GameBitmap& games,
                                                              std::span<const Onward> ways,
                                                              const WorkBudget& budget) const {
  const Ways wanted(ways);
  return scan_records(database_, [&](GameFile::Check check) -> absl::StatusOr<Findings> {
    std::vector<std::unique_ptr<Looker>> lookers(scan_workers(budget));
    absl::Status status = scan_blocks(
        games, budget, [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
          std::unique_ptr<Looker>& looker = lookers[worker];
          if (looker == nullptr)
            looker = std::make_unique<Looker>(database_, wanted, check, budget);
          return looker->look(block, mask);
        });
    if (!status.ok()) return status;
    Findings all;
    for (const std::unique_ptr<Looker>& looker : lookers) {
      if (looker == nullptr) continue;
      all.reached += looker->reached();
      for (const auto& [key, frequency] : looker->positions()) {
        Frequency& sum = all.positions[key];
        sum.games += frequency.games;
        if (sum.name.empty()) sum.name = frequency.name;
      }
    }
    return all;
  });
}

absl::StatusOr<PositionSample::Findings> PositionSample::look_first(std::span<const Onward> ways,
                                                                    const WorkBudget& budget) {
  constexpr std::size_t kEnough = kWantedGames / 4;
  std::uint64_t limit = kHashes * kWantedGames / std::max<std::size_t>(games_.count(), 1);
  while (true) {
    picked_ = pick(limit);
    absl::StatusOr<Findings> findings = look(*picked_, ways, budget);
    if (!findings.ok()) return findings;
    reached_ = findings->reached;
    if (limit >= kHashes || reached_ >= kEnough) return findings;
    limit = std::min(kHashes, limit * kWantedGames / std::max<std::size_t>(reached_, 1));
  }
}

absl::StatusOr<std::vector<TargetPosition>> PositionSample::frequent(std::span<const Onward> ways,
                                                                     const WorkBudget& budget) {
  constexpr std::size_t kOneIn = 200;
  if (ways.empty()) return std::vector<TargetPosition>();
  const absl::StatusOr<Findings> findings =
      picked_.has_value() ? look(*picked_, ways, budget) : look_first(ways, budget);
  if (!findings.ok()) return findings.status();
  std::vector<TargetPosition> targets;
  for (const auto& [key, frequency] : findings->positions) {
    if (frequency.games * kOneIn < reached_) continue;
    absl::StatusOr<TargetPosition> target = codec::parse_position_name(frequency.name);
    if (target.ok()) targets.push_back(*std::move(target));
  }
  return targets;
}

}  // namespace scidfs::fs
