#include "fs/pages/folder_page.h"

#include <vector>

#include "codec/text.h"
#include "fs/pages/list_page.h"

namespace scidfs::fs {

std::string folder_page(std::string_view title, bool is_mount_point,
                        std::span<const FolderEntry> entries, std::string_view info) {
  std::vector<Crumb> crumbs;
  if (!is_mount_point) crumbs.push_back(Crumb::folder_above(1));
  std::vector<PageEntry> links;
  links.reserve(entries.size());
  for (const FolderEntry& entry : entries) {
    links.push_back({.name = codec::clean_line(entry.name),
                     .link = Link().name(entry.name).page(),
                     .words = codec::clean_line(entry.words)});
  }
  return list_page(codec::clean_line(title), crumbs, info, links);
}

std::string robots_text() {
  return "User-agent: *\n"
         "Disallow: /*/search/\n"
         "Disallow: /*/positions/\n"
         "Disallow: /*/tree/\n"
         "Disallow: /*/against/\n"
         "Disallow: /*/games/\n"
         "Disallow: /*/fens/\n"
         "Disallow: /*/fen/\n"
         "Disallow: /*/deleted/\n"
         "Disallow: /*/flags/\n"
         "Disallow: /*/eco/\n"
         "Disallow: /*/openings/\n"
         "Disallow: /*/doubles/\n"
         "Disallow: /*/tournaments/\n";
}

}  // namespace scidfs::fs
