#include "fs/text_directory.h"

#include <algorithm>
#include <array>

#include "fs/archive_directory.h"

namespace scidfs::fs {

std::span<const TextFormat> text_formats() {
  static constexpr std::array kFormats = {
      TextFormat{.extension = ".scv", .open = &open_archive, .is_folder = true},
      TextFormat{.extension = ".ive", .open = &open_archive, .is_folder = true},
  };
  return kFormats;
}

const TextFormat* find_format(std::span<const TextFormat> formats,
                              const std::filesystem::path& path) {
  const auto found = std::ranges::find(formats, path.extension().native(), &TextFormat::extension);
  return found == formats.end() ? nullptr : &*found;
}

}  // namespace scidfs::fs
