#include "fs/views/set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "fs/base/names.h"
#include "fs/base/status_macros.h"
#include "fs/database/game_content.h"
#include "fs/tables/set_tables.h"
#include "fs/views/found_games.h"
#include "fs/views/listed_sizes.h"
#include "fs/views/set_files.h"

namespace scidfs::fs {
namespace {

// A file or a directory in the directory of a set.
class SetRow : public ViewNode {
 public:
  SetRow(SetPtr set, const SetFile& row) : set_(std::move(set)), row_(row) {}

  bool is_directory() const override { return row_.is_directory(); }
  // A directory without a name of its own stands for a query, which knows what is above.
  LocalId parent() const override { return row_.name.empty() ? set_->parent() : set_->directory(); }
  absl::Status list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const override;
  std::optional<Child> find(std::string_view name) const override;
  NodePtr bind_child(const Child& child) const override { return set_->bind_child(child); }
  std::optional<std::uint64_t> known_size() const override {
    const ListedSizes* const saved = saved_sizes();
    return saved == nullptr ? std::nullopt : saved->find(row_.entry);
  }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
    if (row_.is_directory()) return Node::open(budget);
    absl::StatusOr<std::unique_ptr<Content>> content = row_.open(*set_, budget);
    const ListedSizes* const saved = saved_sizes();
    if (!content.ok() || saved == nullptr) return content;
    RETURN_IF_ERROR(saved->check(row_.entry, (*content)->size()));
    return content;
  }

 private:
  // Returns null if it is of no set that has saved sizes.
  const ListedSizes* saved_sizes() const {
    return set_->is_database() ? set_->version().listed_sizes.get() : nullptr;
  }

  const SetPtr set_;
  const SetFile& row_;
};

absl::Status SetRow::list(std::uint64_t first, const WorkBudget& budget, EmitChild emit) const {
  if (!row_.is_directory()) return absl::OkStatus();
  std::vector<const SetFile*> files = files_in(row_.entry);
  std::erase_if(files, [](const SetFile* file) { return file->is_of_pages; });
  bool stopped = false;
  absl::Status status = list_children(
      first, files.size(), [&](std::uint64_t i) { return set_child(*set_, *files[i]); },
      [&](Child child, std::uint64_t next) {
        stopped = !emit(std::move(child), next);
        return !stopped;
      });
  if (!status.ok() || stopped) return status;
  const std::uint64_t rest = first - std::min<std::uint64_t>(first, files.size());
  return row_.list(*set_, rest, budget, [&](Child child, std::uint64_t next) {
    return emit(std::move(child), next + files.size());
  });
}

std::optional<Child> SetRow::find(std::string_view name) const {
  if (!row_.is_directory()) return std::nullopt;
  for (const SetFile* const file : files_in(row_.entry)) {
    if (file->name == name) return set_child(*set_, *file);
  }
  return row_.find(*set_, name);
}

}  // namespace

std::string Set::answer_key() const { return answer_key_of(directory_, {}); }

std::string Set::owner_of_part(std::size_t part, bool is_sum) const {
  if (!is_sum) return fmt::format("{}/{}", version_.id, part);
  return fmt::format("{}{}", version_.part(part).id, directories_in(part));
}

QueryPtr Set::asked() const { return std::make_shared<const Query>(Query{.base = directory_}); }

absl::StatusOr<std::unique_ptr<Content>> Set::open_games_file(const GameSet& games,
                                                              const WorkBudget& budget) const {
  return open_games(games, budget);
}

absl::StatusOr<std::unique_ptr<Content>> Set::open_index(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const GameSet games, this->games(budget));
  return open_set_index(games, budget);
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
  if (!stem.has_value() || *stem != this->name()) {
    note_unknown(name);
    return std::nullopt;
  }
  return Child{.name = std::string(name), .place = file(kSetGames)};
}

NodePtr Set::bind_child(const Child& child) const {
  const bool is_here = child.place.key == directory_.key &&
                       (child.place.view == directory_.view || child.place.view == files_);
  return is_here && child.place.entry != kSet ? bind_entry(child.place.entry) : nullptr;
}

ViewNodePtr Set::bind_entry(std::uint8_t entry) const {
  const SetFile* const row = set_file(entry);
  if (row == nullptr || !has_file(*this, *row)) return nullptr;
  return std::make_shared<const SetRow>(shared_from_this(), *row);
}

}  // namespace scidfs::fs
