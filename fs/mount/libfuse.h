// The text interfaces of libfuse: its lists of options, and its messages.
#pragma once

#include <span>
#include <string>

namespace scidfs::fs {

// Returns the options as one argument of -o. libfuse splits it at commas, so commas in an option
// are escaped.
std::string join_fuse_options(std::span<const std::string> options);

// A collector of libfuse's messages on the thread of its constructor; at most one for each thread.
// From the first collector on, libfuse's other messages go to the log, for the whole process.
class FuseComplaints {
 public:
  FuseComplaints();
  ~FuseComplaints();
  FuseComplaints(const FuseComplaints&) = delete;
  FuseComplaints& operator=(const FuseComplaints&) = delete;

  // Returns all messages so far in one line; empty if there was none.
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace scidfs::fs
