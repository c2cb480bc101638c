#include "fs/base/thread.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <exception>
#include <utility>

#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

// Blocks all signals except those of a thread's own faults, for the threads started while it lives.
class NoSignals {
 public:
  NoSignals() {
    sigset_t all;
    ::sigfillset(&all);
    for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
      ::sigdelset(&all, fault);
    }
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~NoSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  NoSignals(const NoSignals&) = delete;
  NoSignals& operator=(const NoSignals&) = delete;

 private:
  sigset_t before_;
};

// Sets the scheduling of the calling thread, and adds to its niceness. Changes nothing where the
// system does not allow it.
void schedule(std::uint32_t policy, std::int32_t nicer, std::uint64_t slice) {
  constexpr std::int32_t kNicest = 19;
  struct {
    std::uint32_t size = 48;  // of the first version of the system call
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t slice = 0;
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
  } wanted;
  static_assert(sizeof wanted == 48);
  errno = 0;
  const int nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno != 0) return;
  wanted.policy = policy;
  wanted.nice = std::min(kNicest, nice + nicer);
  wanted.slice = slice;
  ::syscall(SYS_sched_setattr, 0, &wanted, 0);
}

}  // namespace

std::thread start_thread(std::string name, std::function<void()> work) {
  const NoSignals no_signals;
  return std::thread([name = std::move(name), work = std::move(work)] {
    ::pthread_setname_np(::pthread_self(), name.c_str());
    try {
      work();
    } catch (const std::exception& error) {
      log_error(fmt::format("The thread for {} has ended: {}", name, error.what()));
    }
  });
}

void let_others_go_first() {
  constexpr std::int32_t kNicer = 5;
  schedule(SCHED_BATCH, kNicer, 0);
}

void ask_for_early_turns() {
  constexpr std::uint64_t kSlice = 100'000;  // nanoseconds
  schedule(SCHED_OTHER, 0, kSlice);
}

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace scidfs::fs
