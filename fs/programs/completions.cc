#include "fs/programs/completions.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace scidfs::fs {
namespace {

// Extensions of sources and of their further files, as shells write them.
constexpr std::string_view kSourceEnds = "si3|si4|si5|scv|ive|kob";

std::vector<std::string_view> choices_of(const OptionText& option) {
  std::vector<std::string_view> choices;
  if (option.value.empty()) return choices;
  std::ranges::copy_if(split(option.value, "|"), std::back_inserter(choices), is_choice);
  return choices;
}

bool has_list(const Manual& manual) {
  bool found = false;
  for_each_option(manual, [&found](const OptionText& o) { found |= !listed_name(o).empty(); });
  return found;
}

// Returns whether an option takes a list of others.
bool takes_list(const Manual& manual, const OptionText& option) {
  return option.names == "-o" && has_list(manual);
}

// Returns the words of the first operand.
std::string commands_of(const Manual& manual) { return replaced(manual.commands, {{"|", " "}}); }

template <class Parts>
std::string joined(const Parts& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

// Returns a name for functions of shells.
std::string function_name(const Manual& manual) {
  return "_" + replaced(manual.name, {{"-", "_"}});
}

// Returns the names in the list after -o; those that take a value end in =.
std::string listed_names(const Manual& manual) {
  std::vector<std::string> names;
  for_each_option(manual, [&names](const OptionText& option) {
    if (listed_name(option).empty()) return;
    names.push_back(fmt::format("{}{}", listed_name(option), option.value.empty() ? "" : "="));
  });
  return joined(names, " ");
}

// Returns the text for a menu.
std::string_view brief(const OptionText& option) {
  return option.brief.empty() ? option.text : option.brief;
}

// bash ----------------------------------------------------------------------

std::string bash_fill(Fill fill) {
  switch (fill) {
    case Fill::Nothing:
      return "";
    case Fill::File:
      return "_filedir";
    case Fill::Folder:
      return "_filedir -d";
    case Fill::Source:
      return fmt::format("_filedir '@({})'", kSourceEnds);
    case Fill::User:
      return "COMPREPLY=($(compgen -u -- \"$cur\"))";
  }
  return "";
}

// Returns the text of a branch of `case`: the words to choose from, then files or users.
std::string bash_values(const OptionText& option) {
  std::string text;
  const auto choices = choices_of(option);
  if (option.fill != Fill::Nothing) text = bash_fill(option.fill) + "; ";
  if (!choices.empty()) {
    text += fmt::format("COMPREPLY+=($(compgen -W '{}' -- \"$cur\")); ", joined(choices, " "));
  }
  return text;
}

constexpr std::string_view kBashList = R"(
# One option of a list after -o: its name, or what it can be. readline takes what stands after the
# last = for the word.
@NAME@_list() {
  local word=$cur item=${cur##*,} before
  [[ $COMP_WORDBREAKS != *=* ]] || word=${cur##*=}
  before=${word%"$item"}
  if [[ $item == *=* ]]; then
    local cur=${item#*=}
    [[ $COMP_WORDBREAKS == *=* ]] && before='' || before=${word%"$cur"}
    case ${item%%=*} in
@VALUES@    esac
  else
    COMPREPLY=($(compgen -W '@NAMES@' -- "$item"))
    [[ ${COMPREPLY[*]-} != *= ]] || compopt -o nospace
  fi
  [[ -z $before ]] || COMPREPLY=("${COMPREPLY[@]/#/$before}")
}
)";

constexpr std::string_view kBash = R"(# TAB for @PROGRAM@ in bash.
@LIST@
@NAME@() {
  local cur prev words cword
  @BEGIN@ || return
  case $prev in
@VALUES@  esac
@ATTACHED@  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W '@OPTIONS@' -- "$cur"))
    return
  fi
@OPERANDS@}
complete -F @NAME@ @PROGRAM@
)";

std::string bash_list(const Manual& manual) {
  if (!has_list(manual)) return "";
  std::string values;
  for_each_option(manual, [&values](const OptionText& option) {
    if (listed_name(option).empty() || bash_values(option).empty()) return;
    values += fmt::format("      {}) {};;\n", listed_name(option), bash_values(option));
  });
  return replaced(
      kBashList,
      {{"@NAME@", function_name(manual)}, {"@VALUES@", values}, {"@NAMES@", listed_names(manual)}});
}

std::string bash_operands(const Manual& manual) {
  if (manual.commands.empty()) return fmt::format("  {}\n", bash_fill(manual.operand));
  return fmt::format(
      "  if ((cword == 1)); then\n    COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n    return\n"
      "  fi\n  {}\n",
      commands_of(manual), bash_fill(manual.operand));
}

// zsh -----------------------------------------------------------------------

std::string zsh_text(const OptionText& option) {
  return replaced(brief(option), {{"'", "'\\''"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}});
}

std::string zsh_fill(Fill fill) {
  switch (fill) {
    case Fill::Nothing:
      return " ";
    case Fill::File:
      return "_files";
    case Fill::Folder:
      return "_files -/";
    case Fill::Source:
      return fmt::format("_files -g \"*.({})(-.)\"", kSourceEnds);
    case Fill::User:
      return "_users";
  }
  return " ";
}

// Returns ":description:completions"; empty without a value.
std::string zsh_value(const OptionText& option) {
  if (option.value.empty()) return "";
  const auto choices = choices_of(option);
  const std::string offer = !choices.empty() && option.fill == Fill::Nothing
                                ? fmt::format("({})", joined(choices, " "))
                                : zsh_fill(option.fill);
  return fmt::format(":{}:{}", option.value, offer);
}

// fish ----------------------------------------------------------------------

std::string fish_word(std::string_view text) {
  return replaced(text, {{"\\", "\\\\"}, {"'", "\\'"}});
}

// Returns the words of a list with their meanings, as fish reads them from a command.
std::string fish_listed(const OptionText& option) {
  const std::string text = fish_word(brief(option));
  if (option.value.empty()) return fmt::format("  echo '{}\t{}'\n", listed_name(option), text);
  const auto choices = choices_of(option);
  if (choices.empty()) return fmt::format("  echo '{}=\t{}'\n", listed_name(option), text);
  std::string lines;
  for (const std::string_view choice : choices) {
    lines += fmt::format("  echo '{}={}\t{}'\n", listed_name(option), choice, text);
  }
  return lines;
}

std::string fish_line(const Manual& manual, const OptionText& option) {
  std::string line = fmt::format("complete -c {}", manual.name);
  for (const std::string_view name : split(option.names, ", ")) {
    line += name.starts_with("--") ? fmt::format(" -l {}", name.substr(2))
                                   : fmt::format(" -s {}", name.substr(1));
  }
  if (takes_list(manual, option)) {
    line += fmt::format(" -x -a '(_{}_list)'", function_name(manual));
  } else if (!option.value.empty()) {
    const auto choices = choices_of(option);
    line += option.fill == Fill::Nothing ? " -x" : " -r";
    if (!choices.empty()) line += fmt::format(" -a '{}'", joined(choices, " "));
  }
  return line + fmt::format(" -d '{}'\n", fish_word(brief(option)));
}

}  // namespace

std::string bash_completion(const Manual& manual) {
  const std::string name = function_name(manual);
  std::string values;
  std::vector<std::string_view> options;
  for_each_option(manual, [&](const OptionText& option) {
    if (!listed_name(option).empty()) return;
    const auto names = split(option.names, ", ");
    options.insert(options.end(), names.begin(), names.end());
    if (option.value.empty()) return;
    const bool is_list = takes_list(manual, option);
    values += fmt::format("    {}) {}return ;;\n", joined(names, " | "),
                          is_list ? name + "_list; " : bash_values(option));
  });
  const std::string attached =
      has_list(manual) ? fmt::format(
                             "  if [[ $cur == -o?* ]]; then\n    cur=${{cur#-o}}\n    {0}_list\n"
                             "    [[ $cur == *=* && $COMP_WORDBREAKS == *=* ]] || "
                             "COMPREPLY=(\"${{COMPREPLY[@]/#/-o}}\")\n    return\n  fi\n",
                             name)
                       : "";
  return replaced(kBash, {{"@LIST@", bash_list(manual)},
                          {"@NAME@", name},
                          {"@PROGRAM@", manual.name},
                          {"@VALUES@", values},
                          {"@ATTACHED@", attached},
                          {"@OPTIONS@", joined(options, " ")},
                          {"@BEGIN@", has_list(manual) ? "_init_completion -n ="
                                                       : "local split; _init_completion -s"},
                          {"@OPERANDS@", bash_operands(manual)}});
}

std::string zsh_completion(const Manual& manual) {
  std::string words;
  std::string list;
  for_each_option(manual, [&](const OptionText& option) {
    const std::string text = zsh_text(option);
    if (!listed_name(option).empty()) {
      list += fmt::format("      '{}[{}]{}' \\\n", listed_name(option), text, zsh_value(option));
      return;
    }
    const auto names = split(option.names, ", ");
    const bool is_list = takes_list(manual, option);
    for (const std::string_view name : names) {
      const bool takes_more = is_list || (name == "-o" && !option.value.empty());
      words += fmt::format("    '{}{}{}[{}]{}' \\\n",
                           names.size() > 1 ? fmt::format("({})", joined(names, " "))
                           : is_list        ? "*"
                                            : "",
                           name,
                           takes_more             ? "+"
                           : option.value.empty() ? ""
                                                  : "=",
                           text, is_list ? ":options:->list" : zsh_value(option));
    }
  });
  const std::string first = manual.commands.empty()
                                ? fmt::format("1:source:{}", zsh_fill(manual.operand))
                                : fmt::format("1:command:({})", commands_of(manual));
  const std::string rest =
      manual.operand == Fill::Source ? "2:mount point:_files -/" : "*:file:_files";
  return fmt::format(
      "#compdef {}\n# TAB for {} in zsh.\n\n{}() {{\n  local curcontext=$curcontext state line\n"
      "  typeset -A opt_args\n  _arguments -S -s \\\n{}    '{}' \\\n    '{}'\n{}}}\n\n{} \"$@\"\n",
      manual.name, manual.name, function_name(manual), words, first, rest,
      list.empty() ? ""
                   : fmt::format("  if [[ $state == list ]]; then\n    _values -s , 'option' \\\n"
                                 "{}      && return\n  fi\n",
                                 list),
      function_name(manual));
}

std::string fish_completion(const Manual& manual) {
  std::string lines;
  std::string list;
  for_each_option(manual, [&](const OptionText& option) {
    if (listed_name(option).empty()) {
      lines += fish_line(manual, option);
    } else {
      list += fish_listed(option);
    }
  });
  if (!list.empty()) {
    // The text up to the last comma stays.
    list = fmt::format(
        "function _{0}_words\n{1}end\n\nfunction _{0}_list\n"
        "  set -l before (string match -r '^(?:-o)?(.*,)' -- (commandline -ct))[2]\n"
        "  for word in (_{0}_words)\n    echo \"$before$word\"\n  end\nend\n\n",
        function_name(manual), list);
  }
  std::string operands;
  if (!manual.commands.empty()) {
    operands = fmt::format("complete -c {} -n __fish_use_subcommand -f -a '{}'\n", manual.name,
                           commands_of(manual));
  }
  return fmt::format("# TAB for {} in fish.\n\n{}{}{}", manual.name, list, operands, lines);
}

}  // namespace scidfs::fs
