// File names: names of players, events and games as file names, and the reverse.
#include <algorithm>
#include <array>

#include "codec/text.h"
#include "codec/unicode.h"
#include "fs/base/filename.h"
#include "fs/database/group_names.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

// Any text with NULs between its parts.
std::array<std::string_view, 3> split(std::string_view input) {
  std::array<std::string_view, 3> parts;
  for (std::string_view& part : parts) {
    part = input.substr(0, input.find('\0'));
    input.remove_prefix(std::min(part.size() + 1, input.size()));
  }
  return parts;
}

void check_component(std::string_view name, std::size_t most) {
  require(!name.empty() && name.size() <= most, "a name is empty or too long");
  require(codec::is_utf8(tests::as_bytes(name)), "a name is no UTF-8");
  require(name[0] != '.' && name[0] != '-', "a name begins like something else");
  for (const char c : name) {
    const bool special = std::string_view("/*?\"<>|:\\'[]{};$`").find(c) != std::string_view::npos;
    require(static_cast<unsigned char>(c) > ' ' && c != 0x7F && !special, "a name needs quotes");
  }
  require(!name.ends_with('.') && !name.ends_with(' '), "a name ends in a dot");
}

// Restores an escaped name, except for blanks and the truncated part.
std::string unescape(std::string_view name) {
  std::string text;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '%') {
      text += static_cast<char>(std::stoi(std::string(name.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      text += name[i];
    }
  }
  return text;
}

std::string without_blanks(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

bool may_be_cut(std::string_view text) { return text.size() * 3 > fs::kMaxNameBytes; }

void check_escape(const std::string& text) {
  const std::string name = fs::escape_name(text);
  check_component(name, fs::kMaxNameBytes);
  std::string appended = "x";
  fs::append_escaped(text, appended);
  require(appended == "x" + name, "two ways to escape differ");
  std::array<char, fs::kMaxNameBytes> room;
  const std::string_view written(
      room.data(), static_cast<std::size_t>(fs::write_escaped(text, room.data()) - room.data()));
  require(written == name, "two ways to escape differ");
  require(name.find('~') == std::string::npos, "a name has a tilde of its own");
  if (name != fs::kUnknownName) {
    const std::string expected = without_blanks(text);
    const std::string back = without_blanks(unescape(name));
    require(may_be_cut(text) ? expected.starts_with(back) : expected == back,
            "a name does not lead back to its text");
  }
  const std::string shard = fs::shard_of(name);
  require(fs::shard_name(fs::shard_key(shard)) == shard, "a shard does not lead back to itself");
  const std::string suffixed = fs::with_collision_suffix(name, 4'000'000'000);
  const auto halves = fs::parse_collision_suffix(suffixed);
  require(halves.has_value() && halves->first == name && halves->second == 4'000'000'000,
          "a suffix does not lead back to its name");
  require(fs::shard_of(suffixed) == shard, "a suffix changes the shard");
}

void check_game(const std::string& white, const std::string& black, std::string_view bits) {
  std::array<std::uint8_t, 8> number{};
  std::ranges::copy(bits.substr(0, number.size()), number.begin());
  const std::uint32_t game =
      std::max(1U, std::uint32_t{number[0]} << 16 | std::uint32_t{number[1]} << 8 | number[2]);
  const codec::Date date = {.year = static_cast<std::uint16_t>((number[3] << 8 | number[4]) & 2047),
                            .month = static_cast<std::uint8_t>(number[5] & 15),
                            .day = static_cast<std::uint8_t>(number[6] & 31)};
  const std::string name =
      fs::game_file_name(game, white, black, date, static_cast<codec::Result>(number[7] & 3));
  check_component(name, fs::kMaxNameBytes + fs::kGameSuffix.size());
  bool alone = true;
  require(fs::parse_game_number(name, &alone) == game && !alone,
          "a game's name does not lead back to its number");
  const std::string directory = fs::games_directory_name(game);
  require(fs::parse_games_directory(directory) == game / fs::kGamesPerDirectory,
          "a directory's name does not lead back to its number");
}

class FilenameTarget : public Target {
 public:
  std::string_view name() const override { return "filename"; }
  std::size_t most_bytes() const override { return 1000; }

  void check(std::string_view input) const override {
    const auto [first, second, bits] = split(input);
    // Names from a caller.
    for (const std::string_view any : {input, first}) {
      const std::string exact(any);
      (void)fs::parse_game_number(exact);
      (void)fs::parse_games_directory(exact);
      (void)fs::parse_collision_suffix(exact);
      (void)fs::parse_year(exact);
      const std::string folded = codec::fold_case(exact);
      require(codec::fold_case(folded) == folded, "what is folded folds again");
      require(fs::shard_of(exact).size() == 2, "a shard has two letters");
      require(fs::escape_name(exact).size() <= fs::kMaxNameBytes, "a name is too long");
    }
    // Names from a name file.
    const std::string white = codec::clean_line(tests::as_bytes(first));
    const std::string black = codec::clean_line(tests::as_bytes(second));
    check_escape(white);
    check_escape(black);
    check_game(white, black, bits);
    check_component(fs::event_directory_name(white, black), fs::kMaxNameBytes);
    if (white != black) check_pair(white, black);
  }

  std::vector<Seed> seeds() const override {
    using namespace std::string_literals;
    return {{"plain", "Carlsen, M\0Anand, V\0\0\x30\x39\x07\xDD\x0B\x09\x03"s},
            {"empty", "\0?\0"s},
            {"special", "../.\\:*?\0-_ . .%~\0\xFF\xFF\xFF\x00\x00\x00\x00\x00"s},
            {"accents", "Ponomarjow \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\0\xE9\xE8\xC3\0abc"s},
            {"long", std::string(250, '%') + "\0"s + std::string(249, 'a') + "\xC3\xA9\0"s},
            {"dashes", "a--b---\0--c--d--\0"s},
            {"number", "00012345-x.pgn\0"s},
            {"directory", "00012\0"s},
            {"suffix", "Tal,M~123\0"s}};
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kSigns = "/*?\"<>|:\\'[]{};$~%`-_. \t\x7F\xC3\xA9\xF0";
    if (random.one_in(2)) {
      const char sign = kSigns[random.below(kSigns.size())];
      input.insert(random.below(input.size() + 1), 1 + random.below(3), sign);
      input.resize(std::min(input.size(), most_bytes()));
    } else {
      plain(input, most_bytes());
    }
  }

 private:
  // Different names collide only if one has `_` and the other a blank, or if they are truncated.
  static void check_pair(const std::string& white, const std::string& black) {
    const std::string one = fs::escape_name(white);
    if (one != fs::escape_name(black)) return;
    require(without_blanks(white) == without_blanks(black) || one == fs::kUnknownName ||
                may_be_cut(white) || may_be_cut(black),
            "two names meet: " + one);
  }
};

}  // namespace

const Target& filename_target() {
  static const FilenameTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
