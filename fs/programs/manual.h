// The texts and options of a program, written once: for --help, for parsing the command line and
// for completions of shells.
#pragma once

#include <absl/functional/function_ref.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/base/option_text.h"
#include "fs/programs/command_line.h"

namespace scidfs::fs {

struct OptionGroup {
  std::string_view title;  // with its colon; empty: none
  std::span<const OptionText> options;
};

// Texts are paragraphs separated by empty lines; single line ends are ignored.
struct Manual {
  std::string_view name;
  std::string_view usage;  // one line for each form
  std::string_view purpose;
  std::span<const OptionGroup> groups;
  std::string_view notes;
  // The words that the first operand may be, "dump|build"; or empty.
  std::string_view commands{};
  Fill operand = Fill::File;
};

const Manual& mount_manual();
extern const Manual kBookManual;
extern const Manual kPackManual;

// Options of every program.
inline constexpr std::array<OptionText, 2> kCommonOptions = {{
    {"-h, --help", "", "print this text"},
    {"-V, --version", "", "print the version"},
}};
// Option of the programs that read and write files but mount nothing.
inline constexpr OptionText kSandboxOption = {
    "--sandbox", "auto|strict|off",
    "what it can open and do is bounded as far as the kernel can see to it; strict: or nothing is "
    "done; off: for debugging (default: auto)",
    "what the process may do"};

// Returns the text of --help, in lines of at most 80 columns.
std::string help_text(const Manual& manual);

// Returns the options as read_words() takes them.
std::vector<WordOption> words_of(const Manual& manual);

// Visits all options in the order of --help.
void for_each_option(const Manual& manual, absl::FunctionRef<void(const OptionText&)> visit);

// Returns the parts between the separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

// Returns the text with each first string of a pair replaced by the second. Replaced text is not
// searched again.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string replaced(std::string_view text, std::initializer_list<Replacement> replacements);

// Returns whether a part of OptionText::value is to be typed literally.
bool is_choice(std::string_view part);

}  // namespace scidfs::fs
