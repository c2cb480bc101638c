// games.pgn: the games of the sources of a book.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fs/book/book_sources.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Returns the path of a source below the folder of its book. Addresses name folders of the machine
// on which the book was made, so this uses the longest end of the address that exists. Returns
// nothing if there is no such file.
std::optional<std::filesystem::path> find_book_source(const std::filesystem::path& folder,
                                                      std::string_view address);

// The texts of the games. A game whose source is a PGN file below the book's folder has its text
// from that file, cleaned up as UTF-8; any other game has only its tags and its result. If a PGN
// file changes afterwards, reading fails until the book is opened again. Immutable once made.
class BookGameTexts {
 public:
  // Writes all games once. `folder` is that of the book; links that lead out of it are not
  // followed. DataLoss if something cannot be read.
  static absl::StatusOr<std::shared_ptr<const BookGameTexts>> make(
      std::shared_ptr<const BookSources> sources, const std::filesystem::path& folder,
      const WorkBudget& budget);

  const SectionEnds& ends() const { return ends_; }
  absl::Status append(std::size_t section, std::string& out) const;

 private:
  struct Section {
    std::uint32_t source = 0;
    std::uint32_t first = 0;  // its first game
  };

  BookGameTexts() = default;
  absl::Status append_game(std::size_t source, std::uint32_t number, const BookGame& game,
                           std::string& out) const;
  absl::StatusOr<std::optional<std::string>> own_text(const SourceFile& file,
                                                      const BookGame& game) const;

  std::shared_ptr<const BookSources> sources_;
  std::vector<std::optional<SourceFile>> files_;  // by source
  std::vector<Section> sections_;
  SectionEnds ends_;
};

}  // namespace scidfs::fs
