#include "fs/session.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "fs/handlers.h"
#include "fs/log.h"
#include "fs/stop_signals.h"

namespace scidfs::fs {
namespace {

// While the mount is being made libfuse's complaints belong into our one message.
thread_local std::string* complaints = nullptr;

void take_message(fuse_log_level level, const char* format, std::va_list arguments) {
  if (level >= FUSE_LOG_DEBUG) {  // only with -d
    std::vfprintf(stderr, format, arguments);
    return;
  }
  char text[1024];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::string_view line = text;
  while (line.ends_with('\n')) line.remove_suffix(1);
  if (line.starts_with("fuse: ")) line.remove_prefix(6);
  if (complaints != nullptr) {
    *complaints += complaints->empty() ? "" : "; ";
    *complaints += line;
  } else if (level <= FUSE_LOG_ERR) {
    log_error(line);
  } else {
    log_warning(line);
  }
}

// libfuse splits lists of options at commas.
void append_option(std::string& list, std::string_view option) {
  if (!list.empty()) list += ',';
  for (const char c : option) {
    if (c == ',' || c == '\\') list += '\\';
    list += c;
  }
}

class Arguments {
 public:
  explicit Arguments(const MountOptions& options) {
    std::string list;
    for (const std::string& option : options.fuse_options) append_option(list, option);
    if (options.debug) append_option(list, "debug");
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

// Each owner undoes one step; they go in the opposite order.
struct Destroy {
  void operator()(fuse_session* session) const { fuse_session_destroy(session); }
};
struct Unmount {
  void operator()(fuse_session* session) const { fuse_session_unmount(session); }
};

}  // namespace

class Session::State {
 public:
  State(const MountOptions& options, Tree& tree, RequestCounters& counters)
      : handlers_(options, tree, counters),
        single_thread_(options.single_thread),
        max_idle_threads_(options.max_idle_threads) {}

  absl::Status mount(const MountOptions& options) {
    std::string why;
    complaints = &why;
    const bool mounted = try_mount(options);
    complaints = nullptr;
    if (mounted) return absl::OkStatus();
    // fusermount3 has said for itself what it did not like.
    return absl::InternalError(fmt::format("Cannot mount on {}: {}", options.mountpoint.string(),
                                           why.empty() ? "fusermount3 refused" : why));
  }

  void forget(const std::vector<Inode>& inodes) const {
    handlers_.forget_names();
    for (const Inode inode : inodes) {
      fuse_lowlevel_notify_inval_inode(session_.get(), inode, 0, 0);
    }
  }

  absl::Status run(std::function<void()> ready) {
    handlers_.set_ready(std::move(ready));
    fuse_loop_config loop{};
    loop.clone_fd = 1;  // a queue for each thread
    loop.max_idle_threads = max_idle_threads_;
    const StopSignals signals([this] { fuse_session_exit(session_.get()); });
    const int result = single_thread_ ? fuse_session_loop(session_.get())
                                      : fuse_session_loop_mt(session_.get(), &loop);
    // Interrupted: a signal has ended the loop.
    if (result >= 0 || result == -EINTR) return absl::OkStatus();
    return absl::InternalError(fmt::format("Cannot talk to the kernel any more: {}",
                                           std::generic_category().message(-result)));
  }

 private:
  bool try_mount(const MountOptions& options) {
    Arguments arguments(options);
    session_.reset(fuse_session_new(arguments.get(), &Handlers::operations(),
                                    sizeof(fuse_lowlevel_ops), &handlers_));
    if (session_ == nullptr) return false;
    handlers_.set_session(session_.get());
    block_stop_signals();
    if (fuse_session_mount(session_.get(), options.mountpoint.c_str()) != 0) return false;
    mount_.reset(session_.get());
    return true;
  }

  Handlers handlers_;
  const bool single_thread_;
  const unsigned max_idle_threads_;
  std::unique_ptr<fuse_session, Destroy> session_;
  std::unique_ptr<fuse_session, Unmount> mount_;
};

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}

Session::~Session() = default;

absl::StatusOr<std::unique_ptr<Session>> Session::mount(const MountOptions& options, Tree& tree,
                                                        RequestCounters& counters) {
  fuse_set_log_func(take_message);
  auto state = std::make_unique<State>(options, tree, counters);
  if (absl::Status status = state->mount(options); !status.ok()) return status;
  return std::unique_ptr<Session>(new Session(std::move(state)));
}

void Session::forget(const std::vector<Inode>& inodes) const { state_->forget(inodes); }

absl::Status Session::run(std::function<void()> ready) { return state_->run(std::move(ready)); }

}  // namespace scidfs::fs
