// A game record: tags, FEN, moves, comments, as text and measured.
#include <fmt/format.h>

#include <algorithm>

#include "codec/scid/facts.h"
#include "codec/scid/game_epd.h"
#include "codec/scid/game_text.h"
#include "codec/text.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"
#include "tests/support/pgn_check.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_database.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::Damage;
using codec::scid::GamePlace;
using codec::scid::GameText;

// The offset is the greatest one, so that its digits are counted too.
constexpr GamePlace kPlace = {.number = 16'777'214, .offset = 0xFFFF'FFFF};

struct Rendered {
  std::string text;
  std::optional<Damage> damage;
};

Rendered render(GameText& writer, Bytes record) {
  const codec::GameTags tags = tests::example_tags(codec::Result::Draw);
  codec::TextBuffer out;
  Rendered rendered{.text = {}, .damage = writer.append(tags, kPlace, record, out)};
  rendered.text = out.view();
  const GameText::Measure measure = writer.length(tags, kPlace, record);
  require(measure.length == rendered.text.size(), "length() and append() do not agree");
  require(measure.damage.has_value() == rendered.damage.has_value(),
          "length() and append() find different damage");
  if (rendered.damage.has_value()) {
    require(rendered.damage->offset <= record.size(), "damage beyond the record");
    require(!rendered.damage->reason.empty(), "damage without a reason");
    require(measure.damage->offset == rendered.damage->offset, "damage at two places");
  }
  return rendered;
}

Rendered check_options(const codec::PgnOptions& options, Bytes record) {
  GameText writer(options);
  const Rendered first = render(writer, record);
  require(render(writer, record).text == first.text, "the second time the text is another one");
  const auto faults = tests::pgn_faults(first.text, options.width);
  require(faults.empty(), faults.empty() ? "" : faults[0] + "\nin " + first.text);
  return first;
}

// Of the main line, without brackets.
std::size_t count_moves(std::string_view text) {
  std::size_t moves = 0;
  int depth = 0;
  for (const tests::PgnToken& token : tests::parse_movetext(tests::parse_pgn(text)[0].movetext)) {
    if (token.kind == tests::PgnToken::Kind::Open) ++depth;
    if (token.kind == tests::PgnToken::Kind::Close) --depth;
    if (token.kind == tests::PgnToken::Kind::Move && depth == 0) ++moves;
  }
  return moves;
}

void check_facts(Bytes record, std::string_view text) {
  std::vector<codec::scid::ExtraTag> tags;
  codec::scid::RecordHead head;
  if (codec::scid::parse_record_head(record, tags, head).has_value()) return;
  codec::scid::Walker walker;
  const codec::scid::GameFacts facts = codec::scid::facts_of(walker, record, head);
  require(!facts.damage.has_value(), "facts find damage where the text has none");
  require(facts.plies == count_moves(text), "facts and text count different plies");
}

// As many positions as the text has moves before its end or its damage, and one more. There may be
// more if only NAGs are damaged.
void check_positions(Bytes record, const Rendered& game, codec::CastlingRule rule) {
  codec::scid::GameEpd writer(rule);
  codec::TextBuffer out;
  writer.append(kPlace, codec::Result::Draw, record, out);
  require(writer.length(kPlace, codec::Result::Draw, record) == out.size(),
          "positions are not as long as announced");
  const std::string_view text = out.view();
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
  require(codec::is_utf8(tests::as_bytes(text)), "positions are no UTF-8");
  if (rule == codec::CastlingRule::Standard && lines != 0) {
    const std::size_t moves = count_moves(game.text);
    require(game.damage.has_value() ? lines > moves : lines == moves + 1,
            "positions and text count different plies");
  }
}

class RecordTarget : public Target {
 public:
  std::string_view name() const override { return "record"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> record(input.begin(), input.end());
    const Rendered game = check_options({}, record);
    const Rendered one_line = check_options({.width = 0}, record);
    require(one_line.text.size() == game.text.size(), "the width changes the length");
    check_options({.comments = false}, record);
    check_options({.variations = false, .nags = false, .width = 40}, record);
    check_options({.width = 0, .quote_null_moves = true, .code_page = codec::CodePage::Windows1251},
                  record);
    GameText chess960({}, codec::CastlingRule::Chess960);
    render(chess960, record);
    if (!game.damage.has_value()) check_facts(record, game.text);
    check_positions(record, game, codec::CastlingRule::Standard);
    check_positions(record, game, codec::CastlingRule::Chess960);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("scid4", ".si4")) {
      const tests::ScidDatabase database(tests::test_data("scid4/" + stem));
      for (std::uint32_t game = 0; game < database.games(); game += 1 + database.games() / 4) {
        const std::optional<Bytes> record = database.record(game);
        if (!record.has_value() || record->size() > most_bytes()) continue;
        seeds.push_back(
            {fmt::format("{}-{}", stem, game + 1), std::string(record->begin(), record->end())});
      }
    }
    const tests::ScidDatabase chess960(tests::test_data("scid5/chess960"), ".si5");
    for (std::uint32_t game = 0; game < chess960.games(); ++game) {
      const Bytes record = chess960.record(game).value_or(Bytes());
      seeds.push_back({fmt::format("chess960-{}", game + 1), {record.begin(), record.end()}});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    switch (random.below(8)) {
      case 0: {
        // A new game, whole.
        tests::RandomGameOptions options{.plies = random.below(80), .eventful = random.one_in(3)};
        if (random.one_in(3)) options.fen = tests::random_fen(random);
        input = tests::random_game(random, options).record();
        break;
      }
      case 1:
      case 2:
        insert_marks(input, random);
        break;
      case 3:
        append_notes(input, random);
        break;
      case 4:
        // A part of the game again.
        if (!input.empty()) {
          const std::string piece = input.substr(random.below(input.size()), 1 + random.below(12));
          input.insert(random.below(input.size()), piece);
        }
        break;
      default:
        plain(input, most_bytes());
    }
    input.resize(std::min(input.size(), most_bytes()));
  }

 private:
  static void insert_marks(std::string& input, tests::Random& random) {
    static const std::vector<std::string> kMarks = {"\x0D",
                                                    "\x0E",
                                                    "\x0C",
                                                    "\x0B\x01",
                                                    std::string("\x0B\0", 2),
                                                    "\x0B\x0E",
                                                    "\x0B\x96",
                                                    "\x0F",
                                                    std::string(1, '\0'),
                                                    "\x0D\xCF\x0E",
                                                    "\xCF\x0D\xBF\x0E\xBE",
                                                    "\x0E\x0C\x0B\x03"};
    for (std::size_t count = 1 + random.below(3); count > 0; --count) {
      input.insert(random.below(input.size() + 1), kMarks[random.below(kMarks.size())]);
    }
  }

  static void append_notes(std::string& input, tests::Random& random) {
    static const std::vector<std::string> kTexts = {
        "[", "%", "}", "{", "\n\n", "\t \t", "\xE9", "a [b", "\xC3", "\"]", "\x7F", "( 1. e4"};
    const std::size_t words = 1 + random.below(20);
    for (std::size_t i = 0; i < words; ++i) {
      input += random.one_in(3) ? kTexts[random.below(kTexts.size())]
                                : std::string(1 + random.below(30), 'x');
      if (random.one_in(2)) input += ' ';
    }
    input += '\0';
  }
};

}  // namespace

const Target& record_target() {
  static const RecordTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
