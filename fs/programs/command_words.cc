#include "fs/programs/command_words.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

constexpr std::array<std::string_view, 5> kPrograms = {"book", "get", "import", "pack", "serve"};

}  // namespace

std::optional<ExitCode> follow_command(std::span<const char* const> arguments,
                                       std::vector<const char*>& words) {
  words.assign(arguments.begin(), arguments.end());
  if (arguments.empty()) return std::nullopt;
  const std::string_view first = arguments.front();
  if (first == "mount") words.erase(words.begin());
  if (first == "check") words.front() = "--check";
  if (std::ranges::find(kPrograms, first) == kPrograms.end()) return std::nullopt;

  const std::string name = fmt::format("scidfs-{}", first);
  std::vector<char*> passed = {const_cast<char*>(name.c_str())};
  for (const char* const word : arguments.subspan(1)) passed.push_back(const_cast<char*>(word));
  passed.push_back(nullptr);
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) ::execv((self.parent_path() / name).c_str(), passed.data());
  ::execvp(name.c_str(), passed.data());
  log_error(fmt::format("Cannot start {}: {}", name, std::generic_category().message(errno)));
  return ExitCode::Failed;
}

}  // namespace scidfs::fs
