// For machines whose system calls nobody has listed.
#include "fs/sandbox/syscall_filter.h"

namespace scidfs::fs {

bool has_syscall_filter() { return false; }

absl::Status confine_syscalls(Forbidden /*forbidden*/) {
  return absl::UnimplementedError("no filter of system calls for this machine");
}

}  // namespace scidfs::fs
