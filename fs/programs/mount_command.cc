#include "fs/programs/mount_command.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/options/option_list.h"
#include "fs/options/option_values.h"
#include "fs/programs/command_line.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array<WordOption, 7> kHelperWords = {{{.name = "-s"},
                                                     {.name = "-f"},
                                                     {.name = "-n"},
                                                     {.name = "-v"},
                                                     {.name = "-N", .has_value = true},
                                                     {.name = "-o", .has_value = true},
                                                     {.name = "-t", .has_value = true}}};

absl::Status take(std::string_view name, std::string_view value, CommandLine& command,
                  OptionList& list) {
  if (name == "-o") return list.add(value);
  if (name == "--check") command.action = CommandLine::Action::Check;
  if (name == "-u") command.action = CommandLine::Action::Unmount;
  if (name == "--verbose") command.verbose = true;
  if (name == "-f") list.options().foreground = true;
  if (name == "-d") list.options().debug = true;
  if (name == "-s") list.options().single_thread = true;
  return absl::OkStatus();
}

// For what takes a source alone.
absl::Status finish_source(std::span<const std::string_view> paths, CommandLine& command,
                           OptionList& list) {
  if (paths.empty()) return absl::InvalidArgumentError("SOURCE is missing");
  if (paths.size() > 1)
    return absl::InvalidArgumentError(fmt::format("unexpected argument '{}'", paths[1]));
  if (paths[0].empty()) return absl::InvalidArgumentError("SOURCE is empty");
  command.mount = list.options();
  command.mount.source = absolute_path(paths[0]);
  return absl::OkStatus();
}

absl::Status finish_mount(std::span<const std::string_view> paths, CommandLine& command,
                          OptionList& list) {
  if (paths.empty()) return absl::InvalidArgumentError("SOURCE is missing");
  if (paths.size() > 2)
    return absl::InvalidArgumentError(fmt::format("unexpected argument '{}'", paths[2]));
  if (paths[0].empty()) return absl::InvalidArgumentError("SOURCE is empty");
  if (paths.size() == 2 && paths[1].empty())
    return absl::InvalidArgumentError("MOUNTPOINT is empty");
  if (command.verbose) return absl::InvalidArgumentError("--verbose requires --check");
  ASSIGN_OR_RETURN(command.mount, list.settle());
  command.mount.source = absolute_path(paths[0]);
  if (paths.size() == 2) command.mount.mountpoint = absolute_path(paths[1]);
  return absl::OkStatus();
}

}  // namespace

bool is_mount_helper(std::string_view called_as) {
  return called_as.substr(called_as.rfind('/') + 1).starts_with("mount.");
}

absl::StatusOr<CommandLine> parse_helper_line(std::span<const char* const> arguments) {
  CommandLine command;
  OptionList list;
  std::vector<std::string_view> paths;
  std::vector<std::string_view> options;
  absl::Status status = read_words(
                            arguments, kHelperWords,
                            [&](std::string_view name, std::string_view value) -> absl::Status {
                              if (name == "-N")
                                return absl::InvalidArgumentError(
                                    "-N is not known here: enter the namespace by nsenter(1)");
                              if (name == "-f") command.action = CommandLine::Action::Pretend;
                              if (name == "-s") list.ignore_unknown();
                              if (name == "-o") options.push_back(value);
                              return absl::OkStatus();
                            },
                            [&paths](std::string_view path) {
                              paths.push_back(path);
                              return absl::OkStatus();
                            })
                            .status();
  for (const std::string_view option : options) {
    if (status.ok()) status = list.add(option);
  }
  if (status.ok() && paths.size() == 1)
    status = absl::InvalidArgumentError("MOUNTPOINT is missing");
  if (status.ok()) status = finish_mount(paths, command, list);
  if (!status.ok()) return status;
  return command;
}

absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments) {
  CommandLine command;
  OptionList list;
  std::vector<std::string_view> paths;
  ASSIGN_OR_RETURN(command.asked, read_words(
                                      arguments, words_of(mount_manual()),
                                      [&](std::string_view name, std::string_view value) {
                                        return take(name, value, command, list);
                                      },
                                      [&](std::string_view path) {
                                        paths.push_back(path);
                                        return absl::OkStatus();
                                      }));
  if (command.asked != Asked::Work) return command;
  if (arguments.empty()) {
    command.action = CommandLine::Action::Explain;
    return command;
  }
  RETURN_IF_ERROR(command.action == CommandLine::Action::Mount
                      ? finish_mount(paths, command, list)
                      : finish_source(paths, command, list));
  return command;
}

}  // namespace scidfs::fs
