#include "fs/library/formats.h"

#include <array>

#include "fs/archive/archive_directory.h"
#include "fs/book/book_directory.h"

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

}  // namespace scidfs::fs
