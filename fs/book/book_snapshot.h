// A Kvetka opening book as a directory: NAME.kob/ for NAME_0.kob and the book's other files.
//
//   info.txt        what the book is, counts, health
//   positions.epd   a line for each position, in the order of the book
//   lines.pgn       the book as lines of moves (book_lines.h)
//   games.pgn       the games of its sources, if it has any (book_game_texts.h)
//   fen/FEN.txt     the data of the book about a position, with `_` for blanks and `-` for slashes;
//                   FEN.html is its page, FEN.svg its board; never listed
//   index.html      its page; fen/ has one, too
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/book/book.h"
#include "fs/book/book_game_texts.h"
#include "fs/book/book_lines.h"
#include "fs/book/book_pages.h"
#include "fs/book/book_sources.h"
#include "fs/book/book_survey.h"
#include "fs/content/once_value.h"
#include "fs/content/places_snapshot.h"
#include "fs/database/database_options.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// Returns the name under which the mount shows the first file of a book, with its capitals; nothing
// for any other file.
std::optional<std::string> book_name(std::string_view file);
// Does the same for any file of a book.
std::string name_of_whole_book(std::string_view file);
// Returns one stamp for all files of the book other than this first file.
FileStamp book_companions(const std::filesystem::path& path);

class BookSnapshot : public PlacesSnapshot {
 public:
  // Opens the book with this first file. Error messages name the path and the cause.
  static absl::StatusOr<std::shared_ptr<const BookSnapshot>> open(const std::filesystem::path& path,
                                                                  PagesMode pages,
                                                                  bool is_mount_point);

  std::string summary() const override;
  std::vector<std::string> problems() const override;
  bool find_reads() const override { return true; }

 private:
  BookSnapshot() = default;
  bool exists(LocalId place) const override;
  bool is_directory(LocalId place) const override;
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  std::optional<Child> find(LocalId directory, std::string_view name) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;
  bool has_text(std::uint32_t text) const;
  // Returns the file with this number in kPageFiles in a directory; nothing without pages.
  std::optional<Child> page_file(LocalId directory, std::size_t number) const;
  std::optional<Child> find_position(std::string_view name) const;
  // Returns the name of the page of the first position; empty if the book lacks it.
  std::string first_position() const;
  absl::StatusOr<std::shared_ptr<const BookSurvey>> survey(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_info(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_positions(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_lines(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_games(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_text(std::uint32_t text,
                                                     const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_page(const WorkBudget& budget) const;
  absl::StatusOr<std::unique_ptr<Content>> open_position(LocalId place) const;

  std::string name_;
  BookDirectory directory_;
  PagesMode pages_ = PagesMode::None;
  std::filesystem::path folder_;
  std::shared_ptr<const Book> book_;
  std::shared_ptr<const BookSources> sources_;  // null: there are none
  std::string sources_problem_;                 // why they cannot be read

  mutable OnceValue<BookSurvey> survey_;
  mutable OnceValue<std::vector<std::uint64_t>> positions_;
  mutable OnceValue<BookLines> lines_;
  mutable OnceValue<BookGameTexts> games_;
};

}  // namespace scidfs::fs
