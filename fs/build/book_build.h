// scidfs-book build: makes a Kvetka book from the games of Scid databases.
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
#include "fs/file/file_maker.h"

namespace scidfs::fs {

struct BookBuildOptions {
  std::vector<std::filesystem::path> databases;
  std::filesystem::path book;  // without extension: the path up to NAME
  std::string caption{};       // UTF-8; empty: the book's name
  unsigned plies = 20;         // of each game; codec::kvetka::kAllPlies: all of them
  codec::kvetka::RatingLimits limits{};
  bool links = false;  // add moves, played in no game, to positions of the book
  codec::kvetka::ByteOrder byte_order = codec::kvetka::ByteOrder::Little;
  codec::CodePage code_page = codec::CodePage::Windows1252;
  unsigned threads = 0;  // 0: one for each processor
  // The memory for sorting; if the positions do not fit, temporary files beside the book hold them.
  std::size_t memory = std::size_t{256} << 20;
  const FileMaker* maker = &FileMaker::usual();  // of its files
};

// The results of a build.
struct BookBuildReport {
  std::uint64_t games = 0;     // in the book
  std::uint64_t left_out = 0;  // without a result, or outside the limits
  std::uint64_t damaged = 0;   // in the book with the moves before the damage
  std::uint64_t far_away = 0;  // in the book, but the place in their source does not fit a number
  std::uint64_t positions = 0;
  std::uint64_t blocks = 0;
  std::size_t pieces = 0;
  std::vector<std::string> problems;  // of the databases, one per line
};

// Makes the files NAME_0.kob, ..., NAME.kin and NAME.ksf. Replaces existing files of these names
// when the new ones are complete and on the disk, the index last. If two processes build the same
// book at once, the result is the complete book of the one that finishes last. Does not use deleted
// games.
//
// Each database is a source: a PGN file with the address that it has in the mount, the name of the
// database and "/all.pgn", and with the place of each game in that file. Its games are those in the
// book, in the order of the database. Errors: a database cannot be read, a file cannot be written.
absl::StatusOr<BookBuildReport> build_book(const BookBuildOptions& options, Progress progress);

}  // namespace scidfs::fs
