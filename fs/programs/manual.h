// The texts and options of a program, written once: for --help and for parsing the command line.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fs/base/option_text.h"
#include "fs/programs/command_line.h"

namespace scidfs::fs {

struct OptionGroup {
  std::string_view title;  // with its colon; empty: none
  std::vector<OptionText> options;
};

// Texts are paragraphs separated by empty lines; single line ends are ignored.
struct Manual {
  std::string_view name;
  std::string_view usage;  // one line for each form
  std::string_view purpose;
  std::vector<OptionGroup> groups;
  std::string_view notes;
};

const Manual& mount_manual();
const Manual& book_manual();
const Manual& pack_manual();
const Manual& get_manual();
const Manual& import_manual();
const Manual& serve_manual();

// Options of every program.
inline constexpr std::array<OptionText, 2> kCommonOptions = {{
    {"-h, --help", "", "print this text"},
    {"-V, --version", "", "print the version"},
}};

// Returns the text of --help, in lines of at most 80 columns.
std::string help_text(const Manual& manual);

// Returns the options as read_words() takes them.
std::vector<WordOption> words_of(const Manual& manual);

}  // namespace scidfs::fs
