// FIDE's list of players: any header and any lines, and the arrays that are kept of them.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/spelling_file.h"
#include "fs/reference/player_list.h"
#include "tests/fuzz/target.h"
#include "tests/support/player_list.h"

namespace scidfs::fuzz {
namespace {

class PlayerListTarget : public Target {
 public:
  std::string_view name() const override { return "player_list"; }

  void check(std::string_view input) const override {
    fs::PlayerListBuilder builder;
    codec::scid::LineCutter lines;
    std::uint64_t count = 0;
    const auto add = [&](std::uint64_t, std::string_view line) {
      builder.add(line);
      ++count;
    };
    lines.add(input, add);
    lines.finish(add);
    absl::StatusOr<fs::PlayerList::Arrays> arrays = builder.finish(0);
    if (!arrays.ok()) {
      require(absl::IsInvalidArgument(arrays.status()), "a refusal of another kind");
      return;
    }
    check_arrays_at_any_place(*arrays);
    const fs::PlayerList list(*std::move(arrays));
    require(list.players() + builder.skipped() < count, "more players than lines");
    for (std::uint32_t player = 0; player < list.players(); ++player) check_player(list, player);
  }

  std::vector<Seed> seeds() const override {
    return {
        {"list", tests::player_list(
                     {{.id = 30, .name = "Berg, Adam", .rating = 2000, .born = 1980},
                      {.id = 10, .name = "Aas, Bo", .title = "FM", .flag = "wi"},
                      {.id = 11, .name = "\xC3\xA5s, \xFC", .other_titles = "IA,FT,IO,SI,NI,DI"},
                      {.id = 30, .name = "Berg, Eva"}})},
        {"old",
         "ID number Name          TitlFed  Mar11 GamesBorn  Flag\n"
         "  12      Mu, Nu        wg  GRE   2405 12   1985  wi\n"},
        {"short", "Born ID number Name\n1980 1         x\n     2         y"}};
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    constexpr std::string_view kPieces[] = {
        "\n",         "\r\n", "ID Number", "Name", "Titl",   "Fed",    "OTit",
        "B-day",      "Born", "Flag",      " ",    "     ",  "Mar11",  "SRtng",
        "4294967295", "1",    "\xE9",      "\xC3", "a, b\n", "\x00\n", ","};
    insert_piece(kPieces, input, random, plain);
  }

 private:
  static void check_player(const fs::PlayerList& list, std::uint32_t number) {
    const fs::FidePlayer player = list.player(number);
    check_text(player.name);
    require(!player.name.empty(), "a player without a name");
    require(list.find_id(player.id) == number, "an id does not find its player");
    require(std::ranges::binary_search(list.find_alike(player.name), number),
            "a name does not find its player");
  }
  // Damaged arrays are harmless.
  static void check_arrays_at_any_place(const fs::PlayerList::Arrays& good) {
    fs::PlayerList::Arrays wild = good;
    for (fs::PlayerList::Row& row : wild.rows) {
      row.name ^= row.id << 16;
      row.federation = static_cast<std::uint16_t>(row.id);
    }
    for (fs::PlayerList::Keyed& keyed : wild.order) keyed.player ^= keyed.hash << 8;
    const fs::PlayerList list(std::move(wild));
    for (std::uint32_t player = 0; player < list.players(); ++player) {
      for (const std::uint32_t other : list.find_alike(list.player(player).name))
        list.player(other);
    }
  }
};

}  // namespace

const Target& player_list_target() {
  static const PlayerListTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
