#include "fs/serve/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "fs/serve/connections.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {
namespace {

constexpr std::array<std::string_view, 5> kNames = {"message", "file", "list", "explorer", "dav"};

}  // namespace

void Metrics::count(AnswerKind kind, unsigned status, std::chrono::nanoseconds time) {
  constexpr unsigned kOfClass = 100;
  const std::size_t of_class = std::min<std::size_t>(status / kOfClass, kClasses - 1);
  answers_[static_cast<std::size_t>(kind)][of_class].fetch_add(1, std::memory_order_relaxed);
  const double seconds = std::chrono::duration<double>(time).count();
  const auto bucket = std::ranges::lower_bound(kSeconds, seconds) - kSeconds.begin();
  times_[static_cast<std::size_t>(bucket)].fetch_add(1, std::memory_order_relaxed);
  nanoseconds_.fetch_add(static_cast<std::uint64_t>(time.count()), std::memory_order_relaxed);
}

std::string Metrics::text(const Connections& connections, const Tree& tree) const {
  std::string text = "# TYPE scidfs_answers_total counter\n";
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (std::size_t of_class = 1; of_class < kClasses; ++of_class) {
      const std::uint64_t count = answers_[kind][of_class];
      if (count == 0) continue;
      text += fmt::format("scidfs_answers_total{{kind=\"{}\",status=\"{}xx\"}} {}\n", kNames[kind],
                          of_class, count);
    }
  }
  text += "# TYPE scidfs_answer_seconds histogram\n";
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    total += times_[i];
    text += i < kSeconds.size()
                ? fmt::format("scidfs_answer_seconds_bucket{{le=\"{}\"}} {}\n", kSeconds[i], total)
                : fmt::format("scidfs_answer_seconds_bucket{{le=\"+Inf\"}} {}\n", total);
  }
  constexpr double kNanoseconds = 1e9;
  text += fmt::format("scidfs_answer_seconds_sum {:.6f}\nscidfs_answer_seconds_count {}\n",
                      static_cast<double>(nanoseconds_) / kNanoseconds, total);
  const TreeStatistics source = tree.statistics();
  const auto gauge = [&text](std::string_view name, std::uint64_t value) {
    text += fmt::format("# TYPE scidfs_{0} gauge\nscidfs_{0} {1}\n", name, value);
  };
  gauge("connections", connections.open());
  gauge("requests_in_work", connections.requests());
  gauge("games", source.files);
  gauge("source_bytes", source.bytes);
  return text;
}

std::string Metrics::status() const {
  std::uint64_t total = 0;
  for (const auto& count : times_) total += count;
  return fmt::format("answers by HTTP: {}\n", total);
}

}  // namespace scidfs::fs
