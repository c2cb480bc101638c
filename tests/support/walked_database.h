// The files of one database that a walk has read, and its faults.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "tests/support/tree_walk.h"

namespace scidfs::tests {

// Paths are relative to the directory of the database.
class WalkedDatabase {
 public:
  // `prefix` is that directory, with a slash at its end, or empty. The tree must outlive it.
  WalkedDatabase(WalkedTree& walked, std::string prefix)
      : walked_(walked), prefix_(std::move(prefix)) {}

  void fault(std::string_view path, std::string_view what) {
    walked_.faults.push_back(fmt::format("{}{}: {}", prefix_, path, what));
  }
  bool has(const std::string& path) const { return walked_.files.contains(prefix_ + path); }
  // Returns "" and adds a fault if it is missing.
  std::string_view text(const std::string& path) {
    const auto found = walked_.files.find(prefix_ + path);
    if (found != walked_.files.end()) return found->second;
    fault(path, "is missing");
    return {};
  }
  // The same for a game by its shortest path, games/12345.pgn, which is not listed.
  std::string_view game_text(const std::string& path) {
    const std::size_t number =
        std::stoul("0" + path.substr(std::min(path.size(), path.find_first_of("0123456789"))));
    const std::string start = fmt::format("{}games/{:05}/{:08}-", prefix_, number / 1000, number);
    const auto found = walked_.files.lower_bound(start);
    if (found != walked_.files.end() && found->first.starts_with(start)) return found->second;
    fault(path, "is missing");
    return {};
  }
  // Calls use(path, text) for each file whose path begins with the prefix.
  template <class Use>
  void for_each(const std::string& start, const Use& use) {
    const std::string from = prefix_ + start;
    for (auto file = walked_.files.lower_bound(from);
         file != walked_.files.end() && file->first.starts_with(from); ++file) {
      use(std::string_view(file->first).substr(prefix_.size()), std::string_view(file->second));
    }
  }
  // Calls use(line) for each line of a table except its header.
  template <class Use>
  static void for_each_line(std::string_view table, const Use& use) {
    table.remove_prefix(std::min(table.find('\n') + 1, table.size()));
    while (!table.empty()) {
      const std::string_view line = table.substr(0, table.find('\n'));
      table.remove_prefix(std::min(line.size() + 1, table.size()));
      use(line);
    }
  }

 private:
  WalkedTree& walked_;
  const std::string prefix_;
};

}  // namespace scidfs::tests
