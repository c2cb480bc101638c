#include "fs/search/pieces_pattern.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/bitboard.h"
#include "codec/number.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

using codec::Bitboard;
using Rule = codec::BoardPattern::Rule;

// By SquareKind.
constexpr std::string_view kKindLetters = "KQRBNPkqrbnpAa_";
static_assert(kKindLetters.size() == codec::kSquareKinds);

constexpr std::string_view kDecimalDigits = "0123456789";
constexpr std::string_view kFor = "for";
constexpr int kBoardLines = 8;  // files, ranks
constexpr char kFirstFile = 'a';
constexpr char kFirstRank = '1';

// A range of files or of ranks, both ends included: 0..7.
struct Lines {
  int first = 0;
  int last = 0;

  std::size_t count() const {
    return static_cast<std::size_t>(last) + 1 - static_cast<std::size_t>(first);
  }

  // Returns "d" or "d-e".
  std::string text(char zero) const {
    const auto letter = [zero](int line) { return static_cast<char>(zero + line); };
    return first == last ? std::string(1, letter(first))
                         : fmt::format("{}-{}", letter(first), letter(last));
  }
};

// One of the squares and contents of a pattern.
struct Item {
  unsigned least = 1;
  std::size_t kind = 0;
  Lines files, ranks;

  std::size_t squares() const { return files.count() * ranks.count(); }
  Rule rule() const {
    Bitboard of_files = 0;
    for (int file = files.first; file <= files.last; ++file) of_files |= codec::file_mask(file);
    Bitboard of_ranks = 0;
    for (int rank = ranks.first; rank <= ranks.last; ++rank) of_ranks |= codec::rank_mask(rank);
    return {.squares = of_files & of_ranks,
            .kind = static_cast<codec::SquareKind>(kind),
            .least = static_cast<std::uint8_t>(least)};
  }
  std::string text() const {
    return fmt::format("{}{}{}{}", least == 1 ? std::string() : std::to_string(least),
                       kKindLetters[kind], files.text(kFirstFile), ranks.text(kFirstRank));
  }
};

// Takes "d" or "d-e" from the front of a text. Returns nothing if there is none, or if the range
// ends before it begins.
std::optional<Lines> take_lines(std::string_view& text, char zero) {
  const auto take = [&]() -> std::optional<int> {
    if (text.empty() || text.front() < zero || text.front() >= zero + kBoardLines)
      return std::nullopt;
    const int line = text.front() - zero;
    text.remove_prefix(1);
    return line;
  };
  const std::optional<int> first = take();
  if (!first.has_value()) return std::nullopt;
  if (text.empty() || text.front() != '-') return Lines{.first = *first, .last = *first};
  text.remove_prefix(1);
  const std::optional<int> last = take();
  if (!last.has_value() || *last < *first) return std::nullopt;
  return Lines{.first = *first, .last = *last};
}

absl::Status bad_item(std::string_view item, std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format("`{}` {}", codec::clean_line(item), reason));
}

absl::StatusOr<Item> parse_item(std::string_view text) {
  std::string_view rest = text;
  Item item;
  const std::size_t digits = std::min(rest.find_first_not_of(kDecimalDigits), rest.size());
  if (digits > 0) {
    const auto least = codec::parse_number<std::uint16_t>(rest.substr(0, digits));
    if (!least.has_value() || *least == 0) return bad_item(text, "begins with a bad number");
    item.least = *least;
    rest.remove_prefix(digits);
  }
  item.kind = rest.empty() ? kKindLetters.npos : kKindLetters.find(rest.front());
  if (item.kind == kKindLetters.npos) return bad_item(text, "has no letter of a man");
  rest.remove_prefix(1);
  const std::optional<Lines> files = take_lines(rest, kFirstFile);
  if (!files.has_value()) return bad_item(text, "has no file, a to h, or no range of files");
  const std::optional<Lines> ranks = take_lines(rest, kFirstRank);
  if (!ranks.has_value()) return bad_item(text, "has no rank, 1 to 8, or no range of ranks");
  if (!rest.empty()) return bad_item(text, "goes on after its squares");
  item.files = *files;
  item.ranks = *ranks;
  if (item.least > item.squares()) return bad_item(text, "has fewer squares than its number");
  return item;
}

// Returns how many positions a word such as `for4` means; nothing for other words.
std::optional<std::uint32_t> parse_for(std::string_view word) {
  if (!word.starts_with(kFor)) return std::nullopt;
  const auto positions = codec::parse_number<std::uint16_t>(word.substr(kFor.size()));
  if (!positions.has_value() || *positions == 0) return std::nullopt;
  return *positions;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t comma = text.find(',');
    words.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

// Returns the text of a board with pawns alone, as in a FEN, with `-` for slashes.
std::string board_text(const std::array<std::optional<Bitboard>, 2>& pawns) {
  std::string text;
  for (int rank = kBoardLines - 1; rank >= 0; --rank) {
    int empty = 0;
    const auto end_empty = [&] {
      if (empty > 0) text += std::to_string(empty);
      empty = 0;
    };
    for (int file = 0; file < kBoardLines; ++file) {
      const Bitboard square = codec::bit(codec::make_square(file, rank));
      const bool is_white = (pawns[0].value_or(0) & square) != 0;
      if (!is_white && (pawns[1].value_or(0) & square) == 0) {
        ++empty;
        continue;
      }
      end_empty();
      text += is_white ? 'P' : 'p';
    }
    end_empty();
    if (rank > 0) text += '-';
  }
  return text;
}

// Adds the pawns of a rank of a board to those by color. Returns false if the text is no rank, or
// has other men.
bool add_rank(std::string_view text, int rank, std::array<Bitboard, 2>& pawns) {
  int file = 0;
  for (const char c : text) {
    if (c >= '1' && c <= '8') {
      file += c - '0';
    } else if ((c == 'P' || c == 'p') && file < kBoardLines) {
      pawns[c == 'P' ? 0 : 1] |= codec::bit(codec::make_square(file++, rank));
    } else {
      return false;
    }
  }
  return file == kBoardLines;
}

}  // namespace

absl::StatusOr<PiecesPattern> PiecesPattern::parse(std::string_view text) {
  // In the values of conditions, `_` has become a blank.
  std::string marked(text);
  std::ranges::replace(marked, ' ', '_');
  std::vector<std::string_view> words = words_of(marked);
  PiecesPattern pattern;
  if (const auto positions = parse_for(words.back()); positions.has_value() && words.size() > 1) {
    pattern.pattern_.positions = *positions;
    words.pop_back();
  }
  std::vector<std::string> texts;
  for (const std::string_view word : words) {
    ASSIGN_OR_RETURN(const Item item, parse_item(word));
    texts.push_back(item.text());
    pattern.pattern_.rules.push_back(item.rule());
  }
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  if (pattern.pattern_.positions > 1) {
    texts.push_back(fmt::format("{}{}", kFor, pattern.pattern_.positions));
  }
  pattern.text_ = fmt::format("{}", fmt::join(texts, ","));
  return pattern;
}

absl::StatusOr<PiecesPattern> PiecesPattern::parse_pawns(std::string_view text, Pawns pawns) {
  std::array<Bitboard, 2> found{};
  std::string_view rest = text;
  for (int rank = kBoardLines - 1; rank >= 0; --rank) {
    const std::size_t end = std::min(rest.find_first_of("-/"), rest.size());
    if (!add_rank(rest.substr(0, end), rank, found)) {
      return absl::InvalidArgumentError(fmt::format(
          "rank {} is not eight squares with pawns or nothing: P, p or a number", rank + 1));
    }
    rest.remove_prefix(end);
    if (rest.empty() != (rank == 0)) {
      return absl::InvalidArgumentError("a board has eight ranks, with - between them");
    }
    if (rank > 0) rest.remove_prefix(1);
  }
  PiecesPattern pattern;
  if (pawns != Pawns::OfBlack) pattern.pattern_.pawns[0] = found[0];
  if (pawns != Pawns::OfWhite) pattern.pattern_.pawns[1] = found[1];
  for (std::size_t side = 0; side < found.size(); ++side) {
    if (found[side] != 0 && !pattern.pattern_.pawns[side].has_value()) {
      return absl::InvalidArgumentError("the board has pawns of the other side");
    }
  }
  pattern.text_ = board_text(pattern.pattern_.pawns);
  return pattern;
}

}  // namespace scidfs::fs
