#include "fs/database/index_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <new>

#include "cache/hash.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scid::GameEntry;
using codec::scid::IndexEntry;

// Unwritten entries cost nothing on disk: they must not cost memory. As many as the index of Scid 4
// has room for do no harm. Compression by a file system saves less than kMostCompression.
bool is_hollow(const SourceFile& file, std::uint64_t games) {
  constexpr std::uint64_t kHarmless = std::uint64_t{1} << 24;
  constexpr std::uint64_t kMostCompression = 16;
  return games > kHarmless && file.size_on_disk() < file.size() / kMostCompression;
}

PlyRange plies_of(std::span<const IndexEntry> entries) {
  PlyRange range;
  for (const IndexEntry& entry : entries) {
    if (entry.plies == 0) continue;
    if (range.least == 0 || entry.plies < range.least) range.least = entry.plies;
    range.most = std::max(range.most, entry.plies);
  }
  return range;
}

}  // namespace

bool is_index_file(const std::filesystem::path& path) {
  return codec::scid::format_of_index(path.extension().string()) != nullptr;
}

absl::StatusOr<IndexFile> IndexFile::open(const std::filesystem::path& path,
                                          const FileOrigin& origin, codec::CodePage page) {
  IndexFile index;
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, origin));
  index.file_ = std::move(file);
  const auto refused = [&path](absl::StatusCode code, std::string_view reason) {
    return absl::Status(code, fmt::format("Cannot open {}: {}", path.string(), reason));
  };
  index.format_ = codec::scid::format_of_index(path.extension().string());
  if (index.format_ == nullptr) {
    return refused(absl::StatusCode::kInvalidArgument, "it is not called like an index");
  }
  const std::uint64_t size = index.file_.size();
  std::vector<std::uint8_t> head(std::min<std::uint64_t>(size, codec::scid::kMaxIndexHeaderSize));
  RETURN_IF_ERROR(index.file_.read(0, head));
  absl::StatusOr<codec::scid::IndexHeader> header = index.format_->parse_header(head, size, page);
  if (!header.ok()) {
    return refused(header.status().code(), std::string(header.status().message()));
  }
  index.header_ = *std::move(header);
  const codec::scid::IndexLayout& layout = *index.header_.layout;
  head.resize(std::min(head.size(), layout.header_size));
  index.header_checksum_ = cache::fingerprint(head);

  const std::uint32_t declared = index.header_.games;
  const std::uint64_t room = (size - layout.header_size) / layout.entry_size;
  index.games_ = static_cast<GameIndex>(std::min<std::uint64_t>(declared, room));
  if (index.games_ > kMaxGames) {
    return refused(
        absl::StatusCode::kOutOfRange,
        fmt::format("{} games are more than can be shown ({})", index.games_, kMaxGames));
  }
  if (is_hollow(index.file_, index.games_)) {
    return refused(absl::StatusCode::kDataLoss,
                   fmt::format("most of its {} games have never been written", index.games_));
  }
  const std::uint64_t used = layout.header_size + std::uint64_t{index.games_} * layout.entry_size;
  if (index.games_ < declared) {
    index.problem_ = fmt::format("the index declares {} games but ends after {} (byte {})",
                                 declared, index.games_, used);
  } else if (used != size) {
    index.problem_ = fmt::format("the index has {} bytes after its last declared game (byte {})",
                                 size - used, used);
  }
  return index;
}

std::uint64_t IndexFile::checksum() const {
  return cache::fingerprint(
      {reinterpret_cast<const char*>(checksums_.data()), checksums_.size() * sizeof(checksums_[0])},
      header_checksum_);
}

std::uint64_t IndexFile::offset_of(std::size_t block) const {
  const codec::scid::IndexLayout& layout = *header_.layout;
  return layout.header_size + std::uint64_t{block} * kBlock * layout.entry_size;
}

void IndexFile::expect(std::size_t first_block, std::size_t blocks) const {
  file_.expect(offset_of(first_block), offset_of(first_block + blocks) - offset_of(first_block));
}

void IndexFile::parse_entries(Bytes raw, std::vector<IndexEntry>& entries) const {
  const codec::scid::IndexLayout& layout = *header_.layout;
  entries.clear();
  for (; !raw.empty(); raw = raw.subspan(layout.entry_size)) {
    entries.push_back(layout.parse_entry(raw));
  }
}

std::size_t IndexFile::games_in(std::size_t block) const {
  return std::min<std::size_t>(kBlock, games_ - block * kBlock);
}

absl::StatusOr<PackedIndex> IndexFile::load(unsigned threads,
                                            absl::FunctionRef<void(const IndexBlock&)> visit,
                                            absl::FunctionRef<bool()> is_cancelled,
                                            absl::FunctionRef<void(GameEntry&)> change) {
  checksums_.resize(blocks());
  plies_.resize(blocks());
  std::vector<PackedIndex::Segment> segments((games_ + PackedIndex::kSegment - 1) /
                                             PackedIndex::kSegment);
  std::vector<absl::Status> statuses(segments.size());
  const unsigned most = thread_count(is_remote() ? kRemoteThreads : threads, segments.size());
  run_parallel(segments.size(), most, [&](std::size_t number) {
    try {
      statuses[number] = load_segment(number, segments[number], visit, is_cancelled, change);
    } catch (const std::bad_alloc&) {
      statuses[number] = absl::ResourceExhaustedError("out of memory");
    }
  });
  for (const absl::Status& status : statuses) {
    if (!status.ok()) return status;
  }
  return PackedIndex(std::move(segments));
}

absl::Status IndexFile::load_segment(std::size_t number, PackedIndex::Segment& segment,
                                     absl::FunctionRef<void(const IndexBlock&)> visit,
                                     absl::FunctionRef<bool()> is_cancelled,
                                     absl::FunctionRef<void(GameEntry&)> change) {
  constexpr std::size_t kSegmentBlocks = PackedIndex::kSegment / kBlock;
  constexpr std::size_t kBlocksOfRead = 16;  // stays in the processor's nearer caches
  const std::size_t entry_size = header_.layout->entry_size;
  std::vector<std::uint8_t> raw;
  std::vector<IndexEntry> entries;
  std::vector<GameEntry> packed;
  const std::size_t last = std::min((number + 1) * kSegmentBlocks, blocks());
  expect(number * kSegmentBlocks, kSegmentBlocks);
  for (std::size_t first = number * kSegmentBlocks; first < last; first += kBlocksOfRead) {
    if (is_cancelled()) return WorkBudget::cancelled();
    const std::size_t end = std::min(first + kBlocksOfRead, last);
    const std::size_t games = std::min<std::size_t>(end * kBlock, games_) - first * kBlock;
    raw.resize(games * entry_size);
    RETURN_IF_ERROR(file_.read(offset_of(first), raw));
    for (std::size_t block = first; block < end; ++block) {
      const Bytes bytes =
          Bytes(raw).subspan((block - first) * kBlock * entry_size, games_in(block) * entry_size);
      checksums_[block] = cache::fingerprint(bytes);
      parse_entries(bytes, entries);
      plies_[block] = plies_of(entries);
      packed.assign(entries.begin(), entries.end());
      for (GameEntry& game : packed) change(game);
      segment.add_block(packed);
      visit({.first = static_cast<GameIndex>(block * kBlock), .entries = entries});
    }
  }
  segment.finish();
  return absl::OkStatus();
}

absl::StatusOr<Bytes> IndexFile::read_raw(std::size_t block, RawBlock& room) const {
  const std::span<std::uint8_t> raw =
      std::span(room).first(games_in(block) * header_.layout->entry_size);
  RETURN_IF_ERROR(file_.read(offset_of(block), raw));
  if (cache::fingerprint(raw) != checksums_[block]) {
    return absl::FailedPreconditionError(
        fmt::format("games {} and following: the index has changed since it was opened (byte {})",
                    block * kBlock + 1, offset_of(block)));
  }
  return raw;
}

absl::StatusOr<IndexBlock> IndexFile::read_block(std::size_t block,
                                                 std::vector<IndexEntry>& room) const {
  RawBlock raw;
  ASSIGN_OR_RETURN(const Bytes bytes, read_raw(block, raw));
  parse_entries(bytes, room);
  return IndexBlock{.first = static_cast<GameIndex>(block * kBlock), .entries = room};
}

absl::Status IndexFile::read_entries(std::size_t block, std::span<const GameIndex> games,
                                     std::vector<IndexEntry>& entries) const {
  assert(std::ranges::all_of(games, [&](GameIndex game) { return game / kBlock == block; }));
  RawBlock raw;
  ASSIGN_OR_RETURN(const Bytes bytes, read_raw(block, raw));
  const codec::scid::IndexLayout& layout = *header_.layout;
  entries.clear();
  for (const GameIndex game : games) {
    entries.push_back(layout.parse_entry(bytes.subspan(game % kBlock * layout.entry_size)));
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
