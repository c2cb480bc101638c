// games/ and fens/, and deleted/, which is a set as well.
#include <array>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/numbered_games.h"

namespace scidfs::fs {
namespace {

class NumberedView : public View {
 public:
  NumberedView(ViewNumber number, std::string_view name, NumberedGames::Kind kind)
      : number_(number),
        name_(name),
        games_({.view = number, .thousand_level = kThousand, .game_level = kGame, .kind = kind}) {}

  std::string_view name() const override { return name_; }
  bool is_directory(Place place) const override { return place.level <= kThousand; }

  bool exists(const Version& version, Place place) const override {
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kThousand:
        return games_.has_thousand(*version.database, place.key);
      case kGame:
        return games_.has_game(*version.database, place.key);
      default:
        return false;
    }
  }
  Place parent(const Version&, Place directory) const override {
    return directory.level == kThousand ? Place{.view = number_} : Place{};
  }
  absl::Status list(const Version& version, Place directory, std::uint64_t first, const Effort&,
                    EmitChild emit) const override {
    const Database& database = *version.database;
    if (directory.level == kThousand) {
      return games_.list_games(database, directory.key, first, emit);
    }
    return list_children(
        first, games_.thousands(database),
        [&](std::uint64_t position) { return games_.thousand(database, position); }, emit);
  }
  std::optional<Child> lookup(const Version& version, Place directory,
                              std::string_view name) const override {
    return directory.level == kThousand ? games_.find_game(*version.database, directory.key, name)
                                        : games_.find_above(*version.database, name);
  }
  bool is_cheap(Place file) const override { return file.level == kGame; }
  absl::StatusOr<std::unique_ptr<Content>> open(const Version& version, Place file,
                                                const Effort& effort) const override {
    return games_.open(version.database, file.key, effort);
  }

 private:
  enum Level : std::uint8_t { kDirectory, kThousand, kGame };

  const ViewNumber number_;
  const std::string_view name_;
  const NumberedGames games_;
};

class DeletedView : public SetView {
 public:
  DeletedView() : SetView(kDeletedView) {}

  std::string_view name() const override { return directory_of(Part::Deleted); }
  bool has_content(const Database& database) const override { return games_.has_content(database); }

  bool is_directory(Place place) const override {
    return place.level == kThousand || SetView::is_directory(place);
  }
  bool exists(const Version& version, Place place) const override {
    if (place.level == kThousand) return games_.has_thousand(*version.database, place.key);
    if (place.level == kGame) return games_.has_game(*version.database, place.key);
    return SetView::exists(version, place);
  }
  Place parent(const Version& version, Place directory) const override {
    return directory.level == kThousand ? place(kSet, 0) : SetView::parent(version, directory);
  }
  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override {
    if (directory.level != kThousand) {
      return SetView::list(version, directory, first, effort, emit);
    }
    return games_.list_games(*version.database, directory.key, first, emit);
  }
  std::optional<Child> lookup(const Version& version, Place directory,
                              std::string_view name) const override {
    return directory.level == kThousand ? games_.find_game(*version.database, directory.key, name)
                                        : SetView::lookup(version, directory, name);
  }
  bool is_cheap(Place file) const override { return file.level == kGame; }

  bool has_set(const Version& version, std::uint32_t key) const override {
    return key == 0 && has_content(*version.database);
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t,
                                const Effort&) const override {
    return GameSet(version.database, version.database->deleted(), Part::Deleted);
  }
  std::string directory_name(const Version&, std::uint32_t) const override {
    return std::string(name());
  }
  std::string title(const Version&, std::uint32_t) const override {
    return "Games marked as deleted";
  }

 protected:
  Place directory_above(const Version&, std::uint32_t) const override { return {}; }
  std::string_view games_name() const override { return "all.pgn"; }
  std::uint64_t own_count(const Version& version, std::uint32_t) const override {
    return games_.thousands(*version.database);
  }
  std::optional<Child> own_child(const Version& version, std::uint32_t,
                                 std::uint64_t i) const override {
    return games_.thousand(*version.database, i);
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t,
                                std::string_view name) const override {
    return games_.find_above(*version.database, name);
  }
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort& effort) const override {
    return games_.open(version.database, file.key, effort);
  }
  absl::StatusOr<std::unique_ptr<Content>> open_index(const Version& version, std::uint32_t,
                                                      const Effort&) const override {
    return open_index_tsv(version.database, Part::Deleted);
  }

 private:
  static constexpr std::uint8_t kThousand = kOwnLevel;
  static constexpr std::uint8_t kGame = kOwnLevel + 1;

  const NumberedGames games_{NumberedGames::Options{.view = kDeletedView,
                                                    .thousand_level = kThousand,
                                                    .game_level = kGame,
                                                    .part = Part::Deleted}};
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
