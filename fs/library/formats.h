// What a source may hold besides databases.
#pragma once

#include <span>

#include "fs/content/text_directory.h"

namespace scidfs::fs {

// All formats that this program knows.
std::span<const TextFormat> text_formats();

}  // namespace scidfs::fs
