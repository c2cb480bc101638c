// The exit codes of all programs.
#pragma once

namespace scidfs::fs {

enum class ExitCode : int {
  Good = 0,
  Failed = 1,      // the request could not be carried out
  Usage = 2,       // wrong command line
  Damaged = 3,     // --check, dump, scidfs-get: damage was found
  Unreadable = 4,  // --check, dump: something cannot be opened at all, or there is nothing
};

}  // namespace scidfs::fs
