#include "fs/mount/fusermount.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "fs/file/socket_message.h"

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

std::string find_fusermount() {
  std::string program = find_program("fusermount3");
  return program.empty() ? find_program("fusermount") : program;
}

bool run_fusermount(std::span<const char* const> arguments) {
  const std::string program = find_fusermount();
  if (program.empty()) return false;
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
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

Descriptor mount_by_fusermount(const char* folder, const std::string& options) {
  std::array<int, 2> ends{};
  // The program inherits both ends: it looks for its own in a variable.
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return Descriptor();
  const Descriptor ours(ends[0]);
  Descriptor its(ends[1]);
  const std::string number = fmt::format("{}", its.get());
  ::setenv("_FUSE_COMMFD", number.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): the only thread
  const bool has_mounted = run_fusermount(std::array{"-o", options.c_str(), "--", folder});
  its = Descriptor();
  return has_mounted ? receive_message(ours.get()).descriptor : Descriptor();
}

}  // namespace scidfs::fs
