// Groups of directories by number: shards of players and years.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scidfs::fs {

// Convert the two characters of a shard to a number and back. REQUIRES: shard.size() == 2.
std::uint32_t shard_key(std::string_view shard);
std::string shard_name(std::uint32_t key);

// Convert a year to "2013", or "_unknown" for year 0, and back.
std::string year_name(std::uint32_t year);
std::optional<std::uint32_t> parse_year(std::string_view name);

}  // namespace scidfs::fs
