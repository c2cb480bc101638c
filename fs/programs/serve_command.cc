#include "fs/programs/serve_command.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "fs/base/status_macros.h"
#include "fs/options/option_list.h"
#include "fs/options/option_values.h"
#include "fs/programs/manual.h"

namespace scidfs::fs {
namespace {

constexpr std::array kServeOptions = {
    OptionText{
        "--listen", "ADDRESS:PORT",
        "the address of this machine that clients connect to; one that other machines reach "
        "shows SOURCE to all who reach it (default: 127.0.0.1, the first free port from 8080 "
        "to 8099)"},
    OptionText{"--base", "PATH", "the path that the site begins at, behind a proxy (default: /)"},
    OptionText{"--proxy", "ADDRESS",
               "the address of a proxy: clients behind it are told apart by X-Forwarded-For"},
    OptionText{"--open", "", "show the site in a browser"},
    OptionText{"-o", "OPTION[,OPTION...]",
               "options of scidfs, but for those of mounts (scidfs --help)"},
};

std::vector<OptionText> serve_option_texts() {
  std::vector<OptionText> texts(kServeOptions.begin(), kServeOptions.end());
  texts.insert(texts.end(), kCommonOptions.begin(), kCommonOptions.end());
  return texts;
}

absl::Status take_option(std::string_view name, std::string_view value, ServeCommand& command,
                         OptionList& list) {
  if (name == "-o") return list.add(value);
  if (name == "--open") command.opens_browser = true;
  if (name == "--listen") command.listen = value;
  if (name == "--base") command.base = value;
  if (name == "--proxy") command.proxy = value;
  return absl::OkStatus();
}

}  // namespace

const Manual& serve_manual() {
  static const Manual kManual = {
      .name = "scidfs-serve",
      .usage = "scidfs-serve [OPTION]... SOURCE",
      .purpose =
          R"(Shows by HTTP what a mount of SOURCE by scidfs would show, without a mount: pages, all files, lists
(?list), and the addresses of lichess' opening explorer (/masters, /lichess, /player). Prints where.)",
      .groups = {{"", serve_option_texts()}},
      .notes =
          R"(Example: scidfs-serve --open ~/chess

Limits (of one client): 4096 (512) connections, 1024 (64) requests in work, 4 KiB of an address, 8 KiB of a
header; memory for answers: -o questions. scidfs-serve(1) has all.

Exit codes: 0 ended by a signal, 1 cannot be shown, 2 wrong command line.)",
  };
  return kManual;
}

absl::StatusOr<ServeCommand> parse_serve_command(std::span<const char* const> words) {
  ServeCommand command;
  OptionList list(false);
  std::vector<std::string> paths;
  ASSIGN_OR_RETURN(command.asked, read_words(
                                      words, words_of(serve_manual()),
                                      [&](std::string_view name, std::string_view value) {
                                        return take_option(name, value, command, list);
                                      },
                                      [&paths](std::string_view path) {
                                        paths.emplace_back(path);
                                        return absl::OkStatus();
                                      }));
  if (command.asked != Asked::Work) return command;
  ASSIGN_OR_RETURN(command.options, list.settle());
  if (paths.empty()) return absl::InvalidArgumentError("SOURCE is missing");
  if (paths.size() > 1) {
    return absl::InvalidArgumentError(fmt::format("unexpected argument '{}'", paths[1]));
  }
  if (paths[0].empty()) return absl::InvalidArgumentError("SOURCE is empty");
  command.options.source = absolute_path(paths[0]);
  return command;
}

}  // namespace scidfs::fs
