// games/, fens/, and deleted/, which is also a set.
#include <array>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/numbered_games.h"

namespace scidfs::fs {
namespace {

class NumberedView : public PlacesView {
 public:
  NumberedView(ViewNumber number, std::string_view name, NumberedGames::Kind kind)
      : number_(number),
        name_(name),
        games_(kind == NumberedGames::Kind::Game
                   ? NumberedGames::Options{.view = number,
                                            .thousand_entry = kThousand,
                                            .game_entry = kGame,
                                            .page_entry = kGamePage,
                                            .page_above_entry = kGamePageAbove,
                                            .picture_entry = kGamePicture}
                   : NumberedGames::Options{.view = number,
                                            .thousand_entry = kThousand,
                                            .game_entry = kGame,
                                            .kind = kind}) {}

  std::string_view name() const override { return name_; }
  bool is_directory(LocalId place) const override { return place.entry <= kThousand; }

  bool exists(const Version& version, LocalId place) const override {
    switch (place.entry) {
      case kDirectory:
        return place.key == 0;
      case kThousand:
        return games_.has_thousand(*version.database, place.key);
      default:
        return games_.is_file(place.entry) && games_.has_game(*version.database, place.key);
    }
  }
  LocalId parent(const Version&, LocalId directory) const override {
    return directory.entry == kThousand ? LocalId{.view = number_} : LocalId{};
  }
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget&, EmitChild emit) const override {
    const Database& database = *version.database;
    if (directory.entry == kThousand) {
      return games_.list_games(database, directory.key, first, emit);
    }
    return list_children(
        first, games_.thousands(database),
        [&](std::uint64_t position) { return games_.thousand(database, position); }, emit);
  }
  absl::Status list_game_pages(const Version& version, LocalId directory, std::uint64_t first,
                               EmitChild emit) const override {
    if (directory.entry != kThousand) return absl::OkStatus();
    return games_.list_pages(*version.database, directory.key, first, emit);
  }
  std::optional<Child> find(const Version& version, LocalId directory,
                            std::string_view name) const override {
    return directory.entry == kThousand ? games_.find_game(*version.database, directory.key, name)
                                        : games_.find_above(*version.database, name);
  }
  bool is_cheap(LocalId file) const override { return file.entry == kGame; }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const override {
    return games_.open(version, file, budget);
  }

 private:
  enum Entry : std::uint8_t {
    kDirectory,
    kThousand,
    kGame,
    kGamePage,
    kGamePageAbove,
    kGamePicture
  };

  const ViewNumber number_;
  const std::string_view name_;
  const NumberedGames games_;
};

constexpr NumberedGames kDeletedGames(NumberedGames::Options{.view = kDeletedView,
                                                             .thousand_entry = kSetThousand,
                                                             .game_entry = kSetNumberedGame,
                                                             .part = Part::Deleted,
                                                             .page_entry = kSetGamePage,
                                                             .page_above_entry = kSetGamePageAbove,
                                                             .picture_entry = kSetGamePicture});

class DeletedSet : public Set {
 public:
  using Set::Set;

  Listing listing() const override { return Listing::AllGames; }
  absl::StatusOr<GameSets> games(const WorkBudget&) const override {
    return GameSet(database_ptr(), database().loaded().deleted(), Part::Deleted);
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
  if (directory.key != 0 || !kDeletedGames.has_content(*version.database)) return nullptr;
  return std::make_unique<DeletedSet>(version, directory);
}

// The games in deleted/, and the directories of a thousand.
class DeletedGamesView : public PlacesView {
 public:
  bool is_directory(LocalId place) const override { return place.entry == kSetThousand; }
  bool is_here(LocalId place) const {
    return is_directory(place) || kDeletedGames.is_file(place.entry);
  }
  bool exists(const Version& version, LocalId place) const override {
    const Database& database = *version.database;
    return is_directory(place) ? kDeletedGames.has_thousand(database, place.key)
                               : kDeletedGames.has_game(database, place.key);
  }
  LocalId parent(const Version&, LocalId) const override { return {.view = kDeletedView}; }
  absl::Status list(const Version& version, LocalId directory, std::uint64_t first,
                    const WorkBudget&, EmitChild emit) const override {
    return kDeletedGames.list_games(*version.database, directory.key, first, emit);
  }
  absl::Status list_game_pages(const Version& version, LocalId directory, std::uint64_t first,
                               EmitChild emit) const override {
    return kDeletedGames.list_pages(*version.database, directory.key, first, emit);
  }
  std::optional<Child> find(const Version& version, LocalId directory,
                            std::string_view name) const override {
    return kDeletedGames.find_game(*version.database, directory.key, name);
  }
  bool is_cheap(LocalId file) const override { return file.entry == kSetNumberedGame; }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, LocalId file,
                                                const WorkBudget& budget) const override {
    return kDeletedGames.open(version, file, budget);
  }
};

class DeletedView : public SetView {
 public:
  DeletedView() : SetView(kDeletedView, &bind_deleted) {}

  std::string_view name() const override { return fs::directory_of(Part::Deleted); }
  bool has_content(const Database& database) const override {
    return kDeletedGames.has_content(database);
  }
  bool is_directory(LocalId place) const override {
    return games_.is_directory(place) || SetView::is_directory(place);
  }
  ViewNodePtr bind(const Version& version, LocalId place) const override {
    return games_.is_here(place) ? games_.bind(version, place) : SetView::bind(version, place);
  }

 private:
  const DeletedGamesView games_;
};

}  // namespace

const View& games_view() {
  static const NumberedView kView(kGamesView, directory_of(Part::Shown), NumberedGames::Kind::Game);
  return kView;
}

const SetView& deleted_view() {
  static const DeletedView kView;
  return kView;
}

const View& fens_view() {
  static const NumberedView kView(kFensView, "fens", NumberedGames::Kind::Positions);
  return kView;
}

}  // namespace scidfs::fs
