#include "fs/database/group_names.h"

#include <fmt/format.h>

#include <cassert>

#include "codec/number.h"
#include "fs/base/filename.h"

namespace scidfs::fs {

std::uint32_t shard_key(std::string_view shard) {
  assert(shard.size() == 2);
  return static_cast<std::uint32_t>(static_cast<unsigned char>(shard[0])) << 8 |
         static_cast<unsigned char>(shard[1]);
}

std::string shard_name(std::uint32_t key) {
  return {static_cast<char>(key >> 8 & 0xFF), static_cast<char>(key & 0xFF)};
}

std::string year_name(std::uint32_t year) {
  return year == 0 ? std::string(kUnknownName) : fmt::format("{:04}", year);
}

std::optional<std::uint32_t> parse_year(std::string_view name) {
  if (name == kUnknownName) return 0;
  if (name.size() != 4) return std::nullopt;
  const auto year = codec::parse_number<std::uint32_t>(name);
  return year == 0U ? std::nullopt : year;
}

}  // namespace scidfs::fs
