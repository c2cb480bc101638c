#include "fs/mount/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "fs/base/inode.h"
#include "fs/base/status_macros.h"
#include "fs/mount/connection.h"
#include "fs/mount/handlers.h"
#include "fs/mount/libfuse.h"
#include "fs/mount/stop_signals.h"

namespace scidfs::fs {
namespace {

class Arguments {
 public:
  explicit Arguments(const MountOptions& options) {
    std::vector<std::string> all = options.fuse_options;
    if (options.debug) all.emplace_back("debug");
    const std::string list = join_fuse_options(all);
    for (const std::string& word : {std::string("scidfs"), std::string("-o"), list}) {
      if (fuse_opt_add_arg(&arguments_, word.c_str()) != 0) throw std::bad_alloc();
    }
  }
  ~Arguments() { fuse_opt_free_args(&arguments_); }
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  fuse_args* get() { return &arguments_; }

 private:
  fuse_args arguments_ = FUSE_ARGS_INIT(0, nullptr);
};

struct Destroy {
  void operator()(fuse_session* session) const { fuse_session_destroy(session); }
};
struct Unmount {
  void operator()(Guardian* guardian) const { guardian->unmount(); }
};

// Returns whether the kernel can provide more queues. This requires the device, which the user of
// the daemon may not be allowed to open.
bool can_clone() {
  const int device = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device >= 0) ::close(device);
  return device >= 0;
}

}  // namespace

class Session::State {
 public:
  State(const MountOptions& options, Tree& tree, RequestCounters& counters, MemoryLimit& memory)
      : handlers_(options, tree, counters, memory), single_thread_(options.single_thread) {}

  // Waits for the answers in progress, since they need the session.
  ~State() { handlers_.close(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  absl::Status mount(const MountOptions& options, Guardian& guardian) {
    const FuseComplaints complaints;
    const auto cannot = [&] {
      return absl::InternalError(
          fmt::format("Cannot mount on {}: {}", options.mountpoint.string(), complaints.text()));
    };
    Arguments arguments(options);
    session_.reset(fuse_session_new(arguments.get(), &Handlers::operations(),
                                    sizeof(fuse_lowlevel_ops), &handlers_));
    if (session_ == nullptr) return cannot();
    handlers_.set_session(session_.get());
    block_stop_signals();
    ASSIGN_OR_RETURN(const int connection, guardian.mount());
    mount_.reset(&guardian);
    // The mount exists already; from here on the session owns the connection.
    if (attach(session_.get(), connection)) return absl::OkStatus();
    ::close(connection);
    return cannot();
  }

  void forget_names() const { handlers_.renew_names(); }

  // Takes only the locks of pages of directories, which no thread holds while it waits for an
  // answer.
  void forget(const std::vector<Inode>& directories) const {
    for (const Inode inode : directories) {
      fuse_lowlevel_notify_inval_inode(session_.get(), kernel_number(inode), 0, 0);
    }
  }

  void unmount() {
    handlers_.stop();
    mount_.reset();
  }

  absl::Status run(std::function<void()> ready) {
    handlers_.set_ready(std::move(ready));
    constexpr unsigned kIdleThreads = 10;  // that wait for requests
    fuse_loop_config loop{};
    loop.clone_fd = can_clone() ? 1 : 0;  // a queue for each thread
    loop.max_idle_threads = kIdleThreads;
    // In this order: a store may wait for an answer of the threads that take requests.
    const StopSignals signals([this] {
      handlers_.stop_pushing();
      fuse_session_exit(session_.get());
    });
    const int result = single_thread_ ? fuse_session_loop(session_.get())
                                      : fuse_session_loop_mt(session_.get(), &loop);
    handlers_.stop_pushing();
    // EINTR: a signal has ended the loop.
    if (result >= 0 || result == -EINTR) return absl::OkStatus();
    return absl::InternalError(fmt::format("Cannot talk to the kernel any more: {}",
                                           std::generic_category().message(-result)));
  }

 private:
  Handlers handlers_;
  const bool single_thread_;
  // Destroyed last: unmounting does not wait once the session has closed its connection.
  std::unique_ptr<Guardian, Unmount> mount_;
  std::unique_ptr<fuse_session, Destroy> session_;
};

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}

Session::~Session() = default;

absl::StatusOr<std::unique_ptr<Session>> Session::mount(const MountOptions& options,
                                                        Guardian& guardian, Tree& tree,
                                                        RequestCounters& counters,
                                                        MemoryLimit& memory) {
  auto state = std::make_unique<State>(options, tree, counters, memory);
  RETURN_IF_ERROR(state->mount(options, guardian));
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

void Session::forget_names() const { state_->forget_names(); }

void Session::forget(const std::vector<Inode>& directories) const { state_->forget(directories); }

void Session::unmount() { state_->unmount(); }

absl::Status Session::run(std::function<void()> ready) { return state_->run(std::move(ready)); }

}  // namespace scidfs::fs
