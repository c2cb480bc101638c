// Elements, blocks, headers and sources of a book: codec/kvetka/FORMAT.md, sections 2, 3 and 7.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codec/kvetka/book.h"
#include "codec/kvetka/sources.h"
#include "codec/text.h"
#include "tests/support/files.h"

namespace scidfs::codec::kvetka {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::as_bytes;
using Raw = std::vector<std::uint8_t>;

std::string fixture(std::string_view name) {
  return tests::read_file(tests::test_data("kvetka/" + std::string(name)));
}

std::string error_of(std::string_view file) {
  const auto header = parse_book_header(as_bytes(file));
  EXPECT_EQ(header.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(header.status().message());
}

Raw compact(std::uint64_t value) {
  Raw out;
  append_compact(value, out);
  return out;
}

// The result of reading a whole block; the elements point into it.
struct BlockContent {
  Raw block;
  std::vector<Element> elements;
  std::vector<std::string> errors;
};

BlockContent read_block(Bytes block, bool has_links) {
  BlockContent content{.block = {block.begin(), block.end()}, .elements = {}, .errors = {}};
  BlockElements in(content.block, has_links);
  for (Element element;;) {
    const BlockElements::Next next = in.next(element);
    if (next == BlockElements::Next::End) return content;
    if (next == BlockElements::Next::Element) {
      content.elements.push_back(element);
    } else {
      content.errors.emplace_back(in.error());
    }
  }
}

// Returns a block that begins with these bytes.
Raw block_of(Raw bytes) {
  bytes.resize(kBlockSize, 0xAA);
  return bytes;
}

// Returns a block with these elements.
Raw block_with(const Raw& elements) {
  const std::size_t used = kBlockHeadSize + elements.size();
  Raw bytes = {static_cast<std::uint8_t>(used >> 8), static_cast<std::uint8_t>(used)};
  bytes.insert(bytes.end(), elements.begin(), elements.end());
  return block_of(bytes);
}

Key key_number(std::uint8_t number) {
  Key key{};
  key[0] = number;
  return key;
}

TEST(KvetkaCompactInt, EncodesExamples) {
  EXPECT_EQ(compact(0), Raw({0x00}));
  EXPECT_EQ(compact(1), Raw({0x01}));
  EXPECT_EQ(compact(127), Raw({0x7F}));
  EXPECT_EQ(compact(128), Raw({0x81, 0x00}));
  EXPECT_EQ(compact(129), Raw({0x81, 0x01}));
  EXPECT_EQ(compact(300), Raw({0x82, 0x2C}));
  EXPECT_EQ(compact(682), Raw({0x85, 0x2A}));
  EXPECT_EQ(compact(16383), Raw({0xFF, 0x7F}));
  EXPECT_EQ(compact(16384), Raw({0x81, 0x80, 0x00}));
  EXPECT_EQ(compact(2097152), Raw({0x81, 0x80, 0x80, 0x00}));
  EXPECT_EQ(compact(4294967295), Raw({0x8F, 0xFF, 0xFF, 0xFF, 0x7F}));
}

TEST(KvetkaCompactInt, ReadsWrittenValues) {
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t below : {0U, 1U}) {
      const std::uint64_t value = (std::uint64_t{1} << shift) - below;
      const Raw bytes = compact(value);
      ByteReader in(bytes);
      EXPECT_EQ(read_compact(in, kLongCompact), value);
      EXPECT_EQ(in.remaining(), 0U);
      ByteReader narrow(bytes);
      EXPECT_EQ(read_compact(narrow, kShortCompact).has_value(), value <= 0xFFFFFFFF) << value;
    }
  }
}

TEST(KvetkaCompactInt, RefusesUnterminatedValues) {
  for (const Raw& bytes : {Raw(), Raw({0x80}), Raw(20, 0xFF), Raw(20, 0x80)}) {
    ByteReader in(bytes);
    EXPECT_FALSE(read_compact(in, kLongCompact).has_value());
  }
  const Raw redundant = {0x80, 0x80, 0x05};
  ByteReader in(redundant);
  EXPECT_EQ(read_compact(in, kShortCompact), 5U);
}

TEST(KvetkaHeader, ReadsEveryField) {
  const absl::StatusOr<BookHeader> split = parse_book_header(as_bytes(fixture("split_0.kob")));
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(decode_units(split->caption_units(), ByteOrder::Big), "Книга");
  EXPECT_EQ(split->limits, (RatingLimits{.white = 2250, .black = 0, .strong = 2400, .weak = 2200}));
  EXPECT_EQ(split->max_plies, 16);
  EXPECT_EQ(split->element_type, 1);
  EXPECT_EQ(split->links, 1);
  EXPECT_EQ(split->blocks, 21U);
  EXPECT_EQ(split->size, 30U);
}

TEST(KvetkaHeader, RewritesToTheSameBytes) {
  for (const std::string& stem : tests::stems_in("kvetka", ".kob")) {
    const std::string file = fixture(stem + ".kob");
    const absl::StatusOr<BookHeader> header = parse_book_header(as_bytes(file));
    if (!header.ok()) continue;
    const Raw bytes = book_header_bytes(*header);
    EXPECT_EQ(as_text(bytes), file.substr(0, header->size)) << stem;
  }
}

TEST(KvetkaHeader, RefusesFilesThatAreNotBooks) {
  EXPECT_THAT(error_of(fixture("bad_type_0.kob")), HasSubstr("type 2 is not supported"));
  EXPECT_THAT(error_of(fixture("bad_caption_0.kob")), HasSubstr("4294967295 characters"));
  const std::string file = fixture("small_0.kob");
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  for (std::size_t size = 1; size < 50; ++size) {
    EXPECT_THAT(error_of(file.substr(0, size)), HasSubstr("ends within its header"));
  }
}

TEST(KvetkaHeader, RatingLimitsApplyToColorsAndToStrongerAndWeakerPlayer) {
  EXPECT_TRUE(RatingLimits{}.admits(0, 0));
  EXPECT_TRUE((RatingLimits{.white = 2000}).admits(2000, 0));
  EXPECT_FALSE((RatingLimits{.white = 2000}).admits(1999, 2500));
  EXPECT_FALSE((RatingLimits{.black = 2000}).admits(2500, 0));
  EXPECT_TRUE((RatingLimits{.strong = 2400}).admits(0, 2400));
  EXPECT_FALSE((RatingLimits{.weak = 2400}).admits(2600, 2399));
}

TEST(KvetkaElements, LargestElementsAreRead) {
  const std::string file = fixture("fullblock_0.kob");
  const BlockContent block = read_block(as_bytes(file).subspan(40), true);
  ASSERT_EQ(block.elements.size(), 3U);
  EXPECT_THAT(block.errors, ElementsAre());
  for (const Element& element : block.elements) {
    EXPECT_EQ(element.size, kMaxElementSize);
    EXPECT_EQ(element.layout, LinkLayout::Compact);
    EXPECT_EQ(element.link_count(), 108U);
  }
}

TEST(KvetkaElements, FourLayoutsOfLinksGiveTheSameLinks) {
  const std::vector<std::pair<std::string, LinkLayout>> layouts = {{"ci", LinkLayout::Compact},
                                                                   {"u16", LinkLayout::U16},
                                                                   {"u32", LinkLayout::U32},
                                                                   {"bare", LinkLayout::Bare}};
  std::vector<std::vector<std::vector<GameLink>>> links;
  for (const auto& [name, layout] : layouts) {
    const std::string file = fixture("layout_" + name + "_0.kob");
    const BlockContent block =
        read_block(as_bytes(file).last(kBlockSize), parse_book_header(as_bytes(file))->has_links());
    ASSERT_EQ(block.elements.size(), 3U) << name;
    links.emplace_back();
    for (const Element& element : block.elements) {
      EXPECT_EQ(element.layout, layout) << name;
      links.back().emplace_back();
      for (std::size_t i = 0; i < element.link_count(); ++i) {
        links.back().back().push_back(element.link(i));
      }
    }
    EXPECT_EQ(links.back(), links.front()) << name;
  }
  EXPECT_EQ(links[0][0].size(), 5U);
  EXPECT_EQ(links[0][1].size(), 6U);
  EXPECT_EQ(links[0][2].size(), 7U);
}

TEST(KvetkaElements, UnknownTailsGiveNoLinks) {
  for (std::size_t tail : {0U, 3U, 5U, 8U}) {
    Raw fields(kKeySize + 4, 0);
    fields.push_back(2);  // links
    fields.resize(fields.size() + tail, 9);
    fields.insert(fields.begin(), static_cast<std::uint8_t>(fields.size()));
    const BlockContent block = read_block(block_with(fields), true);
    ASSERT_EQ(block.elements.size(), 1U);
    EXPECT_EQ(block.elements[0].layout, LinkLayout::Unknown) << tail;
    EXPECT_EQ(block.elements[0].link_count(), 0U);
    // Without links in the book, the flag has no meaning.
    EXPECT_EQ(read_block(block_with(fields), false).elements[0].layout, LinkLayout::None);
  }
}

TEST(KvetkaElements, UnknownFieldsAreSkipped) {
  Raw fields(kKeySize + 4, 0);
  fields.push_back(0x82);  // links, and an unknown field
  fields.insert(fields.end(), {1, 0, 7, 0, 0, 0, 8, 0xEE, 0xEE});
  fields.insert(fields.begin(), static_cast<std::uint8_t>(fields.size()));
  const BlockContent block = read_block(block_with(fields), true);
  ASSERT_EQ(block.elements.size(), 1U);
  ASSERT_EQ(block.elements[0].link_count(), 1U);
  EXPECT_EQ(block.elements[0].link(0), (GameLink{7, 8}));
}

TEST(KvetkaElements, WrittenElementsAreReadBack) {
  const Raw moves = {0x11, 0x0D};
  const std::vector<GameLink> links = {{0, 1}, {2, 0x01020304}};
  Raw bytes;
  EXPECT_EQ(append_element({.key = key_number(1)}, true, bytes), 28U);
  append_element({.key = key_number(2),
                  .wins = 300,
                  .draws = 1,
                  .losses = 1ULL << 40,
                  .moves = moves,
                  .some_source = GameLink{3, 4},
                  .links = links},
                 true, bytes);
  const Raw block = block_with(bytes);
  const BlockContent content = read_block(block, true);
  ASSERT_EQ(content.elements.size(), 2U);
  EXPECT_EQ(content.elements[0].key, key_number(1));
  EXPECT_EQ(content.elements[0].games(), 0U);
  const Element& element = content.elements[1];
  EXPECT_EQ(element.key, key_number(2));
  EXPECT_EQ(element.wins, 300U);
  EXPECT_EQ(element.draws, 1U);
  EXPECT_EQ(element.losses, 1ULL << 40);
  EXPECT_THAT(element.moves, ElementsAre(0x11, 0x0D));
  EXPECT_EQ(element.some_source, (GameLink{3, 4}));
  EXPECT_EQ(element.link(0), links[0]);
  EXPECT_EQ(element.link(1), links[1]);
  EXPECT_FALSE(element.comment.has_value());
}

TEST(KvetkaElements, LinksAreOmittedFirstIfSpaceIsShort) {
  const std::vector<GameLink> links(1000, GameLink{1, 2});
  Raw most_moves(kMaxMoves, 0x11);
  for (const std::span<const std::uint8_t> moves :
       {std::span<const std::uint8_t>(), std::span<const std::uint8_t>(most_moves)}) {
    Raw bytes;
    const std::size_t size = append_element(
        {.key = key_number(1), .wins = 1U << 30, .moves = moves, .links = links}, true, bytes);
    EXPECT_LE(size, kMaxElementSize);
    EXPECT_GT(size + kLinkSize, kMaxElementSize);
    const Raw block = block_with(bytes);
    const BlockContent content = read_block(block, true);
    ASSERT_EQ(content.elements.size(), 1U);
    EXPECT_EQ(content.elements[0].moves.size(), moves.size());
    EXPECT_GT(content.elements[0].link_count(), 50U);
  }
  Raw bytes;
  EXPECT_EQ(append_element({.key = key_number(1), .links = links}, false, bytes), 28U);
}

// Rewrites all elements of good books without comments.
TEST(KvetkaElements, ReadElementsAreWrittenToTheSameBytes) {
  std::size_t written = 0;
  for (const std::string name :
       {"small_0.kob", "split_0.kob", "nolinks_0.kob", "fullblock_0.kob"}) {
    const std::string file = fixture(name);
    const BookHeader header = *parse_book_header(as_bytes(file));
    for (std::size_t at = header.size; at < file.size(); at += kBlockSize) {
      const Bytes block = as_bytes(file).subspan(at, kBlockSize);
      BlockElements in(block, header.has_links());
      for (Element element; in.next(element) == BlockElements::Next::Element;) {
        if (element.comment.has_value()) continue;
        std::vector<GameLink> links;
        for (std::size_t i = 0; i < element.link_count(); ++i) links.push_back(element.link(i));
        Raw bytes;
        append_element({.key = element.key,
                        .wins = element.wins,
                        .draws = element.draws,
                        .losses = element.losses,
                        .moves = element.moves,
                        .some_source = element.some_source,
                        .links = links},
                       header.has_links(), bytes);
        ASSERT_TRUE(std::ranges::equal(bytes, block.subspan(in.offset(), element.size)));
        ++written;
      }
    }
  }
  EXPECT_GT(written, 3000U);
}

TEST(KvetkaBlocks, DamageHidesOnlyAffectedElements) {
  const auto errors_of = [](const Raw& block) { return read_block(block, true).errors; };
  EXPECT_THAT(errors_of(block_of({0x08, 0x01})), ElementsAre(HasSubstr("used bytes")));
  EXPECT_THAT(errors_of(block_of({0x00, 0x01})), ElementsAre(HasSubstr("used bytes")));
  EXPECT_THAT(errors_of(block_of({0x00, 0x02})), ElementsAre());
  Raw good;
  append_element({.key = key_number(1)}, true, good);

  // An element that is too short, and one with more moves than bytes, between good ones.
  Raw bytes = good;
  bytes.push_back(26);
  bytes.resize(bytes.size() + 26);
  bytes.push_back(27);
  bytes.resize(bytes.size() + 25);
  bytes.insert(bytes.end(), {200, 0});
  bytes.insert(bytes.end(), good.begin(), good.end());
  BlockContent content = read_block(block_with(bytes), true);
  EXPECT_EQ(content.elements.size(), 2U);
  EXPECT_THAT(content.errors, ElementsAre(HasSubstr("too short"), HasSubstr("ends beyond")));

  // Elements after one without an end cannot be found.
  for (const Raw& length : {Raw({0x85, 0x00}), Raw(6, 0xFF)}) {
    bytes = good;
    bytes.insert(bytes.end(), length.begin(), length.end());
    content = read_block(block_with(bytes), true);
    EXPECT_EQ(content.elements.size(), 1U);
    EXPECT_EQ(content.errors.size(), 1U);
  }
}

TEST(KvetkaIndex, IsRefusedUnlessItFitsTheBook) {
  const std::string good = fixture("small.kin");
  const auto keys = parse_book_index(as_bytes(good), 51);
  ASSERT_TRUE(keys.has_value());
  EXPECT_EQ(keys->size(), 51U);
  EXPECT_FALSE(parse_book_index(as_bytes(fixture("small_stale.kin")), 51).has_value());
  std::string unsorted = good;
  std::swap_ranges(unsorted.begin(), unsorted.begin() + kKeySize, unsorted.begin() + kKeySize);
  EXPECT_FALSE(parse_book_index(as_bytes(unsorted), 51).has_value());
}

// Reads a file of sources and writes it again.
TEST(KvetkaSources, ReadSourcesAreWrittenToTheSameBytes) {
  const std::string file = fixture("small.ksf");
  const Bytes bytes = as_bytes(file);
  const auto offsets = parse_sources_toc(bytes, file.size());
  ASSERT_TRUE(offsets.ok());
  ASSERT_EQ(offsets->size(), 1U);
  Raw again;
  append_sources_toc(*offsets, again);
  EXPECT_EQ(again.size(), offsets->front());
  ByteReader in(bytes.subspan(offsets->front()));
  const std::optional<SourceHead> head = read_source_head(in, in.remaining());
  ASSERT_TRUE(head.has_value());
  EXPECT_EQ(head->games, 200U);
  append_source_head(*head, again);
  EXPECT_EQ(again.size(), offsets->front() + source_head_size(head->address));
  for (std::uint32_t i = 0; i < head->games; ++i) {
    const std::optional<GameRecord> game = read_game_record(in);
    ASSERT_TRUE(game.has_value());
    const std::size_t before = again.size();
    append_game_record(*game, again);
    EXPECT_EQ(again.size() - before, game_record_size(*game));
  }
  EXPECT_EQ(as_text(again), file);
}

TEST(KvetkaSources, TheTableEndsAtAMultipleOf512) {
  EXPECT_EQ(sources_toc_size(0), 512U);
  EXPECT_EQ(sources_toc_size(127), 512U);
  EXPECT_EQ(sources_toc_size(128), 1024U);
}

TEST(KvetkaSources, DamageIsDetected) {
  const std::string file = fixture("small.ksf");
  const auto toc_of = [](std::string bytes) {
    return parse_sources_toc(as_bytes(bytes), bytes.size());
  };
  EXPECT_FALSE(toc_of("").ok());
  EXPECT_FALSE(toc_of(file.substr(0, 511)).ok());
  EXPECT_FALSE(toc_of(std::string(600, '\xFF')).ok());
  std::string outside = file;
  outside[4] = '\x7F';
  EXPECT_THAT(*toc_of(outside), ElementsAre(0));

  Raw head;
  append_source_head({.type = SourceType::PgnFile, .address = as_bytes({"a\0", 2}), .games = 2},
                     head);
  for (std::size_t size = 0; size < head.size(); ++size) {
    ByteReader in(Bytes(head).first(size));
    EXPECT_FALSE(read_source_head(in, 1000).has_value()) << size;
  }
  ByteReader few(head);
  EXPECT_FALSE(read_source_head(few, head.size() + 2 * kMinGameSize - 1).has_value());
  ByteReader enough(head);
  EXPECT_TRUE(read_source_head(enough, head.size() + 2 * kMinGameSize).has_value());

  Raw game;
  append_game_record({.address = 7, .white = as_bytes("W"), .result = Result::BlackWins}, game);
  for (std::size_t size = 0; size < game.size(); ++size) {
    ByteReader in(Bytes(game).first(size));
    EXPECT_FALSE(read_game_record(in).has_value()) << size;
  }
  ByteReader in(game);
  EXPECT_EQ(read_game_record(in)->result, Result::BlackWins);
  EXPECT_EQ(game.back(), 0);  // a Black win
}

}  // namespace
}  // namespace scidfs::codec::kvetka
