#include "fs/check/check.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>

#include "fs/base/log.h"
#include "fs/check/check_report.h"
#include "fs/check/database_check.h"
#include "fs/check/pgn_check.h"

namespace scidfs::fs {
namespace {

// A check of everything that a catalog shows, folder by folder, databases first.
class Checker {
 public:
  Checker(const Catalog& catalog, const CheckOptions& options,
          absl::FunctionRef<void(std::string_view)> print, Progress progress)
      : catalog_(catalog), options_(options), print_(print), progress_(progress) {}

  void check(const MountedVersion& version);
  void refuse(const std::string& why);
  Health finish();

 private:
  void check_database(const Database& database, const std::string& path);
  void check_pgn(const PgnFile& file, const std::string& path);
  void check_other(const MountedVersion& other);

  const Catalog& catalog_;
  const CheckOptions& options_;
  absl::FunctionRef<void(std::string_view)> print_;
  Progress progress_;

  std::atomic<std::uint64_t> games_done_ = 0;
  std::uint64_t good_ = 0;
  std::uint64_t damaged_ = 0;
  std::uint64_t unreadable_ = 0;
  std::uint64_t damaged_games_ = 0;
  std::uint64_t games_of_pgn_ = 0;
  std::uint64_t others_ = 0;
  std::uint64_t damaged_others_ = 0;
};

void Checker::refuse(const std::string& why) {
  ++unreadable_;
  print_(fmt::format("unreadable: {}\n", printable(why)));
}

void Checker::check(const MountedVersion& version) {
  for (const Refusal& refused : version.refused) refuse(refused.why);
  if (version.database != nullptr) {
    check_database(*version.database, version.path);
  } else if (version.lazy != nullptr) {
    check_pgn(version.lazy->file(), version.path);
  } else if (!version.noun.empty()) {
    check_other(version);
  }
  for (const std::uint16_t slot : version.mounted) {
    if (const MountedVersion* const below = catalog_.find(slot); below != nullptr) check(*below);
  }
}

void Checker::check_database(const Database& database, const std::string& path) {
  const std::uint64_t total = catalog_.games();
  const DatabaseFindings findings =
      fs::check_database(database, options_.threads, options_.most_lines, options_.most_notes,
                         [&](std::uint64_t games) { progress_(games_done_ += games, total); });
  ++(is_damaged(database, findings) ? damaged_ : good_);
  damaged_games_ += findings.damaged.count();
  print_(report_text(database, path, findings));
}

void Checker::check_pgn(const PgnFile& file, const std::string& path) {
  std::uint64_t bytes = 0;
  const PgnFindings findings =
      fs::check_pgn(file, options_.threads, options_.most_lines,
                    [&](std::uint64_t more) { progress_(bytes += more, file.stamp.size); });
  if (!findings.failure.empty()) {
    ++unreadable_;
  } else {
    ++(findings.remarks != 0 ? damaged_ : good_);
  }
  games_of_pgn_ += findings.games;
  damaged_games_ += findings.damaged;
  print_(report_text(path, findings));
}

void Checker::check_other(const MountedVersion& other) {
  const std::vector<std::string> problems = other.snapshot->problems();
  const std::string path = printable(other.path);
  ++others_;
  if (!problems.empty()) ++damaged_others_;
  std::string text = fmt::format("{}: {}\n", path, printable(other.snapshot->summary()));
  for (const std::string& problem : problems) {
    text += fmt::format("  problem: {}\n", printable(problem));
  }
  print_(text + fmt::format("{}: {}\n", path, problems.empty() ? "good" : "damaged"));
}

Health Checker::finish() {
  const std::uint64_t databases = good_ + damaged_ + unreadable_;
  const std::uint64_t games = catalog_.games() + games_of_pgn_;
  print_(fmt::format("{} {}: {} good, {} damaged, {} unreadable; {} {}, {} of them damaged\n",
                     databases, databases == 1 ? "database" : "databases", good_, damaged_,
                     unreadable_, games, games == 1 ? "game" : "games", damaged_games_));
  if (others_ != 0) {
    print_(fmt::format("{} other {}: {} good, {} damaged\n", others_,
                       others_ == 1 ? "file" : "files", others_ - damaged_others_,
                       damaged_others_));
  }
  // An empty folder may be the mount point of a missing disk, so it does not count as good.
  if (unreadable_ != 0 || databases + others_ == 0) return Health::Unreadable;
  return damaged_ + damaged_others_ != 0 ? Health::Damaged : Health::Good;
}

}  // namespace

Health check(const std::filesystem::path& source, const CheckOptions& options,
             absl::FunctionRef<void(std::string_view)> print, Progress progress) {
  LibraryOptions how;
  how.together = TogetherMode::None;
  how.index = IndexMode::None;
  how.first_patience = std::chrono::milliseconds(0);
  how.threads = options.threads;
  how.unpack.folder = options.unpack_folder;
  const absl::StatusOr<std::unique_ptr<Library>> library = Library::open(source, how);
  if (!library.ok()) {
    log_error(std::string(library.status().message()));
    return Health::Unreadable;
  }
  const CatalogPtr catalog = (*library)->catalog();
  Checker checker(*catalog, options, print, progress);
  checker.check(*catalog->find(catalog->root()));
  return checker.finish();
}

}  // namespace scidfs::fs
