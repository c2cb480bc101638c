// Reads commands, links and pictures from the documents of this repository.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// Returns the path of a file of the sources.
std::filesystem::path project_file(std::string_view name);

// README.md and the sources of the manual pages.
std::vector<std::string> documents_with_commands();

// All documents in Markdown.
std::vector<std::filesystem::path> markdown_files();

struct Command {
  int line = 0;  // of its beginning in its document
  std::string text{};
  std::vector<std::string> shown{};  // the lines of output that the document shows
};

// The lines of code blocks of a document that begin with "$ ", in order; a line that ends in a
// backslash continues in the next one. The lines after it in the block are the output of the
// command. A "$ " at the beginning of a line outside of a code block fails the test, because it
// would look like a command that no test runs.
std::vector<Command> commands_in(const std::filesystem::path& document);

// True if printed lines are those that a document shows: a line `...` matches one or more lines,
// and any run of blanks and tabs equals any other.
bool is_shown_by(std::span<const std::string> shown, std::span<const std::string> printed);

// The lines of the code block of a Markdown document that begins with the line `first`, without
// that line.
std::vector<std::string> block_after(const std::filesystem::path& document, std::string_view first);

// Targets of links and pictures of a Markdown document within this repository, without #anchors.
std::vector<std::string> relative_links(const std::filesystem::path& document);

}  // namespace scidfs::tests
