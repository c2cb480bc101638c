#include "fs/programs/pack_command.h"

#include <fmt/format.h>

#include <string_view>

#include "fs/mount/option_values.h"
#include "fs/programs/manual.h"
#include "fs/programs/words.h"

namespace scidfs::fs {
namespace {

using Action = PackCommand::Action;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

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
      arguments, words_of(kPackManual),
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

}  // namespace scidfs::fs
