#include "fs/check/check_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "codec/date.h"
#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// The lines of a report.
class Lines {
 public:
  template <typename... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    text_ += printable(fmt::format(format, std::forward<Arguments>(arguments)...));
    text_ += '\n';
  }
  // Adds the number of findings that are not printed, if there are any.
  void add_rest(std::uint64_t count, std::size_t printed) {
    if (count > printed) add("    ... and {} more (--verbose prints all)", count - printed);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string counted_plies(std::uint64_t count) {
  return count == 1 ? "1 ply" : fmt::format("{} plies", count);
}

// Returns players, event and date of a game, for users.
std::string title(const Database& database, GameIndex game) {
  const codec::scid::GameEntry entry = database.entry(game);
  const auto name = [&](NameKind kind, std::uint32_t id) {
    return database.names()[kind].text(id);
  };
  return fmt::format("{} - {}, {} {}", name(NameKind::Player, entry.white),
                     name(NameKind::Player, entry.black), name(NameKind::Event, entry.event),
                     codec::to_string(entry.date));
}

void add_damaged(const Database& database, const DatabaseFindings& findings, Lines& lines) {
  if (findings.damaged.count() == 0) return;
  lines.add("  {}:", counted(findings.damaged.count(), "damaged game"));
  const std::vector<DamagedGame> first = findings.damaged.first();
  for (const DamagedGame& damaged : first) {
    lines.add("    game {} ({}), byte {}: {}; {}", damaged.game + 1, title(database, damaged.game),
              damaged.offset, damaged.reason,
              damaged.has_record
                  ? fmt::format("its tags and {} can be read", counted_plies(damaged.plies))
                  : "its tags can be read");
  }
  lines.add_rest(findings.damaged.count(), first.size());
}

void add_missing_names(const Database& database, const DatabaseFindings& findings, Lines& lines) {
  if (findings.missing_names.count() == 0) return;
  lines.add("  {} with names that the name file does not have (shown as \"?\"):",
            counted(findings.missing_names.count(), "game"));
  const std::vector<MissingNames> first = findings.missing_names.first();
  for (const MissingNames& game : first) {
    std::string list;
    for (const MissingNames::Name& name : game.names) {
      list += fmt::format("{}{} is name {} of {}", list.empty() ? "" : ", ", name.role, name.id,
                          database.names()[name.kind].size());
    }
    lines.add("    game {}: {}", game.game + 1, list);
  }
  lines.add_rest(findings.missing_names.count(), first.size());
}

void add_overlaps(const DatabaseFindings& findings, Lines& lines) {
  if (findings.overlaps.count() == 0) return;
  lines.add("  {} of games whose records overlap (one of the two was written over):",
            counted(findings.overlaps.count(), "pair"));
  const std::vector<Overlap> first = findings.overlaps.first();
  for (const Overlap& overlap : first) {
    lines.add("    games {} and {}, from byte {}", overlap.game + 1, overlap.other + 1,
              overlap.offset);
  }
  lines.add_rest(findings.overlaps.count(), first.size());
}

void add_disagreements(const DatabaseFindings& findings, Lines& lines) {
  if (findings.games_that_disagree == 0) return;
  lines.add(
      "  note: in {} the index says something else than the moves; no damage, only what Scid "
      "lists and searches by:",
      counted(findings.games_that_disagree, "game"));
  for (std::size_t field = 0; field < findings.disagreements.size(); ++field) {
    const Findings<Disagreement>& found = findings.disagreements[field];
    if (found.count() == 0) continue;
    lines.add("    {}: {}", codec::scid::kIndexFieldNames[field], counted(found.count(), "game"));
    const std::vector<Disagreement> first = found.first();
    for (const Disagreement& game : first) {
      lines.add("      game {}: index {}, moves {}", game.game + 1, game.stored, game.computed);
    }
    if (found.count() > first.size())
      lines.add("      ... and {} more", found.count() - first.size());
  }
}

// Adds the line that tells how much can be read.
void add_health(const Database& database, std::string_view path, const DatabaseFindings& findings,
                Lines& lines) {
  const std::uint64_t damaged = findings.damaged.count();
  const std::uint64_t declared = database.files().index_file().header().games;
  const std::uint64_t lost = declared - std::min<std::uint64_t>(database.games(), declared);
  if (damaged == 0 && lost == 0) {
    lines.add(
        "{}: {} can be read whole", path,
        is_damaged(database, findings) ? "damaged: the moves of every game" : "good: every game");
    return;
  }
  std::string readable = counted(database.games() - damaged, "game") + " whole";
  if (damaged != 0) {
    readable += fmt::format(", {} up to their damage ({}), {} by tags alone",
                            damaged - findings.without_record,
                            counted_plies(findings.plies_before_damage), findings.without_record);
  }
  if (lost != 0) readable += fmt::format("; {} lost with the end of the index", lost);
  lines.add("{}: damaged: {}", path, readable);
}

}  // namespace

bool is_damaged(const Database& database, const DatabaseFindings& findings) {
  return !database.files().problems().empty() || !findings.index_problems.empty() ||
         findings.damaged.count() != 0 || findings.missing_names.count() != 0 ||
         findings.overlaps.count() != 0;
}

std::string report_text(const Database& database, std::string_view path,
                        const DatabaseFindings& findings) {
  Lines lines;
  lines.add("{}: {}", path, counted(database.games(), "game"));
  for (const std::string& problem : database.files().problems())
    lines.add("  problem: {}", problem);
  for (const std::string& problem : findings.index_problems) lines.add("  problem: {}", problem);
  add_damaged(database, findings, lines);
  add_missing_names(database, findings, lines);
  add_overlaps(findings, lines);
  add_disagreements(findings, lines);
  for (const std::string& note : database.files().notes()) lines.add("  note: {}", note);
  if (findings.unused_bytes != 0) {
    lines.add("  note: {} of the game file belong{} to no game (compacting in Scid frees them)",
              counted(findings.unused_bytes, "byte"), findings.unused_bytes == 1 ? "s" : "");
  }
  add_health(database, path, findings, lines);
  return lines.take();
}

std::string report_text(std::string_view path, const PgnFindings& findings) {
  Lines lines;
  lines.add("{}: {}", path, counted(findings.games, "game"));
  if (findings.remarks != 0) {
    lines.add("  {}:", counted(findings.remarks, "remark"));
    for (const std::string& remark : findings.first) lines.add("    {}", remark);
    lines.add_rest(findings.remarks, findings.first.size());
  }
  if (!findings.failure.empty()) {
    lines.add("  problem: {}", findings.failure);
    lines.add("{}: unreadable", path);
  } else if (findings.remarks != 0) {
    lines.add("{}: damaged: its games are shown as the remarks say", path);
  } else {
    lines.add("{}: good: every game can be read whole", path);
  }
  return lines.take();
}

}  // namespace scidfs::fs
