#include "fs/serve/listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

union SocketAddress {
  sockaddr any;
  sockaddr_in four;
  sockaddr_in6 six;
  sockaddr_storage storage;
};

struct BoundAddress {
  SocketAddress address{};
  socklen_t size = 0;
};

std::optional<BoundAddress> socket_address(const std::string& host, std::uint16_t port) {
  BoundAddress found;
  if (::inet_pton(AF_INET, host.c_str(), &found.address.four.sin_addr) == 1) {
    found.address.four.sin_family = AF_INET;
    found.address.four.sin_port = htons(port);
    found.size = sizeof found.address.four;
    return found;
  }
  if (::inet_pton(AF_INET6, host.c_str(), &found.address.six.sin6_addr) == 1) {
    found.address.six.sin6_family = AF_INET6;
    found.address.six.sin6_port = htons(port);
    found.size = sizeof found.address.six;
    return found;
  }
  return std::nullopt;
}

absl::Status cannot_listen(const ListenAddress& address, std::uint16_t port, int error) {
  return absl::UnavailableError(fmt::format("Cannot listen at {}, port {}: {}", address.host, port,
                                            std::generic_category().message(error)));
}

// Says where a socket that listens is reached.
absl::StatusOr<Listener> describe(Descriptor socket) {
  BoundAddress bound;
  bound.size = sizeof bound.address;
  if (::getsockname(socket.get(), &bound.address.any, &bound.size) != 0) {
    return absl::InvalidArgumentError("The inherited file is no socket");
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  Listener listener;
  std::string host;
  std::uint16_t port = 0;
  if (bound.address.any.sa_family == AF_INET) {
    const in_addr& address = bound.address.four.sin_addr;
    constexpr unsigned kNetworkShift = 24;
    listener.is_loopback = ntohl(address.s_addr) >> kNetworkShift == IN_LOOPBACKNET;
    ::inet_ntop(AF_INET, &address, text.data(), text.size());
    const bool is_usual = ntohl(address.s_addr) == INADDR_LOOPBACK || address.s_addr == INADDR_ANY;
    host = is_usual ? "localhost" : text.data();
    port = ntohs(bound.address.four.sin_port);
  } else if (bound.address.any.sa_family == AF_INET6) {
    const in6_addr& address = bound.address.six.sin6_addr;
    listener.is_loopback = IN6_IS_ADDR_LOOPBACK(&address);
    ::inet_ntop(AF_INET6, &address, text.data(), text.size());
    host = IN6_IS_ADDR_UNSPECIFIED(&address) ? "localhost" : fmt::format("[{}]", text.data());
    port = ntohs(bound.address.six.sin6_port);
  } else {
    return absl::InvalidArgumentError("The inherited socket is none of TCP");
  }
  listener.socket = std::move(socket);
  listener.url = fmt::format("http://{}:{}", host, port);
  return listener;
}

}  // namespace

absl::StatusOr<ListenAddress> parse_listen_address(std::string_view text) {
  ListenAddress address;
  const std::size_t colon = text.rfind(':');
  const std::string_view port = colon == std::string_view::npos ? text : text.substr(colon + 1);
  std::string_view host = colon == std::string_view::npos ? "" : text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  if (!host.empty() && host != "localhost") address.host = host;
  address.port = codec::parse_number<std::uint16_t>(port);
  if (!address.port.has_value() || !socket_address(address.host, *address.port).has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("'{}' is no address with a port, such as 127.0.0.1:8080 or [::1]:8080", text));
  }
  return address;
}

absl::StatusOr<Listener> listen_at(const ListenAddress& address) {
  constexpr int kBacklog = 1024;
  const bool may_search = !address.port.has_value();
  std::uint16_t port = address.port.value_or(kFirstPort);
  while (true) {
    const std::optional<BoundAddress> wanted = socket_address(address.host, port);
    if (!wanted.has_value()) return cannot_listen(address, port, EINVAL);
    Descriptor socket(::socket(wanted->address.any.sa_family,
                               SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
    if (!socket.ok()) return cannot_listen(address, port, errno);
    constexpr int kYes = 1;
    ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &kYes, sizeof kYes);
    if (::bind(socket.get(), &wanted->address.any, wanted->size) == 0) {
      if (::listen(socket.get(), kBacklog) != 0) return cannot_listen(address, port, errno);
      return describe(std::move(socket));
    }
    if (!may_search || errno != EADDRINUSE || port == kLastPort) {
      return cannot_listen(address, port, errno);
    }
    ++port;
  }
}

absl::StatusOr<Listener> inherited_listener() {
  constexpr int kFirst = 3;
  // NOLINTBEGIN(concurrency-mt-unsafe): there is one thread yet
  const char* const process = std::getenv("LISTEN_PID");
  const char* const count = std::getenv("LISTEN_FDS");
  // NOLINTEND(concurrency-mt-unsafe)
  if (process == nullptr || count == nullptr || std::to_string(::getpid()) != process) {
    return Listener();
  }
  if (std::string_view(count) != "1") {
    return absl::InvalidArgumentError("The service manager passes more than one socket");
  }
  int listens = 0;
  socklen_t size = sizeof listens;
  if (::getsockopt(kFirst, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens == 0) {
    return absl::InvalidArgumentError("The inherited file is no socket that listens");
  }
  return describe(Descriptor(kFirst));
}

}  // namespace scidfs::fs
