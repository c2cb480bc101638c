// The exit codes of all programs.
#pragma once

namespace scidfs::fs {

enum class ExitCode : int {
  Good = 0,
  Failed = 1,      // what was asked for could not be done
  Usage = 2,       // wrong command line
  Damaged = 3,     // --check, dump: damage was found
  Unreadable = 4,  // --check, dump: something cannot be opened at all, or there is nothing
};

}  // namespace scidfs::fs
