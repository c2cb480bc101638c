#include "fs/sandbox/syscall_filter.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fuse.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstdint>
#include <span>
#include <system_error>
#include <vector>

namespace scidfs::fs {
namespace {

// By name, because the numbers differ between architectures. Names that an architecture does not
// have are skipped there.
constexpr std::array kAllowed = {
    // The databases, the cache folder, the result.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "lseek",
    "_llseek", "close", "close_range", "newfstatat", "fstatat64", "fstat", "fstat64", "statx",
    "statfs", "statfs64", "fstatfs", "fstatfs64", "getdents64", "readlinkat", "faccessat",
    "faccessat2", "getcwd", "flock", "fsync", "sync_file_range", "sync_file_range2", "fdatasync",
    "ftruncate", "ftruncate64", "fallocate", "fadvise64", "fadvise64_64", "readahead", "renameat",
    "renameat2", "unlinkat", "mkdirat", "umask", "pipe2", "dup", "dup3", "chdir", "ppoll",
    "ppoll_time64", "pselect6", "pselect6_time64",
    // Memory.
    "memfd_create", "brk", "munmap", "mremap", "madvise",
    // Threads, their signals and their ends.
    "futex", "futex_time64", "set_robust_list", "rseq", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "sigreturn", "rt_sigtimedwait", "rt_sigtimedwait_time64", "rt_sigsuspend", "sigaltstack",
    "exit", "exit_group", "restart_syscall", "membarrier",
    // Time, and identity of process and machine.
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "clock_nanosleep",
    "clock_nanosleep_time64", "nanosleep", "gettimeofday", "getrandom", "getpid", "getppid",
    "gettid", "getuid", "getuid32", "geteuid", "geteuid32", "getgid", "getgid32", "getegid",
    "getegid32", "uname", "sysinfo", "getrusage", "getcpu",
    // Messages of the guardian and of the maker of new files.
    "recvfrom", "recvmsg",
    // Older forms of the above, which newer architectures do not have.
    "stat", "stat64", "lstat", "lstat64", "access", "readlink", "rename", "unlink", "mkdir",
    "getdents", "dup2", "pipe", "poll", "select", "_newselect", "time"};

// For the mount: replies, and the end of its guardian.
constexpr std::array kOfMount = {"splice", "vmsplice", "tee", "setsid", "wait4"};

// For what follows the changes of a source and answers requests.
constexpr std::array kOfServers = {"inotify_init1",     "inotify_add_watch", "inotify_rm_watch",
                                   "eventfd2",          "timerfd_create",    "timerfd_settime",
                                   "timerfd_settime64", "epoll_create1",     "epoll_ctl",
                                   "epoll_pwait",       "epoll_wait"};

// For HTTP: connections to a socket that listens already. None of these makes a socket, or sends to
// another address than the client's.
constexpr std::array kOfHttp = {"accept4",    "shutdown",    "setsockopt",
                                "getsockopt", "getsockname", "sendmsg"};

// For a program that gives names to new files. Landlock does not bound changes of modes, owners and
// attributes, so that another process makes these files (fs/file/file_maker.h), and ends when its
// socket is shut down.
constexpr std::array kOfWriters = {"linkat", "link", "fgetxattr", "shutdown"};

// The commands of fcntl(2) that we, libfuse and the C library use. Not those that make the kernel
// send a signal of our choice to a process of our choice (F_SETOWN, F_SETSIG and watches of
// folders): Landlock before version 6 does not prevent such signals. Who keeps a cache folder may
// lease files for reading, with itself as their owner: without the others, that sends SIGIO to it.
constexpr std::array kFileCommands = {F_DUPFD,      F_DUPFD_CLOEXEC, F_GETFD, F_SETFD,
                                      F_GETFL,      F_GETLK,         F_SETLK, F_SETLKW,
                                      F_SETPIPE_SZ, F_GETPIPE_SZ};

#if defined(__s390__)
constexpr bool kIsS390 = true;
#else
constexpr bool kIsS390 = false;
#endif
constexpr unsigned kCloneFlags = kIsS390 ? 1 : 0;  // the argument with the flags

// Allows a call if an argument, masked with `mask`, equals `value`. Masks cover the lower half at
// most: the kernel reads no more of these arguments.
struct Condition {
  unsigned argument = 0;
  std::uint32_t mask = 0;
  std::uint32_t value = 0;
};
struct ConditionalCall {
  const char* name = nullptr;
  std::vector<Condition> conditions;  // all must hold
};

// Signals, limits and scheduling are allowed only for this process, messages only on existing
// connections: to the system log and the guardian. Terminals may be queried but not fed with input.
std::vector<ConditionalCall> conditional_calls(SandboxTask task) {
  constexpr std::uint32_t kAllBits = ~std::uint32_t{0};
  constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD;
  const auto self = static_cast<std::uint32_t>(::getpid());
  std::vector<ConditionalCall> calls = {
      {"mmap2", {{2, PROT_EXEC, 0}}},
      {"mprotect", {{2, PROT_EXEC, 0}}},
      {"clone", {{kCloneFlags, kThread, kThread}}},
      {"tgkill", {{0, kAllBits, self}}},
      {"prlimit64", {{0, kAllBits, 0}}},
      {"getpriority", {{0, kAllBits, PRIO_PROCESS}, {1, kAllBits, 0}}},
      {"sched_setattr", {{0, kAllBits, 0}}},
      {"sendto", {{5, kAllBits, 0}}},  // the length of an address
      {"ioctl", {{1, kAllBits, TCGETS}}},
      {"ioctl", {{1, kAllBits, TIOCGWINSZ}}},
      {"prctl", {{0, kAllBits, PR_SET_NAME}}},
      // No new program that runs as its owner: a result of root may lie in the folder of a user.
      {"openat", {{3, S_ISUID | S_ISGID, 0}}},
      {"open", {{2, S_ISUID | S_ISGID, 0}}},
  };
  if (task == SandboxTask::Mount) {
    calls.push_back({"ioctl", {{1, kAllBits, FUSE_DEV_IOC_CLONE}}});
    calls.push_back({"prctl", {{0, kAllBits, PR_SET_PDEATHSIG}}});
  }
  if (task != SandboxTask::Read && task != SandboxTask::Write) {
    for (const char* const name : {"fcntl", "fcntl64"}) {
      calls.push_back({name, {{1, kAllBits, F_GETLEASE}}});
      calls.push_back({name, {{1, kAllBits, F_SETOWN}, {2, kAllBits, self}}});
      for (const std::uint32_t lease : {F_RDLCK, F_UNLCK}) {
        calls.push_back({name, {{1, kAllBits, F_SETLEASE}, {2, kAllBits, lease}}});
      }
    }
  }
  // On s390 the arguments are in memory, where no filter sees them.
  calls.push_back(
      {"mmap", kIsS390 ? std::vector<Condition>() : std::vector<Condition>{{2, PROT_EXEC, 0}}});
  for (const char* const name : {"fcntl", "fcntl64"}) {
    for (const int command : kFileCommands) {
      calls.push_back({name, {{1, kAllBits, static_cast<std::uint32_t>(command)}}});
    }
    calls.push_back({name, {{1, kAllBits, F_SETFL}, {2, O_ASYNC, 0}}});
  }
  return calls;
}

// From this number on, calls have the same number on all architectures. The calls not listed above
// date from 2019 or later: about eight a year, with room for some years. Each costs the library ten
// microseconds.
constexpr int kNewerCalls = SYS_pidfd_send_signal;
constexpr int kManyCalls = 96;

// A filter under construction. It keeps the first error until install().
class Filter {
 public:
  explicit Filter(std::uint32_t otherwise) : context_(::seccomp_init(otherwise)) {
    if (context_ == nullptr) error_ = ENOMEM;
  }
  ~Filter() { ::seccomp_release(context_); }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void set(scmp_filter_attr attribute, std::uint32_t value) {
    take(::seccomp_attr_set(context_, attribute, value));
  }
  void add(int call, std::uint32_t action, std::span<const scmp_arg_cmp> conditions = {}) {
    take(::seccomp_rule_add_array(context_, action, call, static_cast<unsigned>(conditions.size()),
                                  conditions.data()));
  }
  // Installs the filter. Returns 0 or an errno.
  int install() {
    if (error_ == 0) take(::seccomp_load(context_));
    return error_;
  }

 private:
  void take(int result) {
    if (error_ == 0 && result < 0) error_ = -result;
  }

  scmp_filter_ctx context_;
  int error_ = 0;
};

// Returns the number of a call on this architecture; negative if there is none.
int number_of(const char* name) { return ::seccomp_syscall_resolve_name(name); }

std::vector<int> unconditional_calls(SandboxTask task) {
  std::vector<int> calls;
  const auto add = [&calls](std::span<const char* const> names) {
    for (const char* const name : names) {
      if (const int call = number_of(name); call >= 0) calls.push_back(call);
    }
  };
  add(kAllowed);
  if (task == SandboxTask::Mount) add(kOfMount);
  if (task == SandboxTask::Mount || task == SandboxTask::Serve) add(kOfServers);
  if (task == SandboxTask::Serve) add(kOfHttp);
  if (task == SandboxTask::Write || task == SandboxTask::Copy) add(kOfWriters);
  return calls;
}

void add_conditional_calls(SandboxTask task, Filter& filter) {
  for (const ConditionalCall& rule : conditional_calls(task)) {
    const int call = number_of(rule.name);
    if (call < 0) continue;
    std::vector<scmp_arg_cmp> conditions;
    for (const Condition& condition : rule.conditions) {
      conditions.push_back(
          {condition.argument, SCMP_CMP_MASKED_EQ, condition.mask, condition.value});
    }
    filter.add(call, SCMP_ACT_ALLOW, conditions);
  }
}

}  // namespace

bool has_syscall_filter() {
  // The level of the API that can end a process.
  constexpr unsigned kEndsProcesses = 3;
  return ::seccomp_api_get() >= kEndsProcesses;
}

absl::Status confine_syscalls(Forbidden forbidden, SandboxTask task) {
  assert(has_syscall_filter());
  assert(::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
  const bool is_fatal = forbidden == Forbidden::Fatal;
  Filter filter(is_fatal ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM));
  filter.set(SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  // The process runs no foreign code, so it needs no costly protection against speculative
  // execution.
  filter.set(SCMP_FLTATR_CTL_SSB, 1);
  // Uses a binary tree of numbers, so that a long list costs little.
  filter.set(SCMP_FLTATR_CTL_OPTIMIZE, 2);
  const std::vector<int> allowed = unconditional_calls(task);
  for (const int call : allowed) filter.add(call, SCMP_ACT_ALLOW);
  add_conditional_calls(task, filter);
  // syslog(3) tries to connect again when its service has ended. That may fail but must not be
  // fatal.
  if (is_fatal) filter.add(number_of("socket"), SCMP_ACT_ERRNO(EPERM));
  // Includes clone3: the filter cannot see its flags, so the C library must use clone for threads.
  for (int call = kNewerCalls; call < kNewerCalls + kManyCalls; ++call) {
    if (std::ranges::find(allowed, call) == allowed.end()) filter.add(call, SCMP_ACT_ERRNO(ENOSYS));
  }
  if (const int error = filter.install(); error != 0) {
    return absl::InternalError(fmt::format("Cannot lock the sandbox: seccomp: {}",
                                           std::generic_category().message(error)));
  }
  return absl::OkStatus();
}

}  // namespace scidfs::fs
