#include "fs/programs/import_command.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "fs/mount/option_values.h"
#include "fs/programs/command_line.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

// Stores a value, if it was valid.
template <typename T, typename Parsed>
absl::Status store(T& option, std::string_view name, std::string_view value,
                   const std::optional<Parsed>& parsed) {
  if (!parsed)
    return absl::InvalidArgumentError(fmt::format("invalid value for {}: '{}'", name, value));
  option = static_cast<T>(*parsed);
  return absl::OkStatus();
}

absl::Status take_import_option(std::string_view name, std::string_view value,
                                ImportCommand& command) {
  constexpr unsigned kMostThreads = 256;
  ImportOptions& options = command.options;
  if (name == "--sandbox") return store(command.sandbox, name, value, parse_sandbox(value));
  if (name == "--encoding") {
    const std::optional<ChosenPage> chosen = parse_chosen_page(value);
    if (chosen && !chosen->is_of_names) options.page = chosen->page;
    return store(options.names, name, value, chosen ? std::optional(chosen->page) : std::nullopt);
  }
  if (name == "--threads") {
    return store(options.threads, name, value, parse_number(value, 1, kMostThreads));
  }
  if (name == "--append" || name == "--partial") {
    (name == "--append" ? options.is_append : options.takes_partial) = true;
    return absl::OkStatus();
  }
  if (value.empty()) return absl::InvalidArgumentError("-o requires a database");
  if (!options.database.empty())
    return absl::InvalidArgumentError("-o DATABASE may be given only once");
  options.database = value;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ImportCommand> parse_import_command(std::span<const char* const> arguments) {
  ImportCommand command;
  ImportOptions& options = command.options;
  const absl::Status read = read_words(
      arguments, words_of(kImportManual),
      [&command](std::string_view name, std::string_view value) -> absl::Status {
        if (asks_for_help(name)) command.action = ImportCommand::Action::Help;
        if (asks_for_version(name)) command.action = ImportCommand::Action::Version;
        return command.action == ImportCommand::Action::Import
                   ? take_import_option(name, value, command)
                   : absl::CancelledError();
      },
      [&options](std::string_view path) {
        if (path.empty()) return absl::InvalidArgumentError("SOURCE is empty");
        options.sources.emplace_back(path);
        return absl::OkStatus();
      });
  if (command.action != ImportCommand::Action::Import) return command;
  if (!read.ok()) return read;
  if (options.sources.empty()) return absl::InvalidArgumentError("SOURCE is missing");
  if (options.database.empty()) return absl::InvalidArgumentError("-o DATABASE is missing");
  return command;
}

}  // namespace scidfs::fs
