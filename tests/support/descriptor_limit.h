// Lowers the limit on open files during a test.
#pragma once

#include <sys/resource.h>

#include <filesystem>
#include <iterator>

namespace scidfs::tests {

inline std::size_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) -
         1;  // of the iterator itself
}

// Like `ulimit -S -n`, undone by the destructor.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(std::size_t most) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit limit{.rlim_cur = most, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace scidfs::tests
