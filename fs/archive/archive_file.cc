#include "fs/archive/archive_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>
#include <utility>

#include "codec/scv/groups.h"
#include "codec/scv/unpack.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scv::Fault;
using codec::scv::Gunzipper;
using codec::scv::Member;
using codec::scv::Unpacked;

bool is_gzip_file(const Member& member) {
  const std::string suffix = codec::scv::split_suffix(member.name).suffix;
  return suffix == ".pgn.gz";
}

// Returns the fault of a member after unpacking: the member's own, or that the archive takes too
// much work.
Fault fault_of(const Unpacked& unpacked, const Member& member, const UnpackWork& work) {
  if (work.is_used_up()) return Fault::TooMuchWork;
  // A size in the header has been checked already.
  const bool is_too_long = unpacked.fault == Fault::UnpacksToMore && !member.file_size;
  return is_too_long ? Fault::Overpacked : unpacked.fault;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ArchiveFile>> ArchiveFile::open(SourceFile file,
                                                                     const UnpackOptions& options) {
  ASSIGN_OR_RETURN(std::shared_ptr<PrivateFile> kept, PrivateFile::make(options));
  std::shared_ptr<ArchiveFile> opened(new ArchiveFile(std::move(file), std::move(kept)));
  const SourceFile& source = opened->file_;
  const auto is_cancelled = [&options] {
    return options.is_cancelled != nullptr && options.is_cancelled();
  };
  opened->archive_ = codec::scv::parse_archive(
      source.size(), [&](std::uint64_t offset, std::span<std::uint8_t> out) {
        return is_cancelled() ? WorkBudget::cancelled() : source.read(offset, out);
      });
  if (is_cancelled()) return WorkBudget::cancelled();
  const codec::scv::Archive& archive = opened->archive_;
  if (archive.fault != Fault::None && archive.members.empty()) {
    return absl::DataLossError(fmt::format("Cannot open {}: {}", source.path().string(),
                                           codec::scv::describe(archive.fault)));
  }
  UnpackWork work(source.size(), is_cancelled);
  opened->look_into_members(work);
  if (work.is_cancelled()) return WorkBudget::cancelled();
  if (!source.is_as_opened()) {
    return absl::FailedPreconditionError(
        fmt::format("Cannot open {}: it is being written", source.path().string()));
  }
  return opened;
}

// Puts the members of databases that can be shown first: no other member may use up their share of
// the work.
std::vector<std::size_t> ArchiveFile::members_in_order(std::vector<bool>& is_wanted) const {
  const std::size_t count = archive_.members.size();
  is_wanted.assign(count, false);
  for (const codec::scv::Group& group : codec::scv::find_groups(archive_)) {
    if (!is_index_file("x" + std::string(group.kind->index))) continue;
    is_wanted[group.index] = true;
    for (const std::size_t member : group.required) is_wanted[member] = true;
  }
  std::vector<std::size_t> order(count);
  for (std::size_t i = 0; i < count; ++i) order[i] = i;
  std::stable_partition(order.begin(), order.end(),
                        [&](std::size_t member) { return is_wanted[member]; });
  return order;
}

void ArchiveFile::look_into_members(UnpackWork& work) {
  const std::size_t count = archive_.members.size();
  states_.resize(count);
  {
    cache::MutexLock lock(mutex_);
    kept_.resize(2 * count);
  }
  std::vector<bool> is_wanted;
  for (const std::size_t member : members_in_order(is_wanted)) {
    states_[member].fault = archive_.members[member].fault;
    if (archive_.members[member].is_usable()) look_into(member, is_wanted[member], work);
    if (work.is_cancelled()) return;
  }
}

void ArchiveFile::look_into(std::size_t number, bool is_wanted, UnpackWork& work) {
  const Member& member = archive_.members[number];
  State& state = states_[number];
  const std::uint64_t most = UnpackWork::most_of(member.size);
  const std::uint64_t declared = member.file_size.value_or(0);
  if (declared > most || declared > work.left() || !work.go_on()) {
    state.fault = declared > most ? Fault::Overpacked : Fault::TooMuchWork;
    return;
  }

  const std::uint64_t start = kept_file_->size();
  bool is_kept = is_wanted;
  const auto gunzipped = [&work](Bytes bytes) { return work.go_on(bytes.size()); };
  Gunzipper gunzipper(most, gunzipped);
  const bool is_gzip = is_gzip_file(member);
  const Unpacked unpacked = codec::scv::unpack(
      member,
      [&](std::uint64_t offset, std::span<std::uint8_t> out) {
        return work.go_on() ? file_.read(offset, out) : WorkBudget::cancelled();
      },
      most,
      [&](Bytes bytes) {
        // If there is no room, bytes() will report it.
        is_kept = is_kept && kept_file_->append(bytes).ok();
        if (is_gzip) gunzipper.add(bytes);
        return work.go_on(bytes.size());
      });
  state.fault = fault_of(unpacked, member, work);
  state.size = unpacked.size;
  if (is_kept && state.fault == Fault::None) {
    cache::MutexLock lock(mutex_);
    kept_[item_of(number, false)] = {.is = Kept::Is::There, .place = start};
  } else {
    kept_file_->cut(start);
  }
  if (!is_gzip || state.fault != Fault::None) return;
  const Unpacked inner = gunzipper.finish();
  if (inner.fault == Fault::None) state.gunzipped_size = inner.size;
}

absl::Status ArchiveFile::failure(std::size_t member, Fault fault) const {
  if (!file_.is_as_opened()) {
    return absl::FailedPreconditionError(
        fmt::format("{} has changed since it was opened", file_.path().string()));
  }
  return absl::DataLossError(fmt::format("{}: {}: {}", file_.path().string(),
                                         archive_.members[member].name,
                                         codec::scv::describe(fault)));
}

absl::Status ArchiveFile::unpack(std::size_t member, bool is_gunzipped, IsCancelled is_cancelled,
                                 Sink sink) const {
  absl::Status stopped;
  const auto go_on = [&] {
    if (stopped.ok() && is_cancelled()) stopped = WorkBudget::cancelled();
    return stopped.ok();
  };
  const auto take = [&](Bytes bytes) {
    if (go_on()) stopped = sink(bytes);
    return stopped.ok();
  };
  Gunzipper gunzipper(gunzipped_size(member).value_or(0), take);
  const Unpacked result = codec::scv::unpack(
      archive_.members[member],
      [&](std::uint64_t offset, std::span<std::uint8_t> out) {
        return go_on() ? file_.read(offset, out) : stopped;
      },
      size(member), [&](Bytes bytes) { return is_gunzipped ? gunzipper.add(bytes) : take(bytes); });
  if (!stopped.ok()) return stopped;
  Fault fault = result.fault;
  if (fault == Fault::None && is_gunzipped) fault = gunzipper.finish().fault;
  const bool is_same = fault == Fault::None && result.size == size(member);
  return is_same && file_.is_as_opened() ? absl::OkStatus() : failure(member, fault);
}

bool ArchiveFile::has(std::size_t item) const {
  cache::MutexLock lock(mutex_);
  return kept_[item].is == Kept::Is::There;
}
bool ArchiveFile::has_bytes(std::size_t member) const { return has(item_of(member, false)); }
bool ArchiveFile::has_gunzipped(std::size_t member) const { return has(item_of(member, true)); }

// The right to make an item; one thread at a time has it. The destructor gives it back in all
// cases.
class ArchiveFile::Claim {
 public:
  // Waits until no other thread has the right. Does not take it if the item exists, or if
  // `is_cancelled` returns true.
  Claim(const ArchiveFile& archive, std::size_t item, IsCancelled is_cancelled)
      : archive_(archive), item_(item) {
    constexpr auto kPause = std::chrono::milliseconds(5);
    while (!try_to_take() && !is_cancelled()) std::this_thread::sleep_for(kPause);
  }
  ~Claim() {
    if (is_taken_) give_back(Kept::Is::Missing);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  bool is_taken() const { return is_taken_; }
  // Returns the item's place, if the item exists.
  std::optional<std::uint64_t> found() const { return found_; }

  // Returns the item's place in the file; reserves it once. A thread that makes the item overwrites
  // what an earlier thread wrote there before it gave up.
  absl::StatusOr<std::uint64_t> place(std::uint64_t size) {
    {
      cache::MutexLock lock(archive_.mutex_);
      if (const auto known = archive_.kept_[item_].place) return *known;
    }
    // Not under the lock: this may have to move all kept bytes to the cache folder.
    absl::StatusOr<std::uint64_t> made = archive_.kept_file_->reserve(size);
    if (made.ok()) {
      cache::MutexLock lock(archive_.mutex_);
      archive_.kept_[item_].place = *made;
    }
    return made;
  }
  void done() { give_back(Kept::Is::There); }

 private:
  bool try_to_take() {
    cache::MutexLock lock(archive_.mutex_);
    Kept& kept = archive_.kept_[item_];
    if (kept.is == Kept::Is::InWork) return false;
    is_taken_ = kept.is == Kept::Is::Missing;
    if (is_taken_) {
      kept.is = Kept::Is::InWork;
    } else {
      found_ = kept.place;
    }
    return true;
  }
  void give_back(Kept::Is is) {
    cache::MutexLock lock(archive_.mutex_);
    archive_.kept_[item_].is = is;
    is_taken_ = false;
    if (is == Kept::Is::There) found_ = archive_.kept_[item_].place;
  }

  const ArchiveFile& archive_;
  const std::size_t item_;
  bool is_taken_ = false;
  std::optional<std::uint64_t> found_;
};

absl::Status ArchiveFile::fill(std::size_t member, bool is_gunzipped, IsCancelled is_cancelled,
                               Claim& claim) const {
  const std::uint64_t size = is_gunzipped ? *gunzipped_size(member) : this->size(member);
  ASSIGN_OR_RETURN(const std::uint64_t place, claim.place(size));
  std::uint64_t done = 0;
  absl::Status status = unpack(member, is_gunzipped, is_cancelled, [&](Bytes bytes) {
    // Never writes into the room of the members that follow.
    if (bytes.size() > size - done) return failure(member, Fault::UnpacksToMore);
    const std::uint64_t start = place + std::exchange(done, done + bytes.size());
    return kept_file_->write(start, bytes);
  });
  if (status.ok() && done != size) status = failure(member, Fault::WrongFileSize);
  if (status.ok()) claim.done();
  return status;
}

absl::StatusOr<PrivateRange> ArchiveFile::obtain(std::size_t member, bool is_gunzipped,
                                                 IsCancelled is_cancelled) const {
  Claim claim(*this, item_of(member, is_gunzipped), is_cancelled);
  if (claim.is_taken()) {
    RETURN_IF_ERROR(fill(member, is_gunzipped, is_cancelled, claim));
  }
  if (!claim.found()) return WorkBudget::cancelled();
  return PrivateRange(kept_file_, *claim.found(),
                      is_gunzipped ? *gunzipped_size(member) : size(member));
}

absl::StatusOr<PrivateRange> ArchiveFile::bytes(std::size_t member,
                                                IsCancelled is_cancelled) const {
  return obtain(member, false, is_cancelled);
}

absl::StatusOr<PrivateRange> ArchiveFile::gunzipped(std::size_t member,
                                                    IsCancelled is_cancelled) const {
  assert(gunzipped_size(member).has_value());
  return obtain(member, true, is_cancelled);
}

}  // namespace scidfs::fs
