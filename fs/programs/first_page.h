// The page that scidfs shows when it is started without a command line.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace scidfs::fs {

// A folder with files that scidfs shows.
struct ChessFolder {
  std::filesystem::path path;
  std::size_t databases = 0;  // and archives, and books
  std::size_t pgn_files = 0;
};

struct LookLimits {
  std::size_t entries = 20'000;
  std::chrono::milliseconds time{500};
};

// Returns the folders at and below some places that hold such files themselves, those nearest to
// the places first, as far as the limits go. Follows no links below the places, and looks into no
// hidden folders. Skips what cannot be read.
std::vector<ChessFolder> find_chess_folders(std::span<const std::filesystem::path> places,
                                            const LookLimits& limits = {});

// Returns the places where users keep databases: the current folder, and some of the home folder,
// unless that is empty.
std::vector<std::filesystem::path> usual_places(const std::filesystem::path& home);

// Returns the page: how to begin, with commands for each of these folders. `home`: shown as ~.
std::string first_page(std::span<const ChessFolder> folders, const std::filesystem::path& home);

}  // namespace scidfs::fs
