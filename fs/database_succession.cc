// How a new version of a database follows the one before.
#include <algorithm>

#include "fs/database.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::kNameKinds;
using codec::scid::NameKind;
using codec::scid::NameTable;

// Of each id whether it stands for the same name in both.
std::vector<bool> same_names(const NameTable& a, const NameTable& b) {
  std::vector<bool> same(std::min(a.size(), b.size()));
  for (std::uint32_t id = 0; id < same.size(); ++id) {
    same[id] = a.contains(id) && b.contains(id) && a.text(id) == b.text(id);
  }
  return same;
}

class Names {
 public:
  Names(const codec::scid::Names& a, const codec::scid::Names& b) {
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
      same_[kind] = same_names(a.tables[kind], b.tables[kind]);
    }
  }

  bool are_same_in(const GameEntry& entry) const {
    return is_same(NameKind::Player, entry.white) && is_same(NameKind::Player, entry.black) &&
           is_same(NameKind::Event, entry.event) && is_same(NameKind::Site, entry.site) &&
           is_same(NameKind::Round, entry.round);
  }

 private:
  bool is_same(NameKind kind, std::uint32_t id) const {
    const std::vector<bool>& same = same_[static_cast<std::size_t>(kind)];
    return id < same.size() && same[id];
  }

  std::array<std::vector<bool>, kNameKinds> same_;
};

}  // namespace

bool Database::has_same_bytes(const Database& other) const {
  if (games() != other.games() || names_checksum_ != other.names_checksum_ ||
      stamps_.games != other.stamps_.games) {
    return false;
  }
  for (std::size_t block = 0; block < index_file_.blocks(); ++block) {
    if (!index_file_.has_same_block(other.index_file_, block)) return false;
  }
  return true;
}

void Database::succeed(const Database& before) {
  const auto time = [](const Database& database) {
    return std::pair(database.mtime_seconds_, database.mtime_nanoseconds_);
  };
  if (time(*this) <= time(before)) {
    constexpr std::uint32_t kSecond = 1'000'000'000;
    mtime_seconds_ = before.mtime_seconds_;
    mtime_nanoseconds_ = before.mtime_nanoseconds_ + 1;
    if (mtime_nanoseconds_ == kSecond) {
      ++mtime_seconds_;
      mtime_nanoseconds_ = 0;
    }
  }
  inherit_sizes(before);
}

// A text depends on entry, names and record. Scid writes records behind the others and leaves those
// that are there alone, as long as it is the same file.
void Database::inherit_sizes(const Database& before) {
  const FileStamp& now = stamps_.games;
  const FileStamp& then = before.stamps_.games;
  if (now.device != then.device || now.inode != then.inode || now.size < then.size) return;
  const Names names(names_, before.names_);
  std::vector<std::uint32_t> sizes(games());
  const GameIndex common = std::min(games(), before.games());
  for (GameIndex game = 0; game < common; ++game) {
    if (!index_file_.has_same_block(before.index_file_, game / IndexFile::kBlock) &&
        !(entry(game) == before.entry(game))) {
      continue;
    }
    if (before.sizes_->get(game) == 0 || before.is_damaged(game)) continue;
    if (names.are_same_in(entry(game))) sizes[game] = before.sizes_->get(game);
  }
  adopt_sizes(std::move(sizes));
}

}  // namespace scidfs::fs
