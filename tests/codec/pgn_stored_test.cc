// What a database stores of PGN, as it shows it again.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "codec/pgn_reader/reader.h"
#include "codec/scid/game_builder.h"
#include "codec/scid/game_text.h"
#include "codec/text_buffer.h"
#include "tests/support/pgn_events.h"

namespace scidfs::codec {
namespace {

// Stores each game as a record of Scid 5, shows it, and collects what was remarked.
class Stored : public scid::GameBuilder {
 public:
  explicit Stored(std::string_view pgn) {
    PgnReader<Stored>(*this, CodePage::Windows1252).read(pgn, 1);
  }

  void remark(std::uint64_t, std::string_view reason) { remarks_ += std::string(reason) + '\n'; }
  void end_game(Result result) {
    finish(result);
    if (!loss().empty()) remark(line(), loss());
    GameTags tags;
    static constexpr std::string_view kName = "?                                        ";
    tags.event = tags.site = tags.round = tags.white = tags.black = kName.substr(0, 1);
    tags.date = entry().date;
    tags.event_date = entry().event_date;
    tags.result = entry().result;
    tags.chess960 = entry().chess960;
    EXPECT_FALSE(writer_.append(tags, {.number = 1}, record(), out_).has_value());
  }

  std::string text() const { return std::string(out_.view()); }
  const std::string& remarks() const { return remarks_; }

 private:
  scid::GameText writer_{PgnOptions(), CastlingRule::Chess960};
  TextBuffer out_;
  std::string remarks_;
};

// A variant whose name says nothing, and a FEN that says enough: as files of rooks if need be.
TEST(StoredPgn, KeepsTheMovesOfAllVariants) {
  constexpr std::string_view kBoard = "1rk3r1/8/8/6n1/6N1/8/8/1RK3R1 w ";
  for (const std::string_view variant : {"", "Blitz", "Najdorf", "FRC", "Standard", "wild/fr"}) {
    const bool is_known = variant.empty() || variant == "FRC" || variant == "wild/fr";
    std::string pgn = "[FEN \"" + std::string(kBoard) + "GBgb - 0 1\"]\n\n1. O-O O-O-O *\n";
    if (!variant.empty()) pgn = "[Variant \"" + std::string(variant) + "\"]\n" + pgn;
    const std::string first = Stored(pgn).text();
    EXPECT_NE(first.find("1. O-O O-O-O *"), std::string::npos) << first;
    EXPECT_NE(first.find(std::string(kBoard) + (is_known ? "KQkq" : "GBgb") + " - 0 1\"]"),
              std::string::npos)
        << first;
    EXPECT_EQ(Stored(first).text(), first) << variant;
  }
}

std::string with_tags(std::string_view tags) { return std::string(tags) + "\n\n1. e4 *\n"; }

TEST(StoredPgn, TellsOfDatesThatAreNotWhole) {
  const Stored turned(with_tags("[Date \"26.02.2019\"]\n[EventDate \"02/26/2019\"]"));
  EXPECT_NE(turned.text().find("[Date \"2019.02.26\"]"), std::string::npos);
  EXPECT_NE(turned.text().find("[EventDate \"2019.02.26\"]"), std::string::npos);
  EXPECT_EQ(turned.remarks(), "");
  EXPECT_EQ(Stored(with_tags("[Date \"3/4/2019\"]")).remarks(),
            "a part of the date cannot be read\n");
  EXPECT_EQ(Stored(with_tags("[Date \"2/26/19\"]")).remarks(), "the date cannot be read\n");
  EXPECT_EQ(Stored(with_tags("[EventDate \"3/4/2019\"]")).remarks(),
            "a part of the event date cannot be read\n");
  const Stored unread(with_tags("[EventDate \"2/26/19\"]"));
  EXPECT_NE(unread.text().find("[EventDate \"2/26/19\"]"), std::string::npos);
}

// In either order of the tags; both stay.
TEST(StoredPgn, TakesUtcDateWhereTheDateIsUnknown) {
  constexpr std::string_view kUtc = "[UTCDate \"2015.03.05\"]\n";
  struct Example {
    std::string_view date, stored;
  };
  for (const auto& [date, stored] : {Example{"", "2015.03.05"},
                                     {"[Date \"????.??.??\"]\n", "2015.03.05"},
                                     {"[Date \"2/3/15\"]\n", "2015.03.05"},
                                     {"[Date \"2015.03.06\"]\n", "2015.03.06"},
                                     {"[Date \"2015.??.??\"]\n", "2015.??.??"}}) {
    const std::string one(date), other(kUtc);
    for (const std::string& tags : {one + other, other + one}) {
      const std::string text = Stored(tags + "\n1. e4 *\n").text();
      EXPECT_NE(text.find("[Date \"" + std::string(stored) + "\"]"), std::string::npos) << text;
      EXPECT_NE(text.find(kUtc), std::string::npos) << text;
    }
  }
  const Stored next("[UTCDate \"2015.03.05\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n");
  EXPECT_NE(next.text().find("[Date \"????.??.??\"]"), std::string::npos);
}

}  // namespace
}  // namespace scidfs::codec
