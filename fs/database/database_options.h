// How to show a database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "codec/pgn.h"
#include "fs/content/csv_content.h"
#include "fs/file/source_file.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

// Which folders show their databases as one, too: none; those with two or more, unlisted or listed;
// or unlisted with the databases in archives, too.
enum class TogetherMode : std::uint8_t { None, Unlisted, Listed, All };

// Which directories and games have pages: none; all, but only that of the mount point is listed; or
// all, listed.
enum class PagesMode : std::uint8_t { None, Unlisted, Listed };

// Which evidence decides whether a name means a person of that name: the lifetime alone, as Scid
// does it, or also the age, the Elo in the game, and FIDE ids in its tags.
enum class Evidence : std::uint8_t { Lifetime, AgeAndElo };

struct DatabaseOptions {
  codec::PgnOptions pgn{};
  bool show_deleted = false;  // list deleted games with the others, as Scid exports them
  bool by_round = false;      // files of events have their games in order of round and board
  Evidence evidence = Evidence::AgeAndElo;  // for which person a name means
  PagesMode pages = PagesMode::Unlisted;
  CsvForm csv = CsvForm::Plain;
  std::string me{};       // the user, as the value of player=; empty: not known
  FileOrigin origin{};    // of its files
  std::string format{};   // of the source, for info.txt; empty: that of the index
  std::string problem{};  // of the source, before it became these files; empty: none
  ReferencePtr reference = no_reference();
  std::filesystem::path cache_folder{};  // empty: nothing is saved for the next mount
  // For all index files in the cache folder together (stored_index.h); 0: there are none.
  std::uint64_t index_bytes = 0;
  // Databases with fewer games have none: to read their entries takes a millisecond.
  std::uint32_t index_games = 10'000;
  // A tenth of the free space, at most 4 GiB.
  static constexpr std::uint64_t kUsualIndexBytes = ~std::uint64_t{0};
  std::function<bool()> is_cancelled{};  // ends Database::open(), on any thread; empty: never
};

// Returns a fingerprint that also tells by which options a database is shown.
std::uint64_t with_options(std::uint64_t fingerprint, const DatabaseOptions& options);

}  // namespace scidfs::fs
