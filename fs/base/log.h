// Messages for a user who may not be watching: one line each, on stderr while there is a terminal,
// with the program's name in color if the terminal supports it; later in the system's log.
//
// The log remembers recent texts and does not repeat them, however often their cause occurs (every
// grep reads a damaged game again). Any thread may call any of these functions at any time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scidfs::fs {

void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

// Sets the name of the program that messages begin with; "scidfs" by default.
void log_as(std::string_view program);
std::string log_name();

// Limits the number of warnings in the log while it lives. Its destructor logs how many others
// there were and `where` users can read them. Only one may exist at a time.
class WarningLimiter {
 public:
  WarningLimiter(std::size_t most, std::string_view where);
  ~WarningLimiter();
  WarningLimiter(const WarningLimiter&) = delete;
  WarningLimiter& operator=(const WarningLimiter&) = delete;

 private:
  const std::string where_;
};

// Logs only errors from now on: for a program whose output reports the rest.
void log_errors_only();

// Returns `text` without control characters. Names in messages come from files, and none of their
// escape sequences may reach a terminal.
std::string printable(std::string_view text);

// Connects to the system's log, for a process that cannot connect later.
void open_syslog();
// Logs to syslog from now on. For a process that has left its terminal. REQUIRES: open_syslog() was
// called.
void log_to_syslog();

}  // namespace scidfs::fs
