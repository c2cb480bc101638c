#include "fs/programs/get_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/options/option_list.h"
#include "fs/options/option_values.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

using Action = GetCommand::Action;

struct ActionName {
  std::string_view name;
  Action action;
};
constexpr std::array kActions = {ActionName{"ls", Action::List}, ActionName{"cat", Action::Print},
                                 ActionName{"cp", Action::Copy}, ActionName{"site", Action::Site}};

// An option of one action alone.
struct ActionOption {
  OptionText text;
  Action action;
  std::optional<Action> also;
  bool& (*of)(GetCommand& command);
};
constexpr std::array kActionOptions = {
    ActionOption{{"-l", "", "with ls: also mode, size in bytes and time (UTC)"},
                 Action::List,
                 std::nullopt,
                 [](GetCommand& command) -> bool& { return command.is_long; }},
    ActionOption{{"-p", "", "with ls: a slash after each directory"},
                 Action::List,
                 std::nullopt,
                 [](GetCommand& command) -> bool& { return command.marks_directories; }},
    ActionOption{{"-R", "", "with ls: also all directories below"},
                 Action::List,
                 std::nullopt,
                 [](GetCommand& command) -> bool& { return command.is_recursive; }},
    ActionOption{{"-r", "", "with cp: directories with all that they list"},
                 Action::Copy,
                 std::nullopt,
                 [](GetCommand& command) -> bool& { return command.copy.is_recursive; }},
    ActionOption{{"--force", "", "with cp, site: overwrite files, but nothing else"},
                 Action::Copy,
                 Action::Site,
                 [](GetCommand& command) -> bool& { return command.copy.overwrites; }},
    ActionOption{{"--continue", "", "with cp, site: pass over files of the same size and time"},
                 Action::Copy,
                 Action::Site,
                 [](GetCommand& command) -> bool& { return command.copy.continues; }},
};

// Takes TARGET out of the words after SOURCE, and checks how many there are.
absl::Status take_paths(std::vector<std::string>& words, GetCommand& command) {
  const bool is_copy = command.action == Action::Copy;
  if (command.action == Action::Print && words.empty())
    return absl::InvalidArgumentError("PATH is missing");
  if (!is_copy && command.action != Action::Site) return absl::OkStatus();
  if (words.empty())
    return absl::InvalidArgumentError(is_copy ? "PATH and TARGET are missing"
                                              : "TARGET is missing");
  if (is_copy && words.size() == 1) return absl::InvalidArgumentError("TARGET is missing");
  if (!is_copy && words.size() > 2)
    return absl::InvalidArgumentError("site takes one PATH and TARGET");
  if (words.back().empty()) return absl::InvalidArgumentError("TARGET is empty");
  command.target = absolute_path(words.back());
  words.pop_back();
  return absl::OkStatus();
}

// Takes the name of the action, SOURCE, PATH and TARGET out of the words that are no options.
absl::Status take_words(std::vector<std::string> words, GetCommand& command) {
  if (words.empty()) return absl::InvalidArgumentError("missing command: ls, cat, cp or site");
  const auto named = std::ranges::find(kActions, std::string_view(words[0]), &ActionName::name);
  if (named == kActions.end())
    return absl::InvalidArgumentError(fmt::format("unknown command '{}'", words[0]));
  command.action = named->action;
  if (words.size() < 2) return absl::InvalidArgumentError("SOURCE is missing");
  if (words[1].empty()) return absl::InvalidArgumentError("SOURCE is empty");
  command.options.source = absolute_path(words[1]);
  words.erase(words.begin(), words.begin() + 2);
  RETURN_IF_ERROR(take_paths(words, command));
  command.paths = std::move(words);
  for (const ActionOption& option : kActionOptions) {
    const bool is_taken = option.action == command.action || option.also == command.action;
    if (!is_taken && option.of(command))
      return absl::InvalidArgumentError(
          fmt::format("{} does not take {}", named->name, option.text.names));
  }
  return absl::OkStatus();
}

std::vector<OptionText> option_texts() {
  std::vector<OptionText> texts;
  texts.reserve(kActionOptions.size() + 1 + kCommonOptions.size());
  for (const ActionOption& option : kActionOptions) texts.push_back(option.text);
  texts.push_back(
      {"-o", "OPTION[,OPTION...]", "options of scidfs, but for those of mounts (scidfs --help)"});
  texts.insert(texts.end(), kCommonOptions.begin(), kCommonOptions.end());
  return texts;
}

}  // namespace

const Manual& get_manual() {
  static const Manual kManual = {
      .name = "scidfs-get",
      .usage =
          R"(scidfs-get ls [OPTION]... SOURCE [PATH...]
scidfs-get cat [OPTION]... SOURCE PATH...
scidfs-get cp [OPTION]... SOURCE PATH... TARGET
scidfs-get site [OPTION]... SOURCE [PATH] TARGET)",
      .purpose =
          R"(Shows what a mount of SOURCE by scidfs would show, without a mount: names, files, copies in the
folder TARGET, or a web site there. PATH begins at the top of the mount; it need not be listed. In a
name that the mount does not answer, *, ? and [...] match listed names (quote them).)",
      .groups = {{"", option_texts()}},
      .notes =
          R"(Exit codes: 0 all was printed or copied, 1 something could not be, 2 wrong command line, 3 all was,
but games in it are damaged.)",
  };
  return kManual;
}

absl::StatusOr<GetCommand> parse_get_command(std::span<const char* const> words) {
  GetCommand command;
  OptionList list(false);
  std::vector<std::string> others;
  const auto take_option = [&](std::string_view name, std::string_view value) -> absl::Status {
    if (name == "-o") return list.add(value);
    std::ranges::find(kActionOptions, name, [](const ActionOption& option) {
      return option.text.names;
    })->of(command) = true;
    return absl::OkStatus();
  };
  const auto take_path = [&others](std::string_view path) {
    others.emplace_back(path);
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(command.asked,
                   read_words(words, words_of(get_manual()), take_option, take_path));
  if (command.asked != Asked::Work) return command;
  ASSIGN_OR_RETURN(command.options, list.settle());
  RETURN_IF_ERROR(take_words(std::move(others), command));
  return command;
}

}  // namespace scidfs::fs
