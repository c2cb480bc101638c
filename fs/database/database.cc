#include "fs/database/database.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_cost.h"
#include "fs/database/example_game.h"
#include "fs/database/measure.h"
#include "fs/database/stored_index.h"
#include "fs/database/stored_names.h"
#include "fs/database/stored_positions.h"
#include "fs/database/succession.h"
#include "fs/file/cache_file.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

// Which words a database keeps, and what they mean: change it with them.
constexpr std::string_view kKeptContents = "sizes, sums, ids";

constexpr std::size_t kWordsOfIds = 3;  // the game, the ids of both sides

// Returns the ids in words that a database of so many games kept; null: they are no such words.
std::shared_ptr<const GameIds> ids_of_kept(std::span<const std::uint32_t> words, GameIndex games) {
  if (words.size() % kWordsOfIds != 0) return nullptr;
  std::vector<IdsOfGame> ids;
  for (; !words.empty(); words = words.subspan(kWordsOfIds)) {
    const IdsOfGame next{.game = words[0], .ids = {.white = words[1], .black = words[2]}};
    const bool ascends = ids.empty() || ids.back().game < next.game;
    if (!ascends || next.game >= games || !next.ids.any()) return nullptr;
    ids.push_back(next);
  }
  return std::make_shared<const GameIds>(ids);
}

}  // namespace

absl::StatusOr<std::shared_ptr<Database>> Database::open(const std::filesystem::path& index_path,
                                                         std::string name,
                                                         const DatabaseOptions& options) {
  ASSIGN_OR_RETURN(DatabaseFiles files, DatabaseFiles::open(index_path, options));
  std::shared_ptr<Database> database;
  std::unique_ptr<const StoredIndex> stored = StoredIndex::find(files, options);
  if (stored != nullptr) {
    if (std::optional<codec::scid::Names> names = stored_names(*stored)) {
      files.adopt_names(*std::move(names), stored->facts().names_checksum, options);
      database.reset(new Database(name, options, std::move(files)));
      if (database->adopt(stored)) return database;
    }
    stored->tell_unfit();
    ASSIGN_OR_RETURN(files, DatabaseFiles::open(index_path, options));
  }
  RETURN_IF_ERROR(files.load_names(options));
  database.reset(new Database(std::move(name), options, std::move(files)));
  database->found_unfit_ = stored != nullptr;
  if (const absl::Status status = database->load(options.is_cancelled); !status.ok()) {
    return absl::Status(status.code(), fmt::format("Cannot open {}: {}", index_path.string(),
                                                   std::string(status.message())));
  }
  return database;
}

absl::Status Database::load(const std::function<bool()>& is_cancelled) {
  RETURN_IF_ERROR(loaded_.load(files_.index_file(), is_cancelled));
  sizes_.adopt(std::vector<std::uint32_t>(games()));
  files_.settle(loaded_.records(), options_);
  return absl::OkStatus();
}

// Returns the ids of an index file; null if the sections do not fit.
std::shared_ptr<const GameIds> Database::adoptable_ids(const StoredIndex& stored) const {
  const GameIds::Arrays arrays{.blocks = stored.all<GameIds::Block>(StoredPart::IdBlocks),
                               .numbers = stored.all<std::uint32_t>(StoredPart::IdNumbers),
                               .ids = stored.all<std::uint32_t>(StoredPart::Ids)};
  if (stored.bytes(StoredPart::IdBlocks).size() != arrays.blocks.size_bytes() ||
      stored.bytes(StoredPart::IdNumbers).size() != arrays.numbers.size_bytes() ||
      stored.bytes(StoredPart::Ids).size() != arrays.ids.size_bytes()) {
    return nullptr;
  }
  return GameIds::of_stored(arrays, games());
}

// Takes an index file and all that it has. Returns false, and takes nothing, if any section does
// not fit.
bool Database::adopt(std::unique_ptr<const StoredIndex>& stored) {
  const StoredFacts& facts = stored->facts();
  const auto sizes = stored->values<std::uint32_t>(StoredPart::Sizes, games());
  const auto signatures =
      stored->values<codec::scid::IndexSignature>(StoredPart::Signatures, games());
  const codec::Bytes sums = stored->bytes(StoredPart::GameSums);
  const std::size_t chunks =
      files_.game_file().chunks_to_sum(facts.records_end, facts.records_bytes);
  std::optional<DeltaList> damaged =
      DeltaList::of_stored(stored->bytes(StoredPart::Damaged), facts.damaged, games());
  std::shared_ptr<const GameIds> ids = adoptable_ids(*stored);
  if (sizes.size() != games() || ids == nullptr || !damaged.has_value() ||
      signatures.size() != games() || !lists_.are_in(*stored) ||
      sums.size() != chunks * sizeof(std::uint64_t) ||
      !loaded_.adopt(*stored, files_.index_file())) {
    return false;
  }
  sizes_.adopt_all(sizes, *std::move(damaged));
  found_ids_.adopt(std::move(ids));
  signatures_.get_ptr([&] { return std::make_shared<const SignatureTable>(signatures); });
  files_.settle(loaded_.records(), options_);
  const auto words = stored->values<std::uint64_t>(StoredPart::GameSums, chunks);
  files_.game_file().adopt_sums({words.begin(), words.end()});
  stored_ = std::move(stored);
  return true;
}

absl::StatusOr<StoredParts> Database::store(const WorkBudget& budget) const {
  assert(sizes_.complete());
  StoredParts parts;
  ASSIGN_OR_RETURN(const SignatureTable* const made, signatures(budget));
  if (made->are_verified()) {
    parts.add(StoredPart::Signatures, made->games());
  } else {
    ASSIGN_OR_RETURN(auto verified, read_signatures(files_.index_file(), sizes_, budget));
    parts.keep(std::move(verified));
  }
  StoredFacts facts;
  facts.names_checksum = files_.names_checksum();
  facts.example = example_game();
  add_names(names(), parts);
  loaded_.store(parts, facts);
  lists_.store(parts);
  parts.add(StoredPart::Sizes, sizes_.all());
  parts.keep(found_ids_.known());
  const DeltaList damaged = sizes_.damaged();
  facts.damaged = damaged.size();
  parts.keep(StoredPart::Damaged, std::string(codec::as_text(damaged.bytes())));
  parts.keep(StoredPart::GameSums, files_.game_file().copy_sums());
  const auto numbers = std::bit_cast<std::array<std::uint64_t, sizeof facts / 8>>(facts);
  parts.keep(StoredPart::Facts, std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
  return parts;
}

CacheFile Database::kept_file() const {
  return {options_.cache_folder,
          fmt::format("{}\n{}", index_path().string(), fingerprint_of(options_.pgn)),
          cache::fingerprint(kKeptContents, fingerprint())};
}

bool Database::load_kept() {
  std::optional<std::vector<std::uint32_t>> kept = kept_file().load(std::nullopt);
  if (!kept.has_value()) return false;
  if (adopt_kept(*std::move(kept))) return true;
  log_warning(fmt::format("Cannot use the saved sizes of {}: they do not fit the database",
                          index_path().string()));
  return false;
}

void Database::save_kept() const {
  kept_file().save(copy_kept(), "sizes will be computed again next time");
}

Database::Database(std::string name, DatabaseOptions options, DatabaseFiles files)
    : name_(std::move(name)),
      options_(std::move(options)),
      files_(std::move(files)),
      loaded_(files_, options_),
      lists_(loaded_, names()),
      readers_(std::make_unique<const ReaderPool>(
          GameSource{.name = name_, .files = files_, .index = index(), .options = options_})) {
  options_.is_cancelled = nullptr;  // its captures may be destroyed before the database
}

Database::~Database() = default;

absl::StatusOr<std::uint32_t> Database::text_size(GameIndex game) const {
  if (const std::optional<std::uint32_t> known = sizes_.size(game)) return *known;
  return measure_game(*this, game, *readers().borrow());
}

absl::Status Database::compute_sizes(GameIndex first, GameIndex last,
                                     absl::FunctionRef<bool()> stop) const {
  return measure_range(*this, first, last, stop);
}

std::vector<std::uint32_t> Database::copy_kept() const {
  std::vector<std::uint32_t> kept = sizes_.words();
  for (const std::uint64_t sum : files_.game_file().copy_sums()) {
    kept.push_back(static_cast<std::uint32_t>(sum));
    kept.push_back(static_cast<std::uint32_t>(sum >> 32));
  }
  for (const IdsOfGame& of : found_ids_.known()->games()) {
    kept.insert(kept.end(), {of.game, of.ids.white, of.ids.black});
  }
  return kept;
}

bool Database::adopt_kept(std::vector<std::uint32_t> kept) {
  std::vector<std::uint64_t> sums(files_.game_file().summed_chunks());
  const std::size_t before_ids = games() + 2 * sums.size();
  if (kept.size() < before_ids) return false;
  std::shared_ptr<const GameIds> ids = ids_of_kept(std::span(kept).subspan(before_ids), games());
  if (ids == nullptr) return false;
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
    const std::size_t at = games() + 2 * chunk;
    sums[chunk] = kept[at] | std::uint64_t{kept[at + 1]} << 32;
  }
  files_.game_file().adopt_sums(std::move(sums));
  kept.resize(games());
  sizes_.adopt(std::move(kept));
  found_ids_.adopt(std::move(ids));
  return true;
}

void Database::inherit(const Database& before) {
  std::vector<std::uint32_t> sizes = inherited_sizes(*this, before);
  for (const auto& [game, ids] : before.found_ids().known()->games()) {
    const bool is_inherited = game < games() && sizes[game] != 0 && !sizes_.is_known(game);
    if (is_inherited) found_ids_.add(game, ids);
  }
  sizes_.adopt(std::move(sizes));
}

// Returns whether the budget allows a lookup of all names of a kind in the spelling file, and a
// look at all games.
bool Database::allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const {
  if (budget.is_unlimited()) return true;
  return reference().spelling->is_ready() &&
         budget.spend(games() / kMemoryEntriesOfGame + names()[kind].size() / kNamesOfGame);
}

// A game that cannot be read leaves the others their ids, and those that share records have none:
// measuring them could take hours.
absl::StatusOr<std::shared_ptr<const GameIds>> Database::fide_ids(const WorkBudget& budget) const {
  if (options().evidence == Evidence::Lifetime || files_.shares_records()) return nullptr;
  const absl::Status status = measure(*this, GameList::all_but(games(), {}), budget);
  if (status.ok()) return found_ids_.known();
  if (!budget.is_unlimited() && absl::IsUnavailable(status)) return status;
  compute_sizes(0, games(), [&budget] { return budget.is_cancelled(); }).IgnoreError();
  if (budget.is_cancelled()) return WorkBudget::cancelled();
  return found_ids_.known();
}

absl::StatusOr<const People*> Database::people(const WorkBudget& budget) const {
  if (reference().spelling == nullptr) return nullptr;
  return people_.get(budget, [&]() -> absl::StatusOr<Derived<People>::Ptr> {
    if (!allows_spelling(codec::scid::NameKind::Player, budget)) return WorkBudget::exceeded();
    ASSIGN_OR_RETURN(auto ids, fide_ids(budget));
    return std::make_shared<const People>(loaded_, names()[codec::scid::NameKind::Player],
                                          reference().spelling->get(), options().evidence,
                                          std::move(ids));
  });
}

absl::StatusOr<const Tournaments*> Database::tournaments(const WorkBudget& budget) const {
  if (reference().spelling == nullptr) return nullptr;
  return tournaments_.get(budget, [&]() -> absl::StatusOr<Derived<Tournaments>::Ptr> {
    if (!allows_spelling(codec::scid::NameKind::Event, budget)) return WorkBudget::exceeded();
    return std::make_shared<const Tournaments>(lists_, names(), *reference().spelling->get());
  });
}

absl::StatusOr<const SignatureTable*> Database::signatures(const WorkBudget& budget) const {
  return signatures_.get(budget,
                         [&] { return read_signatures(files_.index_file(), sizes_, budget); });
}

GameIndex Database::example_game() const {
  if (stored_ == nullptr) return find_example_game(loaded_, names());
  const std::uint64_t game = stored_->facts().example;
  return game < games() ? static_cast<GameIndex>(game) : kNoGame;
}

std::uint64_t Database::memory() const {
  return sizeof *this + files_.memory() + loaded_.memory() + sizes_.memory() + found_ids_.memory() +
         lists_.memory() + people_.memory() + tournaments_.memory() + signatures_.memory() +
         positions_.memory() + openings_.memory();
}

void Database::check_stored_ahead(absl::FunctionRef<bool()> is_over) const {
  if (stored_ != nullptr) stored_->check_ahead(is_over);
}

}  // namespace scidfs::fs
