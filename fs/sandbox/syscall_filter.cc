#include "fs/sandbox/syscall_filter.h"

#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/fuse.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <vector>

namespace scidfs::fs {
namespace {

// The numbers of system calls mean something on one architecture only.
#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::array kAllowed = {
    // The mount: requests, replies, the databases, the cache folder.
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_preadv,
    SYS_pwritev,
    SYS_splice,
    SYS_vmsplice,
    SYS_tee,
    SYS_lseek,
    SYS_openat,
    SYS_openat2,
    SYS_close,
    SYS_close_range,
    SYS_newfstatat,
    SYS_fstat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_getdents64,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_getcwd,
    SYS_fcntl,
    SYS_flock,
    SYS_fsync,
    SYS_fdatasync,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_readahead,
    SYS_renameat,
    SYS_renameat2,
    SYS_unlinkat,
    SYS_mkdirat,
    SYS_umask,
    SYS_pipe2,
    SYS_dup,
    SYS_dup3,
    SYS_chdir,
    // Live change of the databases.
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_inotify_rm_watch,
    SYS_eventfd2,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_pselect6,
    // Memory.
    SYS_memfd_create,
    SYS_brk,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    // Threads, their signals and their ends.
    SYS_futex,
    SYS_set_robust_list,
    SYS_rseq,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
    SYS_exit,
    SYS_exit_group,
    SYS_wait4,
    SYS_restart_syscall,
    SYS_membarrier,
    // Time, and who and where one is.
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrusage,

    SYS_setsid,
    SYS_getcpu,
    // What comes from the guardian.

    SYS_recvfrom,
    SYS_recvmsg,
#if defined(__x86_64__)
    // The older forms of the above, which newer architectures do not have.
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_rename,
    SYS_unlink,
    SYS_mkdir,
    SYS_getdents,
    SYS_dup2,
    SYS_pipe,
    SYS_poll,
    SYS_select,
    SYS_epoll_wait,
    SYS_time,
#endif
};

// Allowed if `value` is what `mask` leaves of an argument. Only its lower half is looked at: the
// kernel takes no more of these.
struct Conditional {
  std::uint32_t call;
  std::uint32_t argument;
  std::uint32_t mask;
  std::uint32_t value;
};
constexpr std::uint32_t kAllBits = ~std::uint32_t{0};
constexpr std::uint32_t kThread = CLONE_VM | CLONE_THREAD;

// Signals and limits are for this process alone, messages for whoever is connected already: the
// system's log and the guardian. Terminals may be asked what they are, not made to type.
std::vector<Conditional> conditional_calls() {
  return {
      {SYS_mmap, 2, PROT_EXEC, 0},
      {SYS_mprotect, 2, PROT_EXEC, 0},
      {SYS_clone, 0, kThread, kThread},
      {SYS_tgkill, 0, kAllBits, static_cast<std::uint32_t>(::getpid())},
      {SYS_prlimit64, 0, kAllBits, 0},
      {SYS_sendto, 5, kAllBits, 0},  // the length of an address
      {SYS_ioctl, 1, kAllBits, FUSE_DEV_IOC_CLONE},
      {SYS_ioctl, 1, kAllBits, TCGETS},
      {SYS_ioctl, 1, kAllBits, TIOCGWINSZ},
      {SYS_prctl, 0, kAllBits, PR_SET_NAME},
      {SYS_prctl, 0, kAllBits, PR_SET_PDEATHSIG},
  };
}

// From here on numbers are the same everywhere, and what is not above came in 2019 or later.
constexpr std::uint32_t kNewerCalls = 424;

constexpr std::uint32_t error(int number) {
  return SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(number) & SECCOMP_RET_DATA);
}

// A program for the kernel: goes through its steps until one returns what to do with a call.
class Program {
 public:
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  void load_call() { load(offsetof(seccomp_data, nr)); }
  void keep_bits(std::uint32_t mask) { add(BPF_ALU | BPF_AND | BPF_K, mask); }
  void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
  // Does the next `steps` steps only if what is loaded is (at least, is not) `value`.
  void if_equal(std::uint32_t value, std::uint8_t steps = 1) {
    add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps);
  }
  void if_not_equal(std::uint32_t value) { add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0); }
  void if_at_least(std::uint32_t value) { add(BPF_JMP | BPF_JGE | BPF_K, value, 0, 1); }

  bool install() {
    const sock_fprog program{static_cast<unsigned short>(steps_.size()), steps_.data()};
    // No code of others runs in this process: it need not be slowed down against their guessing.
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                     &program) == 0;
  }

 private:
  void add(int code, std::uint32_t value, std::uint8_t if_true = 0, std::uint8_t if_false = 0) {
    steps_.push_back({static_cast<std::uint16_t>(code), if_true, if_false, value});
  }

  std::vector<sock_filter> steps_;
};

Program make_program(Forbidden forbidden) {
  Program program;
  program.load(offsetof(seccomp_data, arch));
  program.if_not_equal(kArchitecture);
  program.answer(SECCOMP_RET_KILL_PROCESS);
  // Those that depend on the number alone come first: the kernel remembers them.
  program.load_call();
  for (const auto call : kAllowed) {
    program.if_equal(static_cast<std::uint32_t>(call));
    program.answer(SECCOMP_RET_ALLOW);
  }
  for (const Conditional& rule : conditional_calls()) {
    program.if_equal(rule.call, 5);
    program.load(offsetof(seccomp_data, args) + sizeof(std::uint64_t) * rule.argument);
    program.keep_bits(rule.mask);
    program.if_equal(rule.value);
    program.answer(SECCOMP_RET_ALLOW);
    program.load_call();
  }
  // syslog(3) tries to connect again when its service has gone; it may fail, but not be fatal.
  program.if_equal(SYS_socket);
  program.answer(error(EPERM));
  // clone3 among them: its flags cannot be seen from here, so threads are made by clone.
  program.if_at_least(kNewerCalls);
  program.answer(error(ENOSYS));
  program.answer(forbidden == Forbidden::Fatal ? SECCOMP_RET_KILL_PROCESS : error(EPERM));
  return program;
}

}  // namespace

bool has_syscall_filter() {
  const std::uint32_t action = SECCOMP_RET_KILL_PROCESS;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

absl::Status confine_syscalls(Forbidden forbidden) {
  if (make_program(forbidden).install()) return absl::OkStatus();
  return absl::InternalError(fmt::format("Cannot confine the daemon: seccomp: {}",
                                         std::generic_category().message(errno)));
}

}  // namespace scidfs::fs
