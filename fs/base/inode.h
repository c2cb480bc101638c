// Inode numbers are computed, never stored: (slot, epoch, place) in 64 bits.
#pragma once

#include <cstdint>

namespace scidfs::fs {

using Inode = std::uint64_t;
inline constexpr Inode kRootInode = 1;  // FUSE's number of the mount point

// What a snapshot calls a directory or a file of its own. Place{} is its directory itself; all
// other places mean what the snapshot says.
struct Place {
  std::uint8_t view = 0;   // 5 bits
  std::uint8_t level = 0;  // 4 bits
  std::uint32_t key = 0;

  friend bool operator==(const Place&, const Place&) = default;
};

// What a number stands for.
//
// `slot` is something that is shown (a folder, a database, an archive, a book), 0 what belongs to
// the mount itself. `epoch` is that of a version for files, whose bytes never change under a
// number, and 0 for directories, which live on from one version to the next.
//
// The places with view kQuestionView are of questions that users compose, which have more parts
// than a number has room for: the key is the number under which a bounded table knows the question
// (fs/sets/questions.h). When the table has forgotten it, the number answers ESTALE until the
// question is asked again. Another question that gets the number has another generation.
struct Node {
  std::uint16_t slot = 0;   // 15 bits
  std::uint16_t epoch = 0;  // 8 bits
  Place place{};

  friend bool operator==(const Node&, const Node&) = default;
};

inline constexpr unsigned kSlotBits = 15;
inline constexpr unsigned kEpochBits = 8;
inline constexpr unsigned kViewBits = 5;
inline constexpr unsigned kLevelBits = 4;
inline constexpr unsigned kKeyBits = 32;
static_assert(kSlotBits + kEpochBits + kViewBits + kLevelBits + kKeyBits == 64);

inline constexpr std::uint16_t kMaxSlot = (1U << kSlotBits) - 1;
inline constexpr std::uint16_t kMaxEpoch = (1U << kEpochBits) - 1;
inline constexpr std::uint8_t kQuestionView = (1U << kViewBits) - 1;

// REQUIRES: every field fits its bits; slot 0 is used with a level that is not 0, so that no node
// gets the number of the root, or 0.
constexpr Inode pack(const Node& node) {
  Inode inode = node.epoch;
  inode = inode << kSlotBits | node.slot;
  inode = inode << kViewBits | node.place.view;
  inode = inode << kLevelBits | node.place.level;
  return inode << kKeyBits | node.place.key;
}

// Any number may arrive from outside; whether the fields mean something is for others to check.
constexpr Node unpack(Inode inode) {
  Node node;
  node.place.key = static_cast<std::uint32_t>(inode);
  inode >>= kKeyBits;
  node.place.level = inode & ((1U << kLevelBits) - 1);
  inode >>= kLevelBits;
  node.place.view = inode & ((1U << kViewBits) - 1);
  inode >>= kViewBits;
  node.slot = inode & ((1U << kSlotBits) - 1);
  node.epoch = static_cast<std::uint16_t>(inode >> kSlotBits);
  return node;
}

}  // namespace scidfs::fs
