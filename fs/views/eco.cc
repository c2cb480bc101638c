// eco/B/B90.pgn: games by ECO code; those without one in eco/_unknown.pgn. The letters and the
// codes, eco/B/B90/, are sets.
#include "codec/eco.h"

#include <array>

#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/database/game_bits.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// Keys: of a letter 0..4, of a code its base (kEcoBases: unknown).
constexpr std::uint32_t kCodesPerLetter = 100;
constexpr std::uint32_t kLetters = codec::kEcoBases / kCodesPerLetter;
constexpr std::uint32_t kUnknownCode = codec::kEcoBases;

GameList games_of(const Database& database, std::uint32_t base) {
  return database.lists().eco_games().games(base);
}

// The file of a code; nothing if there are no games.
std::optional<Child> code_file(const Version& version, std::uint32_t base) {
  if (!eco_code_view().has_set(version, base)) return std::nullopt;
  return eco_code_view().games_file(eco_code_view().directory_name(version, base) + ".pgn", base);
}

// The file or the directory of a code, by its name in the directory where it lies.
std::optional<Child> find_code(const Version& version, std::string_view name) {
  const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
  const std::string_view code = stem.value_or(name);
  const std::uint32_t base = code == kUnknownName ? kUnknownCode : codec::parse_eco_base(code);
  if (base == kUnknownCode && code != kUnknownName) return std::nullopt;
  if (!eco_code_view().has_set(version, base)) return std::nullopt;
  return stem.has_value() ? eco_code_view().games_file(std::string(name), base)
                          : eco_code_view().set_directory(std::string(name), base);
}

class EcoView : public View {
 public:
  std::string_view name() const override { return "eco"; }
  bool is_directory(Place place) const override { return place.level == 0; }
  bool exists(const Version&, Place place) const override { return place == Place{kEcoView}; }
  Place parent(const Version&, Place) const override { return {}; }

  absl::Status list(const Version& version, Place, std::uint64_t first, const Effort&,
                    EmitChild emit) const override {
    return list_children(
        first, kLetters + 1,
        [&](std::uint64_t i) {
          return i < kLetters ? letter_directory(version, static_cast<std::uint32_t>(i))
                              : code_file(version, kUnknownCode);
        },
        emit);
  }

  std::optional<Child> lookup(const Version& version, Place, std::string_view name) const override {
    if (name.starts_with(kUnknownName)) return find_code(version, name);
    if (name.size() != 1 || name[0] < 'A' || name[0] >= static_cast<char>('A' + kLetters)) {
      return std::nullopt;
    }
    return letter_directory(version, static_cast<std::uint32_t>(name[0] - 'A'));
  }

 private:
  // Nothing if there are no games.
  static std::optional<Child> letter_directory(const Version& version, std::uint32_t letter) {
    if (!eco_letter_view().has_set(version, letter)) return std::nullopt;
    return eco_letter_view().set_directory(eco_letter_view().directory_name(version, letter),
                                           letter);
  }
};

class EcoLetterView : public SetView {
 public:
  EcoLetterView() : SetView(kEcoLetterView) {}

  bool has_set(const Version& version, std::uint32_t key) const override {
    if (key >= kLetters) return false;
    for (std::uint32_t i = 0; i < kCodesPerLetter; ++i) {
      if (!games_of(*version.database, key * kCodesPerLetter + i).empty()) return true;
    }
    return false;
  }
  absl::StatusOr<GameSet> games(const Version& version, std::uint32_t key,
                                const Effort&) const override {
    GameBits games(version.database->games());
    for (std::uint32_t i = 0; i < kCodesPerLetter; ++i) {
      games.add(games_of(*version.database, key * kCodesPerLetter + i));
    }
    return GameSet(version.database, games.to_deltas());
  }
  std::string directory_name(const Version&, std::uint32_t key) const override {
    return std::string(1, static_cast<char>('A' + key));
  }
  std::string title(const Version& version, std::uint32_t key) const override {
    return "ECO " + directory_name(version, key);
  }

 protected:
  Place directory_above(const Version&, std::uint32_t) const override { return {.view = kEcoView}; }
  // The codes share out the games already.
  std::span<const std::string_view> listed(const Version&, std::uint32_t) const override {
    static constexpr std::array<std::string_view, 2> kListed = {"index.tsv", "summary.txt"};
    return kListed;
  }
  std::uint64_t own_count(const Version&, std::uint32_t) const override { return kCodesPerLetter; }
  std::optional<Child> own_child(const Version& version, std::uint32_t key,
                                 std::uint64_t i) const override {
    return code_file(version, static_cast<std::uint32_t>(key * kCodesPerLetter + i));
  }
  std::optional<Child> find_own(const Version& version, std::uint32_t key,
                                std::string_view name) const override {
    std::optional<Child> code = find_code(version, name);
    if (!code.has_value() || code->place.key / kCodesPerLetter != key) return std::nullopt;
    return code;
  }
};

class EcoCodeView : public ListedSetView {
 public:
  EcoCodeView() : ListedSetView(kEcoCodeView) {}

  std::string directory_name(const Version&, std::uint32_t key) const override {
    return key == kUnknownCode ? std::string(kUnknownName) : codec::eco_base_to_string(key);
  }
  std::string title(const Version&, std::uint32_t key) const override {
    return key == kUnknownCode ? "Games without an ECO code"
                               : "ECO " + codec::eco_base_to_string(key);
  }

 protected:
  Place directory_above(const Version&, std::uint32_t key) const override {
    if (key == kUnknownCode) return {.view = kEcoView};
    return eco_letter_view().set_directory("", key / kCodesPerLetter).place;
  }
  GameList list_of(const Version& version, std::uint32_t key) const override {
    return games_of(*version.database, key);
  }
};

}  // namespace

const View& eco_view() {
  static const EcoView kView;
  return kView;
}

const SetView& eco_letter_view() {
  static const EcoLetterView kView;
  return kView;
}

const SetView& eco_code_view() {
  static const EcoCodeView kView;
  return kView;
}

}  // namespace scidfs::fs
