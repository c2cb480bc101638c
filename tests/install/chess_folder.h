// The folder of chess databases that documents speak of.
#pragma once

#include <filesystem>
#include <string>

#include "tests/install/documents.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {

// Makes a folder with a database that is called mega as in the documents.
inline void make_chess_folder(const std::filesystem::path& folder) {
  std::filesystem::create_directory(folder);
  copy_sample(folder / "mega");
}

// Adds a small database, and an older copy of that one.
inline void add_news(const std::filesystem::path& folder) {
  const std::filesystem::path fixtures = project_file("tests/data/news");
  std::filesystem::create_directory(folder / "backup");
  for (const std::string suffix : {".si4", ".sg4", ".sn4"}) {
    std::filesystem::copy_file(fixtures / ("news" + suffix), folder / ("news" + suffix));
    std::filesystem::copy_file(fixtures / ("old" + suffix), folder / "backup" / ("news" + suffix));
  }
}

}  // namespace scidfs::tests
