#include "fs/base/print_error.h"

#include <cstdio>

namespace scidfs::fs {

void print_error(std::string_view text) {
  [[maybe_unused]] const std::size_t written = std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace scidfs::fs
