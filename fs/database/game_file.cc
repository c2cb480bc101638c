#include "fs/database/game_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <new>
#include <utility>

#include "cache/hash.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using AtomicSum = std::atomic_ref<std::uint64_t>;

std::uint64_t sum_of(std::span<const std::uint8_t> chunk) {
  const std::uint64_t sum = cache::fingerprint(chunk);
  return sum == 0 ? 1 : sum;  // 0 means unknown
}

}  // namespace

absl::StatusOr<GameFile> GameFile::open(const std::filesystem::path& path,
                                        const FileOrigin& origin) {
  ASSIGN_OR_RETURN(SourceFile file, SourceFile::open(path, origin));
  GameFile games;
  games.file_ = std::move(file);
  if (games.is_remote()) games.copy_ = std::make_unique<CopyPlace>();
  return games;
}

std::size_t GameFile::chunks_to_sum(std::uint64_t end, std::uint64_t bytes) const {
  // Unused old versions of records take less space than this.
  constexpr std::uint64_t kMostPerRecordByte = 8;
  constexpr std::uint64_t kHarmless = std::uint64_t{1} << 32;  // costs 4 MiB
  end = std::min(size(), end);
  if (end > kHarmless && end / kMostPerRecordByte > bytes) return 0;
  return (end + kChunk - 1) / kChunk;
}

void GameFile::expect_records(std::uint64_t end, std::uint64_t bytes) {
  chunks_ = (std::min(size(), end) + kChunk - 1) / kChunk;
  sums_.resize(chunks_to_sum(end, bytes));
}

std::uint64_t GameFile::known_sum(std::size_t chunk) const {
  if (chunk >= sums_.size()) return 0;
  return AtomicSum(sums_[chunk]).load(std::memory_order_relaxed);
}

absl::Status GameFile::gone() const {
  return absl::FailedPreconditionError(
      fmt::format("{} has changed since it was opened", file_.path().string()));
}

GameFile::LocalCopy GameFile::local_copy() const {
  if (copy_ == nullptr) return nullptr;
  const cache::MutexLock lock(copy_->mutex);
  return copy_->copy.lock();
}

absl::Status GameFile::read_bytes(std::uint64_t offset, std::span<std::uint8_t> out) const {
  const LocalCopy copy = local_copy();
  if (copy == nullptr || offset + out.size() > copy->size()) return file_.read(offset, out);
  const absl::StatusOr<std::size_t> count = copy->read(offset, out);
  return count.ok() && *count == out.size() ? absl::OkStatus() : file_.read(offset, out);
}

absl::Status GameFile::read(std::size_t first, std::size_t count, std::vector<std::uint8_t>& out,
                            Check check) const {
  assert(first + count <= chunks());
  const std::uint64_t offset = std::uint64_t{first} * kChunk;
  out.resize(std::min<std::uint64_t>(std::uint64_t{count} * kChunk, size() - offset));
  RETURN_IF_ERROR(read_bytes(offset, out));
  if (check == Check::Later) return absl::OkStatus();
  const auto sum = [&out](std::size_t i) {
    return sum_of(
        std::span(out).subspan(i * kChunk).first(std::min(kChunk, out.size() - i * kChunk)));
  };
  bool any_new = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t known = known_sum(first + i);
    if (known == 0) {
      any_new = true;
    } else if (known != sum(i)) {
      return gone();
    }
  }
  if (!any_new) return absl::OkStatus();
  if (!file_.is_as_opened()) return gone();
  if (sums_.empty()) return absl::OkStatus();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t before = 0;
    const std::uint64_t now = sum(i);
    if (!AtomicSum(sums_[first + i])
             .compare_exchange_strong(before, now, std::memory_order_relaxed) &&
        before != now) {
      return gone();
    }
  }
  return absl::OkStatus();
}

absl::Status GameFile::read_exactly(std::uint64_t offset, std::size_t length,
                                    std::vector<std::uint8_t>& out, Check check) const {
  out.resize(length);
  RETURN_IF_ERROR(read_bytes(offset, out));
  if (check == Check::Later) return absl::OkStatus();
  return file_.is_as_opened() ? absl::OkStatus() : gone();
}

bool GameFile::has_lost_bytes() const {
  constexpr std::size_t kMost = 256;  // chunks to read
  if (chunks() == 0 || is_as_opened()) return false;
  std::vector<std::uint8_t> bytes;
  for (std::size_t chunk = 0; chunk < chunks(); chunk += (chunks() + kMost - 1) / kMost) {
    if (absl::IsFailedPrecondition(read(chunk, 1, bytes))) return true;
  }
  return false;
}

void GameFile::expect(std::uint64_t offset, std::uint64_t length) const {
  if (!is_remote() || offset >= size() || local_copy() != nullptr) return;
  length = std::min(length, size() - offset);
  const std::uint64_t begin = offset / kChunk * kChunk;
  file_.expect(begin, (offset + length + kChunk - 1) / kChunk * kChunk - begin);
}

absl::StatusOr<GameFile::LocalCopy> GameFile::copy_to(const std::filesystem::path& folder,
                                                      absl::FunctionRef<bool()> stop) const {
  if (copy_ == nullptr) return nullptr;
  if (sums_.size() != chunks()) return absl::UnimplementedError("its records lie far apart");
  ASSIGN_OR_RETURN(const std::shared_ptr<PrivateFile> file,
                   PrivateFile::make({.to = UnpackTo::File, .folder = folder}));
  constexpr std::size_t kAtOnce = 128;  // chunks
  constexpr std::size_t kAhead = 8 * kAtOnce;
  std::vector<std::uint8_t> bytes;
  expect(0, kAhead * kChunk);
  for (std::size_t first = 0; first < chunks(); first += kAtOnce) {
    if (stop()) return absl::CancelledError("stopped");
    expect((first + kAhead) * kChunk, kAtOnce * kChunk);
    RETURN_IF_ERROR(read(first, std::min(kAtOnce, chunks() - first), bytes));
    RETURN_IF_ERROR(file->append(bytes));
  }
  const auto copy = std::make_shared<const PrivateRange>(file, 0, file->size());
  const cache::MutexLock lock(copy_->mutex);
  copy_->copy = copy;
  return copy;
}

void GameFile::sum_up(absl::FunctionRef<bool()> stop) const {
  constexpr std::size_t kAtOnce = 128;  // chunks
  const std::size_t tasks = (sums_.size() + kAtOnce - 1) / kAtOnce;
  run_parallel(tasks, thread_count(is_remote() ? kRemoteThreads : 0, tasks), [&](std::size_t task) {
    const std::size_t first = task * kAtOnce;
    const std::size_t count = std::min(kAtOnce, sums_.size() - first);
    const auto is_known = [&](std::size_t i) { return known_sum(first + i) != 0; };
    std::size_t known = 0;
    while (known < count && is_known(known)) ++known;
    if (known == count || stop()) return;
    expect(first * kChunk, count * kChunk);
    // Unreadable chunks stay unknown; a later reader gets the error.
    try {
      std::vector<std::uint8_t> bytes;
      read(first, count, bytes).IgnoreError();
    } catch (const std::bad_alloc&) {
    }
  });
}

bool GameFile::has_same_chunks(const GameFile& other, std::uint64_t offset,
                               std::uint64_t length) const {
  if (length == 0 || offset + length > std::min(size(), other.size())) return false;
  const std::size_t last = (offset + length - 1) / kChunk;
  for (std::size_t chunk = offset / kChunk; chunk <= last; ++chunk) {
    const std::uint64_t sum = known_sum(chunk);
    if (sum == 0 || sum != other.known_sum(chunk)) return false;
  }
  return true;
}

bool GameFile::begins_with(const GameFile& before) const {
  if (size() < before.size() || before.sums_.size() != before.chunks()) return false;
  for (std::size_t chunk = 0; chunk < before.chunks(); ++chunk) {
    const std::uint64_t sum = before.known_sum(chunk);
    if (sum == 0) continue;
    const std::uint64_t had = before.size() - std::uint64_t{chunk} * kChunk;
    if (had >= kChunk) {
      if (sum != known_sum(chunk)) return false;
      continue;
    }
    // The last chunk of the old file, which may have grown since.
    std::vector<std::uint8_t> bytes;
    if (chunk >= chunks() || !read(chunk, 1, bytes).ok() ||
        sum_of(std::span(bytes).first(had)) != sum) {
      return false;
    }
  }
  return true;
}

std::vector<std::uint64_t> GameFile::copy_sums() const {
  std::vector<std::uint64_t> sums(sums_.size());
  for (std::size_t chunk = 0; chunk < sums.size(); ++chunk) sums[chunk] = known_sum(chunk);
  return sums;
}

}  // namespace scidfs::fs
