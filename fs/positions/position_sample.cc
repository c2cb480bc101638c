#include "fs/positions/position_sample.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "cache/hash.h"
#include "codec/scid/main_line.h"
#include "fs/base/status_macros.h"
#include "fs/content/memory_claim.h"
#include "fs/content/step_watch.h"
#include "fs/database/decoding.h"
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

// The upper bound of hashes of games.
constexpr std::uint64_t kHashes = std::uint64_t{1} << 32;

// Between two looks at the budget: positions that are counted, blocks of games from which a sample
// is picked, and names that are parsed.
constexpr std::size_t kPositionsOfLook = 16'384;
constexpr std::size_t kBlocksOfLook = 1024;
constexpr std::size_t kNamesOfLook = 512;

std::uint64_t hash_of(std::size_t part, GameIndex game) {
  // SplitMix64.
  std::uint64_t hash = ((std::uint64_t{part} << 32 | game) + 1) * 0x9E3779B97F4A7C15;
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
  std::uint32_t games = 0;
  std::uint32_t part = 0;
  GameIndex example = 0;  // one of them, in this part
};
using Frequencies = absl::flat_hash_map<std::uint64_t, Frequency>;
using Names = absl::flat_hash_map<std::uint64_t, std::string>;

// Returns the most that they cost: a table that grows is there twice.
std::size_t memory_of(const Frequencies& positions, const Names& names) {
  constexpr std::size_t kOfName = 96;
  return 3 * positions.capacity() * (sizeof(Frequencies::value_type) + 1) / 2 +
         names.capacity() * (sizeof(Names::value_type) + 1 + kOfName);
}

// The ways, shared by all threads.
struct Ways {
  Ways(std::span<const Onward> ways, const WorkBudget& budget)
      : with_rights(ways.front().target.with_rights) {
    std::vector<TargetPosition> targets;
    targets.reserve(ways.size());
    for (const Onward& way : ways) targets.push_back(way.target);
    boards.emplace(targets, budget);
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
  Looker(const Database& database, const Ways& ways, const absl::flat_hash_set<std::uint64_t>* keys,
         GameFile::Check check, const WorkBudget& budget)
      : ways_(ways),
        keys_(keys),
        records_(database, check, budget),
        hits_(*ways.boards, ways.plies, TargetHits::Which::First),
        memory_(budget) {}

  std::span<const GameIndex> reached() const { return reached_; }
  Frequencies& positions() { return positions_; }
  const Names& names() const { return names_; }

  absl::Status look(std::size_t block, const BlockMask& mask) {
    const std::span<const GameIndex> games = games_.emplace(block, mask);
    absl::Status status =
        records_.for_each_game(games, [&](std::size_t i, Bytes record, const RecordHead& head) {
          look_at(games[i], record, head);
        });
    return status.ok() ? memory_.grow_to(memory_of(positions_, names_)) : status;
  }

 private:
  void look_at(GameIndex game, Bytes record, const RecordHead& head) {
    const std::span<const TargetHits::Hit> hits = hits_.find(game, record, head);
    if (hits.empty()) return;
    reached_.push_back(game);
    const auto look = [&, hit = hits.begin(), rest = 0U](std::uint32_t ply,
                                                         const Position& position) mutable {
      if (hit != hits.end() && hit->ply == ply) {
        rest = std::max(rest, ways_.plies[hit->board] + 1);
        ++hit;
      }
      if (rest == 0) return;
      --rest;
      add(game, position);
    };
    walk_positions(walker_, record, hits_.wanted_part(), head, look);
  }
  void add(GameIndex game, const Position& position) {
    const std::uint64_t key =
        ways_.with_rights ? cache::fingerprint(name_of(position)) : hash_of(position);
    if (keys_ == nullptr) {
      if (Frequency& frequency = positions_[key]; frequency.games++ == 0) frequency.example = game;
    } else if (keys_->contains(key)) {
      std::string& name = names_[key];
      if (name.empty()) name = name_of(position);
    }
  }
  std::string name_of(const Position& position) const {
    return codec::position_name({.position = position, .with_rights = ways_.with_rights});
  }

  const Ways& ways_;
  const absl::flat_hash_set<std::uint64_t>* const keys_;  // null: all are counted
  GameRecords records_;
  TargetHits hits_;
  codec::scid::Walker walker_;
  std::optional<BlockGames> games_;
  std::vector<GameIndex> reached_;
  Frequencies positions_;
  Names names_;
  MemoryClaim memory_;
};

}  // namespace

struct PositionSample::Findings {
  explicit Findings(const WorkBudget& budget) : memory(budget) {}

  std::vector<std::vector<GameIndex>> reached;  // by part, the games that come to one of the ways
  Frequencies positions;
  Names names;  // from codec::position_name()
  MemoryClaim memory;

  absl::Status add(std::uint32_t part, Looker& looker, const WorkBudget& budget) {
    StepWatch watch(budget, kPositionsOfLook);
    reached[part].insert(reached[part].end(), looker.reached().begin(), looker.reached().end());
    // Most sets have one part: of two threads, only the second one's positions are copied.
    if (part == 0 && positions.empty()) positions.swap(looker.positions());
    for (const auto& [key, frequency] : looker.positions()) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      Frequency& sum = positions[key];
      if (sum.games == 0) sum = {.part = part, .example = frequency.example};
      sum.games += frequency.games;
    }
    names.insert(looker.names().begin(), looker.names().end());
    return memory.grow_to(memory_of(positions, names));
  }
};

absl::StatusOr<PositionSample> PositionSample::of(const GameSet& set, const SampleSize& size,
                                                  const WorkBudget& budget) {
  std::vector<Part> parts;
  for (const DatabaseGames& part : set) {
    RETURN_IF_ERROR(begin_decoding(*part.database(), part.list(), budget));
    parts.push_back({.database = *part.database(), .games = GameBitmap(part.database()->games())});
    parts.back().games.add(part.list());
  }
  return PositionSample(std::move(parts), size);
}

PositionSample::GamesOfParts PositionSample::no_games() const {
  GamesOfParts games;
  for (const Part& part : parts_) games.emplace_back(part.database.games());
  return games;
}

absl::StatusOr<PositionSample::GamesOfParts> PositionSample::pick(std::uint64_t limit,
                                                                  const WorkBudget& budget) const {
  GamesOfParts picked;
  StepWatch watch(budget, kBlocksOfLook);
  for (const Part& part : parts_) {
    if (limit >= kHashes) {
      picked.push_back(part.games);
      continue;
    }
    GameBitmap& of_part = picked.emplace_back(part.database.games());
    for (std::size_t block = 0; block < part.games.blocks(); ++block) {
      if (watch.is_cancelled()) return WorkBudget::cancelled();
      for_each_bit(part.games.block(block), [&](std::size_t i) {
        const auto game = static_cast<GameIndex>(block * PackedIndex::kBlock + i);
        if (hash_of(picked.size(), game) < limit) of_part.add(game);
      });
    }
  }
  return picked;
}

absl::StatusOr<PositionSample::Findings> PositionSample::look(const GamesOfParts& games,
                                                              std::span<const Onward> ways,
                                                              const Keys* keys,
                                                              const WorkBudget& budget) const {
  const Ways wanted(ways, budget);
  using Lookers = std::vector<std::unique_ptr<Looker>>;
  Findings all(budget);
  all.reached.resize(parts_.size());
  for (std::uint32_t part = 0; part < parts_.size(); ++part) {
    const Database& database = parts_[part].database;
    ASSIGN_OR_RETURN(const Lookers lookers,
                     scan_records(database, [&](GameFile::Check check) -> absl::StatusOr<Lookers> {
                       Lookers by_worker(scan_workers(budget));
                       RETURN_IF_ERROR(scan_blocks(
                           games[part], budget,
                           [&](std::size_t worker, std::size_t block, const BlockMask& mask) {
                             std::unique_ptr<Looker>& looker = by_worker[worker];
                             if (looker == nullptr)
                               looker =
                                   std::make_unique<Looker>(database, wanted, keys, check, budget);
                             return looker->look(block, mask);
                           }));
                       return by_worker;
                     }));
    for (const std::unique_ptr<Looker>& looker : lookers) {
      if (looker == nullptr) continue;
      RETURN_IF_ERROR(all.add(part, *looker, budget));
    }
  }
  return all;
}

absl::StatusOr<PositionSample::Findings> PositionSample::look_first(std::span<const Onward> ways,
                                                                    const WorkBudget& budget) {
  const std::size_t enough = size_.games / 4;
  std::size_t games = 0;
  for (const Part& part : parts_) games += part.games.count();
  std::uint64_t limit = kHashes * size_.games / std::max<std::size_t>(games, 1);
  while (true) {
    ASSIGN_OR_RETURN(const GamesOfParts picked, pick(limit, budget));
    absl::StatusOr<Findings> findings = look(picked, ways, nullptr, budget);
    if (!findings.ok()) return findings;
    reached_ = 0;
    for (const std::vector<GameIndex>& of_part : findings->reached) reached_ += of_part.size();
    if (limit >= kHashes || reached_ >= enough) {
      rate_ = std::min(1.0, static_cast<double>(limit) / static_cast<double>(kHashes));
      picked_ = no_games();
      for (std::size_t part = 0; part < parts_.size(); ++part) {
        for (const GameIndex game : findings->reached[part]) picked_[part].add(game);
      }
      return findings;
    }
    limit = std::min(kHashes, limit * size_.games / std::max<std::size_t>(reached_, 1));
  }
}

// Of a sample, half of what is wanted is enough; a position that only one game has tells nothing.
absl::StatusOr<PositionSample::Keys> PositionSample::keys_of_frequent(
    const Findings& findings, GamesOfParts& examples, const WorkBudget& budget) const {
  StepWatch watch(budget, kPositionsOfLook);
  const auto wanted = static_cast<double>(size_.fewest) * rate_;
  const double fewest = rate_ < 1 ? std::max(2.0, wanted / 2) : wanted;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> counted;
  for (const auto& [key, frequency] : findings.positions) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    const std::uint32_t games = frequency.games;
    if (games * size_.one_in >= reached_ && games >= fewest) counted.emplace_back(games, key);
  }
  if (counted.size() > size_.most) {
    std::ranges::nth_element(counted, counted.begin() + static_cast<std::ptrdiff_t>(size_.most),
                             std::greater());
    counted.resize(size_.most);
  }
  Keys keys;
  for (const auto& [games, key] : counted) {
    keys.insert(key);
    const Frequency& frequency = findings.positions.at(key);
    examples[frequency.part].add(frequency.example);
  }
  return keys;
}

absl::StatusOr<std::vector<TargetPosition>> PositionSample::frequent(std::span<const Onward> ways,
                                                                     const WorkBudget& budget) {
  assert(!ways.empty());
  ASSIGN_OR_RETURN(const Findings counted, picked_.empty() ? look_first(ways, budget)
                                                           : look(picked_, ways, nullptr, budget));
  GamesOfParts examples = no_games();
  ASSIGN_OR_RETURN(const Keys keys, keys_of_frequent(counted, examples, budget));
  ASSIGN_OR_RETURN(const Findings named, look(examples, ways, &keys, budget));
  std::vector<TargetPosition> targets;
  StepWatch watch(budget, kNamesOfLook);
  for (const auto& [key, name] : named.names) {
    if (watch.is_cancelled()) return WorkBudget::cancelled();
    absl::StatusOr<TargetPosition> target = codec::parse_position_name(name);
    if (target.ok()) targets.push_back(*std::move(target));
  }
  for (const Onward& way : ways) targets.push_back(way.target);
  return targets;
}

}  // namespace scidfs::fs
