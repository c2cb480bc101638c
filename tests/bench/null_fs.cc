// null_fs FILES SIZE MOUNTPOINT: a FUSE file system of constant files, shaped like games/ of a
// database.
//
// FILES files of SIZE bytes, 1,000 to a directory, each with the same text. Its replies to the
// kernel are those of fs/mount/handlers.cc, at no cost: reading it takes the time that no daemon
// can save. Goes to the background when mounted; ends when unmounted.
#define FUSE_USE_VERSION 35
#include <fmt/format.h>
#include <fuse3/fuse_lowlevel.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr double kForever = 86400.0 * 365;
constexpr std::uint64_t kFilesPerDirectory = 1000;
constexpr std::uint64_t kMaxFiles = 100'000'000;
constexpr std::uint64_t kMaxSize = 1 << 30;
constexpr std::uint64_t kDots = 2;
constexpr std::size_t kLine = 80;
// As long as names of real games.
constexpr std::string_view kNameTail = "-Somebody,A-Another,B-2013.11.09-draw.pgn";

class NullFs {
 public:
  NullFs(std::uint64_t files, std::uint64_t size)
      : files_(files), directories_((files + kFilesPerDirectory - 1) / kFilesPerDirectory) {
    text_.assign(size, 'x');
    for (std::size_t i = kLine - 1; i < size; i += kLine) text_[i] = '\n';
  }

  static fuse_lowlevel_ops operations() {
    fuse_lowlevel_ops ops{};
    ops.init = init;
    ops.lookup = [](fuse_req_t request, fuse_ino_t parent, const char* name) {
      self(request).lookup(request, parent, name);
    };
    ops.getattr = [](fuse_req_t request, fuse_ino_t inode, fuse_file_info*) {
      const struct stat reply = self(request).attributes(inode);
      fuse_reply_attr(request, &reply, kForever);
    };
    ops.open = [](fuse_req_t request, fuse_ino_t, fuse_file_info*) {
      fuse_reply_err(request, ENOSYS);
    };
    ops.opendir = ops.open;
    ops.read = [](fuse_req_t request, fuse_ino_t, std::size_t size, off_t offset, fuse_file_info*) {
      self(request).read(request, size, offset);
    };
    ops.readdir = [](fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
                     fuse_file_info*) { self(request).list(request, inode, size, offset, false); };
    ops.readdirplus = [](fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
                         fuse_file_info*) {
      self(request).list(request, inode, size, offset, true);
    };
    return ops;
  }

 private:
  static NullFs& self(fuse_req_t request) {
    return *static_cast<NullFs*>(fuse_req_userdata(request));
  }

  // See Handlers::init().
  static void init(void* /*self*/, fuse_conn_info* connection) {
    connection->want |= connection->capable &
                        (FUSE_CAP_NO_OPEN_SUPPORT | FUSE_CAP_NO_OPENDIR_SUPPORT |
                         FUSE_CAP_PARALLEL_DIROPS | FUSE_CAP_READDIRPLUS | FUSE_CAP_ASYNC_READ |
                         FUSE_CAP_EXPORT_SUPPORT | FUSE_CAP_EXPLICIT_INVAL_DATA);
    connection->want &=
        ~static_cast<unsigned>(FUSE_CAP_READDIRPLUS_AUTO | FUSE_CAP_AUTO_INVAL_DATA);
  }

  // Inodes: the root, then the directories, then the files.
  fuse_ino_t first_directory() const { return FUSE_ROOT_ID + 1; }
  fuse_ino_t first_file() const { return first_directory() + directories_; }
  bool is_directory(fuse_ino_t inode) const { return inode < first_file(); }

  // Contents of a directory: entry `i` has the inode first + i, and its name begins with number +
  // i.
  struct Listing {
    fuse_ino_t first;
    std::uint64_t number;
    std::uint64_t count;
  };
  Listing listing(fuse_ino_t directory) const {
    if (directory == FUSE_ROOT_ID) return {first_directory(), 0, directories_};
    if (!is_directory(directory)) return {0, 0, 0};
    const std::uint64_t start = (directory - first_directory()) * kFilesPerDirectory;
    return {first_file() + start, start, std::min(kFilesPerDirectory, files_ - start)};
  }
  static std::string name(fuse_ino_t directory, std::uint64_t number) {
    if (directory == FUSE_ROOT_ID) return fmt::format("{:05}", number);
    return fmt::format("{:08}{}", number + 1, kNameTail);
  }

  struct stat attributes(fuse_ino_t inode) const {
    constexpr blksize_t kFileBlock = blksize_t{128} << 10;
    struct stat result {};
    result.st_ino = inode;
    result.st_mode = is_directory(inode) ? S_IFDIR | 0555 : S_IFREG | 0444;
    result.st_nlink = 1;
    result.st_uid = uid_;
    result.st_gid = gid_;
    result.st_size = is_directory(inode) ? 0 : static_cast<off_t>(text_.size());
    // See Handlers::to_stat(): without blocks a file would look like one hole.
    result.st_blocks = (result.st_size + 511) / 512;
    result.st_blksize = kFileBlock;
    return result;
  }

  fuse_entry_param entry(fuse_ino_t inode) const {
    fuse_entry_param result{};
    result.ino = inode;
    result.attr = attributes(inode);
    result.attr_timeout = kForever;
    result.entry_timeout = kForever;
    return result;
  }

  void lookup(fuse_req_t request, fuse_ino_t parent, std::string_view wanted) const {
    const Listing in = listing(parent);
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
    if (parent != FUSE_ROOT_ID) --number;
    if (parsed.ec != std::errc() || number < in.number || number - in.number >= in.count ||
        name(parent, number) != wanted) {
      fuse_reply_err(request, ENOENT);
      return;
    }
    const fuse_entry_param reply = entry(in.first + (number - in.number));
    fuse_reply_entry(request, &reply);
  }

  void read(fuse_req_t request, std::size_t size, off_t offset) const {
    const auto start = std::min(static_cast<std::size_t>(offset), text_.size());
    fuse_reply_buf(request, text_.data() + start, std::min(size, text_.size() - start));
  }

  void list(fuse_req_t request, fuse_ino_t inode, std::size_t size, off_t offset,
            bool with_attributes) const {
    std::vector<char> buffer(size);
    std::size_t used = 0;
    const Listing in = listing(inode);
    for (auto position = static_cast<std::uint64_t>(offset); position < in.count + kDots;
         ++position) {
      std::string text;
      fuse_entry_param reply{};
      if (position < kDots) {
        text = position == 0 ? "." : "..";
        reply.attr = attributes(inode);
      } else {
        text = name(inode, in.number + position - kDots);
        reply = entry(in.first + position - kDots);
      }
      char* const out = buffer.data() + used;
      const std::size_t room = size - used;
      const auto next = static_cast<off_t>(position + 1);
      const std::size_t needed =
          with_attributes ? fuse_add_direntry_plus(request, out, room, text.c_str(), &reply, next)
                          : fuse_add_direntry(request, out, room, text.c_str(), &reply.attr, next);
      if (needed > room) break;
      used += needed;
    }
    fuse_reply_buf(request, buffer.data(), used);
  }

  const std::uint64_t files_;
  const std::uint64_t directories_;
  const uid_t uid_ = getuid();
  const gid_t gid_ = getgid();
  std::string text_;
};

// Runs until unmounted. False if it could not be mounted.
bool serve(NullFs& null_fs, const char* mountpoint) {
  const fuse_lowlevel_ops operations = NullFs::operations();
  fuse_args arguments = FUSE_ARGS_INIT(0, nullptr);
  for (const char* word :
       {"null_fs", "-o", "ro,default_permissions,fsname=null_fs,subtype=null_fs"}) {
    if (fuse_opt_add_arg(&arguments, word) != 0) return false;
  }
  fuse_session* const session =
      fuse_session_new(&arguments, &operations, sizeof operations, &null_fs);
  fuse_opt_free_args(&arguments);
  if (session == nullptr) return false;
  bool ok = fuse_set_signal_handlers(session) == 0;
  if (ok) {
    ok = fuse_session_mount(session, mountpoint) == 0;
    if (ok) {
      ok = fuse_daemonize(0) == 0;
      fuse_loop_config loop{};
      loop.clone_fd = 1;
      loop.max_idle_threads = 10;
      if (ok) fuse_session_loop_mt(session, &loop);
      fuse_session_unmount(session);
    }
    fuse_remove_signal_handlers(session);
  }
  fuse_session_destroy(session);
  return ok;
}

bool parse(std::string_view text, std::uint64_t most, std::uint64_t& number) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number <= most;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kFailure = 1;
  constexpr int kUsage = 2;
  std::uint64_t files = 0;
  std::uint64_t size = 0;
  if (argc != 4 || !parse(argv[1], kMaxFiles, files) || !parse(argv[2], kMaxSize, size)) {
    fmt::print(stderr, "usage: null_fs FILES SIZE MOUNTPOINT\n");
    return kUsage;
  }
  NullFs null_fs(files, size);
  return serve(null_fs, argv[3]) ? 0 : kFailure;
}
