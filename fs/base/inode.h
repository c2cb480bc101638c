// Inode numbers are computed, never stored: (database, epoch, view, level, key) in 64 bits.
#pragma once

#include <cstdint>
#include <optional>

namespace scidfs::fs {

using Inode = std::uint64_t;
inline constexpr Inode kRootInode = 1;  // FUSE's number of the mount point

// What a number stands for.
//
// `database` is the slot of a database in the library, or of a directory of texts; 0 for what
// belongs to the library itself. `epoch` is that of the database's snapshot for files, whose bytes
// never change behind a number, and 0 for directories, which live on from one version to the next.
// `view` is an index into the table of views, or kTextsView; `level` and `key` mean what the view
// says.
struct Node {
  std::uint16_t database = 0;  // 13 bits
  std::uint16_t epoch = 0;     // 10 bits
  std::uint8_t view = 0;       // 5 bits
  std::uint8_t level = 0;      // 4 bits
  std::uint32_t key = 0;

  friend bool operator==(const Node&, const Node&) = default;
};

inline constexpr unsigned kDatabaseBits = 13;
inline constexpr unsigned kEpochBits = 10;
inline constexpr unsigned kViewBits = 5;
inline constexpr unsigned kLevelBits = 4;
inline constexpr unsigned kKeyBits = 32;
static_assert(kDatabaseBits + kEpochBits + kViewBits + kLevelBits + kKeyBits == 64);

// That of everything in a directory of texts; the table of views never gets so long.
inline constexpr std::uint8_t kTextsView = (1U << kViewBits) - 1;
inline constexpr std::uint16_t kMaxDatabases = (1U << kDatabaseBits) - 1;
inline constexpr std::uint16_t kMaxEpoch = (1U << kEpochBits) - 1;

// REQUIRES: every field fits its bits, and level is not 0 where database, epoch and view are, so
// that no node gets the number of the root.
constexpr Inode pack(const Node& node) {
  Inode inode = node.epoch;
  inode = inode << kDatabaseBits | node.database;
  inode = inode << kViewBits | node.view;
  inode = inode << kLevelBits | node.level;
  return inode << kKeyBits | node.key;
}

// Any number may arrive from outside; whether the fields mean something is for others to check.
constexpr Node unpack(Inode inode) {
  Node node;
  node.key = static_cast<std::uint32_t>(inode);
  inode >>= kKeyBits;
  node.level = inode & ((1U << kLevelBits) - 1);
  inode >>= kLevelBits;
  node.view = inode & ((1U << kViewBits) - 1);
  inode >>= kViewBits;
  node.database = inode & ((1U << kDatabaseBits) - 1);
  node.epoch = static_cast<std::uint16_t>(inode >> kDatabaseBits);
  return node;
}

}  // namespace scidfs::fs
