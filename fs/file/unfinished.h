// Cleanup when a signal ends the process: nothing half-written stays.
//
// A process records files that are written aside (new_file.h) until they have their final names.
// The thread that ends the process removes them all; no signal handler does any work. It waits for
// another process that writes files for this one.
#pragma once

#include <mutex>
#include <string>

namespace scidfs::fs {

// An action that the end of the process does not interrupt: creating a file and recording it, or
// giving it its name and removing it from the record. One thread at a time.
class UnbrokenStep {
 public:
  // Waits for the steps of other threads; after remove_unfinished() for the end of the process.
  UnbrokenStep();
  UnbrokenStep(const UnbrokenStep&) = delete;
  UnbrokenStep& operator=(const UnbrokenStep&) = delete;

  // Records a file.
  void add(const std::string& path);
  // Removes a file from the record.
  void remove(const std::string& path);
  // Records, or removes from the record, the socket to a process that removes its unfinished file
  // and ends when this shuts the socket down.
  void add_writer(int socket);
  void remove_writer(int socket);

 private:
  const std::unique_lock<std::mutex> lock_;
};

// Waits for the current step, removes all recorded files and waits for the end of recorded
// processes. No thread takes another step.
// REQUIRES: the caller ends the process.
void remove_unfinished();

}  // namespace scidfs::fs
