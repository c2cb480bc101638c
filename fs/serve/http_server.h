// The HTTP server: owns libmicrohttpd's objects, which parse requests and send answers. The site
// decides what they are (fs/serve/site.h), the runner on which thread they are made.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <chrono>
#include <memory>
#include <optional>

#include "fs/file/descriptor.h"
#include "fs/requests/request_runner.h"
#include "fs/serve/client.h"
#include "fs/serve/connections.h"
#include "fs/serve/metrics.h"
#include "fs/serve/site.h"

namespace scidfs::fs {

// HTTP/1.1 and 1.0 on a socket that listens. Thread-safe.
class HttpServer {
 public:
  struct Options {
    unsigned threads = 0;  // that read requests and send answers; 0: one for each processor
    std::optional<ClientId> proxy{};  // whose X-Forwarded-For is believed
    Connections::Limits limits{};
  };
  // Memory of a connection: for the header of a request, and then of its answer. One of 8 KiB
  // always fits.
  static constexpr std::size_t kConnectionBytes = std::size_t{23} << 10;
  static constexpr std::size_t kMostBodyBytes = std::size_t{64} << 10;

  // Begins to answer. The references outlive this. Errors: those of the system's sockets.
  static absl::StatusOr<std::unique_ptr<HttpServer>> start(Descriptor listener, const Site& site,
                                                           Tree& tree, RequestRunner& runner,
                                                           Metrics& metrics,
                                                           const Options& options);
  // Calls stop() without grace.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  const Connections& connections() const;

  // Takes no new connections, gives those that are being answered some time, then ends all, and
  // the runner. REQUIRES: no request waits for a scan any more (PendingChanges::stop()).
  void stop(std::chrono::milliseconds grace);

 private:
  class State;
  explicit HttpServer(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace scidfs::fs
