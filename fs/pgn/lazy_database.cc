#include "fs/pgn/lazy_database.h"

namespace scidfs::fs {

absl::StatusOr<LazyDatabase::Ptr> LazyDatabase::get(const WorkBudget& budget) const {
  if (Ptr known = made(); known != nullptr) return known;
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  bool is_reader = false;
  absl::StatusOr<Ptr> value = value_.get(budget, [&] {
    is_reader = true;
    absl::StatusOr<Ptr> read = read_(budget, [this](std::uint64_t done, std::uint64_t total) {
      done_ = done;
      total_ = total;
    });
    done_ = 0;
    total_ = 0;
    return read;
  });
  if (is_reader && value.ok()) on_read_();
  return value;
}

}  // namespace scidfs::fs
