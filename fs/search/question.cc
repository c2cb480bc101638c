#include "fs/search/question.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "fs/search/condition.h"
#include "fs/search/facet.h"

namespace scidfs::fs {
namespace {

using codec::PositionGoal;

constexpr std::string_view kSearch = "search";
constexpr std::string_view kAgainst = "against";
constexpr std::string_view kPositions = "positions";
constexpr std::string_view kTree = "tree";

// What a question becomes by one part more of its path, before what that asks is added: a facet
// more, or another one in place of the last.
absl::StatusOr<Question> longer(const Question& before, std::string_view part,
                                std::size_t more_facets) {
  const std::string_view slash = before.path.empty() ? "" : "/";
  if (before.path.size() + slash.size() + part.size() > kMostQuestionBytes) {
    return absl::OutOfRangeError(fmt::format(
        "the question is too long, more than {} bytes from its set on", kMostQuestionBytes));
  }
  std::size_t facets = more_facets;
  for (const FacetGroup& group : before.groups) facets += group.size();
  if (facets > kMostQuestionFacets) {
    return absl::OutOfRangeError(
        fmt::format("the question is too long, more than {} conditions", kMostQuestionFacets));
  }
  return Question{.base = before.base,
                  .path = fmt::format("{}{}{}", before.path, slash, part),
                  .groups = before.groups};
}

absl::StatusOr<Question> with_facet(const Question& before, std::string_view part,
                                    std::string_view name, bool is_in_new_group) {
  absl::StatusOr<Facet> facet = parse_facet(name);
  if (!facet.ok()) return facet.status();
  absl::StatusOr<Question> question = longer(before, part, 1);
  if (!question.ok()) return question;
  if (is_in_new_group) question->groups.emplace_back();
  FacetGroup& group = question->groups.back();
  if (std::ranges::find(group, facet->row, &Facet::row) != group.end()) {
    return absl::InvalidArgumentError("a key is there twice; another search/ may have it again");
  }
  group.push_back(*std::move(facet));
  return question;
}

absl::StatusOr<Question> line_from(const Question& set, std::string_view part,
                                   const PositionGoal& root) {
  absl::StatusOr<Question> question = longer(set, part, 1);
  if (!question.ok()) return question;
  question->groups.push_back({position_facet(root)});
  question->line =
      std::make_shared<const Line>(Line{.root = root, .moves = {}, .position = root.position});
  return question;
}

// Whether a name in the directory of a set leads to a directory whose names ask something.
bool asks_by_names(std::string_view name) {
  return name == kSearch || name == kAgainst || name == kPositions;
}

// What a name asks in a directory of a set that asks_by_names(), or in that of the set itself.
absl::StatusOr<Question> asked(const Question& before, std::string_view directory,
                               std::string_view name) {
  if (directory == kSearch) return asked_in_search(before, name);
  if (directory == kAgainst) return asked_against(before, name);
  if (directory == kPositions) return asked_in_positions(before, name);
  if (name == kTree) return asked_in_tree(before);
  if (before.line != nullptr) return asked_after_move(before, name);
  if (before.groups.empty()) return absl::InvalidArgumentError("no question begins so");
  return asked_further(before, name);
}

}  // namespace

absl::StatusOr<Question> asked_in_search(const Question& set, std::string_view name) {
  return with_facet(set, fmt::format("{}/{}", kSearch, name), name, true);
}

absl::StatusOr<Question> asked_against(const Question& set, std::string_view opponent) {
  return with_facet(set, fmt::format("{}/{}", kAgainst, opponent),
                    fmt::format("opponent={}", opponent), true);
}

absl::StatusOr<Question> asked_further(const Question& question, std::string_view name) {
  return with_facet(question, name, name, false);
}

absl::StatusOr<Question> asked_in_tree(const Question& set) {
  return line_from(set, kTree, PositionGoal{});
}

absl::StatusOr<Question> asked_in_positions(const Question& set, std::string_view name) {
  const absl::StatusOr<PositionGoal> goal = codec::parse_position_name(name);
  if (!goal.ok()) return goal.status();
  return line_from(set, fmt::format("{}/{}", kPositions, name), *goal);
}

absl::StatusOr<Question> asked_after_move(const Question& question, std::string_view name) {
  const PositionGoal& goal = question.groups.back().front().condition->as<PositionGoal>();
  const std::optional<codec::Move> move = goal.parse_move(name);
  if (!move.has_value()) return absl::InvalidArgumentError("no move");
  absl::StatusOr<Question> after = longer(question, name, 0);
  if (!after.ok()) return after;
  after->groups.back() = {position_facet(goal.after(*move))};
  Line line = *question.line;
  line.moves.push_back(*move);
  line.position.make(*move);
  after->line = std::make_shared<const Line>(std::move(line));
  return after;
}

absl::StatusOr<Question> parse_question(Place base, std::string_view path) {
  absl::StatusOr<Question> question = Question{.base = base};
  std::string_view directory;  // within the set or answer that the way has come to; empty: its own
  while (question.ok() && !path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (directory.empty() && asks_by_names(name)) {
      directory = name;
    } else {
      question = asked(*question, std::exchange(directory, {}), name);
    }
  }
  return question;
}

}  // namespace scidfs::fs
