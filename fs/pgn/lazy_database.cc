#include "fs/pgn/lazy_database.h"

namespace scidfs::fs {

absl::StatusOr<LazyDatabase::Ptr> LazyDatabase::get(const WorkBudget& budget) const {
  const Ptr known = made();
  if (known != nullptr && known->is_still_refused == nullptr) return known;
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  if (known != nullptr) {
    if (known->is_still_refused()) return known;
    forget(known);
  }
  bool is_reader = false;
  absl::StatusOr<Ptr> known_now = value()->get(budget, [&] {
    is_reader = true;
    absl::StatusOr<Ptr> read = read_(budget, [this](std::uint64_t done, std::uint64_t total) {
      done_ = done;
      total_ = total;
    });
    done_ = 0;
    total_ = 0;
    return read;
  });
  if (is_reader && known_now.ok()) on_read_();
  return known_now;
}

void LazyDatabase::forget(const Ptr& refused) const {
  const cache::MutexLock lock(mutex_);
  if (value_->made() == refused) value_ = std::make_shared<Value>();
}

}  // namespace scidfs::fs
