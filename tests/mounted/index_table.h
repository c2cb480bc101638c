// index.tsv of a database as text, which is all that the oracle of sets reads of a database.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/scid_database.h"

namespace scidfs::tests {

// The columns that tests read, by position.
enum IndexColumn : std::uint8_t {
  kNumberColumn,
  kWhiteColumn,
  kWhiteEloColumn,
  kBlackColumn,
  kBlackEloColumn,
  kResultColumn,
  kDateColumn,
  kRoundColumn,
  kEventColumn,
  kSiteColumn,
  kEcoColumn,
  kPliesColumn,
  kPathColumn,
  kEventDateColumn,
  kFlagsColumn,
  kVariationsColumn,
  kCommentsColumn,
  kNagsColumn,
  kStoredLineColumn,
  kMaterialColumn,
  kWhiteRatingColumn = 25,
  kBlackRatingColumn,
  kIndexColumns,
};

struct IndexLine {
  std::string_view text;  // with its line end
  std::array<std::string_view, kIndexColumns> fields;

  std::string_view operator[](IndexColumn column) const { return fields[column]; }
  unsigned elo(IndexColumn column) const;  // 0: unknown
  unsigned year() const;                   // 0: unknown
  // The year of the event if known.
  unsigned event_year() const;
};

class IndexTable {
 public:
  // With a database, which must outlive this, names that the table leaves empty are as there: empty
  // or `?`.
  explicit IndexTable(std::string text, const ScidDatabase* database = nullptr);
  IndexTable(const IndexTable&) = delete;
  IndexTable& operator=(const IndexTable&) = delete;

  std::string_view head() const { return head_; }
  const std::vector<IndexLine>& lines() const { return lines_; }
  // The line of a game. REQUIRES: it exists.
  const IndexLine& of_game(unsigned number) const;

 private:
  void take_unknown_names(const ScidDatabase& database);

  std::string text_;
  std::string_view head_;  // with its line end
  std::vector<IndexLine> lines_;
};

// 0 if it is not a number.
unsigned to_number(std::string_view text);

}  // namespace scidfs::tests
