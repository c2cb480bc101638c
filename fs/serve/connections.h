// The open connections, and what each client has in work: all limits of the server are here.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <thread>

#include "cache/mutex.h"
#include "fs/serve/client.h"

namespace scidfs::fs {

// Returns whether the client at the other end of a socket will send no more. Never waits.
bool has_client_left(int socket);

// Connections that wait for their client too long are shut down by a thread of this class; so are
// those that have waited longest when there are too many. Thread-safe.
class Connections {
 public:
  struct Limits {
    std::size_t most = 4096;
    std::size_t most_of_client = 512;
    // Requests that are being answered and have not been yet.
    std::size_t most_requests = 1024;
    std::size_t most_requests_of_client = 64;
    // From the beginning of a connection, or the end of an answer, to the end of a header.
    std::chrono::seconds header{20};
    std::chrono::seconds keep_alive{60};
    // In such a time, a client takes at least that much of an answer.
    std::chrono::seconds window{60};
    std::uint64_t least_in_window = std::uint64_t{64} << 10;
  };
  enum class Phase : std::uint8_t { IsIdle, ReadsHeader, IsWorking, IsSending };
  enum class Admission : std::uint8_t { Admitted, TooManyOfClient, TooMany };

  class Connection;

  explicit Connections(const Limits& limits);
  ~Connections();
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // Notes a new connection; its socket stays open until remove().
  Connection* add(int socket, ClientId peer) ABSL_LOCKS_EXCLUDED(mutex_);
  void remove(Connection* connection) ABSL_LOCKS_EXCLUDED(mutex_);

  // Counts a request of a client among those that are being answered, until leave(). Behind a proxy
  // the client is not the peer, whose connections are not limited then.
  Admission admit(const Connection& connection, ClientId client) ABSL_LOCKS_EXCLUDED(mutex_);
  void leave(ClientId client) ABSL_LOCKS_EXCLUDED(mutex_);

  std::size_t open() const { return open_; }
  std::size_t requests() const { return requests_; }

 private:
  using Clock = std::chrono::steady_clock;

  void watch() ABSL_LOCKS_EXCLUDED(mutex_);
  void shut_down_late() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void shut_down_surplus() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_;
  std::atomic<std::size_t> open_ = 0;
  std::atomic<std::size_t> requests_ = 0;
  cache::Mutex mutex_;
  cache::CondVar wake_;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  std::list<Connection> all_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<ClientId, std::size_t> of_peers_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<ClientId, std::size_t> of_clients_ ABSL_GUARDED_BY(mutex_);
  std::thread watcher_;
};

class Connections::Connection {
 public:
  Connection(int socket, ClientId peer) : socket_(socket), peer_(peer) {}

  int socket() const { return socket_; }
  ClientId peer() const { return peer_; }
  // Notes what happens on the connection now.
  void enter(Phase phase) {
    since_ = Clock::now();
    taken_ = 0;
    phase_ = phase;
  }
  // Notes that the client has taken bytes of the answer.
  void take(std::uint64_t bytes) { taken_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  friend class Connections;

  const int socket_;
  const ClientId peer_;
  std::list<Connection>::iterator place_;
  std::atomic<Phase> phase_ = Phase::ReadsHeader;
  std::atomic<Clock::time_point> since_{Clock::now()};
  std::atomic<std::uint64_t> taken_ = 0;
  bool is_shut_ = false;  // under the lock of the connections
};

}  // namespace scidfs::fs
