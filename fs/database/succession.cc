#include "fs/database/succession.h"

#include <algorithm>
#include <array>

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::kNameKinds;
using codec::scid::NameKind;
using codec::scid::NameTable;

// Returns for each id whether it has the same name in both.
std::vector<bool> same_names(const NameTable& a, const NameTable& b) {
  std::vector<bool> same(std::min(a.size(), b.size()));
  for (std::uint32_t id = 0; id < same.size(); ++id) {
    same[id] = a.contains(id) && b.contains(id) && a.text(id) == b.text(id);
  }
  return same;
}

// The ids that have the same names in two versions.
class SameNames {
 public:
  SameNames(const codec::scid::Names& a, const codec::scid::Names& b) {
    for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
      same_[kind] = same_names(a.tables[kind], b.tables[kind]);
    }
  }

  bool has_all_of(const GameEntry& entry) const {
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

// Returns whether Scid may have written this into the files of `before`, game by game. Scid sets
// flags, and when it saves a game it writes a new record after all others.
bool continues(const Database& database, const Database& before) {
  const auto [index, games, names_file] = database.files().stamps();
  const auto [old_index, old_games, old_names_file] = before.files().stamps();
  const GameFile& old_file = before.files().game_file();
  if (!index.is_same_file(old_index) || index == old_index || !games.is_same_file(old_games) ||
      database.games() < before.games() || !database.files().game_file().begins_with(old_file)) {
    return false;
  }
  const SameNames names(database.names(), before.names());
  for (GameIndex game = 0; game < database.games(); ++game) {
    const GameEntry now = database.entry(game);
    if (now.offset >= old_file.size()) continue;
    if (game >= before.games() || !names.has_all_of(now)) return false;
    GameEntry then = before.entry(game);
    then.flags = now.flags;
    if (!(now == then)) return false;
  }
  return true;
}

}  // namespace

bool is_plausible_after(const Database& database, const Database& before) {
  // Index and game file of `before` are still open, so that no other file has their inode numbers.
  const auto [index, games, names] = database.files().stamps();
  const auto [old_index, old_games, old_names] = before.files().stamps();
  const bool is_replaced =
      is_other_file(index, old_index) && is_other_file(games, old_games) && names != old_names;
  return is_replaced || continues(database, before);
}

// A text depends only on entry, names and record. Index signatures are what the packed index leaves
// out of an entry: they are known to be the same only if the whole block is. Games of other blocks
// keep their sizes, but searches replay them.
std::vector<std::uint32_t> inherited_sizes(const Database& database, const Database& before) {
  const SameNames names(database.names(), before.names());
  const DatabaseFiles& now_files = database.files();
  const DatabaseFiles& old_files = before.files();
  std::vector<std::uint32_t> sizes = database.sizes().words();
  const GameIndex common = std::min(database.games(), before.games());
  for (GameIndex game = 0; game < common; ++game) {
    if (sizes[game] != 0 || before.sizes().is_damaged(game)) continue;
    const std::uint32_t size = before.sizes().word(game);
    if (size == 0) continue;
    const GameEntry now = database.entry(game);
    const bool is_same_block =
        now_files.index_file().has_same_block(old_files.index_file(), game / IndexFile::kBlock);
    if (!is_same_block && !(now == before.entry(game))) continue;
    if (names.has_all_of(now) &&
        now_files.game_file().has_same_chunks(old_files.game_file(), now.offset, now.length)) {
      sizes[game] = is_same_block ? size : GameSizes::without_verified(size);
    }
  }
  return sizes;
}

}  // namespace scidfs::fs
