#include "fs/reference/data_files.h"

#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

absl::StatusOr<std::optional<DataFile>> open_one(const DataFileChoice& choice) {
  if (choice.path.empty()) return std::nullopt;
  absl::StatusOr<SourceFile> file = SourceFile::open(choice.path);
  if (file.ok()) return DataFile{.file = *std::move(file), .is_named = choice.is_named};
  if (choice.is_named) return file.status();
  return std::nullopt;
}

std::shared_ptr<const OpeningNames> load_openings(const DataFile& data) {
  constexpr std::size_t kMost = std::size_t{16} << 20;  // many times the size of existing files
  const absl::StatusOr<std::vector<std::uint8_t>> bytes = data.file.read_front(kMost);
  if (!bytes.ok()) {
    log_unusable(bytes.status(), data.is_named);
    return nullptr;
  }
  return std::make_shared<const OpeningNames>(std::string(bytes->begin(), bytes->end()),
                                              data.file.path().filename().string());
}

}  // namespace

DataFileChoices installed_data_files() {
  return {.spelling = {.path = "/usr/share/scid/data/spelling.ssp"},
          .eco = {.path = "/usr/share/scid/data/scid.eco"}};
}

DataFileChoice find_player_list(const std::filesystem::path& users) {
  for (const std::filesystem::path& folder : {users, std::filesystem::path("/usr/share/scidfs")}) {
    if (folder.empty()) continue;
    for (const char* const name : {"players_list_foa.txt", "players_list.zip"}) {
      std::error_code ignored;
      if (std::filesystem::exists(folder / name, ignored)) return {.path = folder / name};
    }
  }
  return {};
}

absl::StatusOr<DataFiles> DataFiles::open(const DataFileChoices& choices) {
  DataFiles files;
  ASSIGN_OR_RETURN(std::optional<DataFile> spelling, open_one(choices.spelling));
  files.spelling_ = std::move(spelling);
  ASSIGN_OR_RETURN(std::optional<DataFile> eco, open_one(choices.eco));
  files.eco_ = std::move(eco);
  ASSIGN_OR_RETURN(std::optional<DataFile> fide, open_one(choices.fide));
  files.fide_ = std::move(fide);
  return files;
}

ReferencePtr DataFiles::load(const std::filesystem::path& cache_folder) {
  auto reference = std::make_shared<Reference>();
  for (const std::optional<DataFile>* const data : {&spelling_, &eco_, &fide_}) {
    if (!data->has_value()) continue;
    reference->fingerprint = fingerprint_of((*data)->file.stamp(), reference->fingerprint);
  }
  if (spelling_.has_value() || fide_.has_value()) {
    reference->spelling =
        std::make_shared<const SpellingLoad>(std::move(spelling_), std::move(fide_), cache_folder);
  }
  if (eco_.has_value()) reference->openings = load_openings(*eco_);
  return reference;
}

}  // namespace scidfs::fs
