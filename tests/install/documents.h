// What the documents of this repository say, as far as a test can hold them to it.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// A file of the sources.
std::filesystem::path project_file(std::string_view name);

// README.md, and the sources of the manual pages that there are.
std::vector<std::string> documents_with_commands();

// All documents in Markdown.
std::vector<std::filesystem::path> markdown_files();

struct Command {
  int line = 0;  // where it begins in its document
  std::string text{};
  std::vector<std::string> shown{};  // lines that it prints, as far as the document shows them
};

// The lines of a document's blocks of code that begin with "$ ", in order; a line that ends in a
// backslash goes on in the next one. What follows in the block is what the command prints. A "$ "
// elsewhere at the beginning of a line fails the test, for it would look like a command and not be
// tried.
std::vector<Command> commands_in(const std::filesystem::path& document);

// Whether lines that were printed are those that a document shows: a line `...` stands for one line
// or more, and blanks and tabs are alike however many there are.
bool is_shown_by(std::span<const std::string> shown, std::span<const std::string> printed);

// The lines of a Markdown document's block of code that begins with the line `first`, without it.
std::vector<std::string> block_after(const std::filesystem::path& document, std::string_view first);

// Targets of a Markdown document's links and pictures within this repository, without #anchors.
std::vector<std::string> relative_links(const std::filesystem::path& document);

}  // namespace scidfs::tests
