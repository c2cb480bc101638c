#include "fs/programs/first_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <string_view>
#include <system_error>

#include "fs/base/log.h"
#include "fs/base/shell_word.h"
#include "fs/library/source_format.h"
#include "fs/tables/chart.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostFolders = 5;
constexpr std::size_t kShareOfFolder = 4;  // of the entries that are left

class ChessFolders {
 public:
  explicit ChessFolders(const LookLimits& limits)
      : left_(limits.entries), end_(Clock::now() + limits.time) {}

  std::vector<ChessFolder> find(std::span<const stdfs::path> places) {
    for (const stdfs::path& place : places) add(place);
    for (; !open_.empty() && left_ > 0 && Clock::now() < end_; open_.pop_front()) {
      look_into(open_.front());
    }
    return std::move(found_);
  }

 private:
  void add(const stdfs::path& folder) {
    std::error_code error;
    const stdfs::path real = stdfs::canonical(folder, error);
    if (!error && seen_.insert(real).second) open_.push_back(folder);
  }

  void look_into(const stdfs::path& folder) {
    ChessFolder here{.path = folder};
    std::error_code error;
    const auto begin = stdfs::directory_iterator(folder, error);
    // A large folder leaves something to look at in the others.
    std::size_t left = left_ / kShareOfFolder + 1;
    for (stdfs::directory_iterator it = begin, end; !error && it != end && left_ > 0 && left > 0;
         it.increment(error), --left_, --left) {
      const stdfs::path& path = it->path();
      // Names with control characters would not reach a terminal as they are.
      const std::string name = path.filename().native();
      if (name.starts_with('.') || printable(name) != name) continue;
      std::error_code unknown;
      if (it->is_directory(unknown)) {
        if (!it->is_symlink(unknown)) add(path);
        continue;
      }
      const SourceFormat* const format = find_format(source_formats(), path);
      if (format == nullptr || !format->shown_name(path.filename().string()).has_value()) continue;
      ++(format->is_pgn ? here.pgn_files : here.databases);
    }
    if (here.databases + here.pgn_files != 0) found_.push_back(std::move(here));
  }

  std::size_t left_;
  const Clock::time_point end_;
  std::deque<stdfs::path> open_;
  std::set<stdfs::path> seen_;
  std::vector<ChessFolder> found_;
};

// Returns a path as users type it.
std::string typed(const stdfs::path& path, const stdfs::path& home) {
  const std::string text = path.lexically_normal().string();
  const std::string above = home.string() + '/';
  if (home.empty() || !text.starts_with(above)) return shell_word(text);
  return "~/" + shell_word(text.substr(above.size()));
}

std::string contents_of(const ChessFolder& folder) {
  std::string text;
  if (folder.databases != 0) text = counted(folder.databases, "database");
  if (folder.pgn_files != 0) {
    text += (text.empty() ? "" : ", ") + counted(folder.pgn_files, "PGN file");
  }
  return text;
}

}  // namespace

std::vector<ChessFolder> find_chess_folders(std::span<const stdfs::path> places,
                                            const LookLimits& limits) {
  return ChessFolders(limits).find(places);
}

std::vector<stdfs::path> usual_places(const stdfs::path& home) {
  std::error_code error;
  std::vector<stdfs::path> places = {stdfs::current_path(error)};
  if (home.empty()) return places;
  for (const char* const name : {"chess", "Chess", "Documents", "Scid", "Downloads"}) {
    places.push_back(home / name);
  }
  return places;
}

std::string first_page(std::span<const ChessFolder> folders, const stdfs::path& home) {
  std::string page =
      "scidfs shows chess databases as folders of PGN files, and never changes them.\n\n";
  const auto add = [&page](std::string_view command, std::string_view meaning) {
    page += fmt::format("  {}\n      {}\n", command, meaning);
  };
  const auto add_folder = [&](std::string_view name, std::string_view content) {
    add("scidfs " + std::string(name), content);
    add(fmt::format("scidfs -u {}", name), "ends that");
    add(fmt::format("scidfs serve {}", name), "shows it in a browser");
    add(fmt::format("scidfs get ls {}", name), "shows names and files without a mount");
  };
  if (folders.empty()) {
    page += "No database was found here or in the usual folders. With one in ~/chess:\n";
    add_folder("~/chess", "shows it at ~/chess-mnt");
  } else {
    const ChessFolder& first = folders.front();
    const std::string name = typed(first.path, home);
    page += fmt::format("Found in {}: {}.\n", name, contents_of(first));
    add_folder(name, fmt::format("shows it at {}-mnt", name));
    const auto others = folders.subspan(1);
    if (!others.empty()) page += "\nAlso found:\n";
    for (const ChessFolder& folder : others.first(std::min(others.size(), kMostFolders))) {
      add("scidfs " + typed(folder.path, home), contents_of(folder));
    }
    if (others.size() > kMostFolders) {
      page += fmt::format("  and {} more\n", others.size() - kMostFolders);
    }
  }
  page += "\nAll options: scidfs --help. Manual: man scidfs, man scidfs-tutorial.\n";
  return page;
}

}  // namespace scidfs::fs
