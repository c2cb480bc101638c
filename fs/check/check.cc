#include "fs/check/check.h"

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>

#include "fs/base/log.h"
#include "fs/check/check_report.h"
#include "fs/check/database_check.h"

namespace scidfs::fs {
namespace {

// Goes through the databases of a library in the order of their paths.
class Checker {
 public:
  Checker(const Catalog& catalog, const CheckOptions& options,
          absl::FunctionRef<void(std::string_view)> print, Progress progress)
      : catalog_(catalog), options_(options), print_(print), progress_(progress) {}

  void check_folder(const Folder& folder);
  Health finish();

 private:
  void check_database(const Database& database, const std::string& path);
  void check_texts(const ShownTexts& texts, const std::string& path);

  const Catalog& catalog_;
  const CheckOptions& options_;
  absl::FunctionRef<void(std::string_view)> print_;
  Progress progress_;

  std::atomic<std::uint64_t> games_done_ = 0;
  std::uint64_t good_ = 0;
  std::uint64_t damaged_ = 0;
  std::uint64_t unreadable_ = 0;
  std::uint64_t damaged_games_ = 0;
  std::uint64_t texts_ = 0;
  std::uint64_t damaged_texts_ = 0;
};

void Checker::check_folder(const Folder& folder) {
  for (const std::string& refused : folder.refused) {
    ++unreadable_;
    print_(fmt::format("unreadable: {}\n", printable(refused)));
  }
  const auto path_of = [&folder](const std::string& name) {
    return folder.path.empty() ? name : folder.path + "/" + name;
  };
  if (const TextsPtr own = catalog_.texts(folder.own_texts)) {
    check_texts(*own, folder.path.empty() ? own->name : folder.path);
  }
  for (const std::uint16_t slot : folder.databases) {
    const DatabasePtr database = catalog_.database(slot);
    check_database(*database, path_of(database->name()));
  }
  for (const std::uint16_t slot : folder.texts) {
    const TextsPtr texts = catalog_.texts(slot);
    check_texts(*texts, path_of(texts->name));
  }
  for (const std::uint32_t key : folder.folders) check_folder(*catalog_.folder(key));
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

void Checker::check_texts(const ShownTexts& texts, const std::string& path) {
  const std::vector<std::string> problems = texts.directory->problems();
  ++texts_;
  if (!problems.empty()) ++damaged_texts_;
  std::string text =
      fmt::format("{}: {}\n", printable(path), printable(texts.directory->summary()));
  for (const std::string& problem : problems) {
    text += fmt::format("  problem: {}\n", printable(problem));
  }
  print_(text + fmt::format("{}: {}\n", printable(path), problems.empty() ? "good" : "damaged"));
}

Health Checker::finish() {
  const std::uint64_t databases = good_ + damaged_ + unreadable_;
  print_(fmt::format("{} {}: {} good, {} damaged, {} unreadable; {} games, {} of them damaged\n",
                     databases, databases == 1 ? "database" : "databases", good_, damaged_,
                     unreadable_, catalog_.games(), damaged_games_));
  if (texts_ != 0) {
    print_(fmt::format("{} other {}: {} good, {} damaged\n", texts_, texts_ == 1 ? "file" : "files",
                       texts_ - damaged_texts_, damaged_texts_));
  }
  // An empty folder is what is left when a disk is missing: no reason to be content.
  if (unreadable_ != 0 || databases + texts_ == 0) return Health::Unreadable;
  return damaged_ + damaged_texts_ != 0 ? Health::Damaged : Health::Good;
}

}  // namespace

Health check(const std::filesystem::path& source, const CheckOptions& options,
             absl::FunctionRef<void(std::string_view)> print, Progress progress) {
  LibraryOptions how;
  how.index = IndexMode::None;
  how.threads = options.threads;
  how.unpack.folder = options.unpack_folder;
  const absl::StatusOr<std::unique_ptr<Library>> library = Library::open(source, how);
  if (!library.ok()) {
    log_error(std::string(library.status().message()));
    return Health::Unreadable;
  }
  const CatalogPtr catalog = (*library)->catalog();
  Checker checker(*catalog, options, print, progress);
  checker.check_folder(catalog->root_folder());
  return checker.finish();
}

}  // namespace scidfs::fs
