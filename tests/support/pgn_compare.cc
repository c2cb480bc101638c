#include "tests/support/pgn_compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "codec/text.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

using Kind = PgnToken::Kind;

constexpr std::array<std::string_view, 6> kRosterNames = {"Event", "Site",  "Date",
                                                          "Round", "White", "Black"};

// Valid UTF-8 with blanks for control characters, and for the Windows-1252 characters of bytes 0x80
// to 0x9F: Scid prints such a byte, and the control character of its number, as these.
std::string clean(std::string_view raw) {
  std::string text = codec::clean_line(raw);
  if (std::ranges::all_of(text, codec::is_ascii)) return text;
  for (unsigned byte = 0x80; byte < 0xA0; ++byte) {
    const std::string meant = codec::clean_line(std::string(1, static_cast<char>(byte)));
    for (std::size_t at = 0; (at = text.find(meant, at)) != std::string::npos; ++at) {
      text.replace(at, meant.size(), " ");
    }
  }
  return text;
}

std::vector<PgnTag> our_tags(const PgnGame& game, bool scid) {
  std::vector<PgnTag> tags = game.tags;
  for (PgnTag& tag : tags) {
    tag.value = unescape(tag.value);
    if (scid) tag.value = clean(tag.value);
  }
  return tags;
}

std::vector<PgnTag> scid_tags(const PgnGame& game) {
  std::vector<PgnTag> tags = game.tags;
  for (PgnTag& tag : tags) {
    tag.name = clean(tag.name);
    tag.value = clean(tag.value);
    if (tag.value.empty() && std::ranges::find(kRosterNames, tag.name) != kRosterNames.end()) {
      tag.value.assign(1, '?');
    }
  }
  const auto has = [&tags](std::string_view name) {
    return std::ranges::find(tags, name, &PgnTag::name) != tags.end();
  };
  // SetUp is written with a FEN, and nowhere else.
  if (!has("FEN")) std::erase_if(tags, [](const PgnTag& tag) { return tag.name == "SetUp"; });
  if (has("FEN") && !has("SetUp")) tags.push_back({"SetUp", "1"});
  return tags;
}

std::string show(const std::vector<PgnTag>& tags) {
  std::vector<std::string> lines;
  for (const PgnTag& tag : tags) lines.push_back(fmt::format("{}=<{}>", tag.name, tag.value));
  return fmt::format("{}", fmt::join(lines, ", "));
}

// Tokens of one kind with their place: the number of moves and brackets before each.
struct Placed {
  std::size_t place = 0;
  std::string text;

  friend bool operator==(const Placed&, const Placed&) = default;
};

std::string show(const std::string& text) { return text; }
std::string show(const Placed& item) { return fmt::format("{} (at {})", item.text, item.place); }

// The tokens of a game by kind.
struct Aspects {
  std::vector<std::string> main_line;
  std::vector<std::string> structure;  // moves and brackets
  std::vector<std::string> numbers;    // parallel to structure
  std::vector<Placed> nags, comments, unknown;
  std::vector<std::string> results;

  explicit Aspects(const std::vector<PgnToken>& tokens) {
    int depth = 0;
    for (const PgnToken& token : tokens) {
      const Placed placed{structure.size(), token.text};
      switch (token.kind) {
        case Kind::Nag:
          nags.push_back(placed);
          continue;
        case Kind::Comment:
          comments.push_back(placed);
          continue;
        case Kind::Unknown:
          unknown.push_back(placed);
          continue;
        case Kind::Result:
          results.push_back(token.text);
          continue;
        case Kind::Open:
          ++depth;
          break;
        case Kind::Close:
          --depth;
          break;
        case Kind::Move:
          if (depth == 0) main_line.push_back(token.text);
          break;
      }
      structure.push_back(token.kind == Kind::Open    ? "("
                          : token.kind == Kind::Close ? ")"
                                                      : token.text);
      numbers.push_back(token.number);
    }
  }
};

class Comparison {
 public:
  Comparison(const PgnGame& ours, const PgnGame& reference, const PgnCompareOptions& options)
      : ours_(ours), reference_(reference), options_(options) {}

  std::vector<PgnDifference> run() {
    compare_tags();
    if (ours_.movetext != reference_.movetext) compare_moves();
    return std::move(differences_);
  }

 private:
  void add(PgnAspect aspect, std::string text) {
    differences_.push_back({.aspect = aspect, .text = std::move(text)});
  }

  // Compares two lists; shows them from the first difference on.
  template <class T>
  bool compare_lists(PgnAspect aspect, const std::vector<T>& ours,
                     const std::vector<T>& reference) {
    if (ours == reference) return true;
    const auto [mine, theirs] =
        std::mismatch(ours.begin(), ours.end(), reference.begin(), reference.end());
    const auto from = [](auto it, const std::vector<T>& list) {
      constexpr std::ptrdiff_t kShown = 4;
      std::vector<std::string> items;
      for (; it != list.end() && std::ssize(items) < kShown; ++it) items.push_back(show(*it));
      return fmt::format("{}", fmt::join(items, " "));
    };
    add(aspect,
        fmt::format("at item {} of {} and {}: ours <{}>, reference <{}>", mine - ours.begin() + 1,
                    ours.size(), reference.size(), from(mine, ours), from(theirs, reference)));
    return false;
  }

  void compare_tags() {
    std::vector<PgnTag> mine = our_tags(ours_, options_.scid);
    std::vector<PgnTag> theirs =
        options_.scid ? scid_tags(reference_) : our_tags(reference_, false);
    std::ranges::sort(mine);
    std::ranges::sort(theirs);
    std::vector<PgnTag> only_mine;
    std::vector<PgnTag> only_theirs;
    std::ranges::set_difference(mine, theirs, std::back_inserter(only_mine));
    std::ranges::set_difference(theirs, mine, std::back_inserter(only_theirs));
    if (!only_mine.empty() || !only_theirs.empty()) {
      add(PgnAspect::Tags,
          fmt::format("only ours: {}; only the reference: {}", show(only_mine), show(only_theirs)));
    }
    compare_lists(PgnAspect::Tags, ours_.bad_tags, reference_.bad_tags);
  }

  std::vector<PgnToken> tokens_of(const PgnGame& game) const {
    std::vector<PgnToken> tokens = parse_movetext(game.movetext);
    for (PgnToken& token : tokens) {
      if (token.kind != Kind::Comment) continue;
      token.text = fold_spaces(options_.scid ? clean(token.text) : token.text);
    }
    return tokens;
  }

  void compare_numbers(const Aspects& mine, const Aspects& theirs) {
    for (std::size_t i = 0; i < mine.numbers.size(); ++i) {
      const std::string& one = mine.numbers[i];
      const std::string& other = theirs.numbers[i];
      if (one.empty() || other.empty() || one == other) continue;
      return add(PgnAspect::Numbers,
                 fmt::format("before {}: ours {}, reference {}", mine.structure[i], one, other));
    }
  }

  void compare_moves() {
    const std::vector<PgnToken> our_tokens = tokens_of(ours_);
    std::vector<PgnToken> their_tokens = tokens_of(reference_);
    if (options_.scid) drop_empty_variations(their_tokens);
    if (our_tokens == their_tokens) return;
    const Aspects mine(our_tokens);
    const Aspects theirs(their_tokens);
    const std::size_t before = differences_.size();
    const bool same_moves = compare_lists(PgnAspect::Moves, mine.main_line, theirs.main_line);
    if (mine.structure == theirs.structure) {
      compare_numbers(mine, theirs);
    } else if (same_moves) {
      compare_lists(PgnAspect::Variations, mine.structure, theirs.structure);
    }
    compare_lists(PgnAspect::Nags, mine.nags, theirs.nags);
    compare_lists(PgnAspect::Comments, mine.comments, theirs.comments);
    compare_lists(PgnAspect::Result, mine.results, theirs.results);
    compare_lists(PgnAspect::Unknown, mine.unknown, theirs.unknown);
    if (differences_.size() != before) return;
    const auto in_order = [](const PgnToken& one, const PgnToken& other) {
      return one.kind == other.kind && one.text == other.text;
    };
    if (!std::ranges::equal(our_tokens, their_tokens, in_order)) {
      add(PgnAspect::Order, "the same tokens in another order");
    }
  }

  const PgnGame& ours_;
  const PgnGame& reference_;
  const PgnCompareOptions& options_;
  std::vector<PgnDifference> differences_;
};

}  // namespace

std::vector<PgnDifference> compare_games(const PgnGame& ours, const PgnGame& reference,
                                         const PgnCompareOptions& options) {
  return Comparison(ours, reference, options).run();
}

std::vector<PgnDifference> compare_pgn(std::string_view ours, std::string_view reference,
                                       const PgnCompareOptions& options) {
  std::vector<PgnDifference> all;
  PgnReader our_reader(ours);
  PgnReader their_reader(reference);
  PgnGame mine;
  PgnGame theirs;
  for (std::size_t game = 1; all.size() < options.limit; ++game) {
    const bool more = our_reader.next(mine);
    if (more != their_reader.next(theirs)) {
      all.push_back({game, PgnAspect::Games, more ? "only ours has it" : "ours lacks it"});
      break;
    }
    if (!more) break;
    for (PgnDifference& difference : compare_games(mine, theirs, options)) {
      difference.game = game;
      all.push_back(std::move(difference));
    }
  }
  return all;
}

std::ostream& operator<<(std::ostream& out, PgnAspect aspect) {
  constexpr std::array<std::string_view, 10> kNames = {"tags",     "moves",  "variations", "NAGs",
                                                       "comments", "result", "numbers",    "order",
                                                       "unknown",  "games"};
  return out << kNames[static_cast<std::size_t>(aspect)];
}

std::ostream& operator<<(std::ostream& out, const PgnDifference& difference) {
  return out << "game " << difference.game << ", " << difference.aspect << ": " << difference.text;
}

}  // namespace scidfs::tests
