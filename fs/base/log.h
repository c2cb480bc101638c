// What a person needs to know while nobody is looking: one line each, on stderr while there is a
// terminal, with the program's name in colour if that knows colours; in the system's log
// afterwards.
//
// The same text is said once, however often it happens (a damaged game is read by every grep). Any
// thread may call any of these at any time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scidfs::fs {

void log_info(std::string_view text);
void log_warning(std::string_view text);
void log_error(std::string_view text);

// The name of the program that messages begin with; "scidfs" if nobody says.
void log_as(std::string_view program);
std::string log_name();

// While it lives, only so many warnings are said. When it goes, one more says how many others there
// were and `where` they can be read. One at a time.
class WarningLimiter {
 public:
  WarningLimiter(std::size_t most, std::string_view where);
  ~WarningLimiter();
  WarningLimiter(const WarningLimiter&) = delete;
  WarningLimiter& operator=(const WarningLimiter&) = delete;

 private:
  const std::string where_;
};

// From now on errors alone: for a program whose output tells of the rest.
void log_errors_only();

// `text` without control characters: names in messages come from files, and no escape of theirs
// may reach a terminal.
std::string printable(std::string_view text);

// Connects to the system's log, for a process that will not be able to later.
void open_syslog();
// From now on to syslog. For a process that has left its terminal. After open_syslog().
void log_to_syslog();

}  // namespace scidfs::fs
