#include "fs/reference/spelling_load.h"

#include <string>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/thread.h"

namespace scidfs::fs {

void SpellingLoad::begin() const {
  if (is_ready()) return;
  try {
    thread_ = start_thread("spelling", [this] { get(); });
  } catch (const std::system_error&) {
    // The first caller of get() reads the file.
  }
}

SpellingLoad::~SpellingLoad() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<const Spelling> SpellingLoad::get() const {
  if (is_ready()) return spelling_;
  std::call_once(once_, [this] {
    absl::StatusOr<std::shared_ptr<const Spelling>> spelling =
        Spelling::load(std::move(file_), folder_, [this] { return is_over_.load(); });
    if (!spelling.ok() && !is_over_) log_warning(std::string(spelling.status().message()));
    spelling_ = spelling.ok() ? *std::move(spelling) : Spelling::of_nobody();
    is_ready_.store(true, std::memory_order_release);
  });
  return spelling_;
}

}  // namespace scidfs::fs
