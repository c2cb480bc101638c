// What is said of files by their names.
#include "fs/serve/media_type.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace scidfs::fs {
namespace {

TEST(MediaTypeTest, IsThatOfTheEnding) {
  const struct {
    std::string name;
    std::string_view type;
    bool is_text;
  } cases[] = {
      {"all.pgn", "application/vnd.chess-pgn; charset=utf-8", true},
      {"ALL.PGN", "application/vnd.chess-pgn; charset=utf-8", true},
      {"index.html", "text/html; charset=utf-8", true},
      {"style.css", "text/css", true},
      {"board.js", "application/javascript", true},
      {"board.svg", "image/svg+xml", true},
      {"explorer.json", "application/json", true},
      {"index.tsv", "text/tab-separated-values; charset=utf-8", true},
      {"index.csv", "text/csv; charset=utf-8", true},
      {"info.txt", "text/plain; charset=utf-8", true},
      {"positions.epd", "text/plain; charset=utf-8", true},
      {"games.uci", "text/plain; charset=utf-8", true},
      {"book.bin", "application/octet-stream", false},
      {"mega.si4", "application/octet-stream", false},
      {"mega.sg4", "application/octet-stream", false},
      {"mega.ctg", "application/octet-stream", false},
      {"a.pgn.gz", "application/octet-stream", false},
      {"pgn", "application/octet-stream", false},
      {"a.pgn ", "application/octet-stream", false},
      {"", "application/octet-stream", false},
  };
  for (const auto& [name, type, is_text] : cases) {
    EXPECT_EQ(media_type(name), type) << name;
    EXPECT_EQ(is_worth_compressing(type, 100'000), is_text) << name;
    EXPECT_FALSE(is_worth_compressing(type, 100)) << name;
  }
}

}  // namespace
}  // namespace scidfs::fs
