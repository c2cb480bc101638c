// Changes in the source that no scan has looked at yet, and the requests that wait for the scan.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cache/mutex.h"

namespace scidfs::fs {

// The part of the source that a scan covers. By default everything.
struct RescanScope {
  bool is_all = true;        // every file and every folder
  bool has_folders = false;  // the lists of files and folders, besides `paths`
  bool has_news = false;     // facts about known files that no file announces
  bool has_links = false;    // files with other names (every scan includes them)
  // These paths with everything below them. The value: whether to show the files as they are now,
  // though a program may still be writing them.
  std::map<std::string, bool, std::less<>> paths{};
  std::chrono::steady_clock::time_point began{};
  std::chrono::nanoseconds work_began{};  // processor time of the scanning thread

  bool is_nothing() const {
    return !is_all && !has_folders && !has_news && !has_links && paths.empty();
  }
  // Returns whether this path is among `paths` or below one of them.
  bool names(std::string_view path) const;
};

// The changes that no scan has looked at, and the requests that wait for them. All paths are
// relative to the source and end in a name that the mount shows: the files of a database have one
// path. The empty path is the whole source.
//
// A scan covers a changed path when the path has been quiet for a moment. Requests about it wait
// until then and see the result. If there is no quiet, or the scan finds a half-written version,
// requests wait for about a second, and after that not at all until something more than a mere
// write happens. They wait for a running scan as long as it takes. If the bytes of the version that
// is shown are lost meanwhile, requests that need them wait longer, since they would only fail.
//
// A waiting request blocks no thread: it leaves a function to call afterwards. Thread-safe.
class PendingChanges {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;

  // A program writes a database in several steps and is quiet after the last one.
  static constexpr Milliseconds kQuiet{60};
  // A path that is not quiet for this long is scanned nevertheless, between two saves.
  static constexpr Milliseconds kLongest{1000};
  static constexpr Milliseconds kBetweenSaves{10};
  // So long a request waits for a path that comes to no quiet: until after a scan of it.
  static constexpr Milliseconds kLongestWait{kLongest + Milliseconds(200)};
  // So long requests wait for the next version of a path whose bytes are lost.
  static constexpr Milliseconds kLongestLost{10'000};
  // After this time a half-written version is scanned again.
  static constexpr Milliseconds kSoon{100};
  // After a scan, the thread rests for this many times the processor time that the scan took,
  // unless a request waits.
  static constexpr int kRestPerLook = 19;
  // A folder is searched for missing names at most once in this time.
  static constexpr Milliseconds kBetweenSearches{100};

  struct ChangeEvent {
    std::string path{};
    bool is_folder = false;     // the list of folders must be read again
    bool is_arrival = false;    // a name has appeared or disappeared
    bool is_write = false;      // bytes have been written, and more may follow
    bool is_uncertain = false;  // may mean nothing: it is scanned, but no request waits for it
  };
  // Notes a change. Returns whether requests about the path, or about the names in its folder,
  // begin to wait because of it: the caller must make earlier answers to them be forgotten now.
  bool note(const ChangeEvent& sign) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that there is news that no file announces.
  void note_news() ABSL_LOCKS_EXCLUDED(mutex_);

  // Sleeps until there is something to scan, but not beyond `until`; the result may then be empty.
  // Called by the scanning thread, like finish().
  RescanScope next(Clock::time_point until) ABSL_LOCKS_EXCLUDED(mutex_);
  // Notes that the result of a scan is visible. `unfinished`: paths that looked half written;
  // `lost`: those of them whose shown version has lost its bytes. Returns the paths that requests
  // begin to wait for: the caller must make earlier answers be forgotten, as after note().
  std::vector<std::string> finish(const RescanScope& look, const std::set<std::string>& unfinished,
                                  const std::set<std::string>& lost = {})
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Returns whether a program has written to this path, which no scan has looked at since, and has
  // not closed it.
  bool is_being_written(std::string_view path) const ABSL_LOCKS_EXCLUDED(mutex_);

  struct Request {
    enum class About {
      Path,       // the file or folder itself
      Listing,    // the names in a folder, including subfolders, which appear with their contents
      Contents,   // the descriptions of all entries in a folder
      Databases,  // the contents of all databases in a folder and below it
    };
    About about = About::Path;
    std::string path{};
    bool is_missing = false;   // the name is unknown: its arrival may have gone unreported
    bool needs_bytes = false;  // of the version of a file
  };
  // Returns whether the answer must wait.
  bool concerns(const Request& request) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Makes another thread call `then` when the request need not wait any longer; `then` must be
  // quick and must not throw. Returns false, and never calls `then`, if the request need not wait
  // now.
  bool wait(const Request& request, std::function<void()> then) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether no change waits for a scan.
  bool is_calm() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Releases all waiting requests; none waits any more.
  void stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Pending {
    Clock::time_point first = Clock::time_point::max();  // event since the last scan; max: none
    Clock::time_point last{};                            // event
    Clock::time_point due{};                             // when to scan it
    bool is_awaited = false;                             // requests about it wait
    Clock::time_point give_up{};                         // they wait until then
    Clock::time_point lost_until{};  // those that need its bytes, until then; zero: not lost
    bool is_open = false;            // a program has written to it and not closed it
    bool is_folder = false;
    bool is_arrival = false;

    // Return whether requests wait.
    static bool awaits(const Pending& doubt, Clock::time_point /*now*/) { return doubt.is_awaited; }
    static bool awaits_bytes(const Pending& doubt, Clock::time_point now) {
      return now < doubt.lost_until;
    }
  };
  using Awaits = bool (*)(const Pending& doubt, Clock::time_point now);
  using Doubts = std::map<std::string, Pending, std::less<>>;
  struct Waiting {
    Request request;
    Clock::time_point give_up;
    std::function<void()> then;
  };
  using Released = std::vector<std::function<void()>>;

  bool is_awaited(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool is_lost(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool concerns_any(const Request& request, Awaits awaits) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool is_any_above(std::string_view path, Awaits awaits, Clock::time_point now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool may_search(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void search(const Request& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  RescanScope take_due(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Clock::time_point next_due() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void looked_at(const std::string& path, const Pending& doubt,
                 const std::set<std::string>& unfinished, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<std::string> note_lost(const RescanScope& look,
                                     const std::set<std::string>& unfinished,
                                     const std::set<std::string>& lost, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Released release(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void call(const Released& released);

  mutable cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  Doubts doubts_ ABSL_GUARDED_BY(mutex_);
  std::vector<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Clock::time_point> searched_ ABSL_GUARDED_BY(mutex_);  // by folder
  Clock::time_point rest_until_ ABSL_GUARDED_BY(mutex_){};
  Clock::time_point wakes_ ABSL_GUARDED_BY(mutex_) = Clock::time_point::max();  // the sleeper
  bool has_news_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
};

// Returns whether a path equals another one or lies below it.
bool is_within(std::string_view path, std::string_view other);

}  // namespace scidfs::fs
