#include "tests/mounted/load.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>
#include <thread>

#include "tests/support/random_game.h"

namespace scidfs::tests {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint32_t kGamesInFolder = 1000;

}  // namespace

void Latencies::add(std::chrono::nanoseconds time) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(1, time.count()));
  longest_ = std::max(longest_, nanoseconds);
  const auto bucket =
      static_cast<std::size_t>(std::log2(static_cast<double>(nanoseconds)) * kSteps);
  ++counts_[std::min(bucket, counts_.size() - 1)];
}

void Latencies::add(const Latencies& other) {
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  longest_ = std::max(longest_, other.longest_);
}

std::uint64_t Latencies::count() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

double Latencies::quantile(double part) const {
  const double wanted = part * static_cast<double>(count());
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    sum += counts_[i];
    if (static_cast<double>(sum) >= wanted) {
      return std::exp2(static_cast<double>(i + 1) / kSteps) / 1e6;
    }
  }
  return longest();
}

std::uint64_t resident_memory(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/statm", process));
  std::uint64_t size = 0;
  std::uint64_t resident = 0;
  status >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string LoadReport::text() const {
  constexpr double kMega = 1 << 20;
  std::string text = fmt::format(
      "{} reads, {:.1f} MiB; {} to {} by each process\n"
      "latency: p50 {:.3f} ms, p99 {:.3f} ms, longest {:.1f} ms\n"
      "memory of the daemon: {:.1f} MiB before, {:.1f} after half the time, {:.1f} at the end, "
      "{:.1f} "
      "at most\n",
      latencies.count(), static_cast<double>(bytes) / kMega, fewest, most, latencies.quantile(0.5),
      latencies.quantile(0.99), latencies.longest(), static_cast<double>(memory_before) / kMega,
      static_cast<double>(memory_half) / kMega, static_cast<double>(memory_end) / kMega,
      static_cast<double>(memory_most) / kMega);
  for (const std::string& complaint : complaints) text += "wrong: " + complaint + '\n';
  return text;
}

// The results of one process, in memory shared with it.
struct Load::Tally {
  Latencies latencies;
  std::uint64_t bytes = 0;
  std::array<char, 256> complaint{};
};

// One of the processes.
class Load::Reader {
 public:
  Reader(const Load& load, const std::filesystem::path& mount, std::uint64_t seed, Tally& tally)
      : load_(load), mount_(mount), random_(seed), tally_(tally), writer_(codec::PgnOptions()) {}

  void read_one() {
    const auto begin = Clock::now();
    switch (random_.below(16)) {
      case 0:
        list_folder();
        break;
      case 1:
      case 2:
        read_part();
        break;
      default:
        read_game();
    }
    tally_.latencies.add(Clock::now() - begin - checking_);
    checking_ = {};
  }

 private:
  template <typename... Arguments>
  void complain(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (tally_.complaint[0] != 0) return;
    const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
    text.copy(tally_.complaint.data(), tally_.complaint.size() - 1);
  }

  std::string text_of(std::uint32_t game) { return load_.database_.render(game, writer_).text; }

  // Reads some bytes; adds a complaint if that fails.
  std::optional<std::string> read(const std::string& path, std::uint64_t offset, std::size_t size) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      complain("{}: open: {}", path, std::strerror(errno));
      return std::nullopt;
    }
    // Sometimes drops the page cache of the file first.
    if (random_.one_in(4)) ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    std::string text(size, '\0');
    std::size_t have = 0;
    ssize_t got = 1;
    while (have < size && got > 0) {
      got = ::pread(file, text.data() + have, size - have, static_cast<off_t>(offset + have));
      if (got > 0) have += static_cast<std::size_t>(got);
    }
    struct stat attributes {};
    if (got < 0) complain("{}: read at {}: {}", path, offset + have, std::strerror(errno));
    if (::fstat(file, &attributes) != 0) complain("{}: stat: {}", path, std::strerror(errno));
    size_ = static_cast<std::uint64_t>(attributes.st_size);
    ::close(file);
    if (got < 0) return std::nullopt;
    text.resize(have);
    tally_.bytes += have;
    return text;
  }

  void read_game() {
    const std::uint32_t game = load_.shown_[random_.below(load_.shown_.size())];
    const std::string path = fmt::format("{}/games/{}.pgn", mount_, game + 1);
    const std::optional<std::string> text = read(path, 0, std::size_t{1} << 20);
    const auto begin = Clock::now();
    if (text && (*text != text_of(game) || size_ != text->size())) {
      complain("{}: not the text of the game", path);
    }
    checking_ += Clock::now() - begin;
  }

  void read_part() {
    const std::uint64_t all = load_.begins_.back();
    const std::uint64_t offset = random_.next() % all;
    const std::size_t size =
        std::min<std::uint64_t>(random_.below(std::size_t{200'000}), all - offset);
    const std::string path = mount_ + "/all.pgn";
    const std::optional<std::string> text = read(path, offset, size);
    if (!text) return;
    const auto begin = Clock::now();
    auto place = std::prev(std::upper_bound(load_.begins_.begin(), load_.begins_.end(), offset));
    const std::size_t skip = offset - *place;
    std::string expected;
    for (; expected.size() < skip + size; ++place) {
      expected += text_of(load_.shown_[static_cast<std::size_t>(place - load_.begins_.begin())]);
    }
    if (*text != expected.substr(skip, size) || size_ != all) {
      complain("{}: {} bytes at {} are wrong", path, size, offset);
    }
    checking_ += Clock::now() - begin;
  }

  void list_folder() {
    const std::size_t folder = random_.below(load_.in_folder_.size());
    if (load_.in_folder_[folder] == 0) return;
    const std::string path = fmt::format("{}/games/{:05}", mount_, folder);
    DIR* const stream = ::opendir(path.c_str());
    if (stream == nullptr) return complain("{}: {}", path, std::strerror(errno));
    std::uint32_t names = 0;
    while (const dirent* const entry = ::readdir(stream)) names += entry->d_name[0] != '.';
    ::closedir(stream);
    if (names != load_.in_folder_[folder]) {
      complain("{}: {} names, expected {}", path, names, load_.in_folder_[folder]);
    }
  }

  const Load& load_;
  const std::string mount_;
  Random random_;
  Tally& tally_;
  codec::scid::GameText writer_;
  std::uint64_t size_ = 0;      // of the file read last
  Clock::duration checking_{};  // time not spent in the mount
};

Load::Load(const std::string& stem) : database_(stem) {
  codec::scid::GameText writer{codec::PgnOptions()};
  std::uint64_t begin = 0;
  in_folder_.resize(database_.games() / kGamesInFolder + 1);
  for (std::uint32_t game = 0; game < database_.games(); ++game) {
    if (database_.entry(game).has(codec::scid::kFlagDeleted)) continue;
    shown_.push_back(game);
    begins_.push_back(begin);
    begin += database_.render(game, writer).text.size();
    ++in_folder_[(game + 1) / kGamesInFolder];
  }
  begins_.push_back(begin);
}

LoadReport Load::run(const std::filesystem::path& mount, pid_t daemon, unsigned processes,
                     std::chrono::seconds time) const {
  void* const shared = ::mmap(nullptr, processes * sizeof(Tally), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) std::abort();
  LoadReport report;
  report.memory_before = resident_memory(daemon);
  const auto begin = Clock::now();
  std::vector<Tally*> tallies;
  std::vector<pid_t> children;
  for (unsigned i = 0; i < processes; ++i) {
    tallies.push_back(new (static_cast<Tally*>(shared) + i) Tally);
    const pid_t child = ::fork();
    if (child == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      Reader reader(*this, mount, i, *tallies.back());
      while (Clock::now() < begin + time) reader.read_one();
      ::_exit(0);
    }
    if (child < 0) {
      report.complaints.push_back(fmt::format("process {} cannot be started", i));
      break;
    }
    children.push_back(child);
  }
  while (Clock::now() < begin + time) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const std::uint64_t memory = resident_memory(daemon);
    report.memory_most = std::max(report.memory_most, memory);
    if (Clock::now() < begin + time / 2) report.memory_half = memory;
  }
  // All pending requests are answered soon.
  const auto limit = begin + time + std::chrono::seconds(30);
  for (std::size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    pid_t ended = 0;
    while ((ended = ::waitpid(children[i], &status, WNOHANG)) == 0 && Clock::now() < limit) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (ended == 0) {
      ::kill(children[i], SIGKILL);
      report.complaints.push_back(fmt::format("process {} hangs in a request", i));
      continue;
    }
    if (status != 0) report.complaints.push_back(fmt::format("process {} ended badly", i));
    const Tally& tally = *tallies[i];
    if (tally.complaint[0] != 0) report.complaints.emplace_back(tally.complaint.data());
    const std::uint64_t count = tally.latencies.count();
    report.latencies.add(tally.latencies);
    report.bytes += tally.bytes;
    report.fewest = i == 0 ? count : std::min(report.fewest, count);
    report.most = std::max(report.most, count);
  }
  report.memory_end = resident_memory(daemon);
  ::munmap(shared, processes * sizeof(Tally));
  return report;
}

}  // namespace scidfs::tests
