#include "tests/mounted/index_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace scidfs::tests {

unsigned to_number(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

unsigned IndexLine::elo(IndexColumn column) const { return to_number(fields[column]); }

unsigned IndexLine::year() const { return to_number(fields[kDateColumn].substr(0, 4)); }

unsigned IndexLine::event_year() const {
  const unsigned known = to_number(fields[kEventDateColumn].substr(0, 4));
  return known == 0 ? year() : known;
}

IndexTable::IndexTable(std::string text, const ScidDatabase* database) : text_(std::move(text)) {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const std::size_t size = std::min(rest.find('\n'), rest.size() - 1) + 1;
    const std::string_view line = rest.substr(0, size);
    rest.remove_prefix(size);
    if (head_.empty()) {
      head_ = line;
      continue;
    }
    IndexLine parsed{.text = line, .fields = {}};
    std::string_view left = line.substr(0, size - 1);
    for (std::string_view& field : parsed.fields) {
      field = left.substr(0, left.find('\t'));
      left.remove_prefix(std::min(field.size() + 1, left.size()));
    }
    lines_.push_back(parsed);
  }
  if (database != nullptr) take_unknown_names(*database);
}

void IndexTable::take_unknown_names(const ScidDatabase& database) {
  using codec::scid::NameKind;
  for (IndexLine& line : lines_) {
    const codec::scid::IndexEntry entry = database.entry(to_number(line[kNumberColumn]) - 1);
    const auto take = [&](IndexColumn column, NameKind kind, std::uint32_t id) {
      if (line[column].empty()) line.fields[column] = database.names()[kind].text(id);
    };
    take(kWhiteColumn, NameKind::Player, entry.white);
    take(kBlackColumn, NameKind::Player, entry.black);
    take(kEventColumn, NameKind::Event, entry.event);
    take(kSiteColumn, NameKind::Site, entry.site);
    take(kRoundColumn, NameKind::Round, entry.round);
  }
}

const IndexLine& IndexTable::of_game(unsigned number) const {
  const auto line = std::ranges::lower_bound(
      lines_, number, {}, [](const IndexLine& each) { return to_number(each[kNumberColumn]); });
  if (line == lines_.end() || to_number((*line)[kNumberColumn]) != number) {
    ADD_FAILURE() << "index.tsv has no game " << number;
    std::abort();
  }
  return *line;
}

}  // namespace scidfs::tests
