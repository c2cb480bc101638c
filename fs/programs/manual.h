// What a program says of itself, said once: for --help, for reading the command line, and for what
// shells complete.
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

// Texts are paragraphs with an empty line between them; where their lines end here means nothing.
struct Manual {
  std::string_view name;
  std::string_view usage;  // a line for each way
  std::string_view purpose;
  std::span<const OptionGroup> groups;
  std::string_view notes;
  // The words that the first operand is one of, "dump|build"; or empty.
  std::string_view commands{};
  Fill operand = Fill::File;
};

const Manual& mount_manual();
extern const Manual kBookManual;
extern const Manual kPackManual;

// Of every program.
inline constexpr std::array<OptionText, 2> kCommonOptions = {{
    {"-h, --help", "", "print this text"},
    {"-V, --version", "", "print the version"},
}};
// Of those that read and write files but mount nothing.
inline constexpr OptionText kSandboxOption = {
    "--sandbox", "auto|strict|off",
    "what it can open and do is bounded as far as the kernel can see to it; strict: or nothing is "
    "done; off: for debugging (default: auto)",
    "what the process may do"};

// What --help prints: lines of 80 columns at most.
std::string help_text(const Manual& manual);

// The options as read_words() takes them.
std::vector<WordOption> words_of(const Manual& manual);

// Visits all options, in the order in which they are printed.
void for_each_option(const Manual& manual, absl::FunctionRef<void(const OptionText&)> visit);

// The parts between the separators.
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

// With the second of each pair in place of the first. What was put there is not looked at again.
using Replacement = std::pair<std::string_view, std::string_view>;
std::string replaced(std::string_view text, std::initializer_list<Replacement> replacements);

// Whether a part of OptionText::value is to be typed as it stands.
bool is_choice(std::string_view part);

}  // namespace scidfs::fs
