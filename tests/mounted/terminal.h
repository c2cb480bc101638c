// A program in a terminal that nobody sits at: keys go in, and what stands on the screen comes out.
// It is tmux that is the terminal; a test looks for it first.
#pragma once

#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::tests {

// The destructor ends the program.
class Terminal {
 public:
  // Runs a line of sh in `folder`, on a screen of 100 columns and 24 lines, with an empty home.
  Terminal(const std::filesystem::path& folder, const std::string& command);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // Types words as tmux(1) send-keys takes them: "C-x", "Enter", or text that is typed as it is.
  void keys(const std::string& words) const;
  // Whether a text comes to stand on the screen within 20 seconds; adds a failure with the screen
  // if not.
  bool shows(const std::string& text) const;
  // Whether the program ends within 20 seconds; adds a failure with the screen if not.
  bool ends() const;
  std::string screen() const;

 private:
  bool is_running() const;

  TemporaryFolder folder_;
  std::string tmux_;  // tmux with a server of its own
};

}  // namespace scidfs::tests
