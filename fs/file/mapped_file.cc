#include "fs/file/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <system_error>
#include <thread>

#include "cache/mutex.h"
#include "fs/base/log.h"
#include "fs/base/thread.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

std::atomic<bool> is_any_lost = false;

// Where a thread's last faults were, one after the other in the same place, without a check.
struct Repeats {
  std::uintptr_t address = 0;
  unsigned count = 0;
};
constinit thread_local Repeats repeats;

}  // namespace

// The mapped files of the process, where signal handlers find them: those may take no lock. Lives
// as long as the process, as do the handlers and the thread.
class MappedFile::Slots {
 public:
  static Slots& get() {
    static Slots* const kSlots = new Slots;
    return *kSlots;
  }

  // Returns false if there are too many files, or the system has no thread for them.
  bool add(MappedFile& file) ABSL_LOCKS_EXCLUDED(mutex_);
  void remove(const MappedFile& file) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kMost = 4096;

  enum State : int { Mapped, Wanted, Replaced };
  struct Slot {
    std::atomic<std::uintptr_t> begin = 0;  // 0: free
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<int> state = Mapped;
    MappedFile* file = nullptr;  // for those who hold the lock
  };

  Slots();
  static void on_fault(int signal, siginfo_t* info, void*);
  static void on_dispute(int signal);
  // Waits until the bytes at an address can be read. Returns false if they are of no mapped file.
  bool await(std::uintptr_t address, bool is_forbidden);
  void work() ABSL_LOCKS_EXCLUDED(mutex_);

  std::array<Slot, kMost> slots_;
  sem_t look_{};
  struct sigaction before_bus_ {};
  struct sigaction before_segv_ {};
  bool has_thread_ = false;
  cache::Mutex mutex_;
};

MappedFile::Slots::Slots() {
  ::sem_init(&look_, 0, 0);
  struct sigaction action {};
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = &on_dispute;
  ::sigaction(SIGIO, &action, nullptr);
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  action.sa_sigaction = &on_fault;
  ::sigaction(SIGBUS, &action, &before_bus_);
  ::sigaction(SIGSEGV, &action, &before_segv_);
  try {
    start_thread("mapped files", [this] { work(); }).detach();
    has_thread_ = true;
  } catch (const std::system_error&) {
    has_thread_ = false;
  }
}

bool MappedFile::Slots::add(MappedFile& file) {
  const cache::MutexLock lock(mutex_);
  if (!has_thread_) return false;
  for (Slot& slot : slots_) {
    if (slot.begin != 0) continue;
    slot.file = &file;
    slot.state = Mapped;
    slot.end = reinterpret_cast<std::uintptr_t>(file.bytes_.data()) + file.bytes_.size();
    slot.begin = reinterpret_cast<std::uintptr_t>(file.bytes_.data());
    ::sem_post(&look_);  // the signal may have come before
    return true;
  }
  return false;
}

void MappedFile::Slots::remove(const MappedFile& file) {
  const cache::MutexLock lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.file != &file) continue;
    slot.begin = 0;
    slot.file = nullptr;
  }
}

// Calls nothing but what signal-safety(7) allows, and mprotect(2), which is one system call.
bool MappedFile::Slots::await(std::uintptr_t address, bool is_forbidden) {
  for (Slot& slot : slots_) {
    if (slot.begin == 0 || address < slot.begin || address >= slot.end) continue;
    // The file lives as long as the thread reads its bytes.
    if (is_forbidden && slot.state == Mapped && slot.file->make_readable(address)) return true;
    int state = Mapped;
    if (slot.state.compare_exchange_strong(state, Wanted)) ::sem_post(&look_);
    while (slot.state == Wanted) {
      constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 1'000'000};
      ::nanosleep(&kPause, nullptr);
    }
    return true;
  }
  return false;
}

// Leaves a fault elsewhere to who handled it before: the instruction repeats it. So does one that
// comes again and again: a write.
void MappedFile::Slots::on_fault(int signal, siginfo_t* info, void*) {
  constexpr unsigned kMostRepeats = 100;
  const int error = errno;
  Slots& slots = get();
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  repeats = {.address = address, .count = address == repeats.address ? repeats.count + 1 : 0};
  const bool is_fault = info->si_code > 0 && repeats.count < kMostRepeats;
  if (!is_fault || !slots.await(address, signal == SIGSEGV)) {
    ::sigaction(signal, signal == SIGSEGV ? &slots.before_segv_ : &slots.before_bus_, nullptr);
    if (info->si_code <= 0) ::raise(signal);
  }
  errno = error;
}

// The kernel says that a program waits for the end of a lease, but not of which.
void MappedFile::Slots::on_dispute(int) {
  const int error = errno;
  ::sem_post(&get().look_);
  errno = error;
}

void MappedFile::Slots::work() {
  while (true) {
    while (::sem_wait(&look_) != 0) {
    }
    const cache::MutexLock lock(mutex_);
    for (Slot& slot : slots_) {
      if (slot.file == nullptr || slot.state == Replaced) continue;
      if (slot.state == Mapped && slot.file->file_.is_undisputed()) continue;
      // Without it, the waiting threads could never go on.
      if (!slot.file->replace()) std::abort();
      slot.state = Replaced;
    }
  }
}

bool MappedFile::is_right(const CheckedBytes& check) const {
  constexpr std::size_t kRoom = std::size_t{1} << 15;
  std::array<std::uint8_t, kRoom> room;
  cache::Fingerprint found;
  for (std::size_t done = 0; done < check.bytes;) {
    const std::size_t wanted = std::min(kRoom, check.bytes - done);
    const ssize_t count =
        ::pread(file_.get(), room.data(), wanted, static_cast<off_t>(check.offset + done));
    if (count <= 0) return false;
    found.add(codec::Bytes(room).first(static_cast<std::size_t>(count)));
    done += static_cast<std::size_t>(count);
  }
  return found.value() == check.checksum;
}

bool MappedFile::make_readable(std::uintptr_t address) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
  const std::size_t first = (address - begin) / kWindow * kWindow;
  const std::size_t last = std::min(first + kWindow, bytes_.size());
  auto check = std::ranges::partition_point(checks_, [first](const CheckedBytes& before) {
    return before.offset + before.bytes <= first;
  });
  for (; check != checks_.end() && check->offset < last; ++check) {
    std::atomic<bool>& is_known = are_right_[static_cast<std::size_t>(check - checks_.begin())];
    if (is_known) continue;
    repeats.count = 0;  // another file may be where one was before
    if (!is_right(*check)) return false;
    is_known = true;
  }
  return ::mprotect(const_cast<std::uint8_t*>(bytes_.data()) + first, last - first, PROT_READ) == 0;
}

bool MappedFile::get_again(std::span<std::uint8_t> memory) const {
  try {
    const bool is_read = read_fully(file_.get(), 0, memory, file_.name()).ok();
    if (is_read && rescue_.is_right(memory)) return true;
    if (!rescue_.make(memory) || !rescue_.is_right(memory)) return false;
    log_warning(fmt::format("{} {}; its bytes have been made again", file_.name(),
                            is_read ? "is damaged" : "cannot be read any more"));
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

bool MappedFile::replace() {
  void* const place = const_cast<std::uint8_t*>(bytes_.data());
  const std::size_t size = bytes_.size();
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // Other threads see the old bytes or the new ones: the kernel lets none in between.
  const bool is_replaced =
      memory != MAP_FAILED && get_again({static_cast<std::uint8_t*>(memory), size}) &&
      ::mprotect(memory, size, PROT_READ) == 0 &&
      ::mremap(memory, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
  if (!is_replaced) {
    is_any_lost = true;
    if (memory != MAP_FAILED) ::munmap(memory, size);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(place, size, PROT_READ, flags, -1, 0) != place) return false;
    log_error(fmt::format(
        "{} cannot be read any more, and its bytes cannot be made again: all requests fail until "
        "the next mount",
        file_.name()));
  }
  file_.end();
  return true;
}

absl::StatusOr<LeasedFile> LeasedFile::lease(Descriptor file, std::string name) {
  MappedFile::prepare();
  // The writer of a file closes it a moment after it has put it in place; there is no lease before.
  constexpr std::chrono::milliseconds kPause(1);
  constexpr int kPauses = 20;
  // Else the kernel sends SIGIO to the calling thread alone: to none, unless that is the first one.
  if (::fcntl(file.get(), F_SETOWN, ::getpid()) != 0) {
    return absl::FailedPreconditionError(
        fmt::format("Cannot map {}: the system does not tell who wants to change it", name));
  }
  for (int pause = 0; ::fcntl(file.get(), F_SETLEASE, F_RDLCK) != 0; ++pause) {
    if (errno != EAGAIN || pause == kPauses) {
      return absl::FailedPreconditionError(
          fmt::format("Cannot map {}: the system gives no lease", name));
    }
    std::this_thread::sleep_for(kPause);
  }
  return LeasedFile(std::move(file), std::move(name));
}

bool LeasedFile::is_undisputed() const { return ::fcntl(file_.get(), F_GETLEASE) == F_RDLCK; }

void LeasedFile::end() { ::fcntl(file_.get(), F_SETLEASE, F_UNLCK); }

absl::StatusOr<std::unique_ptr<MappedFile>> MappedFile::map(LeasedFile file, std::size_t size,
                                                            std::vector<CheckedBytes> checks,
                                                            Rescue rescue) {
  void* const memory = ::mmap(nullptr, size, PROT_NONE, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return file_error("map", file.name(), errno);
  std::unique_ptr<MappedFile> mapped(
      new MappedFile({static_cast<const std::uint8_t*>(memory), size}, std::move(file),
                     std::move(checks), std::move(rescue)));
  if (!Slots::get().add(*mapped)) {
    return absl::ResourceExhaustedError(
        fmt::format("Cannot map {}: too many mapped files", mapped->file_.name()));
  }
  return mapped;
}

MappedFile::~MappedFile() {
  Slots::get().remove(*this);
  ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

void MappedFile::prepare() { Slots::get(); }

bool MappedFile::may_show() { return !is_any_lost; }

}  // namespace scidfs::fs
