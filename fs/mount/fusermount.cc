#include "fs/mount/fusermount.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace scidfs::fs {

std::string find_program(const char* name) {
  const char* const path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): never set
  std::string_view folders = path != nullptr ? path : "";
  const std::string all = std::string(folders) + ":/usr/bin:/bin:/usr/local/bin";
  for (folders = all; !folders.empty();) {
    const std::string_view folder = folders.substr(0, folders.find(':'));
    folders.remove_prefix(std::min(folder.size() + 1, folders.size()));
    std::string program = fmt::format("{}/{}", folder, name);
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) return program;
  }
  return "";
}

bool run_fusermount(std::span<const char* const> arguments) {
  const std::string program = find_program("fusermount3");
  if (program.empty()) return false;
  std::vector<char*> words = {const_cast<char*>("fusermount3")};
  for (const char* const word : arguments) words.push_back(const_cast<char*>(word));
  words.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawn(&child, program.c_str(), nullptr, nullptr, words.data(), environ) != 0) {
    return false;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace scidfs::fs
