// Inode numbers are computed, never stored: (epoch, slot, place) in 64 bits.
//
//   bits    field  width  meaning
//   63..56  epoch      8  version of a file, whose bytes never change under a number; 0: a
//   directory,
//                         which lives on from one version to the next
//   55..41  slot      15  a folder, database, archive or book; 0: the mount itself
//   40..35  view       6  see Place
//   34..28  entry      7
//   27..0   key       28
//
// A change of this table, or of the meaning of a view or an entry, takes another kInodeLayout.
#pragma once

#include <cstdint>

namespace scidfs::fs {

using Inode = std::uint64_t;
inline constexpr Inode kRootInode = 1;  // FUSE's number of the mount point

// Part of the generation of each inode number (generation_of()): so a file handle that an NFS
// client got under another layout is refused with ESTALE, and never leads to another file.
inline constexpr std::uint64_t kInodeLayout = 2;

inline constexpr unsigned kEpochBits = 8;
inline constexpr unsigned kSlotBits = 15;
inline constexpr unsigned kViewBits = 6;
inline constexpr unsigned kEntryBits = 7;
inline constexpr unsigned kKeyBits = 28;
static_assert(kEpochBits + kSlotBits + kViewBits + kEntryBits + kKeyBits == 64);

inline constexpr std::uint16_t kMaxEpoch = (1U << kEpochBits) - 1;
inline constexpr std::uint16_t kMaxSlot = (1U << kSlotBits) - 1;
inline constexpr std::uint8_t kMaxView = (1U << kViewBits) - 1;
inline constexpr std::uint8_t kMaxEntry = (1U << kEntryBits) - 1;
inline constexpr std::uint32_t kMaxKey = (1U << kKeyBits) - 1;

// What a snapshot calls a directory or a file of its own. Place{} is its directory itself; all
// other places mean what the snapshot says: in a database, `view` is a ViewNumber and `entry` of a
// set a SetEntry (fs/views/numbers.h).
struct LocalId {
  std::uint8_t view = 0;   // at most kMaxView
  std::uint8_t entry = 0;  // at most kMaxEntry
  std::uint32_t key = 0;   // at most kMaxKey

  friend bool operator==(const LocalId&, const LocalId&) = default;
};

// What a number stands for.
struct InodeFields {
  std::uint16_t slot = 0;
  std::uint16_t epoch = 0;
  LocalId place{};

  friend bool operator==(const InodeFields&, const InodeFields&) = default;
};

// REQUIRES: every field fits its bits (what does not is cut, and damages no other field); slot 0 is
// used with an entry that is not 0, so that no node gets the number of the root, or 0.
constexpr Inode pack(const InodeFields& node) {
  Inode inode = node.epoch & kMaxEpoch;
  inode = inode << kSlotBits | (node.slot & kMaxSlot);
  inode = inode << kViewBits | (node.place.view & kMaxView);
  inode = inode << kEntryBits | (node.place.entry & kMaxEntry);
  return inode << kKeyBits | (node.place.key & kMaxKey);
}

// Any number may arrive from outside; whether the fields mean something is for others to check.
constexpr InodeFields unpack(Inode inode) {
  InodeFields node;
  node.place.key = static_cast<std::uint32_t>(inode) & kMaxKey;
  inode >>= kKeyBits;
  node.place.entry = inode & kMaxEntry;
  inode >>= kEntryBits;
  node.place.view = inode & kMaxView;
  inode >>= kViewBits;
  node.slot = inode & kMaxSlot;
  node.epoch = static_cast<std::uint16_t>(inode >> kSlotBits);
  return node;
}

// The last sixteen views are one: the places of questions, which have more parts than a number has
// room for. A bounded table knows them by numbers of 32 bits (fs/search/query_table.h); when it has
// forgotten one, its places answer ESTALE until the question is asked again. Another question that
// gets the number has another generation.
inline constexpr unsigned kQueryBits = 32;
inline constexpr std::uint8_t kQueryView = kMaxView + 1 - (1U << (kQueryBits - kKeyBits));

constexpr bool is_query(LocalId place) { return place.view >= kQueryView; }
constexpr LocalId query_place(std::uint32_t number, std::uint8_t entry = 0) {
  return {.view = static_cast<std::uint8_t>(kQueryView + (number >> kKeyBits)),
          .entry = entry,
          .key = number & kMaxKey};
}
// REQUIRES: is_question(place).
constexpr std::uint32_t query_number(LocalId place) {
  return static_cast<std::uint32_t>(place.view - kQueryView) << kKeyBits | place.key;
}

}  // namespace scidfs::fs
