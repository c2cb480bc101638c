#include "tests/differential/reference.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace scidfs::tests {

std::vector<JudgedGame> parse_verdicts(const std::string& text) {
  std::vector<JudgedGame> games;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("GAME ")) {
      std::istringstream words(line.substr(5));
      JudgedGame game;
      std::string verdict;
      words >> game.number >> verdict;
      if (verdict != "REJECTED") game.pgn.emplace();
      games.push_back(std::move(game));
    } else if (!games.empty() && games.back().pgn.has_value()) {
      games.back().pgn->append(line).append(1, '\n');
    }
  }
  return games;
}

std::optional<std::string> output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return std::nullopt;
  std::string output;
  std::array<char, 65536> block;
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe)) {
    output.append(block.data(), count);
  }
  if (pclose(pipe) != 0) return std::nullopt;
  return output;
}

std::string find_program(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(std::string(path == nullptr ? "" : path) + ":/usr/games");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::filesystem::path program = std::filesystem::path(folder) / name;
    std::error_code error;
    if (!folder.empty() && std::filesystem::is_regular_file(program, error)) return program;
  }
  return {};
}

std::vector<std::string> databases_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
    if (file.path().extension() != ".si4") continue;
    paths.push_back(std::filesystem::path(file.path()).replace_extension());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace scidfs::tests
