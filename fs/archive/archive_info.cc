#include "fs/archive/archive_info.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <string_view>

#include "codec/scv/groups.h"
#include "codec/text.h"
#include "fs/base/first_lines.h"

namespace scidfs::fs {
namespace {

using codec::clean_line;
using codec::scv::describe;
using codec::scv::Fault;
using codec::scv::Member;

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string name_of(const Member& member) {
  return member.name.empty() ? "(no name)" : clean_line(member.name);
}

// Returns "229 bytes (51 packed by zlib), 2023-11-14 22:13:20".
std::string facts_of(const ArchiveFile& archive, std::size_t number) {
  const Member& member = archive.archive().members[number];
  std::string facts = fmt::format("{} bytes", archive.size(number));
  if (member.method != codec::scv::Method::Raw) {
    facts += fmt::format(" ({} packed by {})", member.size, clean_line(member.method_name));
  }
  if (const auto time = credible_time(member)) {
    facts += fmt::format(", {:%F %T}", fmt::gmtime(static_cast<std::time_t>(*time)));
  }
  return facts;
}

std::string fault_line(const Member& member, Fault fault) {
  return fmt::format(
      "{}: {}{}", name_of(member), describe(fault),
      fault == Fault::UnknownMethod ? fmt::format(" ({})", clean_line(member.method_name)) : "");
}

}  // namespace

std::optional<std::int64_t> credible_time(const Member& member) {
  constexpr std::int64_t kDay = 24 * 60 * 60;
  if (!member.modified || *member.modified < 0 || *member.modified > std::time(nullptr) + kDay) {
    return std::nullopt;
  }
  return member.modified;
}

std::string archive_summary(const ArchiveFile& archive, const ArchiveLayout& layout) {
  // A PGN file counts as a member alone.
  const auto databases = std::ranges::count_if(
      layout.databases(), [](const PlacedDatabase& placed) { return !placed.pgn.has_value(); });
  return fmt::format("archive of {}, {}", counted(archive.archive().members.size(), "member"),
                     counted(static_cast<std::size_t>(databases), "database"));
}

std::vector<std::string> archive_problems(const ArchiveFile& archive, const ArchiveLayout& layout) {
  std::vector<std::string> problems;
  const std::vector<Member>& members = archive.archive().members;
  if (const Fault fault = archive.archive().fault; fault != Fault::None) {
    problems.push_back(fmt::format("from byte {} on the archive is lost: {}",
                                   archive.archive().fault_offset, describe(fault)));
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (archive.fault(i) != Fault::None) {
      problems.push_back(fault_line(members[i], archive.fault(i)));
    } else if (archive.is_good(i) && !archive.gunzipped_size(i) &&
               codec::scv::split_suffix(members[i].name).suffix == ".pgn.gz") {
      problems.push_back(fmt::format("{}: what is in it cannot be unpacked", name_of(members[i])));
    }
  }
  for (const PlacedDatabase& database : layout.databases()) {
    for (const std::string_view suffix : database.missing) {
      problems.push_back(fmt::format("{}: its {} is missing or damaged",
                                     name_of(members[database.index]), suffix));
    }
  }
  for (const std::size_t member : layout.displaced()) {
    problems.push_back(fmt::format("{}: something else has its place", name_of(members[member])));
  }
  return problems;
}

std::string archive_info(const ArchiveFile& archive, const ArchiveLayout& layout,
                         const std::vector<std::string>& problems) {
  std::string text;
  const auto line = [&text](std::string_view key, const std::string& value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  const std::vector<Member>& members = archive.archive().members;
  line("archive", clean_line(archive.file().path().filename().string()));
  line("bytes", std::to_string(archive.file().size()));
  if (!archive.archive().format.empty()) line("format", clean_line(archive.archive().format));
  if (archive.archive().games) line("games", std::to_string(*archive.archive().games));
  line("members", std::to_string(members.size()));
  FirstLines inside("member", "members"), elsewhere("elsewhere", "members");
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (archive.fault(i) != Fault::None) continue;  // listed among the problems
    if (members[i].is_external) {
      elsewhere.add(members[i].uri.empty()
                        ? name_of(members[i])
                        : fmt::format("{} at {}", name_of(members[i]), clean_line(members[i].uri)));
    } else {
      inside.add(fmt::format("{}: {}", name_of(members[i]), facts_of(archive, i)));
    }
  }
  FirstLines not_decoded("not decoded", "members"), problem_lines("problem", "problems");
  for (const codec::scv::Group& group : codec::scv::find_groups(archive.archive())) {
    const bool is_shown = std::ranges::any_of(
        layout.databases(), [&](const auto& shown) { return shown.index == group.index; });
    const bool is_text = group.kind->index == ".pgn" || group.kind->index == ".pgn.gz";
    if (is_shown || is_text || !archive.is_good(group.index)) continue;
    not_decoded.add(fmt::format("{}: files of this kind are in files/ as they are",
                                name_of(members[group.index])));
  }
  for (const std::string& problem : problems) problem_lines.add(problem);
  return text + inside.text() + elsewhere.text() + not_decoded.text() + problem_lines.text();
}

}  // namespace scidfs::fs
