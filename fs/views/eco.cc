// eco/B/B90.pgn: games by ECO code; those without one in eco/_unknown.pgn.
#include "codec/eco.h"

#include "fs/base/names.h"
#include "fs/views/all.h"

namespace scidfs::fs {
namespace {

// Keys: of a letter 0..4, of a file the base of the code (kEcoBases: unknown).
enum Level : std::uint8_t { kDirectory, kLetter, kCode };

constexpr std::uint32_t kCodesPerLetter = 100;
constexpr std::uint32_t kLetters = codec::kEcoBases / kCodesPerLetter;

GameList games_of(const Database& database, std::uint32_t base) {
  return database.lists().eco_games().games(base);
}

bool has_letter(const Database& database, std::uint32_t letter) {
  if (letter >= kLetters) return false;
  for (std::uint32_t i = 0; i < kCodesPerLetter; ++i) {
    if (!games_of(database, letter * kCodesPerLetter + i).empty()) return true;
  }
  return false;
}

// Nothing if there are no games.
std::optional<Child> letter_directory(const Database& database, std::uint32_t letter) {
  if (!has_letter(database, letter)) return std::nullopt;
  return Child{.name = std::string(1, static_cast<char>('A' + letter)),
               .place = {.level = kLetter, .key = letter},
               .is_directory = true};
}

std::optional<Child> code_child(const Database& database, std::uint32_t base) {
  if (games_of(database, base).empty()) return std::nullopt;
  const std::string code = base == codec::kEcoBases ? "_unknown" : codec::eco_base_to_string(base);
  return Child{.name = code + ".pgn", .place = {.level = kCode, .key = base}};
}

class EcoView : public View {
 public:
  std::string_view name() const override { return "eco"; }
  bool is_directory(Place place) const override { return place.level <= kLetter; }

  bool exists(const Database& database, Place place) const override {
    switch (place.level) {
      case kDirectory:
        return place.key == 0;
      case kLetter:
        return has_letter(database, place.key);
      case kCode:
        return !games_of(database, place.key).empty();
      default:
        return false;
    }
  }

  void list(const Database& database, Place directory, std::uint64_t first,
            EmitChild emit) const override {
    if (directory.level == kDirectory) {
      list_children(
          first, kLetters + 1,
          [&](std::uint64_t i) {
            return i < kLetters ? letter_directory(database, static_cast<std::uint32_t>(i))
                                : code_child(database, codec::kEcoBases);
          },
          emit);
      return;
    }
    list_children(
        first, kCodesPerLetter,
        [&](std::uint64_t i) {
          return code_child(database,
                            static_cast<std::uint32_t>(directory.key * kCodesPerLetter + i));
        },
        emit);
  }

  std::optional<Child> lookup(const Database& database, Place directory,
                              std::string_view name) const override {
    if (directory.level == kDirectory) {
      if (name == "_unknown.pgn") return code_child(database, codec::kEcoBases);
      if (name.size() != 1 || name[0] < 'A' || name[0] >= static_cast<char>('A' + kLetters)) {
        return std::nullopt;
      }
      return letter_directory(database, static_cast<std::uint32_t>(name[0] - 'A'));
    }
    const std::optional<std::string_view> code = strip_suffix(name, ".pgn");
    if (!code.has_value()) return std::nullopt;
    const unsigned base = codec::parse_eco_base(*code);
    if (base / kCodesPerLetter != directory.key) return std::nullopt;
    return code_child(database, base);
  }

  std::optional<GameSet> set_of(const DatabasePtr& database, Place file) const override {
    return GameSet(database, games_of(*database, file.key));
  }
};

}  // namespace

const View& eco_view() {
  static const EcoView kView;
  return kView;
}

}  // namespace scidfs::fs
