#include "fs/file/unfinished.h"

#include <sys/socket.h>
#include <unistd.h>

#include <set>

namespace scidfs::fs {
namespace {

struct Record {
  std::mutex mutex;
  std::set<std::string> files;
  std::set<int> writers;
};

// Never destroyed: a signal may come during the normal end of the process.
Record& record() {
  static Record& instance = *new Record;
  return instance;
}

}  // namespace

UnbrokenStep::UnbrokenStep() : lock_(record().mutex) {}

void UnbrokenStep::add(const std::string& path) { record().files.insert(path); }
void UnbrokenStep::remove(const std::string& path) { record().files.erase(path); }

void UnbrokenStep::add_writer(int socket) { record().writers.insert(socket); }
void UnbrokenStep::remove_writer(int socket) { record().writers.erase(socket); }

void remove_unfinished() {
  record().mutex.lock();  // never unlocked
  for (const int writer : record().writers) {
    char reply = 0;
    if (::shutdown(writer, SHUT_WR) != 0) continue;
    while (::recv(writer, &reply, sizeof reply, 0) > 0) continue;
  }
  for (const std::string& file : record().files) ::unlink(file.c_str());
}

}  // namespace scidfs::fs
