#include "fs/text_directory.h"

#include <algorithm>
#include <array>

#include "fs/archive_directory.h"
#include "fs/book_directory.h"

namespace scidfs::fs {

std::span<const TextFormat> text_formats() {
  static constexpr std::array kFormats = {
      TextFormat{.extension = ".scv", .open = &open_archive, .is_folder = true},
      TextFormat{.extension = ".ive", .open = &open_archive, .is_folder = true},
      TextFormat{.extension = kBookExtension,
                 .open = &BookDirectory::open,
                 .name_of = &BookDirectory::name_of,
                 .companions = &BookDirectory::companions,
                 .companion_extensions = {kBookIndexExtension, kBookSourcesExtension}},
  };
  return kFormats;
}

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
