// openings/Sicilian/Najdorf/6.a4/: games by the names of their openings, as their positions say.
#include <array>

#include "fs/sets/code_table.h"
#include "fs/sets/game_openings.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

constexpr std::string_view kDirectoryName = "openings";
constexpr std::string_view kCodesName = "codes.tsv";
constexpr std::uint8_t kCodes = kOwnLevel;

// Keys: those of OpeningGroups, 0 for openings/ itself. All groups of the file are there; those
// with games are listed.
class OpeningsView : public SetView {
 public:
  OpeningsView() : SetView(kOpeningsView) {}

  std::string_view name() const override { return kDirectoryName; }
  bool is_known(const Reference& reference) const override { return reference.openings != nullptr; }
  bool has_set(const Version& version, std::uint32_t key) const override {
    return find(version, key).has_value();
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                const Effort& effort) const override {
    return games_of_group(version.database, *find(version, key), effort);
  }
  std::string directory_name(const Version& version, std::uint32_t key) const override {
    return key == 0 ? std::string(kDirectoryName) : group(version, key).file_name;
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    return key == 0 ? "Games with an opening" : group(version, key).name;
  }
  absl::Status list(const Version& version, Place directory, std::uint64_t first,
                    const Effort& effort, EmitChild emit) const override {
    if (directory.level == kSet) {
      absl::Status status = openings_of(*version.database, effort).status();
      if (!status.ok()) return status;
    }
    return SetView::list(version, directory, first, effort, emit);
  }

 protected:
  Place directory_above(const Version& version, std::uint32_t key) const override {
    if (key == 0) return {};
    return place(kSet, groups_of(version)[group(version, key).parent].key);
  }
  // The openings share out the games already.
  std::span<const std::string_view> listed(const Version& version,
                                           std::uint32_t key) const override {
    static constexpr std::array<std::string_view, 2> kTables = {"index.tsv", "summary.txt"};
    if (key == 0) return kTables;
    return SetView::listed(version, key);
  }
  // codes.tsv, then all groups below: empty if another one is between, or if there are no games.
  std::uint64_t own_count(const Version& version, std::uint32_t key) const override {
    return group(version, key).end - *find(version, key);
  }
  std::optional<Child> own_child(const Version& version, std::uint32_t key,
                                 std::uint64_t i) const override {
    if (i == 0) return codes_file(key);
    const OpeningGroups::Index above = *find(version, key);
    const auto index = static_cast<OpeningGroups::Index>(above + i);
    const OpeningGroups::Group& below = groups_of(version)[index];
    if (below.parent != above) return std::nullopt;
    const GameOpeningsPtr openings = version.database->game_openings().made();  // by list()
    if (openings == nullptr || openings->shown_in(index) == 0) return std::nullopt;
    return set_directory(below.file_name, below.key);
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    if (name == kCodesName) return codes_file(key);
    const OpeningGroups& groups = groups_of(version);
    const std::optional<OpeningGroups::Index> below = groups.find(*find(version, key), name);
    if (!below.has_value()) return std::nullopt;
    return set_directory(std::string(name), groups[*below].key);
  }
  bool own_exists(const Version&, Place place) const override { return place.level == kCodes; }
  absl::StatusOr<std::unique_ptr<Content>> open_own(const Version& version, Place file,
                                                    const Effort& effort) const override {
    const absl::StatusOr<GameSet> set = games(version, file.key, effort);
    if (!set.ok()) return set.status();
    absl::StatusOr<std::string> text = code_table(*set, effort);
    if (!text.ok()) return text.status();
    return std::make_unique<TextContent>(*std::move(text));
  }

 private:
  static std::optional<OpeningGroups::Index> find(const Version& version, std::uint32_t key) {
    const OpeningGroups* const groups = version.database->reference().opening_groups();
    if (groups == nullptr) return std::nullopt;
    return groups->find_key(key);
  }
  // REQUIRES for both: the set exists.
  static const OpeningGroups& groups_of(const Version& version) {
    return *version.database->reference().opening_groups();
  }
  static const OpeningGroups::Group& group(const Version& version, std::uint32_t key) {
    return groups_of(version)[*find(version, key)];
  }
  Child codes_file(std::uint32_t key) const {
    return {.name = std::string(kCodesName), .place = place(kCodes, key)};
  }
};

}  // namespace

const SetView& openings_view() {
  static const OpeningsView kView;
  return kView;
}

}  // namespace scidfs::fs
