#include "fs/database/database_options.h"

#include <fmt/format.h>

#include <string_view>

#include "cache/hash.h"

namespace scidfs::fs {

std::uint64_t with_options(std::uint64_t fingerprint, const DatabaseOptions& options) {
  // These options decide which games all.pgn and the lists have, the order of games in events,
  // whose games they are, how tables are written, and who the user is.
  constexpr std::string_view kShowsDeleted = "show_deleted";
  constexpr std::string_view kByRound = "by_round";
  constexpr std::string_view kPeopleAsScid = "people_as_scid";
  constexpr std::string_view kCsvForExcel = "csv_for_excel";
  if (options.show_deleted) fingerprint = cache::fingerprint(kShowsDeleted, fingerprint);
  if (options.by_round) fingerprint = cache::fingerprint(kByRound, fingerprint);
  if (options.evidence == Evidence::Lifetime) {
    fingerprint = cache::fingerprint(kPeopleAsScid, fingerprint);
  }
  if (options.csv == CsvForm::Excel) fingerprint = cache::fingerprint(kCsvForExcel, fingerprint);
  if (!options.me.empty()) fingerprint = cache::fingerprint(options.me, fingerprint);
  const std::uint64_t reference = options.reference->fingerprint;
  return reference == 0 ? fingerprint : cache::fingerprint(fmt::to_string(reference), fingerprint);
}

}  // namespace scidfs::fs
