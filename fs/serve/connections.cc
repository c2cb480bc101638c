#include "fs/serve/connections.h"

#include <poll.h>
#include <sys/socket.h>

#include <iterator>
#include <tuple>

#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1000};

}  // namespace

bool has_client_left(int socket) {
  pollfd look{.fd = socket, .events = POLLRDHUP, .revents = 0};
  return ::poll(&look, 1, 0) > 0 && (look.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0;
}

Connections::Connections(const Limits& limits) : limits_(limits) {
  watcher_ = start_thread("connections", [this] { watch(); });
}

Connections::~Connections() {
  {
    const cache::MutexLock lock(mutex_);
    is_over_ = true;
  }
  wake_.notify_all();
  watcher_.join();
}

Connections::Connection* Connections::add(int socket, ClientId peer) {
  const cache::MutexLock lock(mutex_);
  all_.emplace_back(socket, peer);
  all_.back().place_ = std::prev(all_.end());
  ++of_peers_[peer];
  if (++open_ > limits_.most) shut_down_surplus();
  return &all_.back();
}

void Connections::remove(Connection* connection) {
  const cache::MutexLock lock(mutex_);
  const auto peer = of_peers_.find(connection->peer_);
  if (--peer->second == 0) of_peers_.erase(peer);
  all_.erase(connection->place_);
  --open_;
}

Connections::Admission Connections::admit(const Connection& connection, ClientId client) {
  const cache::MutexLock lock(mutex_);
  const bool is_direct = connection.peer_ == client;
  if (is_direct && of_peers_[client] > limits_.most_of_client) return Admission::TooManyOfClient;
  if (requests_ >= limits_.most_requests) return Admission::TooMany;
  std::size_t& own = of_clients_[client];
  if (own >= limits_.most_requests_of_client) return Admission::TooManyOfClient;
  ++own;
  ++requests_;
  return Admission::Admitted;
}

void Connections::leave(ClientId client) {
  const cache::MutexLock lock(mutex_);
  const auto own = of_clients_.find(client);
  if (--own->second == 0) of_clients_.erase(own);
  --requests_;
}

void Connections::watch() {
  const cache::MutexLock lock(mutex_);
  while (!is_over_) {
    wake_.wait_for(mutex_, kBetweenLooks);
    shut_down_late();
  }
}

// The server sees the end of the connection, and closes it.
void Connections::shut_down_late() {
  const Clock::time_point now = Clock::now();
  for (Connection& connection : all_) {
    const Clock::duration time = now - connection.since_.load();
    bool is_late = false;
    const Phase phase = connection.phase_;
    switch (phase) {
      case Phase::IsIdle:
      case Phase::ReadsHeader:
        // libmicrohttpd does not see the end of a connection that comes with the last bytes.
        is_late = time > (phase == Phase::IsIdle ? limits_.keep_alive : limits_.header) ||
                  (time > kBetweenLooks && has_client_left(connection.socket_));
        break;
      case Phase::IsWorking:
        break;
      case Phase::IsSending:
        if (time <= limits_.window) break;
        is_late = connection.taken_ < limits_.least_in_window;
        connection.enter(Phase::IsSending);
        break;
    }
    if (is_late && !connection.is_shut_) {
      connection.is_shut_ = true;
      ::shutdown(connection.socket_, SHUT_RDWR);
    }
  }
}

// Shuts down the connection that has said nothing for the longest time; if all are at work, one
// that takes an answer slowly, of the client with the most.
void Connections::shut_down_surplus() {
  Connection* oldest = nullptr;
  std::tuple<bool, std::size_t, Clock::time_point> least;
  for (Connection& connection : all_) {
    if (connection.phase_ == Phase::IsWorking || connection.is_shut_) continue;
    const bool is_sending = connection.phase_ == Phase::IsSending;
    const std::size_t others =
        is_sending ? all_.size() - of_peers_.find(connection.peer_)->second : 0;
    const std::tuple rank(is_sending, others, connection.since_.load());
    if (oldest != nullptr && rank >= least) continue;
    oldest = &connection;
    least = rank;
  }
  if (oldest == nullptr) return;
  oldest->is_shut_ = true;
  ::shutdown(oldest->socket_, SHUT_RDWR);
}

}  // namespace scidfs::fs
