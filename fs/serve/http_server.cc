#include "fs/serve/http_server.h"

#include <microhttpd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/parallel.h"
#include "fs/requests/failures.h"
#include "fs/serve/exchange.h"

namespace scidfs::fs {
namespace {

// Where libmicrohttpd keeps an exchange.
using Kept = std::shared_ptr<Exchange>;

Connections::Connection* socket_of(MHD_Connection* connection) {
  const MHD_ConnectionInfo* const info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == nullptr ? nullptr : static_cast<Connections::Connection*>(info->socket_context);
}

// Keeps libmicrohttpd, whose buffer this is, from parsing the parameters, too: where they do not
// fit into the memory of a connection, version 0.9.75 never answers.
void hide_parameters(char* target) {
  char* const mark = std::strchr(target, '?');
  if (mark != nullptr) mark[1] = '\0';
}

}  // namespace

class HttpServer::State {
 public:
  State(const Site& site, Tree& tree, RequestRunner& runner, Metrics& metrics,
        const Options& options)
      : connections_(options.limits),
        context_{.site = site,
                 .tree = tree,
                 .runner = runner,
                 .connections = connections_,
                 .metrics = metrics,
                 .proxy = options.proxy,
                 .is_stopping = is_stopping_} {}

  absl::Status start(Descriptor listener, const Options& options) {
    const unsigned threads = std::max(2U, thread_count(options.threads, SIZE_MAX));
    // Room for those that are shut down in favour of others.
    const auto most = static_cast<unsigned>(options.limits.most + options.limits.most / 4);
    constexpr unsigned kFlags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
    daemon_ = MHD_start_daemon(
        kFlags, 0, nullptr, nullptr, &on_request, this, MHD_OPTION_LISTEN_SOCKET, listener.get(),
        MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT, most,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, kConnectionBytes, MHD_OPTION_URI_LOG_CALLBACK,
        &on_target, this, MHD_OPTION_NOTIFY_COMPLETED, &on_end, this, MHD_OPTION_NOTIFY_CONNECTION,
        &on_connection, this, MHD_OPTION_UNESCAPE_CALLBACK, &leave_escaped, nullptr,
        MHD_OPTION_END);
    if (daemon_ == nullptr) {
      return absl::InternalError("Cannot answer requests: libmicrohttpd does not start");
    }
    static_cast<void>(listener.release());  // which libmicrohttpd closes
    return absl::OkStatus();
  }

  const Connections& connections() const { return connections_; }

  void stop(std::chrono::milliseconds grace) {
    if (daemon_ == nullptr) return;
    const Descriptor listener(MHD_quiesce_daemon(daemon_));
    is_stopping_ = true;
    const auto end = std::chrono::steady_clock::now() + grace;
    while (connections_.requests() > 0 && std::chrono::steady_clock::now() < end) {
      constexpr std::chrono::milliseconds kLook{10};
      std::this_thread::sleep_for(kLook);
    }
    context_.runner.close();  // resumes all connections
    MHD_stop_daemon(daemon_);
    daemon_ = nullptr;
  }

 private:
  static State& of(void* state) { return *static_cast<State*>(state); }

  static std::size_t leave_escaped(void*, MHD_Connection*, char* text) {
    return std::char_traits<char>::length(text);
  }

  static void on_connection(void* state, MHD_Connection* connection, void** socket,
                            MHD_ConnectionNotificationCode code) {
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
      if (*socket != nullptr) {
        of(state).connections_.remove(static_cast<Connections::Connection*>(*socket));
      }
      *socket = nullptr;
      return;
    }
    const absl::Status added = caught([&] {
      const MHD_ConnectionInfo* const number =
          MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
      const MHD_ConnectionInfo* const address =
          MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
      *socket = of(state).connections_.add(number->connect_fd, client_of(*address->client_addr));
      return absl::OkStatus();
    });
    if (!added.ok()) log_error("A connection cannot be answered: out of memory");
  }

  static void* on_target(void* state, const char* target, MHD_Connection* connection) {
    Connections::Connection* const socket = socket_of(connection);
    if (socket == nullptr) return nullptr;
    Kept* kept = nullptr;
    caught([&] {
      kept = new Kept(std::make_shared<Exchange>(of(state).context_, connection, socket, target));
      return absl::OkStatus();
    }).IgnoreError();
    hide_parameters(const_cast<char*>(target));
    return kept;
  }

  static MHD_Result on_request(void*, MHD_Connection*, const char*, const char* method, const char*,
                               const char* body, std::size_t* body_bytes, void** kept) {
    if (*kept == nullptr) return MHD_NO;
    const Kept exchange = *static_cast<Kept*>(*kept);
    MHD_Result result = MHD_NO;
    caught([&] {
      result = exchange->handle(method, body, body_bytes);
      return absl::OkStatus();
    }).IgnoreError();
    return result;
  }

  static void on_end(void*, MHD_Connection*, void** kept, MHD_RequestTerminationCode) {
    if (*kept == nullptr) return;
    (*static_cast<Kept*>(*kept))->end();
    delete static_cast<Kept*>(*kept);
    *kept = nullptr;
  }

  Connections connections_;
  std::atomic<bool> is_stopping_ = false;
  const ExchangeContext context_;
  MHD_Daemon* daemon_ = nullptr;
};

HttpServer::HttpServer(std::unique_ptr<State> state) : state_(std::move(state)) {}

HttpServer::~HttpServer() { stop(std::chrono::milliseconds(0)); }

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::start(Descriptor listener, const Site& site,
                                                              Tree& tree, RequestRunner& runner,
                                                              Metrics& metrics,
                                                              const Options& options) {
  auto state = std::make_unique<State>(site, tree, runner, metrics, options);
  if (absl::Status status = state->start(std::move(listener), options); !status.ok()) return status;
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(state)));
}

const Connections& HttpServer::connections() const { return state_->connections(); }

void HttpServer::stop(std::chrono::milliseconds grace) { state_->stop(grace); }

}  // namespace scidfs::fs
