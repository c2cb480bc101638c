// How to show a database.
#pragma once

#include <filesystem>
#include <functional>

#include "codec/pgn.h"
#include "fs/file/source_file.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

struct DatabaseOptions {
  codec::PgnOptions pgn{};
  bool show_deleted = false;  // list deleted games with the others, as Scid exports them
  bool by_round = false;      // files of events have their games in order of round and board
  bool pages = true;          // directories and games have pages
  FileOrigin origin{};        // of its files
  ReferencePtr reference = no_reference();
  std::filesystem::path cache_folder{};  // empty: nothing is saved for the next mount
  std::function<bool()> is_over{};       // ends Database::open(), on any thread; empty: never
};

}  // namespace scidfs::fs
