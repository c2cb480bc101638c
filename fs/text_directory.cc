#include "fs/text_directory.h"

#include <algorithm>

namespace scidfs::fs {

std::span<const TextFormat> text_formats() { return {}; }

const TextFormat* find_format(std::span<const TextFormat> formats,
                              const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, path.extension().native(), &TextFormat::extension);
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace scidfs::fs
