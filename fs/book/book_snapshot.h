// A Kvetka opening book as a directory: NAME_0.kob and what belongs to it are NAME.kob/.
//
//   info.txt        what the book is, counts, health
//   positions.epd   a line for each position, in the order of the book
//   lines.pgn       the book as lines of moves (book_lines.h)
//   games.pgn       the games of its sources, if it has any (book_game_texts.h)
//   fen/FEN.txt     what the book says of a position, with `_` for blanks and `-` for slashes;
//                   never listed
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/book/book.h"
#include "fs/book/book_game_texts.h"
#include "fs/book/book_lines.h"
#include "fs/book/book_sources.h"
#include "fs/book/book_survey.h"
#include "fs/content/made.h"
#include "fs/content/snapshot.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// The name under which the first file of a book is shown, with its capitals; nothing for any other
// file.
std::optional<std::string> book_name(std::string_view file);
// The same of any file of a book.
std::string name_of_whole_book(std::string_view file);
// All files that belong to the book with this first file besides it, as if they were one.
FileStamp book_companions(const std::filesystem::path& path);

class BookSnapshot : public Snapshot {
 public:
  // Opens the book with this first file. Errors name the path and the cause.
  static absl::StatusOr<std::shared_ptr<const BookSnapshot>> open(
      const std::filesystem::path& path);

  std::string summary() const override;
  std::vector<std::string> problems() const override;
  bool is_directory(Place place) const override;
  bool exists(Place place) const override;
  absl::Status list(Place directory, std::uint64_t first, const Effort& effort,
                    EmitChild emit) const override;
  std::optional<Child> lookup(Place directory, std::string_view name) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(Place file, const Effort& effort) const override;

 private:
  BookSnapshot() = default;
  std::optional<Child> lookup_page(std::string_view name) const;
  absl::StatusOr<std::shared_ptr<const BookSurvey>> survey(const Effort& effort) const;
  absl::StatusOr<std::unique_ptr<Content>> open_info(const Effort& effort) const;
  absl::StatusOr<std::unique_ptr<Content>> open_positions(const Effort& effort) const;
  absl::StatusOr<std::unique_ptr<Content>> open_lines(const Effort& effort) const;
  absl::StatusOr<std::unique_ptr<Content>> open_games(const Effort& effort) const;
  absl::StatusOr<std::unique_ptr<Content>> open_page(Place place) const;

  std::string name_;
  std::filesystem::path folder_;
  std::shared_ptr<const Book> book_;
  std::shared_ptr<const BookSources> sources_;  // null: there are none
  std::string sources_problem_;                 // why they cannot be read

  mutable Made<BookSurvey> survey_;
  mutable Made<std::vector<std::uint64_t>> positions_;
  mutable Made<BookLines> lines_;
  mutable Made<BookGameTexts> games_;
};

}  // namespace scidfs::fs
