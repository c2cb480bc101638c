// Questions about tags of games: tag=, annotator=, time_control=.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/mounted/move_questions.h"

namespace scidfs::tests {

std::span<const QuestionKind> tag_kinds();

// How many games have a tag, and each of its values: lines of tags.tsv and of values/TAG.tsv.
class TagCounts {
 public:
  void add(const GamePlies& game);
  void add(const TagCounts& others);

  std::vector<std::string> tags() const;
  std::vector<std::string> values(const std::string& tag) const;

 private:
  std::map<std::string, std::map<std::string, std::size_t>> games_;  // by tag and value
};

}  // namespace scidfs::tests
