// Notifies the program that started this one: systemd, for a unit of Type=notify, or another
// program that sets NOTIFY_SOCKET (sd_notify(3)).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace scidfs::fs {

// A connection to the service manager. The constructor connects, since a confined process cannot.
// Sends nothing without NOTIFY_SOCKET or without a listener there. Thread-safe.
class ServiceManager {
 public:
  ServiceManager();
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // Sends what the process is doing, a few words for `systemctl status`.
  void status(std::string_view text) const;
  // Sends the progress of work that has an end, at each new whole percent.
  void progress(std::string_view work, std::uint64_t done, std::uint64_t total);
  // Sends that the mount answers from now on. The only message that waits for room, a few seconds,
  // since the manager waits for it, too.
  void ready() const;
  // Sends that the mount is being taken down.
  void stopping() const;

 private:
  void tell(std::string_view message, int flags) const;

  int socket_ = -1;
  std::atomic<std::uint64_t> percent_ = 0;  // last one sent
};

}  // namespace scidfs::fs
