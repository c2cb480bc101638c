#include "fs/programs/pack_command.h"

#include <fmt/format.h>

#include <string_view>

#include "fs/mount/option_values.h"
#include "fs/programs/command_line.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

absl::Status take(std::string_view name, std::string_view value, PackCommand& command) {
  PackOptions& options = command.options;
  if (name == "--force") {
    options.overwrite = true;
  } else if (name == "--sandbox") {
    const std::optional<SandboxMode> mode = parse_sandbox(value);
    if (!mode)
      return absl::InvalidArgumentError(fmt::format("invalid value for --sandbox: '{}'", value));
    command.sandbox = *mode;
  } else {
    if (value.empty()) return absl::InvalidArgumentError("-o requires an archive");
    if (!options.archive.empty())
      return absl::InvalidArgumentError("-o ARCHIVE may be given only once");
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
        if (asks_for_help(name)) command.action = PackCommand::Action::Help;
        if (asks_for_version(name)) command.action = PackCommand::Action::Version;
        return command.action == PackCommand::Action::Pack ? take(name, value, command)
                                                           : absl::CancelledError();
      },
      [&options](std::string_view path) {
        if (path.empty()) return absl::InvalidArgumentError("DATABASE is empty");
        options.databases.emplace_back(path);
        return absl::OkStatus();
      });
  if (command.action != PackCommand::Action::Pack) return command;
  if (!read.ok()) return read;
  if (options.databases.empty()) return absl::InvalidArgumentError("DATABASE is missing");
  if (options.archive.empty()) return absl::InvalidArgumentError("-o ARCHIVE is missing");
  return command;
}

}  // namespace scidfs::fs
