// search/eco=B90/year=2010../, tree/e4/c5/ and positions/FEN/ below any set: the set of its games
// that meet these facets, or come to this position.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "codec/text.h"
#include "fs/sets/facet.h"
#include "fs/sets/move_texts.h"
#include "fs/views/all.h"
#include "fs/views/found_games.h"
#include "fs/views/line_directory.h"
#include "fs/views/search_directory.h"

namespace scidfs::fs {
namespace {

QuestionPtr find(const Version& version, std::uint32_t number) {
  return version.searches->questions.find(number);
}

bool has_facet(const FacetGroup& group, FacetKey key) {
  return std::ranges::find(group, key, &Facet::key) != group.end();
}

// The opening of the last position of a line that has one.
NamedPosition named_position(const Database& database, const Line& line) {
  const OpeningNames* const names = database.reference().openings.get();
  if (names == nullptr) return {};
  OpeningNumber last = names->find(line.root.position);
  codec::Position position = line.root.position;
  for (const codec::Move& move : line.moves) {
    position.make(move);
    const OpeningNumber here = names->find(position);
    if (here != kNoOpening) last = here;
  }
  return {.names = names, .opening = names->name(last)};
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
    return found_games(version, question->base, question->groups, effort);
  }

  bool has_subject(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return false;
    if (base(*question).has_subject(version, question->base.key)) return true;
    return std::ranges::any_of(question->groups, [](const FacetGroup& group) {
      return has_facet(group, FacetKey::Player) || has_facet(group, FacetKey::Person);
    });
  }
  Identities::Of players_are(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return Identities::Of::Spellings;
    for (const FacetGroup& group : question->groups) {
      if (has_facet(group, FacetKey::Person)) return Identities::Of::Persons;
    }
    return base(*question).players_are(version, question->base.key);
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

  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override {
    const QuestionPtr question = directory.level == kSet ? find(version, directory.key) : nullptr;
    if (question == nullptr || question->line == nullptr) {
      return SetView::list(version, directory, first, effort, emit);
    }
    return list_line(version, directory.key, *question, first, effort, emit);
  }

  std::string directory_name(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return "";
    return question->path.substr(question->path.rfind('/') + 1);
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return "";
    constexpr std::string_view kSearch = "search/";
    std::string asked = question->path;
    if (asked.starts_with(kSearch)) asked.erase(0, kSearch.size());
    if (question->base.view == kDatabaseView) return asked;
    return fmt::format("{}: {}", base(*question).title(version, question->base.key), asked);
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return {};
    // The way there again, but for its last name.
    Place above = question->base;
    std::string_view rest = question->path;
    for (std::size_t slash = rest.find('/'); slash != std::string_view::npos;
         slash = rest.find('/')) {
      const std::optional<Child> child =
          find_view(above.view)->lookup(version, above, rest.substr(0, slash));
      if (!child.has_value()) return question->base;
      above = child->place;
      rest.remove_prefix(slash + 1);
    }
    return above;
  }
  // Who walks through all that is listed has met the games already.
  std::span<const std::string_view> listed(const Version& version,
                                           std::uint32_t key) const override {
    static constexpr std::array<std::string_view, 2> kTables = {"index.tsv", "summary.txt"};
    const QuestionPtr question = find(version, key);
    if (question != nullptr && is_listed(*question)) return kTables;
    return SetView::listed(version, key);
  }

  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return std::nullopt;
    if (question->line != nullptr) {
      for (std::size_t i = 0; i < kPositionFiles.size(); ++i) {
        if (kPositionFiles[i] == name) return position_file(i, key);
      }
      return find_move(version, *question, name);
    }
    if (name.find('=') == std::string_view::npos) return std::nullopt;
    // `eco=B90.pgn` in the directory of that name is its file of games.
    if (name == directory_name(version, key) + ".pgn") return std::nullopt;
    return find_in_answer(version, *question, name);
  }
  bool own_exists(const Version& version, Place place) const override {
    const QuestionPtr question = find(version, place.key);
    return question != nullptr && question->line != nullptr &&
           place.level < kOwnLevel + kPositionFiles.size();
  }
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort& effort) const override {
    const QuestionPtr question = find(version, file.key);
    if (question == nullptr) return forgotten();
    const absl::StatusOr<std::shared_ptr<const MoveTable>> table =
        table_of(version, *question, effort, [&] { return games(version, file.key, effort); });
    if (!table.ok()) return table.status();
    const codec::Position& position = question->line->position;
    const NamedPosition named = named_position(*version.database, *question->line);
    switch (file.level - kOwnLevel) {
      case 0:
        return std::make_unique<TextContent>(
            moves_text(position, codec::clean_line(title(version, file.key)), **table, named));
      case 1:
        return std::make_unique<TextContent>(moves_tsv(**table));
      default:
        return std::make_unique<TextContent>(board_text(position, **table, named));
    }
  }
  // A player is not found where somebody never met him, though a set may be empty.
  absl::StatusOr<std::unique_ptr<Content>> open_games_file(const Version& version,
                                                           std::uint32_t key, GameSet set,
                                                           const Effort& effort) const override {
    const QuestionPtr question = find(version, key);
    if (question == nullptr) return forgotten();
    if (set.empty() && is_against(*question)) return absl::NotFoundError("no games");
    return SetView::open_games_file(version, key, std::move(set), effort);
  }
  std::string answer_key(const Version& version, std::uint32_t key) const override {
    const QuestionPtr question = find(version, key);
    return question == nullptr ? "" : answer_key_of(question->base, question->groups);
  }

 private:
  // By own level.
  static constexpr std::array<std::string_view, 3> kPositionFiles = {"moves.txt", "moves.tsv",
                                                                     "board.txt"};

  // Only sets have a search/.
  static const SetView& base(const Question& question) {
    return *find_view(question.base.view)->sets();
  }

  // The tree that a line is part of.
  static absl::StatusOr<std::shared_ptr<const OpeningTree>> tree(const Version& version,
                                                                 const Question& question,
                                                                 const Effort& effort) {
    return tree_of(version, question, effort, [&] {
      const FacetGroups groups(question.groups);
      return found_games(version, question.base, groups.first(groups.size() - 1), effort);
    });
  }

  // The files of a position, and the moves that lead on. Whoever has had all of them comes once
  // more to hear that there are no more: the position after the last one says so without the tree.
  absl::Status list_line(const Version& version, std::uint32_t key, const Question& question,
                         std::uint64_t first, const Effort& effort, EmitChild emit) const {
    constexpr std::uint64_t kAfterAll = 1000;  // more than there can be
    if (first >= kAfterAll) return absl::OkStatus();
    const absl::StatusOr<std::shared_ptr<const OpeningTree>> tree =
        QuestionView::tree(version, question, effort);
    if (!tree.ok()) return tree.status();
    const std::span<const std::string> moves = (*tree)->listed(question.line->moves);
    const std::uint64_t count = kPositionFiles.size() + moves.size();
    return list_children(
        first, count,
        [&](std::uint64_t i) {
          return i < kPositionFiles.size()
                     ? position_file(i, key)
                     : find_move(version, question, moves[i - kPositionFiles.size()]);
        },
        [&](Child child, std::uint64_t next) {
          return emit(std::move(child), next == count ? kAfterAll : next);
        });
  }

  Child position_file(std::size_t i, std::uint32_t key) const {
    return {.name = std::string(kPositionFiles[i]),
            .place = place(static_cast<std::uint8_t>(kOwnLevel + i), key)};
  }
};

}  // namespace

const SetView& question_view() {
  static const QuestionView kView;
  return kView;
}

}  // namespace scidfs::fs
