// Starts threads for tests of concurrent use.
#pragma once

#include <chrono>
#include <functional>
#include <thread>
#include <vector>

namespace scidfs::cache {

// Runs `body(0)` ... `body(count - 1)` on a thread each and waits for all of them.
inline void run_threads(unsigned count, const std::function<void(unsigned)>& body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

// Returns false if the condition does not become true within a time that no machine needs.
inline bool wait_until(const std::function<bool()>& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return true;
}

}  // namespace scidfs::cache
