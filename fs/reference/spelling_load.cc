#include "fs/reference/spelling_load.h"

#include <string>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/thread.h"
#include "fs/reference/player_list_file.h"

namespace scidfs::fs {

void log_unusable(const absl::Status& status, bool is_named) {
  const std::string text(status.message());
  is_named ? log_error(text) : log_warning(text);
}

void SpellingLoad::begin() const {
  if (is_ready()) return;
  try {
    thread_ = start_thread("spelling", [this] {
      if (list_.has_value()) let_others_go_first();  // it may take seconds
      get();
    });
  } catch (const std::system_error&) {
    // The first caller of get() reads the file.
  }
}

SpellingLoad::~SpellingLoad() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
}

// Returns null if there is no list that can be used.
std::shared_ptr<const PlayerList> SpellingLoad::load_list() const {
  if (!list_.has_value()) return nullptr;
  const auto list =
      load_player_list(std::move(list_->file), folder_, [this] { return is_over_.load(); });
  if (list.ok()) return *list;
  if (!is_over_) log_unusable(list.status(), list_->is_named);
  return nullptr;
}

std::shared_ptr<const Spelling> SpellingLoad::load() const {
  std::shared_ptr<const PlayerList> list = load_list();
  if (!file_.has_value()) return Spelling::of_list(std::move(list));
  absl::StatusOr<std::shared_ptr<const Spelling>> spelling = Spelling::load(
      std::move(file_->file), folder_, [this] { return is_over_.load(); }, list);
  if (spelling.ok()) return *std::move(spelling);
  if (!is_over_) log_unusable(spelling.status(), file_->is_named);
  return Spelling::of_list(std::move(list));
}

std::shared_ptr<const Spelling> SpellingLoad::get() const {
  if (is_ready()) return spelling_;
  std::call_once(once_, [this] {
    spelling_ = load();
    is_ready_.store(true, std::memory_order_release);
  });
  return spelling_;
}

}  // namespace scidfs::fs
