// A game record and names: explorer.json and pictures of the positions of the main line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/scid/main_line.h"
#include "codec/text.h"
#include "fs/book/book_pages.h"
#include "fs/database/database.h"
#include "fs/database/game_set.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/explorer_json.h"
#include "fs/pages/game_page.h"
#include "fs/pages/notable_games.h"
#include "fs/pages/set_page.h"
#include "fs/positions/moves_played.h"
#include "tests/fuzz/target.h"
#include "tests/support/explorer_check.h"
#include "tests/support/html_check.h"
#include "tests/support/library.h"
#include "tests/support/scid_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/xml_check.h"

namespace scidfs::fuzz {
namespace {

using codec::Color;
using codec::Position;
using codec::TargetPosition;
using codec::scid::NameKind;

constexpr std::size_t kFacts = 8;  // bytes: result, year, month, ratings, length of the first name
constexpr std::size_t kMostName = 60;

// An input: the facts of an index entry, two names, and the record.
struct PagesInput {
  codec::scid::IndexEntry entry;
  std::string white, black, record;
};

PagesInput parse_input(std::string_view input) {
  std::array<std::uint8_t, kFacts> facts{};
  std::copy_n(input.begin(), std::min(input.size(), facts.size()), facts.begin());
  input.remove_prefix(std::min(input.size(), facts.size()));
  const auto take = [&](std::size_t most) {
    const std::string taken(input.substr(0, most));
    input.remove_prefix(taken.size());
    return taken;
  };
  const auto rating = [&](std::size_t at) {
    constexpr unsigned kMostRating = 4000;
    return codec::Rating{
        .value = static_cast<std::uint16_t>((facts[at] * 256U + facts[at + 1]) % kMostRating)};
  };
  PagesInput parsed;
  parsed.entry.result = static_cast<codec::Result>(facts[0] % 4);
  parsed.entry.date = {.year = static_cast<std::uint16_t>(facts[1] * 8U),
                       .month = static_cast<std::uint8_t>(facts[2] % 16)};
  parsed.entry.white_rating = rating(3);
  parsed.entry.black_rating = rating(5);
  parsed.white = take(facts[7] % kMostName);
  parsed.black = take(facts[7] / 4U);
  parsed.record = input;
  return parsed;
}

// A database that has the game three times, the last time without a result and in another year.
tests::ScidFiles database_of(const PagesInput& input) {
  tests::ScidFilesBuilder builder;
  codec::scid::IndexEntry entry = input.entry;
  entry.white = builder.name(NameKind::Player, input.white);
  entry.black = builder.name(NameKind::Player, input.black);
  for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
    builder.name(kind, "x");
  }
  builder.game(entry, input.record);
  std::swap(entry.white, entry.black);
  builder.game(entry, input.record);
  entry.result = codec::Result::Unknown;
  entry.date.year = static_cast<std::uint16_t>(entry.date.year / 2U);
  builder.game(entry, input.record);
  return builder.files();
}

struct MainLinePositions {
  void start(const Position& position) { all.push_back(position); }
  void move(const Position& after, const codec::Move&) { all.push_back(after); }

  std::vector<Position> all;
};

void check_pictures(const Position& position) {
  for (const Color side : {Color::White, Color::Black}) {
    const std::string fault = tests::parse_xml(fs::board_svg(position, side)).fault;
    require(fault.empty(), "a picture is no XML: " + fault);
  }
}

void check_explorer(const fs::DatabasePtr& database, const Position& position) {
  const TargetPosition target{.position = position, .with_rights = false};
  const fs::DatabaseGames games(database, database->shown());
  const auto table = fs::moves_played(games, target, tests::unlimited_budget());
  require(table.ok(), "a position has no table of moves");
  const auto notable =
      fs::notable_games(games, target, fs::kTopGames, fs::kRecentGames, tests::unlimited_budget());
  require(notable.ok(), "a position has no notable games");
  const std::string text = fs::explorer_json(games, position, **table, {}, *notable);
  const std::vector<std::string> faults = tests::explorer_faults(text);
  require(faults.empty(), faults.empty() ? "" : faults[0] + "\nin " + text);
  const auto explorer = tests::parse_explorer(text);
  const codec::scid::NameTable& players = database->names()[NameKind::Player];
  for (const auto& game : explorer["topGames"]) {
    const auto entry =
        database->entry(static_cast<fs::GameIndex>(std::stoul(game["id"].get<std::string>()) - 1));
    require(game["white"]["name"] == players.text(entry.white) &&
                game["black"]["name"] == players.text(entry.black),
            "JSON has other names");
  }
}

// A position of a book with any text as its comment, and its board.
void check_book_page(const std::string& text, const Position& position) {
  const fs::BookPositionFacts facts{
      .position = position,
      .comment = {.text = text},
      .score = {1, 2, std::uint64_t{1} << 61},
      .moves = {
          {.move = {}, .san = text, .comment = {.eco = "E98", .name = text, .variation = text}}}};
  const std::string fault = tests::html_fault(fs::book_position_page({.name = text}, facts));
  require(fault.empty(), "a page of a book is no HTML: " + fault);
}

void check_page(const absl::StatusOr<std::string>& page) {
  require(page.ok(), "a page cannot be made");
  const std::string fault = tests::html_fault(*page);
  require(fault.empty(), "a page is no HTML: " + fault + "\nin " + *page);
}

void check_pages(const fs::DatabasePtr& database) {
  check_page(fs::game_page(*database, 0, fs::Part::Shown, {}, 1));
  const fs::DatabaseGames games(database, database->shown());
  const fs::Identities who(games, fs::Identities::Of::Spellings);
  const std::string name(who.name(0));
  const std::array<std::optional<fs::Subject>, 2> subjects = {
      std::nullopt, fs::Subject{.players = fs::NameIds(0)}};
  for (const std::optional<fs::Subject>& subject : subjects) {
    const auto findings =
        fs::find_out(games, who, subject, fs::kPagePlayers, tests::unlimited_budget());
    require(findings.ok(), "a set has no findings");
    check_page(fs::set_page({.title = name,
                             .crumbs = {{.name = name, .link = fs::Link().up(1).name(name)}},
                             .conditions = {{.text = name, .without = fs::Link().path(name)}},
                             .text = name,
                             .has_subject = subject.has_value()},
                            games, who, *findings));
  }
}

class PagesTarget : public Target {
 public:
  std::string_view name() const override { return "pages"; }

  void check(std::string_view input) const override {
    static const tests::MemoryFolder kFolder;
    std::filesystem::create_directory(kFolder.path() / "pages");
    const PagesInput parsed = parse_input(input);
    tests::write_scid_files(database_of(parsed), kFolder.path() / "pages" / "any");
    const auto opened = fs::Database::open(kFolder.path() / "pages" / "any.si4",
                                           std::string(parsed.white), fs::DatabaseOptions());
    require(opened.ok(), "a database cannot be opened");
    const fs::DatabasePtr database = *opened;

    check_pages(database);

    const codec::Bytes record(reinterpret_cast<const std::uint8_t*>(parsed.record.data()),
                              parsed.record.size());
    std::vector<codec::scid::ExtraTag> tags;
    codec::scid::RecordHead head;
    if (codec::scid::parse_record_head(record, tags, head).has_value()) return;
    codec::scid::Walker walker;
    MainLinePositions line;
    codec::scid::walk_main_line(walker, record, record, head, line);
    constexpr std::size_t kMostPositions = 4;
    const std::size_t step = 1 + line.all.size() / kMostPositions;
    for (std::size_t ply = 0; ply < line.all.size(); ply += step) {
      check_pictures(line.all[ply]);
      check_book_page(codec::clean_line(parsed.white), line.all[ply]);
      check_explorer(database, line.all[ply]);
    }
  }

  std::vector<Seed> seeds() const override {
    constexpr std::array<std::string_view, 4> kFactsOfSeeds = {
        std::string_view("\x01\xFA\x06\x0A\x00\x09\x00\x21", kFacts),
        std::string_view("\x02\xFA\x0D\x00\x00\x00\x00\x21", kFacts),
        std::string_view("\x03\x00\x06\x0A\x00\x00\x00\x21", kFacts),
        std::string_view("\x00\xFA\x00\x0A\x00\x09\x00\x21", kFacts)};
    // Each costs a database.
    constexpr std::size_t kOneIn = 3;
    std::vector<Seed> seeds;
    std::vector<Seed> records = record_target().seeds();
    for (std::size_t i = 0; i < records.size(); i += kOneIn) {
      std::string bytes(kFactsOfSeeds[seeds.size() % kFactsOfSeeds.size()]);
      // As many bytes as the facts say.
      bytes += "Kasparov, \"Garry\" \\ \x01\xE9\xC3\xA9\xED\xA0\x80 abcdef";
      bytes.resize(kFacts + 0x21, 'x');
      bytes += "</title>";
      seeds.push_back({std::move(records[i].name), bytes + records[i].bytes});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    const PagesInput parsed = parse_input(input);
    const std::size_t head = input.size() - parsed.record.size();
    if (head < kFacts || random.one_in(3)) {
      std::string front = input.substr(0, head);
      plain(front, kFacts + 2 * kMostName);
      input = front + parsed.record;
    } else {
      std::string record = parsed.record;
      record_target().mutate(record, random, plain);
      input.replace(head, std::string::npos, record);
    }
    input.resize(std::min(input.size(), most_bytes()));
  }
};

}  // namespace

const Target& pages_target() {
  static const PagesTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
