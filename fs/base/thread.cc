#include "fs/base/thread.h"

#include <fmt/format.h>
#include <pthread.h>

#include <csignal>
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

std::chrono::nanoseconds processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace scidfs::fs
