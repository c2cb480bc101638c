#include "fs/check/database_check.h"

#include <fmt/format.h>

#include <atomic>
#include <bit>
#include <optional>
#include <tuple>

#include "cache/mutex.h"
#include "fs/base/parallel.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::GameEntry;
using codec::scid::GameFacts;
using codec::scid::IndexEntry;
using codec::scid::IndexField;
using codec::scid::NameKind;

std::vector<MissingNames::Name> missing_names(const GameEntry& entry,
                                              const codec::scid::Names& names) {
  std::vector<MissingNames::Name> missing;
  const auto look = [&](std::string_view role, NameKind kind, std::uint32_t id) {
    if (!names[kind].contains(id)) missing.push_back({.role = role, .id = id, .kind = kind});
  };
  look("White", NameKind::Player, entry.white);
  look("Black", NameKind::Player, entry.black);
  look("Event", NameKind::Event, entry.event);
  look("Site", NameKind::Site, entry.site);
  look("Round", NameKind::Round, entry.round);
  return missing;
}

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string home_pawns(const IndexEntry& entry) {
  const std::string moves = codec::scid::home_pawns_to_string(entry);
  return moves.empty() ? "none" : moves;
}

// Returns the values of a field in the index and by the moves, as text for users.
Disagreement describe(IndexField field, GameIndex game, const IndexEntry& entry,
                      const GameFacts& facts) {
  const auto made = [game](const auto& stored, const auto& computed) {
    return Disagreement{
        .game = game, .stored = fmt::format("{}", stored), .computed = fmt::format("{}", computed)};
  };
  switch (field) {
    case IndexField::Plies:
      return made(entry.plies, facts.plies);
    case IndexField::Material:
      return made(codec::scid::material_to_string(entry.material),
                  codec::scid::material_to_string(facts.material));
    case IndexField::HomePawns: {
      IndexEntry computed;
      computed.home_pawn_count = facts.home_pawn_count;
      computed.home_pawns = facts.home_pawns;
      return made(home_pawns(entry), home_pawns(computed));
    }
    case IndexField::StoredLine:
      return made(entry.stored_line, facts.stored_line);
    case IndexField::Start:
      return made(entry.has(codec::scid::kFlagStart) ? "own" : "standard",
                  facts.own_start ? "own" : "standard");
    case IndexField::Promotion:
      return made(yes_or_no(entry.has(codec::scid::kFlagPromotion)), yes_or_no(facts.promotion));
    case IndexField::Underpromotion:
      return made(yes_or_no(entry.has(codec::scid::kFlagUnderpromotion)),
                  yes_or_no(facts.underpromotion));
    case IndexField::Variations:
      return made(codec::scid::shown_count(entry.variation_code), facts.variations);
    case IndexField::Comments:
      return made(codec::scid::shown_count(entry.comment_code), facts.comments);
    case IndexField::Nags:
      return made(codec::scid::shown_count(entry.nag_code), facts.nags);
  }
  return {};
}

// A check of the games. Any number of threads may each check some.
class DatabaseChecker {
 public:
  DatabaseChecker(const Database& database, DatabaseFindings& findings)
      : database_(database), findings_(findings) {}

  void check_blocks(std::size_t first, std::size_t last) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Buffers of one thread.
  struct Room {
    ReaderPool::Loan reader;
    codec::scid::Walker walker;
    std::vector<codec::scid::ExtraTag> tags{};
    std::vector<IndexEntry> entries{};
  };

  void check_game(GameIndex game, const IndexEntry* entry, Room& room) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns nothing if the game has no record that can be read.
  std::optional<GameFacts> facts(const GameEntry& entry, Room& room);
  void add_disagreements(GameIndex game, const IndexEntry& entry, const GameFacts& facts)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const Database& database_;
  cache::Mutex mutex_;
  DatabaseFindings& findings_ ABSL_GUARDED_BY(mutex_);
};

void DatabaseChecker::check_blocks(std::size_t first, std::size_t last) {
  Room room{.reader = database_.readers().borrow(), .walker = {}};
  for (std::size_t block = first; block < last; ++block) {
    const absl::StatusOr<IndexBlock> entries =
        database_.files().index_file().read_block(block, room.entries);
    if (!entries.ok()) {
      const cache::MutexLock lock(mutex_);
      findings_.index_problems.emplace_back(std::string(entries.status().message()));
    }
    const auto begin = static_cast<GameIndex>(block * IndexFile::kBlock);
    const GameIndex end =
        std::min<GameIndex>(begin + GameIndex{IndexFile::kBlock}, database_.games());
    for (GameIndex game = begin; game < end; ++game) {
      room.reader->expect(end - game);
      check_game(game, entries.ok() ? &entries->entries[game - begin] : nullptr, room);
    }
  }
}

void DatabaseChecker::check_game(GameIndex game, const IndexEntry* entry, Room& room) {
  const GameEntry known = database_.entry(game);
  if (auto missing = missing_names(known, database_.names()); !missing.empty()) {
    const cache::MutexLock lock(mutex_);
    findings_.missing_names.add({.game = game, .names = std::move(missing)});
  }
  DamagedGame damaged{.game = game, .offset = known.offset};
  std::optional<GameFacts> found;
  if (const auto record = room.reader->record(known); !record.ok()) {
    damaged.reason = std::string(record.status().message());
  } else {
    // The text that a mount would show decides.
    codec::TextBuffer& text = room.reader->scratch();
    text.clear();
    const absl::StatusOr<std::optional<codec::Damage>> damage = room.reader->append(game, text);
    found = facts(known, room);
    if (!damage.ok()) {
      damaged.reason = std::string(damage.status().message());
    } else if (damage->has_value()) {
      damaged.offset += (*damage)->offset;
      damaged.reason = std::string((*damage)->reason);
    } else {
      if (entry != nullptr && found.has_value()) add_disagreements(game, *entry, *found);
      return;
    }
  }
  damaged.has_record = found.has_value();
  damaged.plies = found.has_value() ? found->plies : 0;
  const cache::MutexLock lock(mutex_);
  if (!damaged.has_record) ++findings_.without_record;
  findings_.plies_before_damage += damaged.plies;
  findings_.damaged.add(std::move(damaged));
}

std::optional<GameFacts> DatabaseChecker::facts(const GameEntry& entry, Room& room) {
  const absl::StatusOr<std::optional<Bytes>> record = room.reader->record(entry);
  if (!record.ok() || !record->has_value()) return std::nullopt;
  room.tags.clear();
  codec::scid::RecordHead head;
  if (codec::scid::parse_record_head(**record, room.tags, head, database_.files().format().castling)
          .has_value())
    return GameFacts();
  return codec::scid::facts_of(room.walker, **record, head);
}

void DatabaseChecker::add_disagreements(GameIndex game, const IndexEntry& entry,
                                        const GameFacts& facts) {
  std::uint32_t fields = codec::scid::disagreements(entry, facts);
  if (fields == 0) return;
  const cache::MutexLock lock(mutex_);
  ++findings_.games_that_disagree;
  for (; fields != 0; fields &= fields - 1) {
    const auto field = static_cast<std::size_t>(std::countr_zero(fields));
    findings_.disagreements[field].add(
        describe(static_cast<IndexField>(field), game, entry, facts));
  }
}

// Returns how many bytes without a record, from `begin` to `end`, are unused. Bytes before a border
// of Scid's blocks do not count: Scid may have skipped them because a record had no room there.
std::uint64_t unused_between(std::uint64_t begin, std::uint64_t end, std::uint64_t block_size) {
  const std::uint64_t border = (begin + block_size - 1) / block_size * block_size;
  return end - (border <= end ? border : begin);
}

// Finds records that share bytes, and bytes without a record, in the order of the records.
void check_places(const Database& database, DatabaseFindings& findings) {
  struct Place {
    std::uint64_t offset;
    std::uint32_t length;
    GameIndex game;
  };
  const std::uint64_t file_size = database.files().game_file().size();
  const std::uint64_t block_size = database.files().format().game_block_size;
  std::vector<Place> places;
  places.reserve(database.games());
  for (GameIndex game = 0; game < database.games(); ++game) {
    const GameEntry entry = database.entry(game);
    if (lies_within(entry, file_size)) {
      places.push_back({.offset = entry.offset, .length = entry.length, .game = game});
    }
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.offset, a.game) < std::tie(b.offset, b.game);
  });
  std::uint64_t end = 0;  // of all records so far
  GameIndex last = 0;     // the game whose record ends there
  for (const Place& place : places) {
    if (place.offset < end) {
      findings.overlaps.add({.game = std::min(place.game, last),
                             .other = std::max(place.game, last),
                             .offset = place.offset});
    } else {
      findings.unused_bytes += unused_between(end, place.offset, block_size);
    }
    if (place.offset + place.length > end) {
      end = place.offset + place.length;
      last = place.game;
    }
  }
  findings.unused_bytes += unused_between(end, file_size, block_size);
}

}  // namespace

DatabaseFindings check_database(const Database& database, unsigned threads, std::size_t most_lines,
                                std::size_t most_notes,
                                absl::FunctionRef<void(std::uint64_t games)> done) {
  constexpr std::size_t kBlocksAtOnce = 16;
  DatabaseFindings findings(most_lines, most_notes);
  DatabaseChecker checker(database, findings);
  const std::size_t blocks = database.files().index_file().blocks();
  const std::size_t tasks = (blocks + kBlocksAtOnce - 1) / kBlocksAtOnce;
  run_parallel(tasks, thread_count(threads, tasks), [&](std::size_t task) {
    const std::size_t first = task * kBlocksAtOnce;
    const std::size_t last = std::min(first + kBlocksAtOnce, blocks);
    checker.check_blocks(first, last);
    done(std::min<std::size_t>(last * IndexFile::kBlock, database.games()) -
         first * IndexFile::kBlock);
  });
  check_places(database, findings);
  return findings;
}

}  // namespace scidfs::fs
