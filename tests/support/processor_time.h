// Measures the processor time of work, on a machine with other load.
#pragma once

#include <algorithm>
#include <ctime>

namespace scidfs::tests {

// Seconds of processor time of this thread.
inline double processor_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// The least time of several runs of `work`.
template <class Work>
double least_time(const Work& work) {
  constexpr int kTimes = 5;
  double least = 1e9;
  for (int i = 0; i < kTimes; ++i) {
    const double start = processor_time();
    work();
    least = std::min(least, processor_time() - start);
  }
  return least;
}

}  // namespace scidfs::tests
