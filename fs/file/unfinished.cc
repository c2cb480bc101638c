#include "fs/file/unfinished.h"

#include <unistd.h>

#include <set>

namespace scidfs::fs {
namespace {

struct Record {
  std::mutex mutex;
  std::set<std::string> files;
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

void remove_unfinished() {
  record().mutex.lock();  // never unlocked
  for (const std::string& file : record().files) ::unlink(file.c_str());
}

}  // namespace scidfs::fs
