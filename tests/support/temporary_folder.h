// Folders for files that tests need only while they run.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace scidfs::tests {

// A new folder, removed with its contents. Its path has no links.
class TemporaryFolder {
 public:
  TemporaryFolder() : TemporaryFolder(std::filesystem::temp_directory_path()) {}
  ~TemporaryFolder() {
    std::error_code error;  // files that cannot be removed stay, such as a mount that did not end
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 protected:
  explicit TemporaryFolder(const std::filesystem::path& parent) {
    std::string name = std::filesystem::canonical(parent) / "scidfs-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }

 private:
  std::filesystem::path path_;
};

// The same in memory, if there is such a file system.
class MemoryFolder : public TemporaryFolder {
 public:
  MemoryFolder() : TemporaryFolder(parent()) {}

 private:
  static std::filesystem::path parent() {
    std::error_code error;
    const std::filesystem::path shm = "/dev/shm";
    return std::filesystem::is_directory(shm, error) ? shm : std::filesystem::temp_directory_path();
  }
};

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) std::abort();
}

}  // namespace scidfs::tests
