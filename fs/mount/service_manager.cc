#include "fs/mount/service_manager.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

// How long to wait for room for a message, in seconds: no manager keeps a mount from answering.
constexpr int kPatience = 3;

// The address of the manager; length 0 if there is none that can be reached.
struct Address {
  sockaddr_un name{};
  socklen_t length = 0;
};

Address address_of(const char* path) {
  Address address;
  const std::string_view text = path != nullptr ? path : "";
  if ((!text.starts_with('/') && !text.starts_with('@')) ||
      text.size() >= sizeof address.name.sun_path) {
    return address;
  }
  address.name.sun_family = AF_UNIX;
  std::memcpy(address.name.sun_path, text.data(), text.size());
  // The name of an abstract socket begins with a zero.
  if (text.starts_with('@')) address.name.sun_path[0] = '\0';
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + text.size());
  return address;
}

}  // namespace

ServiceManager::ServiceManager() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread yet
  const Address address = address_of(std::getenv("NOTIFY_SOCKET"));
  if (address.length == 0) return;
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return;
  const timeval patience{.tv_sec = kPatience, .tv_usec = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address.name), address.length) == 0) {
    socket_ = socket;
  } else {
    ::close(socket);
  }
}

ServiceManager::~ServiceManager() {
  if (socket_ >= 0) ::close(socket_);
}

void ServiceManager::status(std::string_view text) const {
  tell(fmt::format("STATUS={}", printable(text)), MSG_DONTWAIT);
}

void ServiceManager::progress(std::string_view work, std::uint64_t done, std::uint64_t total) {
  const std::uint64_t percent = total == 0 ? 0 : std::min<std::uint64_t>(100, done * 100 / total);
  if (percent_.exchange(percent) == percent) return;
  status(fmt::format("{}: {} % of {}", work, percent, total));
}

void ServiceManager::ready() const { tell("READY=1", 0); }

void ServiceManager::stopping() const { tell("STOPPING=1", MSG_DONTWAIT); }

void ServiceManager::tell(std::string_view message, int flags) const {
  // Ignore errors: the manager may have ended.
  if (socket_ >= 0) {
    static_cast<void>(::send(socket_, message.data(), message.size(), flags | MSG_NOSIGNAL));
  }
}

}  // namespace scidfs::fs
