// scidfs-book build: a Kvetka book of the games of Scid databases.
// Source: codec/kvetka/FORMAT.md, section 9.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "codec/kvetka/book.h"
#include "codec/kvetka/strings.h"
#include "fs/base/progress.h"

namespace scidfs::fs {

struct BookBuildOptions {
  std::vector<std::filesystem::path> databases;
  std::filesystem::path book;  // without extension: the path up to NAME
  std::string caption{};       // UTF-8; empty: the book's name
  unsigned plies = 20;         // of each game; codec::kvetka::kAllPlies: all of them
  codec::kvetka::RatingLimits limits{};
  bool links = false;  // add moves that nobody played to positions that are there
  codec::kvetka::ByteOrder byte_order = codec::kvetka::ByteOrder::Little;
  codec::CodePage code_page = codec::CodePage::Windows1252;
  unsigned threads = 0;  // 0: one for each processor
  // What sorting may use; more positions than fit go through temporary files beside the book.
  std::size_t memory = std::size_t{256} << 20;
};

// What has been done.
struct BookBuildReport {
  std::uint64_t games = 0;     // in the book
  std::uint64_t left_out = 0;  // without a result, or outside the limits
  std::uint64_t damaged = 0;   // in the book with the moves before the damage
  std::uint64_t far_away = 0;  // in the book, but their place in their source does not fit a number
  std::uint64_t positions = 0;
  std::uint64_t blocks = 0;
  std::size_t pieces = 0;
  std::vector<std::string> problems;  // of the databases, a line each
};

// Makes the files NAME_0.kob, ..., NAME.kin and NAME.ksf; those that have these names are replaced
// when the new ones are whole and on the disk, the index last. Of two who build the same book at
// once, the last one's book is there at the end, all of it. Deleted games are not used.
//
// Each database is a source: a PGN file whose address is where the mount shows it, the name of the
// database and "/all.pgn", with a game's place in that file. Its games are those in the book, in
// the order of the database. Errors: a database cannot be read, a file cannot be written.
absl::StatusOr<BookBuildReport> build_book(const BookBuildOptions& options, Progress progress);

}  // namespace scidfs::fs
