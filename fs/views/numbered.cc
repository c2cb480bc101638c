// games/, fens/, and deleted/, which is also a set.
#include <array>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/numbered_games.h"

namespace scidfs::fs {
namespace {

class NumberedView : public PlacesView {
 public:
  NumberedView(std::string_view name, const NumberedGames::Options& options)
      : name_(name), games_(options), own_{.view = options.view} {}

  std::string_view name() const override { return name_; }
  bool is_directory(LocalId place) const override {
    return place.entry <= NumberedGames::kThousand;
  }

  bool exists(const Version& version, LocalId place) const override {
    switch (place.entry) {
      case NumberedGames::kDirectory:
        return place == own_ && games_.above() == own_;
      case NumberedGames::kThousand:
        return games_.has_thousand(*version.database(), place.key);
      default:
        return games_.is_file(place.entry) && games_.has_game(*version.database(), place.key);
    }
  }
  LocalId parent(const Version&, LocalId directory) const override {
    return directory == own_ ? LocalId{} : games_.above();
  }
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget&, EmitChild emit) const override {
    const Database& database = *version.database();
    if (directory != own_) return games_.list_games(database, directory.key, first, emit);
    return list_children(
        first, games_.thousands(database),
        [&](std::uint64_t position) { return games_.thousand(database, position); }, emit);
  }
  absl::Status list_game_pages(const Version& version, LocalId directory, std::uint64_t first,
                               EmitChild emit) const override {
    if (directory == own_) return absl::OkStatus();
    return games_.list_pages(*version.database(), directory.key, first, emit);
  }
  std::optional<Child> find(const Version& version, LocalId directory,
                            std::string_view name) const override {
    return directory == own_ ? games_.find_above(*version.database(), name)
                             : games_.find_game(*version.database(), directory.key, name);
  }
  bool is_cheap(LocalId file) const override { return file.entry == NumberedGames::kGame; }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const override {
    return games_.open(version, file, budget);
  }

 private:
  const std::string_view name_;
  const NumberedGames games_;
  const LocalId own_;
};

constexpr NumberedGames::Options kDeletedOptions{
    .view = kDeletedGamesView, .above = {.view = kDeletedView}, .part = Part::Deleted};
constexpr NumberedGames kDeletedGames(kDeletedOptions);

class DeletedSet : public Set {
 public:
  using Set::Set;

  Listing listing() const override { return Listing::AllGames; }
  absl::StatusOr<GameSet> games(const WorkBudget&) const override {
    return DatabaseGames(database_ptr(), database().loaded().deleted(), Part::Deleted);
  }
  std::string name() const override { return std::string(directory_of(Part::Deleted)); }
  std::string title() const override { return "Games marked as deleted"; }
  LocalId parent() const override { return {}; }
  absl::StatusOr<std::unique_ptr<Content>> open_index(const WorkBudget&) const override {
    return open_index_tsv(database_ptr(), Part::Deleted);
  }

 protected:
  std::uint64_t child_count() const override { return kDeletedGames.thousands(database()); }
  std::optional<Child> child(std::uint64_t i) const override {
    return kDeletedGames.thousand(database(), i);
  }
  std::optional<Child> find_child(std::string_view name) const override {
    return kDeletedGames.find_above(database(), name);
  }
};

SetPtr bind_deleted(const Version& version, LocalId directory) {
  if (directory.key != 0 || !kDeletedGames.has_content(*version.database())) return nullptr;
  return std::make_unique<DeletedSet>(version, directory);
}

// A set that also has its games in directories of a thousand.
class DeletedView : public SetView {
 public:
  DeletedView() : SetView(kDeletedView, &bind_deleted) {}

  std::string_view name() const override { return fs::directory_of(Part::Deleted); }
  bool has_content(const Database& database) const override {
    return kDeletedGames.has_content(database);
  }
};

}  // namespace

const View& games_view() {
  static const NumberedView kView(directory_of(Part::Shown),
                                  {.view = kGamesView, .above = {.view = kGamesView}});
  return kView;
}

const SetView& deleted_view() {
  static const DeletedView kView;
  return kView;
}

const View& deleted_games_view() {
  static const NumberedView kView({}, kDeletedOptions);
  return kView;
}

const View& fens_view() {
  static const NumberedView kView(
      "fens",
      {.view = kFensView, .above = {.view = kFensView}, .kind = NumberedGames::Kind::Positions});
  return kView;
}

}  // namespace scidfs::fs
