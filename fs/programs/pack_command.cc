#include "fs/programs/pack_command.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "fs/mount/option_values.h"
#include "fs/programs/words.h"

namespace scidfs::fs {
namespace {

using Action = PackCommand::Action;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

constexpr std::array<WordOption, 7> kWords = {{{.name = kHelpLetter},
                                               {.name = kHelpWord},
                                               {.name = kVersionLetter},
                                               {.name = kVersionWord},
                                               {.name = "--force"},
                                               {.name = "--sandbox", .has_value = true},
                                               {.name = "-o", .has_value = true}}};

absl::Status take(std::string_view name, std::string_view value, PackCommand& command) {
  PackOptions& options = command.options;
  if (name == "--force") {
    options.overwrite = true;
  } else if (name == "--sandbox") {
    const std::optional<SandboxMode> mode = parse_sandbox(value);
    if (!mode) return wrong(fmt::format("--sandbox cannot be '{}'", value));
    command.sandbox = *mode;
  } else {
    if (value.empty()) return wrong("-o wants an archive");
    if (!options.archive.empty()) return wrong("there can be one archive only");
    options.archive = value;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PackCommand> parse_pack_command(std::span<const char* const> arguments) {
  PackCommand command;
  PackOptions& options = command.options;
  const absl::Status read = read_words(
      arguments, kWords,
      [&command](std::string_view name, std::string_view value) -> absl::Status {
        if (asks_for_help(name)) command.action = Action::Help;
        if (asks_for_version(name)) command.action = Action::Version;
        return command.action == Action::Pack ? take(name, value, command) : absl::CancelledError();
      },
      [&options](std::string_view path) {
        if (path.empty()) return wrong("DATABASE is empty");
        options.databases.emplace_back(path);
        return absl::OkStatus();
      });
  if (command.action != Action::Pack) return command;
  if (!read.ok()) return read;
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
  --sandbox auto|strict|off
                       what it can open and do is bounded as far as the kernel can see to it;
                       strict: or nothing is done; off: for debugging (default: auto)
  -h, --help           print this text
  -V, --version        print the version

Exit codes: 0 the archive is there, 1 it could not be made, 2 wrong command line.
)";
}

}  // namespace scidfs::fs
