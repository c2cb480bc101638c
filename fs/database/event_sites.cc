#include "fs/database/event_sites.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "codec/unicode.h"

namespace scidfs::fs {
namespace {

// Returns whether a text begins with a scheme, in upper or lower case.
bool has_scheme(std::string_view text, std::string_view scheme) {
  return text.size() > scheme.size() &&
         std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, codec::to_ascii_lower);
}

}  // namespace

std::string_view event_site(std::string_view site) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!has_scheme(site, scheme)) continue;
    std::string_view host = site.substr(scheme.size());
    host = host.substr(0, host.find_first_of("/?#"));
    const std::size_t user = host.rfind('@');
    if (user != std::string_view::npos) host.remove_prefix(user + 1);
    if (!host.starts_with('[')) host = host.substr(0, host.find(':'));
    return host.empty() ? site : host;
  }
  return site;
}

EventSites::EventSites(const codec::scid::NameTable& sites) {
  const auto has_address = [&] {
    for (std::uint32_t id = 0; id < sites.size(); ++id) {
      if (event_site(sites.text(id)).size() != sites.text(id).size()) return true;
    }
    return false;
  };
  if (!has_address()) return;
  counted_.reserve(sites.size());
  // A site may also be the name of a host.
  absl::flat_hash_map<std::string_view, std::uint32_t> first_of;
  for (std::uint32_t id = 0; id < sites.size(); ++id) {
    counted_.push_back(first_of.try_emplace(event_site(sites.text(id)), id).first->second);
  }
}

}  // namespace scidfs::fs
