// The clients of the server: who takes turns with whom.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace scidfs::fs {

// The number of a client, for queues that are kept for users elsewhere (fs/requests/turns.h): the
// IPv4 address, or a hash of the IPv6 network of 64 bits, of which one person has all addresses.
using ClientId = uid_t;

ClientId client_of(const sockaddr& address);
// Takes an address as text. Nothing if it is none.
std::optional<ClientId> parse_client(std::string_view address);
// Returns the client that a proxy speaks for: the last address of X-Forwarded-For, which is the
// only one that the proxy itself has seen; else the proxy.
ClientId client_behind(ClientId proxy, std::string_view forwarded_for);

}  // namespace scidfs::fs
