// What libfuse wants to be told and what it says: its lists of options, and its messages.
#pragma once

#include <span>
#include <string>

namespace scidfs::fs {

// Options as one word after -o: split at commas by libfuse, so a comma within one is escaped.
std::string join_fuse_options(std::span<const std::string> options);

// libfuse's messages go to the log from now on, for the whole process. On the thread of the
// constructor they are gathered instead, as long as this object lives. One on each thread.
class FuseComplaints {
 public:
  FuseComplaints();
  ~FuseComplaints();
  FuseComplaints(const FuseComplaints&) = delete;
  FuseComplaints& operator=(const FuseComplaints&) = delete;

  // All so far in one line; empty if there was none.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace scidfs::fs
