#include "fs/serve/media_type.h"

#include <array>

#include "codec/ending.h"

namespace scidfs::fs {
namespace {

struct TypeOfEnding {
  std::string_view ending;
  std::string_view type;
};

constexpr std::string_view kPageType = "text/html; charset=utf-8";
constexpr std::string_view kPictureType = "image/svg+xml";
constexpr std::string_view kBytesType = "application/octet-stream";

constexpr std::array<TypeOfEnding, 11> kTypes = {{
    {".pgn", "application/vnd.chess-pgn; charset=utf-8"},
    {".html", kPageType},
    {".svg", kPictureType},
    {".tsv", "text/tab-separated-values; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
    {".txt", "text/plain; charset=utf-8"},
    {".epd", "text/plain; charset=utf-8"},
    {".uci", "text/plain; charset=utf-8"},
    {".json", "application/json"},
    {".css", "text/css"},
    {".js", "application/javascript"},
}};

// What fits in a packet is sent at once either way.
constexpr std::uint64_t kFewBytes = 1024;

}  // namespace

std::string_view media_type(std::string_view name) {
  for (const auto& [ending, type] : kTypes) {
    if (codec::has_ending(name, ending)) return type;
  }
  return kBytesType;
}

bool is_worth_compressing(std::string_view media_type, std::uint64_t size) {
  return size >= kFewBytes && media_type != kBytesType;
}

bool may_have_scripts(std::string_view media_type) {
  return media_type == kPageType || media_type == kPictureType;
}

}  // namespace scidfs::fs
