// The command line of scidfs-pack.
#include <absl/status/statusor.h>
#include <fmt/format.h>

#include <string_view>

#include "fs/build/pack.h"

namespace scidfs::fs {

absl::StatusOr<PackCommand> parse_pack_command(std::span<const char* const> arguments) {
  const auto wrong = [](const std::string& text) { return absl::InvalidArgumentError(text); };
  PackCommand command;
  PackOptions& options = command.options;
  bool only_paths = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (only_paths || !argument.starts_with('-') || argument == "-") {
      if (argument.empty()) return wrong("DATABASE is empty");
      options.databases.emplace_back(argument);
    } else if (argument == "--") {
      only_paths = true;
    } else if (argument == "-h" || argument == "--help") {
      command.action = PackCommand::Action::Help;
      return command;
    } else if (argument == "-V" || argument == "--version") {
      command.action = PackCommand::Action::Version;
      return command;
    } else if (argument == "--force") {
      options.overwrite = true;
    } else if (argument == "-o") {
      if (++i == arguments.size() || *arguments[i] == '\0') return wrong("-o wants an archive");
      if (!options.archive.empty()) return wrong("there can be one archive only");
      options.archive = arguments[i];
    } else {
      return wrong(fmt::format("unknown option '{}'", argument));
    }
  }
  if (options.databases.empty()) return wrong("DATABASE is missing");
  if (options.archive.empty()) return wrong("-o ARCHIVE is missing");
  return command;
}

std::string pack_help_text() {
  return R"(usage: scidfs-pack DATABASE... -o ARCHIVE [--force]

Packs databases into an archive (.scv) that Scidb can read. DATABASE is the index file of a database
(.si4), whose other files lie beside it, or a PGN file. They are packed as they are at one moment:
while somebody writes to them, nothing is packed. The archive appears when it is complete and has
been read again.

  -o ARCHIVE           the file to write
  --force              overwrite ARCHIVE if it is there already
  -h, --help           print this text
  -V, --version        print the version

Exit codes: 0 the archive is there, 1 it could not be made, 2 the command line is wrong.
)";
}

}  // namespace scidfs::fs
