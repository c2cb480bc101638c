#include "codec/scv/groups.h"

#include <algorithm>
#include <map>
#include <utility>

#include "codec/ending.h"

namespace scidfs::codec::scv {
const std::vector<Kind>& kinds() {
  static const std::vector<Kind> kKinds = {
      {.index = ".si4", .required = {".sg4", ".sn4"}, .optional = {".ssc"}},
      {.index = ".si5", .required = {".sg5", ".sn5"}, .optional = {}},
      {.index = ".si3", .required = {".sg3", ".sn3"}, .optional = {}},
      {.index = ".sci", .required = {".scg", ".scn"}, .optional = {}},
      {.index = ".cbh",
       .required = {".cbg"},
       .optional = {".cbp",  ".cbt", ".cbs",  ".cbc", ".cba", ".cbb", ".cbe", ".cbgi",
                    ".cbj",  ".cbm", ".cbtt", ".cib", ".cit", ".ck1", ".ck2", ".ck3",
                    ".ckn",  ".cko", ".cp1",  ".cp2", ".cp3", ".cpn", ".cpo", ".flags",
                    ".html", ".ini", ".rb0",  ".rb1", ".rb2"}},
      {.index = ".cbf", .required = {".cbi"}, .optional = {".cko", ".cpo"}},
      {.index = ".pgn", .required = {}, .optional = {}},
      {.index = ".bpgn", .required = {}, .optional = {}},
      {.index = ".pgn.gz", .required = {}, .optional = {}},
      {.index = ".bpgn.gz", .required = {}, .optional = {}},
      {.index = ".zip", .required = {}, .optional = {}},
  };
  return kKinds;
}

Suffixed split_suffix(std::string_view name) {
  const std::size_t start = name.find_last_of('/') + 1;
  std::size_t dot = name.find_last_of('.');
  if (dot == std::string_view::npos || dot <= start) return {.root = name, .suffix = ""};
  if (in_small_letters(name.substr(dot)) == ".gz") {
    const std::size_t before = name.substr(0, dot).find_last_of('.');
    if (before != std::string_view::npos && before > start) {
      const std::string inner = in_small_letters(name.substr(before, dot - before));
      if (inner == ".pgn" || inner == ".bpgn") dot = before;
    }
  }
  return {.root = name.substr(0, dot), .suffix = in_small_letters(name.substr(dot))};
}

std::vector<Group> find_groups(const Archive& archive) {
  // By root and suffix; the first of several members that a <Database> brings together.
  std::map<std::pair<std::string, std::string>, std::size_t> members;
  std::vector<std::pair<std::string, std::string>> keys(archive.members.size());
  for (std::size_t i = 0; i < archive.members.size(); ++i) {
    const Member& member = archive.members[i];
    if (!member.is_usable()) continue;
    Suffixed name = split_suffix(member.name);
    keys[i] = {member.database.empty() ? std::string(name.root) : member.database,
               std::move(name.suffix)};
    members.try_emplace(keys[i], i);
  }
  std::vector<Group> groups;
  for (std::size_t i = 0; i < archive.members.size(); ++i) {
    const auto kind = std::ranges::find(kinds(), keys[i].second, &Kind::index);
    if (!archive.members[i].is_usable() || kind == kinds().end()) continue;
    Group group{.kind = &*kind, .root = keys[i].first, .index = i};
    for (const std::string_view suffix : kind->required) {
      const auto found = members.find({group.root, std::string(suffix)});
      if (found != members.end()) {
        group.required.push_back(found->second);
      } else {
        group.missing.push_back(suffix);
      }
    }
    for (const std::string_view suffix : kind->optional) {
      const auto found = members.find({group.root, std::string(suffix)});
      if (found != members.end()) group.optional.push_back(found->second);
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace scidfs::codec::scv
