#include "fs/import/import.h"

#include <fmt/format.h>

#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "codec/ending.h"
#include "codec/scid/format.h"
#include "fs/base/status_macros.h"
#include "fs/file/source_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"
#include "fs/import/pgn_games.h"
#include "fs/import/signature.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kStandardInput = "-";

using ImportSource = std::variant<CopySource, PgnSource>;

bool is_zip_name(std::string_view name) { return codec::has_ending(name, ".zip"); }

// Returns whether a file can be a source.
bool is_source_name(std::string_view name) {
  return codec::scid::format_of_index(name) != nullptr || is_zip_name(name) || is_pgn_name(name);
}

// Opens a source and appends it to the others; of a zip file, each PGN file is one.
absl::Status open_source(const std::filesystem::path& path, codec::CodePage names,
                         ImportRemark remark, std::vector<ImportSource>& sources) {
  if (codec::scid::format_of_index(path.native()) != nullptr) {
    ASSIGN_OR_RETURN(CopySource database, CopySource::open(path));
    sources.emplace_back(std::move(database));
    return absl::OkStatus();
  }
  if (path == kStandardInput) {
    sources.emplace_back(PgnSource::standard_input());
    return absl::OkStatus();
  }
  if (!is_source_name(path.native())) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot read {}: it is neither the index of a database nor a PGN or zip file",
                    path.string()));
  }
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path));
  if (!is_zip_name(path.native())) {
    sources.emplace_back(PgnSource(std::move(file)));
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(std::vector<PgnSource> members,
                   PgnSource::members_of(std::move(file), names, &is_source_name, remark));
  sources.insert(sources.end(), std::move_iterator(members.begin()),
                 std::move_iterator(members.end()));
  return absl::OkStatus();
}

// Opens the database that gets more games.
absl::StatusOr<CopySource> open_old_version(const std::filesystem::path& path) {
  absl::StatusOr<CopySource> source = CopySource::open(path);
  if (!source.ok()) return source;
  RETURN_IF_ERROR(check_signature(path));
  return source;
}

class Import {
 public:
  Import(const ImportOptions& options, Progress progress, ImportRemark remark)
      : options_(options), progress_(progress), remark_(remark) {}

  absl::StatusOr<ImportReport> run();

 private:
  absl::Status open_sources();
  absl::Status add(const ImportSource& source);

  const ImportOptions& options_;
  const Progress progress_;
  const ImportRemark remark_;
  std::unique_ptr<NewDatabase> target_;
  std::vector<ImportSource> sources_;  // the old version is the first
  std::uint64_t total_ = 0;            // bytes of the sources
  bool is_total_known_ = true;
  std::uint64_t done_ = 0;
};

absl::Status Import::open_sources() {
  if (options_.is_append) {
    ASSIGN_OR_RETURN(CopySource old, open_old_version(options_.database));
    sources_.emplace_back(std::move(old));
  }
  for (const std::filesystem::path& path : options_.sources) {
    RETURN_IF_ERROR(open_source(path, options_.names, remark_, sources_));
  }
  for (const ImportSource& source : sources_) {
    const std::uint64_t size = std::visit([](const auto& one) { return one.size(); }, source);
    if (std::holds_alternative<PgnSource>(source) && size == 0) is_total_known_ = false;
    total_ += size;
  }
  return absl::OkStatus();
}

absl::Status Import::add(const ImportSource& source) {
  const auto advance = [this](std::uint64_t bytes) {
    if (bytes == 0) return;
    done_ += bytes;
    progress_(done_, is_total_known_ ? total_ : 0);
  };
  absl::Status status;
  if (const auto* const pgn = std::get_if<PgnSource>(&source)) {
    const PgnImportOptions options{.threads = options_.threads,
                                   .page = options_.page,
                                   .takes_partial = options_.takes_partial};
    const auto add = [this](const NewGame& game) { return target_->add(game); };
    status = pgn->import(add, options, advance, remark_).status();
  } else {
    status = std::get<CopySource>(source).copy(*target_, advance, remark_);
  }
  if (!absl::IsOutOfRange(status)) return status;
  return absl::OutOfRangeError(fmt::format("Cannot write {}: {}", options_.database.string(),
                                           std::string(status.message())));
}

absl::StatusOr<ImportReport> Import::run() {
  if (!options_.is_append) remove_interrupted(options_.database);
  ASSIGN_OR_RETURN(
      std::unique_ptr<NewDatabase> target,
      NewDatabase::create(options_.database,
                          options_.is_append ? NewFile::Existing::Replace : NewFile::Existing::Keep,
                          *options_.maker));
  target_ = std::move(target);
  RETURN_IF_ERROR(open_sources());
  std::uint64_t old_games = 0;
  for (const ImportSource& source : sources_) {
    RETURN_IF_ERROR(add(source));
    if (options_.is_append && &source == &sources_.front()) old_games = target_->games();
  }
  const auto* const first = std::get_if<CopySource>(&sources_.front());
  if (options_.is_append && !first->is_as_opened()) {
    return absl::UnavailableError(fmt::format("Cannot write {}: another program is writing to it",
                                              options_.database.string()));
  }
  std::optional<codec::scid::DatabaseInfo> info;
  if (first != nullptr) info = first->info();
  RETURN_IF_ERROR(target_->commit(info, true));
  return ImportReport{.games = target_->games() - old_games};
}

}  // namespace

absl::StatusOr<ImportReport> import_games(const ImportOptions& options, Progress progress,
                                          ImportRemark remark) {
  return Import(options, progress, remark).run();
}

}  // namespace scidfs::fs
