// search/eco=B90/year=2010../ below any set: the set of its games that meet these facets.
#include <fmt/format.h>

#include <algorithm>

#include "fs/sets/facet.h"
#include "fs/sets/search.h"
#include "fs/views/all.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

QuestionPtr find(const Version& version, std::uint32_t number) {
  return version.searches->questions.find(number);
}

absl::Status forgotten() { return absl::FailedPreconditionError("the question is forgotten"); }

// Keys: numbers of Questions. Whoever gets a question out of a number holds it, so that it may be
// forgotten meanwhile.
class QuestionView : public SetView {
 public:
  QuestionView() : SetView(kQuestionView) {}

  bool has_set(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    return question != nullptr && base(*question).has_set(version, question->base.key);
  }

  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                const Effort& effort) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return forgotten();
    const SetView& view = base(*question);
    const std::uint32_t base_key = question->base.key;
    const absl::StatusOr<GameSet> all = view.games(version, base_key, effort);
    if (!all.ok()) return all.status();
    const absl::StatusOr<std::optional<Subject>> subject = view.subject(version, base_key, effort);
    if (!subject.ok()) return subject.status();
    const absl::StatusOr<std::shared_ptr<const Answer>> answer = version.searches->answers.get(
        fmt::format("{}:{}", version.id, answer_key_of(*question)), effort,
        [&]() -> absl::StatusOr<std::shared_ptr<const Answer>> {
          absl::StatusOr<GameDeltas> found = search(*all, *subject, question->groups, effort);
          if (!found.ok()) return found.status();
          return std::make_shared<const FoundGames>(*std::move(found));
        });
    if (!answer.ok()) return answer.status();
    const auto found = std::static_pointer_cast<const FoundGames>(*answer);
    return GameSet(version.database, std::shared_ptr<const GameDeltas>(found, &found->games()),
                   all->part());
  }

  bool has_subject(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return false;
    if (base(*question).has_subject(version, question->base.key)) return true;
    return std::ranges::any_of(question->groups, [](const FacetGroup& group) {
      return std::ranges::find(group, FacetKey::Player, &Facet::key) != group.end();
    });
  }
  absl::StatusOr<std::optional<Subject>> subject(const Version& version, std::uint32_t key,
                                                 const Effort& effort) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return forgotten();
    absl::StatusOr<std::optional<Subject>> of_base =
        base(*question).subject(version, question->base.key, effort);
    if (!of_base.ok()) return of_base.status();
    return subject_of(*version.database, *std::move(of_base), question->groups, effort);
  }

  std::string directory_name(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return "";
    return question->path.substr(question->path.rfind('/') + 1);
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return "";
    std::string asked = question->path.substr(question->path.find('/') + 1);
    if (question->base.view == kDatabaseView) return asked;
    return fmt::format("{}: {}", base(*question).title(version, question->base.key), asked);
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return {};
    Question above = *question;
    above.path.resize(above.path.rfind('/'));
    above.groups.back().pop_back();
    const bool is_first_of_search = above.groups.back().empty();
    if (is_first_of_search) {
      above.groups.pop_back();
      above.path.resize(above.path.size() - std::min(above.path.size(), kSearchPart.size()));
    }
    const std::uint8_t level = is_first_of_search ? kSetSearch : kSet;
    if (above.groups.empty())
      return {.view = above.base.view, .level = level, .key = above.base.key};
    const absl::StatusOr<std::uint32_t> number =
        version.searches->questions.number_of(std::move(above));
    if (!number.ok()) return question->base;
    return {.view = kQuestionView, .level = level, .key = *number};
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr || name.find('=') == std::string_view::npos) return std::nullopt;
    // `eco=B90.pgn` in the directory of that name is its file of games.
    if (name == directory_name(version, key) + ".pgn") return std::nullopt;
    return find_in_answer(version, *question, name);
  }
  std::string answer_key(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    return question == nullptr ? "" : answer_key_of(*question);
  }

 private:
  static constexpr std::string_view kSearchPart = "/search";

  // Only sets have a search/.
  static const SetView& base(const Question& question) {
    return *find_view(question.base.view)->sets();
  }
  static std::string answer_key_of(const Question& question) {
    return fmt::format("{}/{}", pack({.place = question.base}), canonical_text(question.groups));
  }
};

}  // namespace

const SetView& question_view() {
  static const QuestionView kView;
  return kView;
}

}  // namespace scidfs::fs
