// A mount of a folder whose databases change.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "tests/mounted/mounted.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_writer.h"

namespace scidfs::tests {

inline bool eventually(const std::function<bool()>& is_so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::usleep(10'000);
  }
  return true;
}

inline ScidWriter example(std::size_t games, std::uint64_t seed) {
  ScidWriter writer;
  Random random(seed);
  for (std::size_t game = 0; game < games; ++game) {
    writer.add(random_game(random, {.plies = 20}).record(), fmt::format("White {}", game % 7),
               fmt::format("Black {}", game % 5));
  }
  return writer;
}

// The thread of the daemon that receives events; nothing if there is none.
inline std::optional<std::filesystem::path> hearing_thread(pid_t daemon) {
  for (const auto& task :
       std::filesystem::directory_iterator(fmt::format("/proc/{}/task", daemon))) {
    if (read_file(task.path() / "comm") == "changes\n") return task.path() / "stat";
  }
  return std::nullopt;
}

// True if a thread sleeps; the kernel makes it runnable together with the event.
inline bool is_asleep(const std::filesystem::path& stat) {
  const std::string text = read_file(stat);
  const std::size_t name_ends = text.rfind(") ");
  return name_ends != std::string::npos && text[name_ends + 2] == 'S';
}

class LiveTest : public MountedTest {
 protected:
  // As Scid saves: the index first.
  void save(std::string_view name, const ScidFiles& files,
            void (*write)(const std::filesystem::path&, std::string_view) = patch) const {
    const std::string prefix = source_ / name;
    write(prefix + ".si4", files.index);
    write(prefix + ".sn4", files.names);
    write(prefix + ".sg4", files.games);
  }
  void mount(MountSetup setup = {}) {
    if (setup.source.empty()) setup.source = source_;
    mount_ = std::make_unique<Mount>(std::move(setup));
    ASSERT_TRUE(mount_->ok());
  }
  // The time until a script runs its next command: five milliseconds, or more if the machine is so
  // busy that the daemon had no processor to receive the event.
  void go_on() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    // A thread gets its name a moment after it has begun.
    std::optional<std::filesystem::path> thread;
    ASSERT_TRUE(eventually([&] {
      thread = hearing_thread(mount_->daemon());
      return thread.has_value();
    }));
    EXPECT_TRUE(eventually([&] { return is_asleep(*thread); }));
  }
  // The text of a file; empty if it cannot be read for one of the allowed reasons.
  static std::optional<std::string> try_read(int folder, const std::string& path) {
    const int file = ::openat(folder, path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      EXPECT_TRUE(errno == ENOENT || errno == ESTALE) << path << ": " << std::strerror(errno);
      return std::nullopt;
    }
    std::optional<std::string> text = read_on(file);
    ::close(file);
    return text;
  }
  static std::optional<std::string> read_on(int file) {
    std::string text;
    char buffer[20'000];
    while (const ssize_t got = ::read(file, buffer, sizeof buffer)) {
      if (got < 0) {
        EXPECT_EQ(errno, ESTALE) << std::strerror(errno);
        return std::nullopt;
      }
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
  }
  std::optional<std::string> try_read(const std::string& path) const {
    return try_read(AT_FDCWD, *mount_ / path);
  }
  // Returns the errno of opening a file; 0 if it can be opened.
  int open_error(const std::string& path) const {
    const int file = ::open((*mount_ / path).c_str(), O_RDONLY | O_CLOEXEC);
    const int error = file < 0 ? errno : 0;
    if (file >= 0) ::close(file);
    return error;
  }
  bool shows(const std::string& path, const std::string& text) const {
    return eventually([&] { return try_read(path) == text; });
  }
  std::string decoded(std::string_view name) const { return ScidDatabase(source_ / name).render(); }

  TemporaryFolder folder_;
  const std::filesystem::path source_ = [this] {
    std::filesystem::create_directory(folder_ / "source");
    return folder_ / "source";
  }();
  std::unique_ptr<Mount> mount_;
};

}  // namespace scidfs::tests
