#include "fs/mount/libfuse.h"

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_log.h>

#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

thread_local std::string* collected = nullptr;

void take_message(fuse_log_level level, const char* format, std::va_list arguments) {
  if (level >= FUSE_LOG_DEBUG) {  // only with -d
    std::vfprintf(stderr, format, arguments);
    return;
  }
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::string_view line = text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  if (line.starts_with("fuse: ")) line.remove_prefix(6);
  if (collected != nullptr) {
    *collected += collected->empty() ? "" : "; ";
    *collected += line;
  } else if (level <= FUSE_LOG_ERR) {
    log_error(line);
  } else {
    log_warning(line);
  }
}

}  // namespace

std::string join_fuse_options(std::span<const std::string> options) {
  std::string list;
  for (const std::string& option : options) {
    if (!list.empty()) list += ',';
    for (const char c : option) {
      if (c == ',' || c == '\\') list += '\\';
      list += c;
    }
  }
  return list;
}

FuseComplaints::FuseComplaints() {
  fuse_set_log_func(take_message);
  collected = &text_;
}

FuseComplaints::~FuseComplaints() { collected = nullptr; }

}  // namespace scidfs::fs
