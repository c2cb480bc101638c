#include "fs/views/set.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_content.h"
#include "fs/tables/set_tables.h"
#include "fs/views/found_games.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {

std::string Set::answer_key() const { return answer_key_of(directory_, {}); }

std::string Set::owner_of_part(std::size_t part, bool is_sum) const {
  if (!is_sum) return fmt::format("{}/{}", version_.id, part);
  return fmt::format("{}{}", version_.part(part).id, directories_in(part));
}

QueryPtr Set::asked() const { return std::make_shared<const Query>(Query{.base = directory_}); }

absl::StatusOr<std::unique_ptr<Content>> Set::open_games_file(const GameSets& games,
                                                              const WorkBudget& budget) const {
  return open_games(games, budget);
}

absl::StatusOr<std::unique_ptr<Content>> Set::open_index(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const GameSets games, this->games(budget));
  return open_set_index(games.parts(), budget);
}

absl::Status Set::list(std::uint64_t first, const WorkBudget&, EmitChild emit) const {
  const std::vector<const SetFile*> files = listed_files(listing());
  return list_children(
      first, files.size() + child_count(),
      [&](std::uint64_t position) {
        return position < files.size() ? set_child(*this, *files[position])
                                       : child(position - files.size());
      },
      emit);
}

std::optional<Child> Set::find(std::string_view name) const {
  if (std::optional<Child> own = find_child(name); own.has_value()) return own;
  for (const SetFile& file : set_files()) {
    if (file.directory != kSet || file.name != name) continue;
    if (std::optional<Child> child = set_child(*this, file); child.has_value()) return child;
  }
  // Finds the games also under the name of the directory.
  const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
  if (!stem.has_value() || *stem != this->name()) return std::nullopt;
  return Child{.name = std::string(name), .place = file(kSetGames)};
}

}  // namespace scidfs::fs
