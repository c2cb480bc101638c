#include "fs/mount/handlers.h"

#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/base/inode.h"
#include "fs/base/status_macros.h"
#include "fs/library/folder_snapshot.h"
#include "fs/mount/connection.h"
#include "fs/mount/pending_reply.h"
#include "fs/requests/failures.h"

namespace scidfs::fs {
namespace {

constexpr double kForever = 86400.0 * 365;
constexpr double kBriefly = 1.0;                        // seconds
constexpr blksize_t kFileBlock = blksize_t{128} << 10;  // the size of the kernel's reads
constexpr blksize_t kDirectoryBlock = 4096;
constexpr Inode kUnknownInode = 0xFFFF'FFFF;  // for ".." in listings, as libfuse does

// Larger listings contain directories, and their attributes expire before a program that walks them
// gets there.
constexpr std::uint64_t kMostEntriesWithAttributes = 2000;

// "." and ".." come first and are not in the tree: its positions are shifted by two.
constexpr std::uint64_t kDots = 2;

// In place of a name: the whole listing.
constexpr std::string_view kListing;

void reply_error(fuse_req_t request, const absl::Status& status) {
  fuse_reply_err(request, to_errno(status));
}

// Returns how to make the caller of a request whose answer takes long.
auto caller_of(fuse_req_t request, PendingReply::Kind kind = PendingReply::Kind::Other) {
  return [request, kind] { return PendingReply::of(request, kind); };
}

void reply_slices(fuse_req_t request, const std::vector<Slice>& slices) {
  // The kernel accepts at most this many pieces in one reply.
  constexpr std::size_t kMostPieces = 512;
  if (slices.size() <= 1) {
    const std::string_view bytes = slices.empty() ? std::string_view() : slices[0].bytes;
    fuse_reply_buf(request, bytes.data(), bytes.size());
  } else if (slices.size() <= kMostPieces) {
    std::vector<iovec> pieces;
    pieces.reserve(slices.size());
    for (const Slice& slice : slices) {
      pieces.push_back({const_cast<char*>(slice.bytes.data()), slice.bytes.size()});
    }
    fuse_reply_iov(request, pieces.data(), static_cast<int>(pieces.size()));
  } else {
    std::string all;
    for (const Slice& slice : slices) all += slice.bytes;
    fuse_reply_buf(request, all.data(), all.size());
  }
}

}  // namespace

// The C function for libfuse of a method. It passes on no exception. A method that throws has not
// replied.
template <typename... Arguments, void (Handlers::*kMethod)(fuse_req_t, Inode, Arguments...)>
struct Handlers::Callback<kMethod> {
  static void call(fuse_req_t request, fuse_ino_t number, Arguments... arguments) {
    const absl::Status failure = caught([&] {
      auto* const self = static_cast<Handlers*>(fuse_req_userdata(request));
      (self->*kMethod)(request, inode_of(number), arguments...);
      return absl::OkStatus();
    });
    if (!failure.ok()) reply_error(request, failure);
  }
};

const fuse_lowlevel_ops& Handlers::operations() {
  static const fuse_lowlevel_ops kOperations = [] {
    fuse_lowlevel_ops ops{};
    ops.init = [](void* self, fuse_conn_info* connection) {
      static_cast<Handlers*>(self)->init(connection);
    };
    ops.lookup = Callback<&Handlers::lookup>::call;
    ops.getattr = Callback<&Handlers::getattr>::call;
    ops.open = Callback<&Handlers::open>::call;
    ops.opendir = Callback<&Handlers::opendir>::call;
    ops.read = Callback<&Handlers::read>::call;
    ops.readdir = Callback<&Handlers::readdir>::call;
    ops.readdirplus = Callback<&Handlers::readdirplus>::call;
    ops.statfs = Callback<&Handlers::statfs>::call;
    return ops;
  }();
  return kOperations;
}

void Handlers::set_session(fuse_session* session) {
  assert(session_ == nullptr);
  session_ = session;
  if (!single_thread_)
    prefetcher_ = std::make_unique<PagePrefetcher>(session, tree_, counters_, memory_);
}

void Handlers::init(fuse_conn_info* connection) {
  const auto want = [connection](unsigned capability) {
    connection->want |= connection->capable & capability;
    return (connection->capable & capability) != 0;
  };
  // There is no state per open file. The kernel asks once, gets ENOSYS, and from then on opens
  // files itself and keeps the pages that it has read.
  kernel_opens_ = want(FUSE_CAP_NO_OPEN_SUPPORT);
  kernel_opens_directories_ = want(FUSE_CAP_NO_OPENDIR_SUPPORT);
  ask_for_parallel_lookups(connection);
  // Always, not when the kernel finds it useful: that would be too late for programs that list a
  // directory to its end before they look at the files. grep -r takes half the time.
  want(FUSE_CAP_READDIRPLUS);
  connection->want &= ~static_cast<unsigned>(FUSE_CAP_READDIRPLUS_AUTO);
  want(FUSE_CAP_ASYNC_READ);
  want(FUSE_CAP_EXPORT_SUPPORT);
  // The bytes of an inode number never change, so the kernel's pages never become invalid.
  want(FUSE_CAP_EXPLICIT_INVAL_DATA);
  connection->want &= ~static_cast<unsigned>(FUSE_CAP_AUTO_INVAL_DATA);
  kernel_renews_names_ = renew_names();
  // Reads that wait for a server must not keep the kernel from sending others. By default it has at
  // most twelve in flight.
  constexpr unsigned kMostInFlight = 4096;
  connection->max_background = kMostInFlight;
  connection->congestion_threshold = kMostInFlight;
  // Leave max_readahead as the kernel offers it, which is its maximum.
  constexpr unsigned kKnowsStore = 15;  // minor version of the protocol
  if (prefetcher_ != nullptr && kernel_opens_ && connection->proto_minor >= kKnowsStore) {
    prefetcher_->start();
  }
  if (ready_) std::exchange(ready_, nullptr)();
}

bool Handlers::renew_names() const {
  // FUSE_NOTIFY_INC_EPOCH, a message without a request. libfuse has no function for it.
  constexpr std::int32_t kIncreaseEpoch = 8;
  struct {
    std::uint32_t length = 16;
    std::int32_t code = kIncreaseEpoch;
    std::uint64_t request = 0;
  } message;
  static_assert(sizeof message == 16);
  return ::write(fuse_session_fd(session_), &message, sizeof message) ==
         static_cast<ssize_t>(sizeof message);
}

struct stat Handlers::to_stat(const Attributes& attributes) const {
  struct stat result = type_of(attributes.inode, attributes.is_directory);
  // Also for directories: 1 means that subdirectories are not counted, so programs do not rely on
  // it.
  result.st_nlink = 1;
  result.st_uid = uid_;
  result.st_gid = gid_;
  result.st_size = static_cast<off_t>(attributes.size);
  result.st_blocks = static_cast<blkcnt_t>((attributes.size + 511) / 512);
  result.st_blksize = attributes.is_directory ? kDirectoryBlock : kFileBlock;
  result.st_mtim = {attributes.mtime.seconds, attributes.mtime.nanoseconds};
  result.st_ctim = result.st_mtim;
  result.st_atim = result.st_mtim;
  return result;
}

struct stat Handlers::type_of(Inode inode, bool is_directory) const {
  struct stat result {};
  result.st_ino = kernel_number(inode);
  result.st_mode = is_directory ? directory_mode_ : file_mode_;
  return result;
}

fuse_entry_param Handlers::to_entry(const Entry& entry) const {
  fuse_entry_param result{};
  result.ino = kernel_number(entry.attributes.inode);
  // The kernel knows the root as (1, 0) and takes any other generation for a stale inode.
  result.generation = entry.attributes.inode == kRootInode ? 0 : entry.attributes.generation;
  result.attr = to_stat(entry.attributes);
  result.entry_timeout = entry.name_is_stable && kernel_renews_names_ ? kForever : kBriefly;
  result.attr_timeout = !entry.has_size ? 0 : entry.attributes_are_stable ? kForever : kBriefly;
  return result;
}

void Handlers::reply_entry(fuse_req_t request, const absl::StatusOr<Entry>& entry) {
  fuse_entry_param reply{};
  if (entry.ok()) {
    if (!entry->attributes.is_directory && entry->has_size) policy_.used();
    reply = to_entry(*entry);
  } else if (to_errno(entry.status()) == ENOENT) {
    // Without an inode but with a timeout: the kernel caches that the name does not exist.
    reply.entry_timeout = kBriefly;
  } else {
    return reply_error(request, entry.status());
  }
  fuse_reply_entry(request, &reply);
}

absl::StatusOr<Entry> Handlers::find_entry(Inode parent, std::string_view name,
                                           const WorkBudget& budget) {
  absl::StatusOr<Entry> entry = tree_.lookup(parent, name, budget, UnknownSize::IsLeftOut);
  if (entry.ok() && !entry->has_size && !unsized_replies_.claim(entry->attributes.inode)) {
    return WorkBudget::exceeded();
  }
  return entry;
}

void Handlers::lookup(fuse_req_t request, Inode parent, const char* name) {
  counters_.count(Request::Lookup);
  // An NFS server with an old inode number asks for ".", even in a file.
  const bool is_itself = std::strcmp(name, ".") == 0;
  runner_.run_when_calm(
      caller_of(request), parent, name,
      [this, parent, is_itself,
       name = std::string(name)](const WorkBudget& budget) -> absl::StatusOr<Entry> {
        if (!is_itself) return find_entry(parent, name, budget);
        ASSIGN_OR_RETURN(const Attributes attributes, tree_.attributes(parent, budget));
        return Entry{.attributes = attributes};
      },
      [this, request, is_itself](const absl::StatusOr<Entry>& entry) {
        if (is_itself && !entry.ok()) return reply_error(request, entry.status());
        reply_entry(request, entry);
      });
}

void Handlers::getattr(fuse_req_t request, Inode inode, fuse_file_info* /*info*/) {
  counters_.count(Request::Getattr);
  runner_.run(
      caller_of(request), inode,
      [this, inode](const WorkBudget& budget) { return tree_.attributes(inode, budget); },
      [this, request](const absl::StatusOr<Attributes>& attributes) {
        if (!attributes.ok()) return reply_error(request, attributes.status());
        if (!attributes->is_directory) policy_.used();
        const struct stat reply = to_stat(*attributes);
        fuse_reply_attr(request, &reply, attributes->is_directory ? kBriefly : kForever);
      });
}

void Handlers::open(fuse_req_t request, Inode /*inode*/, fuse_file_info* info) {
  counters_.count(Request::Open);
  if (kernel_opens_) {
    fuse_reply_err(request, ENOSYS);
  } else {
    info->keep_cache = 1;
    fuse_reply_open(request, info);
  }
}

void Handlers::opendir(fuse_req_t request, Inode /*inode*/, fuse_file_info* info) {
  counters_.count(Request::Opendir);
  if (kernel_opens_directories_) {
    fuse_reply_err(request, ENOSYS);
  } else {
    info->keep_cache = 1;
    info->cache_readdir = 1;
    fuse_reply_open(request, info);
  }
}

absl::StatusOr<std::vector<Slice>> Handlers::gather(Inode inode, std::size_t size, off_t offset,
                                                    const WorkBudget& budget) {
  std::vector<Slice> slices;
  // The kernel takes a short reply for the end of the file, so several blocks are joined.
  for (std::size_t gathered = 0; gathered < size;) {
    ASSIGN_OR_RETURN(Slice slice, tree_.read(inode, static_cast<std::uint64_t>(offset) + gathered,
                                             size - gathered, budget));
    if (slice.bytes.empty()) break;
    slice.bytes = slice.bytes.substr(0, size - gathered);
    gathered += slice.bytes.size();
    slices.push_back(std::move(slice));
  }
  return slices;
}

void Handlers::read(fuse_req_t request, Inode inode, std::size_t size, off_t offset,
                    fuse_file_info* /*info*/) {
  counters_.count(Request::Read);
  if (offset == 0) {
    policy_.used();
    if (prefetcher_ != nullptr) policy_.used_unasked(prefetcher_->read(inode));
  }
  runner_.run(
      caller_of(request, PendingReply::Kind::Read), inode,
      [this, inode, size, offset](const WorkBudget& budget) {
        return gather(inode, size, offset, budget);
      },
      [request](const absl::StatusOr<std::vector<Slice>>& slices) {
        if (!slices.ok()) return reply_error(request, slices.status());
        reply_slices(request, *slices);
      });
}

void Handlers::readdir(fuse_req_t request, Inode inode, std::size_t size, off_t offset,
                       fuse_file_info* /*info*/) {
  counters_.count(Request::Readdir);
  runner_.run_when_calm(
      caller_of(request), inode, kListing,
      [this, inode, size, offset](const WorkBudget& budget) {
        return list_names(inode, size, offset, budget);
      },
      [request](const absl::StatusOr<DirectoryBuffer>& names) {
        if (!names.ok()) return reply_error(request, names.status());
        names->reply(request);
      });
}

absl::StatusOr<DirectoryBuffer> Handlers::list_names(Inode inode, std::size_t size, off_t offset,
                                                     const WorkBudget& budget) const {
  auto position = static_cast<std::uint64_t>(offset);
  DirectoryBuffer buffer(size);
  if (position == 0 && buffer.add(".", type_of(inode, true), 1)) position = 1;
  if (position == 1 && buffer.add("..", type_of(kUnknownInode, true), kDots)) position = kDots;
  if (position < kDots) return buffer;
  std::string name;  // libfuse needs a terminating zero
  RETURN_IF_ERROR(tree_.list(inode, position - kDots, budget, [&](const DirectoryEntry& entry) {
    name = entry.name;
    return buffer.add(name.c_str(), type_of(entry.inode, entry.is_directory), entry.next + kDots);
  }));
  return buffer;
}

void Handlers::readdirplus(fuse_req_t request, Inode inode, std::size_t size, off_t offset,
                           fuse_file_info* /*info*/) {
  counters_.count(Request::Readdirplus);
  runner_.run_when_calm(
      caller_of(request), inode, kListing,
      [this, inode, size, offset](const WorkBudget& budget) {
        return list_entries(inode, size, offset, budget);
      },
      [this, request, inode, offset](const absl::StatusOr<Entries>& entries) {
        if (!entries.ok()) return reply_error(request, entries.status());
        reply_entries(request, inode, offset, *entries);
      });
}

absl::StatusOr<Handlers::Entries> Handlers::list_entries(Inode inode, std::size_t size,
                                                         off_t offset,
                                                         const WorkBudget& budget) const {
  auto position = static_cast<std::uint64_t>(offset);
  Entries entries{.buffer = DirectoryBuffer(size), .with_attributes = policy_.with_attributes()};
  // An entry without an inode number has only name and type; the kernel makes no inode for it.
  const auto name_only = [this](Inode number, bool is_directory) {
    fuse_entry_param entry{};
    entry.attr = type_of(number, is_directory);
    return entry;
  };
  DirectoryBuffer& buffer = entries.buffer;
  if (position == 0 && buffer.add(".", name_only(inode, true), 1)) position = 1;
  if (position == 1 && buffer.add("..", name_only(kUnknownInode, true), kDots)) position = kDots;
  if (position < kDots) return entries;
  // The kernel would cache attributes that may be out of date, such as those of info.txt.
  const std::optional<PendingChanges::Request> query = tree_.query(inode, kFolderInfoName);
  if (query.has_value() && tree_.pending_changes().concerns(*query))
    entries.with_attributes = false;
  const WorkBudget quick = RequestRunner::quick_budget();  // for all entries together
  std::string name;
  RETURN_IF_ERROR(tree_.list(inode, position - kDots, budget, [&](const DirectoryEntry& entry) {
    name = entry.name;
    fuse_entry_param reply = name_only(entry.inode, entry.is_directory);
    if (entries.with_attributes && entry.next <= kMostEntriesWithAttributes) {
      // A file whose size is not known, or no longer, is listed only by name.
      const absl::StatusOr<Entry> found = tree_.lookup(inode, name, quick);
      if (found.ok()) {
        reply = to_entry(*found);
      }
    }
    if (!buffer.add(name.c_str(), reply, entry.next + kDots)) return false;
    ++(reply.ino != 0 ? entries.whole : entries.names);
    if (reply.ino != 0 && !entry.is_directory) {
      entries.files.push_back(
          {.inode = entry.inode, .size = static_cast<std::uint64_t>(reply.attr.st_size)});
    }
    return true;
  }));
  return entries;
}

void Handlers::reply_entries(fuse_req_t request, Inode inode, off_t offset,
                             const Entries& entries) {
  policy_.listed(static_cast<std::int64_t>(entries.files.size()));
  counters_.count(Request::EntryWithAttributes, entries.whole);
  counters_.count(Request::EntryByName, entries.names);
  entries.buffer.reply(request);
  const bool is_end = entries.buffer.is_empty();
  if (prefetcher_ != nullptr && entries.with_attributes) {
    if (is_end) {
      prefetcher_->ended(inode);
    } else {
      prefetcher_->listed(inode, offset == 0, entries.files);
    }
  }
  // The kernel caches a listing that was read to its end. The next program would get only names
  // from it, without a request. No lock is held here, and no request waits.
  if (is_end && !entries.with_attributes) {
    fuse_lowlevel_notify_inval_inode(session_, kernel_number(inode), 0, 0);
  }
}

void Handlers::statfs(fuse_req_t request, Inode /*inode*/) {
  counters_.count(Request::Statfs);
  constexpr unsigned kBlock = 4096;
  const TreeStatistics statistics = tree_.statistics();
  struct statvfs reply {};
  reply.f_bsize = kBlock;
  reply.f_frsize = kBlock;
  reply.f_blocks = (statistics.bytes + kBlock - 1) / kBlock;
  reply.f_files = statistics.files;
  reply.f_namemax = 255;
  reply.f_flag = ST_RDONLY;
  fuse_reply_statfs(request, &reply);
}

}  // namespace scidfs::fs
