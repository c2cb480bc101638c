// What has changed in the source and has not been looked at yet, and who waits until it has been.
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

// What to look at. By default everything.
struct RescanScope {
  bool is_all = true;        // each file and each folder
  bool has_folders = false;  // which files and folders there are, and `paths`
  bool has_news = false;     // what is known may be said of in another way
  bool has_links = false;    // what has other names (this goes with every look)
  // These, with all that lies below them, and whether they are to be shown as they are now, though
  // somebody may go on writing them.
  std::map<std::string, bool, std::less<>> paths{};
  std::chrono::steady_clock::time_point began{};
  std::chrono::nanoseconds work_began{};  // processor time of the thread that looks

  bool is_nothing() const {
    return !is_all && !has_folders && !has_news && !has_links && paths.empty();
  }
  // Whether something at this path is among `paths`, or below one of them.
  bool names(std::string_view path) const;
};

// All paths are relative to the source, and end in the name under which something is shown: the
// files of a database have one path. The empty path is the whole source.
//
// What has changed is looked at when it has been quiet for a moment. Whoever asks about it
// meanwhile waits, and hears what the look has found. Where there is no quiet, or what is found is
// half a version, questions wait for a second at most, and from then on not at all, until
// something more than a mere write happens. A look itself is waited for as long as it takes.
//
// Nobody waits on a thread: what is to be done afterwards is a function. Thread-safe.
class PendingChanges {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;

  // A program that writes a database does so in several steps; after the last of them it is quiet.
  static constexpr Milliseconds kQuiet{60};
  // Where it is not quiet for so long, it is looked at all the same, between two saves.
  static constexpr Milliseconds kLongest{1000};
  static constexpr Milliseconds kBetweenSaves{10};
  // When what was half a version is looked at again.
  static constexpr Milliseconds kSoon{100};
  // After a look there is rest for so many times the processor time that it took, unless somebody
  // waits.
  static constexpr int kRestPerLook = 19;
  // A folder is looked at for names that are not found once in this time.
  static constexpr Milliseconds kBetweenSearches{100};

  struct ChangeEvent {
    std::string path{};
    bool is_folder = false;     // which folders there are is to be found out again
    bool is_arrival = false;    // something has come or gone
    bool is_write = false;      // bytes have been written, and more may follow
    bool is_uncertain = false;  // it may mean nothing: it is looked at, and not waited for
  };
  // Something has changed. Whether questions about it begin to wait by this, or those about the
  // folder's names: whoever keeps answers to earlier ones is to forget them now.
  bool note(const ChangeEvent& sign) ABSL_LOCKS_EXCLUDED(mutex_);
  // Something has become known that no file tells of.
  void note_news() ABSL_LOCKS_EXCLUDED(mutex_);

  // Sleeps until there is something to look at, but not beyond `until`; then there may be nothing.
  // By the thread that looks, as finish().
  RescanScope next(Clock::time_point until) ABSL_LOCKS_EXCLUDED(mutex_);
  // What it has found can be seen. `unfinished`: what did not look whole.
  void finish(const RescanScope& look, const std::set<std::string>& unfinished)
      ABSL_LOCKS_EXCLUDED(mutex_);

  struct Request {
    enum class About {
      Path,      // what lies there
      Listing,   // which names a folder has, also those of folders that come with what is in them
      Contents,  // what is said of all that stands in a folder
    };
    About about = About::Path;
    std::string path{};
    bool is_missing = false;  // nothing is known there: perhaps nobody has told of it
  };
  // Whether the answer is to wait.
  bool concerns(const Request& request) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Has `then` called by another thread when it need not wait any more; it must not take long, nor
  // throw. False: it need not wait now, and will not be called.
  bool wait(const Request& request, std::function<void()> then) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether nothing at all waits to be looked at.
  bool is_calm() const ABSL_LOCKS_EXCLUDED(mutex_);

  // Nothing is waited for any more.
  void stop() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Pending {
    Clock::time_point first = Clock::time_point::max();  // sign since the last look; none
    Clock::time_point last{};                            // sign
    Clock::time_point due{};                             // when it is to be looked at
    bool is_awaited = false;                             // questions about it wait
    Clock::time_point give_up{};                         // until then
    bool is_folder = false;
    bool is_arrival = false;
  };
  using Doubts = std::map<std::string, Pending, std::less<>>;
  struct Waiting {
    Request request;
    Clock::time_point give_up;
    std::function<void()> then;
  };
  using Released = std::vector<std::function<void()>>;

  bool is_awaited(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool is_awaited(std::string_view path) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool may_search(const Request& request) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void search(const Request& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  RescanScope take_due(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Clock::time_point next_due() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void looked_at(const std::string& path, const Pending& doubt,
                 const std::set<std::string>& unfinished, Clock::time_point now)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Released release(Clock::time_point now) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static void call(const Released& released);

  mutable cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  Doubts doubts_ ABSL_GUARDED_BY(mutex_);
  std::vector<Waiting> waiting_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Clock::time_point> searched_ ABSL_GUARDED_BY(mutex_);  // folders
  Clock::time_point rest_until_ ABSL_GUARDED_BY(mutex_){};
  Clock::time_point wakes_ ABSL_GUARDED_BY(mutex_) = Clock::time_point::max();  // who sleeps
  bool has_news_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
};

// Whether a path is another one or lies below it.
bool is_within(std::string_view path, std::string_view other);

}  // namespace scidfs::fs
