#include "fs/import/import.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "codec/scid/format.h"
#include "fs/file/source_file.h"
#include "fs/import/copy_games.h"
#include "fs/import/new_database.h"
#include "fs/import/pgn_games.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kStandardInput = "-";

using ImportSource = std::variant<CopySource, PgnSource>;

absl::StatusOr<ImportSource> open_source(const std::filesystem::path& path) {
  if (codec::scid::format_of_index(path.native()) != nullptr) return CopySource::open(path);
  if (path == kStandardInput) return PgnSource::standard_input();
  if (is_pgn_name(path.native())) {
    absl::StatusOr<SourceFile> file = SourceFile::open(path);
    if (!file.ok()) return file.status();
    return PgnSource(*std::move(file));
  }
  return absl::InvalidArgumentError(fmt::format(
      "Cannot read {}: it is neither the index of a database nor a PGN file", path.string()));
}

}  // namespace

absl::StatusOr<ImportReport> import_games(const ImportOptions& options, Progress progress,
                                          ImportRemark remark) {
  const absl::StatusOr<std::unique_ptr<NewDatabase>> target = NewDatabase::create(options.database);
  if (!target.ok()) return target.status();
  std::vector<ImportSource> sources;
  std::uint64_t total = 0;
  bool is_total_known = true;
  for (const std::filesystem::path& path : options.sources) {
    absl::StatusOr<ImportSource> source = open_source(path);
    if (!source.ok()) return source.status();
    const std::uint64_t size = std::visit([](const auto& one) { return one.size(); }, *source);
    if (std::holds_alternative<PgnSource>(*source) && size == 0) is_total_known = false;
    total += size;
    sources.push_back(*std::move(source));
  }
  std::uint64_t done = 0;
  const auto advance = [&](std::uint64_t bytes) {
    done += bytes;
    progress(done, is_total_known ? total : 0);
  };
  const PgnImportOptions pgn_options{.threads = options.threads, .page = options.page};
  std::optional<codec::scid::DatabaseInfo> info;
  for (const ImportSource& source : sources) {
    absl::Status status;
    if (const auto* const pgn = std::get_if<PgnSource>(&source)) {
      status = pgn->import(**target, pgn_options, advance, remark).status();
    } else {
      const auto& database = std::get<CopySource>(source);
      status = database.copy(**target, advance, remark);
      if (&source == &sources.front()) info = database.info();
    }
    if (absl::IsOutOfRange(status)) {
      return absl::OutOfRangeError(fmt::format("Cannot write {}: {}", options.database.string(),
                                               std::string(status.message())));
    }
    if (!status.ok()) return status;
  }
  if (absl::Status status = (*target)->commit(info); !status.ok()) return status;
  return ImportReport{.games = (*target)->games()};
}

}  // namespace scidfs::fs
