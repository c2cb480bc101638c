#include "fs/content/text_directory.h"

#include <algorithm>

namespace scidfs::fs {

const TextFormat* find_format(std::span<const TextFormat> formats,
                              const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, path.extension().native(), &TextFormat::extension);
  return found == formats.end() ? nullptr : &*found;
}

bool is_part_of_any(std::span<const TextFormat> formats, const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  return std::ranges::any_of(formats, [&extension](const TextFormat& format) {
    return format.extension == extension ||
           (!extension.empty() && std::ranges::count(format.companion_extensions, extension) != 0);
  });
}

}  // namespace scidfs::fs
