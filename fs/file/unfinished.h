// What a process leaves that a signal ends: nothing half-written.
//
// Files that are written aside (new_file.h) are on a record while they have no name of their own.
// The thread that ends the process removes them all; no handler of a signal does any work.
#pragma once

#include <mutex>
#include <string>

namespace scidfs::fs {

// What one thread does without being interrupted by the end of the process: making a file and
// putting it on the record, or giving it its name and taking it off. Of all threads one at a time.
class UnbrokenStep {
 public:
  // Waits for the steps of others; after remove_unfinished() for the end of the process.
  UnbrokenStep();
  UnbrokenStep(const UnbrokenStep&) = delete;
  UnbrokenStep& operator=(const UnbrokenStep&) = delete;

  // Puts a file on the record.
  void add(const std::string& path);
  // Takes it off.
  void remove(const std::string& path);

 private:
  const std::unique_lock<std::mutex> lock_;
};

// Waits for the step that is being taken, and removes all files on the record. No thread takes
// another step. REQUIRES: the caller ends the process.
void remove_unfinished();

}  // namespace scidfs::fs
