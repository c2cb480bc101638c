#include "fs/database/database.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cassert>
#include <utility>

#include "codec/text.h"
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
  if (sizes.size() != games() || !damaged.has_value() || signatures.size() != games() ||
      !lists_.are_in(*stored) || sums.size() != chunks * sizeof(std::uint64_t) ||
      !loaded_.adopt(*stored, files_.index_file())) {
    return false;
  }
  sizes_.adopt_all(sizes, *std::move(damaged));
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
          fingerprint()};
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
  return kept;
}

void Database::adopt_kept(std::vector<std::uint32_t> kept) {
  assert(kept.size() == kept_count());
  std::vector<std::uint64_t> sums(files_.game_file().summed_chunks());
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
    const std::size_t at = games() + 2 * chunk;
    sums[chunk] = kept[at] | std::uint64_t{kept[at + 1]} << 32;
  }
  files_.game_file().adopt_sums(std::move(sums));
  kept.resize(games());
  sizes_.adopt(std::move(kept));
}

void Database::inherit(const Database& before) { sizes_.adopt(inherited_sizes(*this, before)); }

// Returns whether the budget allows a lookup of all names of a kind in the spelling file, and a
// look at all games.
bool Database::allows_spelling(codec::scid::NameKind kind, const WorkBudget& budget) const {
  if (budget.is_unlimited()) return true;
  return reference().spelling->is_ready() &&
         budget.spend(games() / kMemoryEntriesOfGame + names()[kind].size() / kNamesOfGame);
}

absl::StatusOr<const People*> Database::people(const WorkBudget& budget) const {
  if (reference().spelling == nullptr) return nullptr;
  return people_.get(budget, [&]() -> absl::StatusOr<Derived<People>::Ptr> {
    if (!allows_spelling(codec::scid::NameKind::Player, budget)) return WorkBudget::exceeded();
    return std::make_shared<const People>(loaded_, names()[codec::scid::NameKind::Player],
                                          reference().spelling->get(), options().evidence);
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
  return sizeof *this + files_.memory() + loaded_.memory() + sizes_.memory() + lists_.memory() +
         people_.memory() + tournaments_.memory() + signatures_.memory() + positions_.memory() +
         openings_.memory();
}

void Database::check_stored_ahead(absl::FunctionRef<bool()> is_over) const {
  if (stored_ != nullptr) stored_->check_ahead(is_over);
}

}  // namespace scidfs::fs
