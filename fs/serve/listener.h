// The socket that clients connect to.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// An address of this machine.
struct ListenAddress {
  std::string host = "127.0.0.1";  // IPv4 or IPv6, a number
  // 0: any that is free; nothing: the first free one from kFirstPort on.
  std::optional<std::uint16_t> port{};
};

inline constexpr std::uint16_t kFirstPort = 8080;
inline constexpr std::uint16_t kLastPort = 8099;

// Takes "ADDRESS:PORT", "[ADDRESS]:PORT" for IPv6; of this machine alone also "localhost:PORT",
// ":PORT" and "PORT". Errors:
// InvalidArgument, a text for the user.
absl::StatusOr<ListenAddress> parse_listen_address(std::string_view text);

struct Listener {
  Descriptor socket;
  std::string url;           // "http://localhost:8080": where this machine reaches it
  bool is_loopback = false;  // no other machine does
};

// Errors: those of the system, with the address.
absl::StatusOr<Listener> listen_at(const ListenAddress& address);

// Takes the socket that the service manager has opened (sd_listen_fds(3)). Returns one without a
// socket if there is none; errors: InvalidArgument if it is no TCP socket that listens.
absl::StatusOr<Listener> inherited_listener();

}  // namespace scidfs::fs
