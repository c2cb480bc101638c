// The program that started this one and wants to hear how it goes: systemd, for a unit of
// Type=notify, or whoever else sets NOTIFY_SOCKET (sd_notify(3)).
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace scidfs::fs {

// Connects at once, since a confined process cannot any more. Without NOTIFY_SOCKET, or if nobody
// listens there, nothing is told to anybody. Any thread may tell at any time.
class ServiceManager {
 public:
  ServiceManager();
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // What the process is doing, a few words for `systemctl status`.
  void status(std::string_view text) const;
  // The same of work that has an end; said when another whole percent is done.
  void progress(std::string_view work, std::uint64_t done, std::uint64_t total);
  // The mount answers from now on. The only message that waits for room, a few seconds, since the
  // manager waits for it, too.
  void ready() const;
  // The mount is being taken down.
  void stopping() const;

 private:
  void tell(std::string_view message, int flags) const;

  int socket_ = -1;
  std::atomic<std::uint64_t> percent_ = 0;  // of the last progress that was told
};

}  // namespace scidfs::fs
