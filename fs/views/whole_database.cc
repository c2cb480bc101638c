// The directory of a database: the set of all its games, the files about it, and the other views.
//
// Not listed, but there: what tells programs that read whole folders where they would meet each
// game many times.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fs/database/index_tsv.h"
#include "fs/views/all.h"
#include "fs/views/database_texts.h"

namespace scidfs::fs {
namespace {

// Own levels. info.txt has two texts, each under a key of its own: one that does not count damaged
// games, which can always be read, and one that does, which is there as soon as all games have been
// looked at.
constexpr std::uint8_t kInfo = kOwnLevel;
constexpr std::uint8_t kErrors = kOwnLevel + 1;
constexpr std::uint8_t kRules = kOwnLevel + 2;
enum InfoKey : std::uint32_t { kNotCounted, kCounted };

constexpr std::string_view kInfoName = "info.txt";
constexpr std::string_view kErrorsName = "errors.tsv";
constexpr std::uint64_t kOwnFiles = 2;

// By key. ripgrep, and others that search texts, read .ignore; so would fd, which searches names,
// and is to find them all: it believes .fdignore more.
constexpr std::array<std::string_view, 2> kRulesNames = {".ignore", ".fdignore"};
constexpr std::string_view kFindAll = "!*\n";

class WholeDatabaseView : public SetView {
 public:
  WholeDatabaseView() : SetView(kDatabaseView) {}

  bool has_set(const Version&, std::uint32_t key) const override { return key == 0; }
  bool exists(const Version& version, Place place) const override {
    if (place.level == kInfo && place.key == kCounted) return version.database->sizes().complete();
    if (place.level == kRules) return place.key < kRulesNames.size();
    return SetView::exists(version, place);
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t,
                                const Effort&) const override {
    return GameSet(version.database, version.database->shown());
  }
  std::string directory_name(const Version& version, std::uint32_t) const override {
    return version.database->name();
  }
  std::string title(const Version& version, std::uint32_t) const override {
    return version.database->name();
  }

 protected:
  Place directory_above(const Version&, std::uint32_t) const override { return {}; }
  std::string_view games_name() const override { return "all.pgn"; }
  std::span<const std::string_view> listed(const Version&, std::uint32_t) const override {
    return kListed;
  }
  std::uint64_t own_count(const Version&, std::uint32_t) const override {
    return kOwnFiles + kViews;
  }
  std::optional<Child> own_child(const Version& version, std::uint32_t,
                                 std::uint64_t i) const override {
    if (i == 0) return info_file(*version.database);
    if (i == 1) return errors_file();
    return view_directory(*version.database, static_cast<std::uint8_t>(i - kOwnFiles));
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t,
                                std::string_view name) const override {
    if (name == kInfoName) return info_file(*version.database);
    if (name == kErrorsName) return errors_file();
    if (const auto* const rules = std::ranges::find(kRulesNames, name);
        rules != kRulesNames.end()) {
      return Child{.name = std::string(name),
                   .place = place(kRules, static_cast<std::uint32_t>(rules - kRulesNames.begin()))};
    }
    for (std::uint8_t number = 0; number < kViews; ++number) {
      if (find_view(number)->name() == name) return view_directory(*version.database, number);
    }
    return std::nullopt;
  }
  bool own_exists(const Version&, Place place) const override { return place.level <= kErrors; }
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort& effort) const override {
    const Database& database = *version.database;
    if (file.level == kInfo) {
      return std::make_unique<TextContent>(info_text(database, file.key == kCounted));
    }
    if (file.level == kRules) {
      return std::make_unique<TextContent>(file.key == 0 ? rules_text(database.reference())
                                                         : std::string(kFindAll));
    }
    absl::StatusOr<std::string> text = errors_text(database, effort);
    if (!text.ok()) return text.status();
    return std::make_unique<TextContent>(*std::move(text));
  }
  absl::StatusOr<std::unique_ptr<Content>> open_index(const Version& version, std::uint32_t,
                                                      const Effort&) const override {
    return open_index_tsv(version.database, Part::Shown);
  }

 private:
  static constexpr std::array<std::string_view, 9> kListed = {
      "index.tsv",    kGamesName, "summary.txt", "players.tsv", kPeopleName,
      "openings.tsv", "search",   "tree",        "positions"};

  // All that shows the games of all.pgn again.
  static std::string rules_text(const Reference& reference) {
    std::string text = "# Each game once, in all.pgn. `rg -u` reads everything.\n";
    const auto leave_out = [&text](std::string_view name) {
      if (!name.empty() && name != kGamesName) text += fmt::format("/{}\n", name);
    };
    for (const std::string_view name : kListed) {
      if (name != kPeopleName || reference.spelling != nullptr) leave_out(name);
    }
    for (std::uint8_t number = 0; number < kViews; ++number) {
      const View& view = *find_view(number);
      if (view.is_known(reference)) leave_out(view.name());
    }
    return text;
  }
  Child info_file(const Database& database) const {
    const bool is_complete = database.sizes().complete();
    return {.name = std::string(kInfoName),
            .place = place(kInfo, is_complete ? kCounted : kNotCounted),
            .is_settled = is_complete};
  }
  Child errors_file() const {
    return {.name = std::string(kErrorsName), .place = place(kErrors, 0)};
  }

  // Nothing if the view does not stand here, or has nothing to show.
  static std::optional<Child> view_directory(const Database& database, std::uint8_t number) {
    const View& view = *find_view(number);
    if (view.name().empty() || !view.is_known(database.reference()) ||
        !view.has_content(database)) {
      return std::nullopt;
    }
    return Child{.name = std::string(view.name()), .place = {.view = number}, .is_directory = true};
  }
};

}  // namespace

const SetView& database_view() {
  static const WholeDatabaseView kView;
  return kView;
}

}  // namespace scidfs::fs
