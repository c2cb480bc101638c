// A Kvetka book: header and blocks; and its file of sources.
#include <fmt/format.h>

#include "codec/kvetka/book.h"
#include "codec/kvetka/key.h"
#include "codec/kvetka/moves.h"
#include "codec/kvetka/sources.h"
#include "codec/text.h"
#include "tests/fuzz/target.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::Position;
using codec::kvetka::Element;
using codec::kvetka::kBlockSize;
using codec::kvetka::kKeySize;

void check_texts(Bytes bytes) {
  using codec::CodePage;
  using codec::kvetka::ByteOrder;
  for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
    const std::string text = codec::kvetka::decode_units(bytes, order);
    check_text(text);
    const std::string units = codec::kvetka::encode_units(text, order);
    // A text may begin with a byte order mark once the first one is removed.
    if (!text.starts_with("\uFEFF")) {
      require(codec::kvetka::decode_units(tests::as_bytes(units), order) == text,
              "a text is another one when it is read again");
    }
  }
  for (const CodePage page : {CodePage::Windows1252, CodePage::Windows1251, CodePage::Utf8}) {
    const std::string text = codec::clean_line(bytes, page);
    check_text(text);
    const std::string again = codec::kvetka::encode_ansi(text, page);
    require(page == CodePage::Utf8 || again.size() <= text.size(), "a name grows when written");
  }
}

void check_element(const Element& element) {
  require(element.games() >= std::max({element.wins, element.draws, element.losses}),
          "the games do not add up");
  require(element.links.size() % codec::kvetka::kLinkSize == 0, "part of a link");
  for (std::size_t i = 0; i < element.link_count(); ++i) (void)element.link(i);
  if (element.comment.has_value()) check_texts(*element.comment);
  const std::optional<Position> position = codec::kvetka::position_of(element.key);
  if (!position.has_value()) return;
  const std::string fen = position->fen();
  require(Position::from_fen(fen).ok(), "a key's FEN is none: " + fen);
  // Impossible captures en passant and castling rights are not kept.
  const auto key = codec::kvetka::key_of(*position, {});
  require(key.has_value(), "a position from a key has none: " + fen);
  const std::optional<Position> again = codec::kvetka::position_of(*key);
  require(again.has_value(), "a position's key is none: " + fen);
  const auto board = [](const std::string& text) { return text.substr(0, text.find(' ')); };
  require(board(again->fen()) == board(fen) && again->castling() == position->castling(),
          "a position's key is that of another one: " + fen);
  const codec::kvetka::MoveDecoder decoder(*position);
  for (const std::uint8_t code : element.moves) {
    const std::optional<codec::Move> move = decoder.decode(code);
    if (!move.has_value()) continue;
    require(codec::is_legal(*position, *move), "an illegal move");
    const auto written = codec::kvetka::encode_move(*position, {}, *move);
    require(written.has_value(), "a move that was read cannot be written");
    require(decoder.decode(*written) == move, "a move is another one when it is read again");
  }
}

void check_block(Bytes block, bool has_links) {
  codec::kvetka::BlockElements elements(block, has_links);
  Element element;
  for (std::size_t seen = 0;; ++seen) {
    require(seen <= kBlockSize, "a block does not end");
    const auto next = elements.next(element);
    if (next == codec::kvetka::BlockElements::Next::End) return;
    if (next == codec::kvetka::BlockElements::Next::Damage) {
      require(!elements.error().empty(), "damage without a reason");
    } else {
      check_element(element);
    }
  }
}

class BookTarget : public Target {
 public:
  std::string_view name() const override { return "kvetka_book"; }
  std::size_t most_bytes() const override { return 3 * kBlockSize; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    const auto header = codec::kvetka::parse_book_header(exact);
    if (!header.ok()) {
      require(!header.status().message().empty(), "a refusal without a reason");
      return;
    }
    require(header->size <= exact.size(), "a header that is longer than the file");
    require(
        codec::as_text(codec::kvetka::book_header_bytes(*header)) == input.substr(0, header->size),
        "a header is written otherwise than it is read");
    check_texts(header->caption_units());
    Bytes rest = Bytes(exact).subspan(header->size);
    (void)codec::kvetka::parse_book_index(rest, rest.size() / kKeySize);
    for (; rest.size() >= kBlockSize; rest = rest.subspan(kBlockSize)) {
      check_block(rest.first(kBlockSize), header->has_links());
    }
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("kvetka", ".kob")) {
      std::string bytes = tests::read_file(tests::test_data("kvetka/" + stem + ".kob"));
      bytes.resize(std::min(bytes.size(), most_bytes()));
      seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    const auto header = codec::kvetka::parse_book_header(tests::as_bytes(input));
    if (random.one_in(8) || !header.ok() || header->size + kBlockSize > input.size()) {
      plain(input, most_bytes());
      return;
    }
    // Mutations inside a block keep its number of used bytes valid, and the beginning of the next
    // block.
    const std::size_t blocks = (input.size() - header->size) / kBlockSize;
    const std::size_t at = header->size + random.below(blocks) * kBlockSize;
    std::string block = input.substr(at, kBlockSize);
    const std::string used = block.substr(0, codec::kvetka::kBlockHeadSize);
    plain(block, kBlockSize);
    block.resize(kBlockSize);
    if (!random.one_in(8)) block.replace(0, used.size(), used);
    input.replace(at, kBlockSize, block);
  }
};

class SourcesTarget : public Target {
 public:
  std::string_view name() const override { return "kvetka_sources"; }

  void check(std::string_view input) const override {
    const std::vector<std::uint8_t> exact(input.begin(), input.end());
    const auto offsets = codec::kvetka::parse_sources_toc(exact, exact.size());
    if (!offsets.ok()) return;
    for (const std::uint32_t offset : *offsets) {
      if (offset == 0) continue;
      require(offset < exact.size(), "a source outside the file");
      codec::ByteReader in(Bytes(exact).subspan(offset));
      const auto head = codec::kvetka::read_source_head(in, in.remaining());
      if (!head.has_value()) continue;
      require(head->games <= in.remaining() / codec::kvetka::kMinGameSize + 1, "too many games");
      check_texts(head->address);
      for (std::uint32_t i = 0; i < head->games; ++i) {
        const auto game = codec::kvetka::read_game_record(in);
        if (!game.has_value()) break;
        check_texts(game->white);
        check_texts(game->black);
      }
    }
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("kvetka", ".ksf")) {
      std::string bytes = tests::read_file(tests::test_data("kvetka/" + stem + ".ksf"));
      bytes.resize(std::min(bytes.size(), most_bytes()));
      seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    std::string table = input.substr(0, 8);
    plain(input, most_bytes());
    if (!random.one_in(8)) input.replace(0, std::min(input.size(), table.size()), table);
  }
};

}  // namespace

const Target& kvetka_book_target() {
  static const BookTarget kTarget;
  return kTarget;
}

const Target& kvetka_sources_target() {
  static const SourcesTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
