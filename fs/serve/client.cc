#include "fs/serve/client.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

ClientId client_of_network(const in6_addr& address) {
  constexpr std::size_t kNetwork = 8;  // bytes
  constexpr std::size_t kMapped = 12;  // bytes before an IPv4 address
  if (IN6_IS_ADDR_V4MAPPED(&address)) {
    std::uint32_t mapped = 0;
    std::memcpy(&mapped, address.s6_addr + kMapped, sizeof mapped);
    return ntohl(mapped);
  }
  return static_cast<ClientId>(
      cache::fingerprint(std::span<const std::uint8_t>(address.s6_addr).first(kNetwork)));
}

}  // namespace

ClientId client_of(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in internet{};
    std::memcpy(&internet, &address, sizeof internet);
    return ntohl(internet.sin_addr.s_addr);
  }
  if (address.sa_family != AF_INET6) return 0;
  sockaddr_in6 internet{};
  std::memcpy(&internet, &address, sizeof internet);
  return client_of_network(internet.sin6_addr);
}

std::optional<ClientId> parse_client(std::string_view address) {
  const std::string text(address);
  in_addr short_one{};
  if (::inet_pton(AF_INET, text.c_str(), &short_one) == 1) return ntohl(short_one.s_addr);
  in6_addr long_one{};
  if (::inet_pton(AF_INET6, text.c_str(), &long_one) == 1) return client_of_network(long_one);
  return std::nullopt;
}

ClientId client_behind(ClientId proxy, std::string_view forwarded_for) {
  std::string_view last = forwarded_for.substr(forwarded_for.rfind(',') + 1);
  while (last.starts_with(' ')) last.remove_prefix(1);
  while (last.ends_with(' ')) last.remove_suffix(1);
  return parse_client(last).value_or(proxy);
}

}  // namespace scidfs::fs
