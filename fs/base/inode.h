// Inode numbers are computed, never stored: (epoch, slot, place) in 64 bits.
//
//  bits    field  width  meaning
//  63..56  epoch      8  version of a file, whose bytes never change under a number; 0: a
//                        directory, which persists from one version to the next
//  55..41  slot      15  a folder, database, archive or book; 0: the mount itself
//  40..35  view       6  see LocalId
//  34..28  entry      7
//  27..0   key       28
//
// A change of this table, of kernel_number(), or of the meaning of a view or an entry, requires
// another kInodeLayout.
#pragma once

#include <cassert>
#include <cstdint>

namespace scidfs::fs {

using Inode = std::uint64_t;
inline constexpr Inode kRootInode = 1;  // FUSE's number of the mount point

// A part of the generation of each inode number (generation_of()). A file handle that an NFS client
// got under another layout is refused with ESTALE, and never leads to another file.
inline constexpr std::uint64_t kInodeLayout = 4;

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

// A snapshot's own number for a directory or a file. LocalId{} is the directory of the snapshot.
// The snapshot defines the meaning of all others: in a database, `view` is a ViewNumber and `entry`
// of a set a SetEntry (fs/views/numbers.h).
struct LocalId {
  std::uint8_t view = 0;   // at most kMaxView
  std::uint8_t entry = 0;  // at most kMaxEntry
  std::uint32_t key = 0;   // at most kMaxKey

  friend bool operator==(const LocalId&, const LocalId&) = default;
};

// The parts of an inode number.
struct InodeFields {
  std::uint16_t slot = 0;
  std::uint16_t epoch = 0;
  LocalId place{};

  friend bool operator==(const InodeFields&, const InodeFields&) = default;
};

// Returns the inode number of `node`, or a number for a place alone. REQUIRES: every field fits its
// bits (a larger value is cut, and damages no other field). Of a node, slot 0 is used with an entry
// that is not 0, so that none gets the number of the root, or 0.
constexpr Inode pack(const InodeFields& node) {
  assert(node.epoch <= kMaxEpoch && node.slot <= kMaxSlot && node.place.view <= kMaxView &&
         node.place.entry <= kMaxEntry && node.place.key <= kMaxKey);
  Inode inode = node.epoch & kMaxEpoch;
  inode = inode << kSlotBits | (node.slot & kMaxSlot);
  inode = inode << kViewBits | (node.place.view & kMaxView);
  inode = inode << kEntryBits | (node.place.entry & kMaxEntry);
  return inode << kKeyBits | (node.place.key & kMaxKey);
}

// Returns the parts of any inode number. The kernel may send any number: callers must check whether
// the fields mean something.
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

namespace internal {

inline constexpr std::uint64_t kMaxPlace =
    (std::uint64_t{1} << (kViewBits + kEntryBits + kKeyBits)) - 1;

// Returns how far epoch and slot move the place: other low bits for each slot, far from those of
// its neighbors.
constexpr std::uint64_t distance(Inode inode) {
  constexpr std::uint64_t kGoldenPart = 0x9E3779B;  // of 2^kKeyBits; odd, so that none are equal
  return inode / (kMaxPlace + 1) * kGoldenPart & kMaxKey;
}

}  // namespace internal

// Return the number under which the kernel knows an inode, and the inode of any such number. The
// kernel finds inodes by a hash that hardly depends on the high bits, and thousands of PGN files
// differ only there. So epoch and slot also move the low bits. The root stays 1. Numbers of one
// slot and epoch keep their order (but for a wrap after the last view): some programs read the
// files of a directory in the order of their numbers.
constexpr std::uint64_t kernel_number(Inode inode) {
  using internal::kMaxPlace;
  return (inode & ~kMaxPlace) | ((inode + internal::distance(inode)) & kMaxPlace);
}
constexpr Inode inode_of(std::uint64_t kernel_number) {
  using internal::kMaxPlace;
  const std::uint64_t place = kernel_number - internal::distance(kernel_number);
  return (kernel_number & ~kMaxPlace) | (place & kMaxPlace);
}

// The last sixteen views are one: the places of queries, which have more parts than a number has
// room for. A bounded table knows queries by numbers of 32 bits (fs/search/query_table.h). When the
// table has forgotten a query, its places answer ESTALE until a user asks the query again. Another
// query that gets the number has another generation.
inline constexpr unsigned kQueryBits = 32;
inline constexpr std::uint8_t kQueryView = kMaxView + 1 - (1U << (kQueryBits - kKeyBits));

constexpr bool is_query(LocalId place) { return place.view >= kQueryView; }
constexpr LocalId query_place(std::uint32_t number, std::uint8_t entry = 0) {
  return {.view = static_cast<std::uint8_t>(kQueryView + (number >> kKeyBits)),
          .entry = entry,
          .key = number & kMaxKey};
}
// REQUIRES: is_query(place).
constexpr std::uint32_t query_number(LocalId place) {
  assert(is_query(place));
  return static_cast<std::uint32_t>(place.view - kQueryView) << kKeyBits | place.key;
}

}  // namespace scidfs::fs
