#include "fs/check/pgn_check.h"

#include <string_view>
#include <utility>

#include "fs/import/pgn_games.h"

namespace scidfs::fs {

PgnFindings check_pgn(const PgnFile& file, unsigned threads, std::size_t most_lines,
                      absl::FunctionRef<void(std::uint64_t bytes)> done) {
  PgnFindings findings;
  absl::StatusOr<SourceFile> source = file.open([] { return false; });
  if (!source.ok()) {
    findings.failure = std::string(source.status().message());
    return findings;
  }
  // Remarks begin with the path, and ", " or ": ". Those about a game come before it is added.
  const std::size_t path = source->path().string().size() + 2;
  std::uint64_t remarks_before = 0;
  const auto remark = [&](std::string_view text) {
    if (findings.remarks++ < most_lines) findings.first.emplace_back(text.substr(path));
  };
  const auto add = [&](const NewGame&) {
    ++findings.games;
    if (findings.remarks != remarks_before) ++findings.damaged;
    remarks_before = findings.remarks;
    return Loss::None;
  };
  const PgnSource games(*std::move(source));
  const absl::StatusOr<PgnImported> read =
      games.import(add, {.threads = threads, .takes_partial = true}, done, remark);
  if (!read.ok()) findings.failure = std::string(read.status().message());
  return findings;
}

}  // namespace scidfs::fs
