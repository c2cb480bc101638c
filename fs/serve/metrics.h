// What the server has done, for /metrics and status.txt.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace scidfs::fs {

class Connections;
class Library;
class Tree;

enum class AnswerKind : std::uint8_t { Message, File, List, Explorer, Dav };

// Counts answers by kind and status, and the seconds until they begin. Each addition is relaxed; a
// text may miss the newest ones. Thread-safe.
class Metrics {
 public:
  void count(AnswerKind kind, unsigned status, std::chrono::nanoseconds time);

  // Returns the text of /metrics, in version 0.0.4 of Prometheus' form.
  std::string text(const Connections& connections, const Tree& tree) const;
  // Returns a line for status.txt.
  std::string status() const;

 private:
  static constexpr std::size_t kKinds = static_cast<std::size_t>(AnswerKind::Dav) + 1;
  static constexpr std::size_t kClasses = 6;  // of statuses: 2 for 200 to 299
  // Upper ends of the buckets of the histogram; the last bucket has no end.
  static constexpr std::array<double, 8> kSeconds = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10};

  std::array<std::array<std::atomic<std::uint64_t>, kClasses>, kKinds> answers_{};
  std::array<std::atomic<std::uint64_t>, kSeconds.size() + 1> times_{};
  std::atomic<std::uint64_t> nanoseconds_ = 0;
};

}  // namespace scidfs::fs
