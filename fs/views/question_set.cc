#include "fs/views/question_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fs/search/facet_row.h"
#include "fs/views/all.h"
#include "fs/views/found_games.h"
#include "fs/views/position_set.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

bool has_player(const FacetGroup& group) {
  return std::ranges::any_of(
      group, [](const Facet& facet) { return facet.row->role == FacetRole::Player; });
}

bool has_person(const FacetGroup& group) {
  return std::ranges::any_of(group, [](const Facet& facet) {
    return facet.row->role == FacetRole::Player && facet.row->stage == FacetStage::Persons;
  });
}

// Keys: numbers of Questions, see question_number().
SetPtr bind_question(const Version& version, Place directory) {
  QuestionPtr question = version.searches->questions.find(question_number(directory));
  if (question == nullptr) return nullptr;
  // Only sets have a search/.
  SetPtr base = find_view(question->base.view)->sets()->bind(version, question->base);
  if (base == nullptr) return nullptr;
  if (question->line == nullptr) {
    return std::make_unique<QuestionSet>(version, directory, std::move(question), std::move(base));
  }
  return std::make_unique<PositionSet>(version, directory, std::move(question), std::move(base));
}

}  // namespace

// Whoever walks through all that is listed has met the games already.
Listing QuestionSet::listing() const {
  return is_listed(*question_) ? Listing::Tables : Listing::Games;
}

absl::StatusOr<GameSet> QuestionSet::games(const Effort& effort) const {
  return found_games(*base_, question_->groups, effort);
}

bool QuestionSet::has_subject() const {
  if (base_->has_subject()) return true;
  return std::ranges::any_of(question_->groups, &has_player);
}

absl::StatusOr<std::optional<Subject>> QuestionSet::subject(const Effort& effort) const {
  absl::StatusOr<std::optional<Subject>> of_base = base_->subject(effort);
  if (!of_base.ok()) return of_base.status();
  return subject_of(database(), *std::move(of_base), question_->groups, effort);
}

Identities::Of QuestionSet::players_are() const {
  return std::ranges::any_of(question_->groups, &has_person) ? Identities::Of::Persons
                                                             : base_->players_are();
}

std::string QuestionSet::name() const {
  return question_->path.substr(question_->path.rfind('/') + 1);
}

// The way there again, but for its last name.
Place QuestionSet::parent() const {
  Place above = question_->base;
  std::string_view rest = question_->path;
  for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
       slash = rest.find('/')) {
    const std::optional<Child> child =
        find_view(above.view)->lookup(version(), above, rest.substr(0, slash));
    if (!child.has_value()) return question_->base;
    above = child->place;
    rest.remove_prefix(slash + 1);
  }
  return above;
}

std::string QuestionSet::title() const {
  constexpr std::string_view kSearch = "search/";
  std::string asked = question_->path;
  if (asked.starts_with(kSearch)) asked.erase(0, kSearch.size());
  if (base_->kind() == SetKind::Database) return asked;
  return fmt::format("{}: {}", base_->title(), asked);
}

std::string QuestionSet::answer_key() const {
  return answer_key_of(question_->base, question_->groups);
}

// A player is not found where somebody never met him, though a set may be empty.
absl::StatusOr<std::unique_ptr<Content>> QuestionSet::open_games_file(GameSet games,
                                                                      const Effort& effort) const {
  if (games.empty() && is_against(*question_)) return absl::NotFoundError("no games");
  return Set::open_games_file(std::move(games), effort);
}

std::optional<Child> QuestionSet::find_child(std::string_view name) const {
  if (name.find('=') == std::string_view::npos) return std::nullopt;
  // `eco=B90.pgn` in the directory of that name is its file of games.
  if (name == this->name() + ".pgn") return std::nullopt;
  return find_in_answer(*this, name);
}

const SetView& question_view() {
  static const SetView kView(kQuestionView, &bind_question);
  return kView;
}

}  // namespace scidfs::fs
