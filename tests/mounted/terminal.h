// A program in a terminal without a user: the test sends keys and reads the screen. The terminal is
// tmux, which a test must find first.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::tests {

// The destructor ends the program.
class Terminal {
 public:
  // Runs a shell command in `folder`, on a screen of 100 columns and 24 lines, with an empty home.
  Terminal(const std::filesystem::path& folder, const std::string& command);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Sends keys in the form of tmux(1) send-keys: "C-x", "Enter", or text that is typed unchanged.
  void keys(const std::string& words) const;
  // True if a text appears on the screen within 20 seconds; otherwise adds a failure with the
  // screen.
  bool shows(const std::string& text) const;
  // True if the program ends within 20 seconds; otherwise adds a failure with the screen.
  bool ends() const;
  std::string screen() const;

 private:
  bool is_running() const;

  TemporaryFolder folder_;
  std::string tmux_;  // tmux with a separate server
};

}  // namespace scidfs::tests
