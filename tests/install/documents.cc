#include "tests/install/documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <regex>

#include "tests/support/configuration.h"
#include "tests/support/files.h"
#include "tests/support/text.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

constexpr std::string_view kFence = "```";
constexpr std::string_view kPrompt = "$ ";
constexpr std::string_view kLeftOut = "...";

std::vector<std::string> lines_of(const filesystem::path& document) {
  return split(read_file(document), '\n');
}

std::string without_indent(const std::string& line) {
  const std::size_t from = line.find_first_not_of(" \t");
  return from == std::string::npos ? "" : line.substr(from);
}

// In scdoc, a backslash escapes the next character.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

// Replaces each run of blanks and tabs by one blank, and removes those at the ends.
std::string with_single_blanks(std::string_view line) {
  std::string text;
  for (const char c : line) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && (text.empty() || text.ends_with(' '))) continue;
    text += is_blank ? ' ' : c;
  }
  if (text.ends_with(' ')) text.pop_back();
  return text;
}

}  // namespace

filesystem::path project_file(std::string_view name) { return source_path(name); }

std::vector<std::string> documents_with_commands() {
  std::vector<std::string> documents = {"README.md"};
  const filesystem::path pages = "scripts/install/man";
  for (const auto& entry : filesystem::directory_iterator(project_file(pages.string()))) {
    if (entry.path().extension() == ".scd") documents.push_back(pages / entry.path().filename());
  }
  std::sort(documents.begin(), documents.end());
  return documents;
}

std::vector<filesystem::path> markdown_files() {
  std::vector<filesystem::path> files = {project_file("README.md")};
  for (const char* const folder : {"fs", "codec", "cache", "tests", "scripts"}) {
    for (const auto& entry : filesystem::recursive_directory_iterator(project_file(folder))) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  return files;
}

std::vector<Command> commands_in(const filesystem::path& document) {
  const bool is_scdoc = document.extension() == ".scd";
  std::vector<Command> commands;
  bool in_block = false;
  bool goes_on = false;
  bool has_command = false;  // in this block
  int number = 0;
  for (const std::string& raw : lines_of(document)) {
    ++number;
    std::string line = without_indent(raw);
    if (line.starts_with(kFence)) {
      EXPECT_FALSE(goes_on) << document << ':' << number << ": ends within a command";
      in_block = !in_block;
      has_command = false;
      continue;
    }
    if (is_scdoc && in_block) line = without_escapes(line);
    const bool begins = line.starts_with(kPrompt);
    if (begins && !in_block) ADD_FAILURE() << document << ':' << number << ": not in a block";
    if (!begins && !goes_on) {
      if (has_command) commands.back().shown.push_back(line);
      continue;
    }
    if (begins) {
      has_command = true;
      commands.push_back({.line = number, .text = ""});
      line.erase(0, kPrompt.size());
    }
    goes_on = line.ends_with('\\');
    if (goes_on) line.pop_back();
    commands.back().text += line;
  }
  return commands;
}

bool is_shown_by(std::span<const std::string> shown, std::span<const std::string> printed) {
  if (shown.empty()) return printed.empty();
  if (shown[0] == kLeftOut) {
    for (std::size_t left_out = 1; left_out <= printed.size(); ++left_out) {
      if (is_shown_by(shown.subspan(1), printed.subspan(left_out))) return true;
    }
    return false;
  }
  return !printed.empty() && with_single_blanks(shown[0]) == with_single_blanks(printed[0]) &&
         is_shown_by(shown.subspan(1), printed.subspan(1));
}

std::vector<std::string> block_after(const filesystem::path& document, std::string_view first) {
  const std::vector<std::string> lines = lines_of(document);
  const auto begin = std::find(lines.begin(), lines.end(), first);
  if (begin == lines.end()) {
    ADD_FAILURE() << document << " has no line " << first;
    return {};
  }
  return {begin + 1, std::find(begin, lines.end(), kFence)};
}

std::vector<std::string> relative_links(const filesystem::path& document) {
  static const std::regex kLink(R"(\]\(([^)#]+)[^)]*\))");
  std::vector<std::string> targets = matches(read_file(document), kLink);
  std::erase_if(targets,
                [](const std::string& target) { return target.find("://") != std::string::npos; });
  return targets;
}

}  // namespace scidfs::tests
