// eco/B/B90.pgn: games by ECO code; eco/_unknown.pgn: those without a code. The letters and the
// codes, eco/B/B90/, are sets.
#include "codec/eco.h"

#include <memory>

#include "fs/base/filename.h"
#include "fs/base/names.h"
#include "fs/database/game_bitmap.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// The key of a letter is 0..4, that of a code its base (kEcoBases: unknown).
constexpr std::uint32_t kCodesPerLetter = 100;
constexpr std::uint32_t kLetters = codec::kEcoBases / kCodesPerLetter;
constexpr std::uint32_t kUnknownCode = codec::kEcoBases;

GameList games_of(const Database& database, std::uint32_t base) {
  return database.lists().eco_games().games(base);
}

std::string code_name(std::uint32_t base) {
  return base == kUnknownCode ? std::string(kUnknownName) : codec::eco_base_to_string(base);
}

bool has_letter(const Database& database, std::uint32_t letter) {
  if (letter >= kLetters) return false;
  for (std::uint32_t i = 0; i < kCodesPerLetter; ++i) {
    if (!games_of(database, letter * kCodesPerLetter + i).empty()) return true;
  }
  return false;
}

std::string letter_name(std::uint32_t letter) {
  return std::string(1, static_cast<char>('A' + letter));
}

// Returns the file of a code; nothing if there are no games.
std::optional<Child> code_file(const Version& version, std::uint32_t base) {
  if (games_of(*version.database(), base).empty()) return std::nullopt;
  return eco_code_view().games_file(code_name(base) + ".pgn", base);
}

// Finds the file or the directory of a code by its name in its parent directory.
std::optional<Child> find_code(const Version& version, std::string_view name) {
  const std::optional<std::string_view> stem = strip_suffix(name, ".pgn");
  const std::string_view code = stem.value_or(name);
  const std::uint32_t base = code == kUnknownName ? kUnknownCode : codec::parse_eco_base(code);
  if (base == kUnknownCode && code != kUnknownName) return std::nullopt;
  if (games_of(*version.database(), base).empty()) return std::nullopt;
  return stem.has_value() ? eco_code_view().games_file(std::string(name), base)
                          : eco_code_view().set_directory(std::string(name), base);
}

class EcoView : public PlacesView {
 public:
  std::string_view name() const override { return "eco"; }
  bool is_directory(LocalId place) const override { return place.entry == 0; }
  bool exists(const Version&, LocalId place) const override { return place == LocalId{kEcoView}; }

  absl::Status list(const Version& version, LocalId, std::uint64_t first, const WorkBudget&,
                    EmitChild emit) const override {
    return list_children(
        first, kLetters + 1,
        [&](std::uint64_t i) {
          return i < kLetters ? letter_directory(version, static_cast<std::uint32_t>(i))
                              : code_file(version, kUnknownCode);
        },
        emit);
  }

  std::optional<Child> find(const Version& version, LocalId, std::string_view name) const override {
    if (name.starts_with(kUnknownName)) return find_code(version, name);
    if (name.size() != 1 || name[0] < 'A' || name[0] >= static_cast<char>('A' + kLetters)) {
      return std::nullopt;
    }
    return letter_directory(version, static_cast<std::uint32_t>(name[0] - 'A'));
  }

 private:
  // Returns nothing if there are no games.
  static std::optional<Child> letter_directory(const Version& version, std::uint32_t letter) {
    if (!has_letter(*version.database(), letter)) return std::nullopt;
    return eco_letter_view().set_directory(letter_name(letter), letter);
  }
};

class EcoLetterSet : public Set {
 public:
  using Set::Set;

  // The sets of the codes already list all games.
  Listing listing() const override { return Listing::Tables; }
  absl::StatusOr<GameSet> games(const WorkBudget&) const override {
    GameBitmap games(database().games());
    for (std::uint32_t i = 0; i < kCodesPerLetter; ++i) {
      games.add(games_of(database(), directory().key * kCodesPerLetter + i));
    }
    return DatabaseGames(database_ptr(), games.to_deltas());
  }
  std::string name() const override { return letter_name(directory().key); }
  std::string title() const override { return "ECO " + name(); }
  LocalId parent() const override { return {.view = kEcoView}; }

 protected:
  std::uint64_t child_count() const override { return kCodesPerLetter; }
  std::optional<Child> child(std::uint64_t i) const override {
    return code_file(version(), static_cast<std::uint32_t>(directory().key * kCodesPerLetter + i));
  }
  std::optional<Child> find_child(std::string_view name) const override {
    std::optional<Child> code = find_code(version(), name);
    if (!code.has_value() || code->place.key / kCodesPerLetter != directory().key) {
      return std::nullopt;
    }
    return code;
  }
};

SetPtr bind_letter(const Version& version, LocalId directory) {
  if (!has_letter(*version.database(), directory.key)) return nullptr;
  return std::make_unique<EcoLetterSet>(version, directory);
}

class EcoCodeSet : public ListedSet {
 public:
  using ListedSet::ListedSet;

  std::string name() const override { return code_name(base()); }
  std::string title() const override {
    return base() == kUnknownCode ? "Games without an ECO code" : "ECO " + code_name(base());
  }
  LocalId parent() const override {
    return base() == kUnknownCode ? LocalId{.view = kEcoView}
                                  : eco_letter_view().directory_of(base() / kCodesPerLetter);
  }

 private:
  std::uint32_t base() const { return directory().key; }
};

SetPtr bind_code(const Version& version, LocalId directory) {
  const GameList games = games_of(*version.database(), directory.key);
  if (games.empty()) return nullptr;
  return std::make_unique<EcoCodeSet>(version, directory, games);
}

}  // namespace

const View& eco_view() {
  static const EcoView kView;
  return kView;
}

const SetView& eco_letter_view() {
  static const SetView kView(kEcoLetterView, &bind_letter);
  return kView;
}

const SetView& eco_code_view() {
  static const SetView kView(kEcoCodeView, &bind_code);
  return kView;
}

}  // namespace scidfs::fs
