#include "fs/file/mapped_file.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <system_error>
#include <utility>

#include "cache/mutex.h"
#include "fs/base/log.h"
#include "fs/base/thread.h"
#include "fs/file/io.h"

namespace scidfs::fs {
namespace {

std::atomic<bool> is_any_lost = false;

}  // namespace

// The mapped files of the process, where a signal handler finds them: it may take no lock. They
// live as long as the process.
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

  // What became of the bytes of a file.
  enum State : int { Mapped, Wanted, Replaced };
  struct Slot {
    std::atomic<std::uintptr_t> begin = 0;  // 0: free
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<int> state = Mapped;
    MappedFile* file = nullptr;  // for those who hold the lock
  };

  Slots();
  static void handle(int signal, siginfo_t* info, void*);
  // Waits until the bytes at an address are there. Returns false if they are of no mapped file.
  bool await(std::uintptr_t address);
  void work() ABSL_LOCKS_EXCLUDED(mutex_);

  std::array<Slot, kMost> slots_;
  sem_t wanted_{};
  struct sigaction before_ {};  // of SIGBUS
  bool has_thread_ = false;
  cache::Mutex mutex_;
};

MappedFile::Slots::Slots() {
  ::sem_init(&wanted_, 0, 0);
  struct sigaction action {};
  action.sa_sigaction = &handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGBUS, &action, &before_);
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

// Calls nothing but what signal-safety(7) allows.
bool MappedFile::Slots::await(std::uintptr_t address) {
  for (Slot& slot : slots_) {
    if (address < slot.begin || address >= slot.end || slot.begin == 0) continue;
    int state = Mapped;
    if (slot.state.compare_exchange_strong(state, Wanted)) ::sem_post(&wanted_);
    while (slot.state == Wanted) {
      constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 1'000'000};
      ::nanosleep(&kPause, nullptr);
    }
    return true;
  }
  return false;
}

// A fault elsewhere is none of ours: the instruction repeats it, as if there were no handler.
void MappedFile::Slots::handle(int signal, siginfo_t* info, void*) {
  const int error = errno;
  Slots& slots = get();
  const bool is_fault = info->si_code > 0;
  if (!is_fault || !slots.await(reinterpret_cast<std::uintptr_t>(info->si_addr))) {
    ::sigaction(signal, &slots.before_, nullptr);
    if (!is_fault) ::raise(signal);
  }
  errno = error;
}

void MappedFile::Slots::work() {
  while (true) {
    while (::sem_wait(&wanted_) != 0) {
    }
    const cache::MutexLock lock(mutex_);
    for (Slot& slot : slots_) {
      if (slot.file == nullptr || slot.state != Wanted) continue;
      if (!slot.file->replace()) std::abort();  // the waiting threads could never go on
      slot.state = Replaced;
    }
  }
}

bool MappedFile::replace() const {
  void* const place = const_cast<std::uint8_t*>(bytes_.data());
  const std::size_t size = bytes_.size();
  void* const memory =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  bool is_restored = memory != MAP_FAILED;
  try {
    is_restored = is_restored && restore_({static_cast<std::uint8_t*>(memory), size});
  } catch (const std::exception&) {
    is_restored = false;
  }
  // Other threads see the old bytes or the new ones: the kernel lets none in between.
  if (is_restored) {
    is_restored = ::mprotect(memory, size, PROT_READ) == 0 &&
                  ::mremap(memory, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
  }
  if (!is_restored) {
    is_any_lost = true;
    if (memory != MAP_FAILED) ::munmap(memory, size);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (::mmap(place, size, PROT_READ, flags, -1, 0) != place) return false;
  }
  if (is_restored) {
    log_warning(fmt::format("{} cannot be read any more; what was in it has been found again", name_));
  } else {
    log_error(fmt::format(
        "{} cannot be read any more, and what was in it cannot be found again: every request fails "
        "until you mount again",
        name_));
  }
  return true;
}

absl::StatusOr<std::unique_ptr<MappedFile>> MappedFile::map(const Descriptor& file,
                                                            std::size_t size, std::string name,
                                                            Restore restore) {
  void* const memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return file_error("map", name, errno);
  std::unique_ptr<MappedFile> mapped(
      new MappedFile({static_cast<const std::uint8_t*>(memory), size}, name, std::move(restore)));
  if (!Slots::get().add(*mapped)) {
    return absl::ResourceExhaustedError(fmt::format("Cannot map {}: too many mapped files", name));
  }
  return mapped;
}

MappedFile::~MappedFile() {
  Slots::get().remove(*this);
  ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

bool MappedFile::may_show() { return !is_any_lost; }

}  // namespace scidfs::fs
