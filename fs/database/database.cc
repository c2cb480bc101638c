#include "fs/database/database.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fs/database/measure.h"
#include "fs/database/reader_pool.h"
#include "fs/database/succession.h"

namespace scidfs::fs {

absl::StatusOr<std::shared_ptr<Database>> Database::open(const std::filesystem::path& index_path,
                                                         std::string name,
                                                         const DatabaseOptions& options) {
  absl::StatusOr<DatabaseFiles> files = DatabaseFiles::open(index_path, options);
  if (!files.ok()) return files.status();
  std::shared_ptr<Database> database(new Database(std::move(name), options, *std::move(files)));
  const absl::StatusOr<DatabaseFiles::Records> records =
      database->loaded_.load(database->files_.index_file(), options.is_over);
  if (!records.ok()) {
    return absl::Status(records.status().code(),
                        fmt::format("Cannot open {}: {}", index_path.string(),
                                    std::string(records.status().message())));
  }
  database->files_.settle(*records, options);
  return database;
}

Database::Database(std::string name, const DatabaseOptions& options, DatabaseFiles files)
    : name_(std::move(name)),
      options_(options),
      files_(std::move(files)),
      loaded_(files_, options_),
      sizes_(games()),
      derived_(files_, loaded_, sizes_, reference()),
      readers_(std::make_unique<const ReaderPool>(
          GameSource{.name = name_,
                     .index = index(),
                     .index_file = files_.index_file(),
                     .names = names(),
                     .file = files_.game_file(),
                     .pgn = options_.pgn,
                     .castling = files_.format().castling,
                     .openings = options_.pgn.opening ? reference().openings.get() : nullptr})) {
  options_.is_over = nullptr;  // its captures may be destroyed before the database
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
  std::vector<std::uint32_t> kept = sizes_.copy();
  for (const std::uint64_t sum : files_.game_file().copy_sums()) {
    kept.push_back(static_cast<std::uint32_t>(sum));
    kept.push_back(static_cast<std::uint32_t>(sum >> 32));
  }
  return kept;
}

void Database::adopt_kept(std::vector<std::uint32_t> kept) {
  std::vector<std::uint64_t> sums(files_.game_file().summed_chunks());
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) {
    const std::size_t at = games() + 2 * chunk;
    sums[chunk] = kept[at] | std::uint64_t{kept[at + 1]} << 32;
  }
  files_.game_file().adopt_sums(std::move(sums));
  kept.resize(games());
  sizes_.adopt(std::move(kept));
}

bool Database::is_plausible_after(const Database& before) const {
  return fs::is_plausible_after(*this, before);
}

void Database::inherit(const Database& before) { sizes_.adopt(inherited_sizes(*this, before)); }

std::uint64_t Database::memory() const {
  return sizeof *this + files_.memory() + loaded_.memory() + sizes_.memory() + derived_.memory();
}

}  // namespace scidfs::fs
