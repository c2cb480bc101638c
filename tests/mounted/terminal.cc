#include "tests/mounted/terminal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

constexpr std::chrono::seconds kPatience{20};
constexpr std::chrono::milliseconds kPause{50};

bool comes_true(const std::function<bool()>& is_so) {
  for (const auto end = std::chrono::steady_clock::now() + kPatience; !is_so();) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace

Terminal::Terminal(const std::filesystem::path& folder, const std::string& command)
    : tmux_(fmt::format("HOME={0} LC_ALL=C.UTF-8 tmux -u -f /dev/null -S {0}/socket ",
                        word(folder_.path()))) {
  run_ok(tmux_ + fmt::format("new-session -d -x 100 -y 24 -c {} {}", word(folder),
                             shell_word("TERM=screen-256color; " + command)));
}

Terminal::~Terminal() { run(tmux_ + "kill-server"); }

void Terminal::keys(const std::string& words) const { run_ok(tmux_ + "send-keys " + words); }

std::string Terminal::screen() const { return run(tmux_ + "capture-pane -p").out; }

bool Terminal::is_running() const { return run(tmux_ + "has-session").exit_code == 0; }

bool Terminal::shows(const std::string& text) const {
  std::string seen;
  const bool is_there = comes_true([&] {
    seen = screen();
    return seen.find(text) != std::string::npos;
  });
  if (!is_there) ADD_FAILURE() << "not on the screen: " << text << '\n' << seen;
  return is_there;
}

bool Terminal::ends() const {
  const bool has_ended = comes_true([&] { return !is_running(); });
  if (!has_ended) ADD_FAILURE() << "goes on:\n" << screen();
  return has_ended;
}

}  // namespace scidfs::tests
