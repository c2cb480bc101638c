#include "fs/programs/ending_signals.h"

#include <pthread.h>
#include <unistd.h>

#include "fs/base/thread.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {
namespace {

constexpr int kExitBySignal = 128;  // as in shells

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

[[noreturn]] void wait_and_end(const sigset_t& signals) {
  int signal = 0;
  while (::sigwait(&signals, &signal) != 0) {
  }
  // The file system may hang: a second signal ends the process at once.
  ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
  remove_unfinished();
  ::raise(signal);
  // A signal of its own does not end the first process of a container.
  ::_exit(kExitBySignal + signal);
}

}  // namespace

EndingSignals::EndingSignals() {
  ::sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGXCPU, SIGALRM, SIGUSR1, SIGUSR2}) {
    if (!is_ignored(signal)) ::sigaddset(&signals_, signal);
  }
  ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

void EndingSignals::watch() const {
  start_thread("signals", [signals = signals_] { wait_and_end(signals); }).detach();
}

}  // namespace scidfs::fs
