// How a new version of a database follows the one before.
#include <algorithm>

#include "fs/database/database.h"

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

bool is_other_file(const FileStamp& now, const FileStamp& before) {
  return now != FileStamp() && !now.is_same_file(before);
}

}  // namespace

// Whether Scid may have written this into the files of `before`, game by game. It sets flags, and
// when it saves a game it writes a new record behind all others.
bool Database::continues(const Database& before) const {
  if (!stamps_.index.is_same_file(before.stamps_.index) || stamps_.index == before.stamps_.index ||
      !stamps_.games.is_same_file(before.stamps_.games) || games() < before.games() ||
      !game_file_.begins_with(before.game_file_)) {
    return false;
  }
  const Names names(names_, before.names_);
  for (GameIndex game = 0; game < games(); ++game) {
    const GameEntry now = entry(game);
    if (now.offset >= before.game_file_.size()) continue;
    if (game >= before.games() || !names.are_same_in(now)) return false;
    GameEntry then = before.entry(game);
    then.flags = now.flags;
    if (!(now == then)) return false;
  }
  return true;
}

bool Database::is_plausible_after(const Database& before) const {
  // Index and game file of `before` are still open, so that nothing else has their numbers.
  const bool is_replaced = is_other_file(stamps_.index, before.stamps_.index) &&
                           is_other_file(stamps_.games, before.stamps_.games) &&
                           stamps_.names != before.stamps_.names;
  return is_replaced || continues(before);
}

void Database::succeed(const Database& before) {
  version_ = before.version_ + 1;
  mtime_ = later_than(before.mtime_, mtime_);
  inherit_sizes(before);
}

// A text depends on entry, names and record, and on nothing else.
void Database::inherit_sizes(const Database& before) {
  const Names names(names_, before.names_);
  std::vector<std::uint32_t> sizes = sizes_->copy();
  const GameIndex common = std::min(games(), before.games());
  for (GameIndex game = 0; game < common; ++game) {
    if (sizes[game] != 0 || before.sizes_->get(game) == 0 || before.is_damaged(game)) continue;
    const GameEntry now = entry(game);
    if (!index_file_.has_same_block(before.index_file_, game / IndexFile::kBlock) &&
        !(now == before.entry(game))) {
      continue;
    }
    if (names.are_same_in(now) &&
        game_file_.has_same_chunks(before.game_file_, now.offset, now.length)) {
      sizes[game] = before.sizes_->get(game);
    }
  }
  sizes_ = std::make_unique<cache::SizeTable>(std::move(sizes));
}

}  // namespace scidfs::fs
