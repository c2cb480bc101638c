#include "fs/mount/stop_signals.h"

#include <pthread.h>

#include <array>
#include <cassert>
#include <csignal>
#include <ctime>
#include <utility>

namespace scidfs::fs {
namespace {

constexpr std::array<int, 3> kStopSignals = {SIGINT, SIGTERM, SIGHUP};
// Interrupts the waiting thread; its handler does nothing.
constexpr int kInterrupt = SIGUSR1;
// Tells the watcher that the object is being destroyed. Blocked like the others.
constexpr int kDone = SIGUSR2;

void do_nothing(int) {}

sigset_t set_of_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kStopSignals) ::sigaddset(&set, signal);
  ::sigaddset(&set, kDone);
  return set;
}

[[maybe_unused]] bool is_blocked(int signal) {
  sigset_t blocked;
  return ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked) == 0 &&
         ::sigismember(&blocked, signal) == 1;
}

void watch(const std::function<void()>& stop, pthread_t waiting) {
  const sigset_t set = set_of_signals();
  int signal = 0;
  while (::sigwait(&set, &signal) != 0) {
  }
  if (signal == kDone) return;
  stop();
  sigset_t done;
  ::sigemptyset(&done);
  ::sigaddset(&done, kDone);
  constexpr timespec kPause = {.tv_sec = 0, .tv_nsec = 20'000'000};
  do {
    ::pthread_kill(waiting, kInterrupt);
  } while (::sigtimedwait(&done, nullptr, &kPause) != kDone);
}

}  // namespace

void block_stop_signals() {
  // Without SA_RESTART, so that the wait ends. SIGPIPE is ignored: a closed peer is an error code.
  struct sigaction action {};
  action.sa_handler = do_nothing;
  ::sigaction(kInterrupt, &action, nullptr);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
  const sigset_t set = set_of_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

StopSignals::StopSignals(std::function<void()> stop)
    : watcher_([stop = std::move(stop), waiting = ::pthread_self()] { watch(stop, waiting); }) {
  assert(is_blocked(kDone));
}

StopSignals::~StopSignals() {
  ::pthread_kill(watcher_.native_handle(), kDone);
  watcher_.join();
}

}  // namespace scidfs::fs
