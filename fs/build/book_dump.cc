#include "fs/build/book_dump.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "codec/ending.h"
#include "codec/kvetka/key.h"
#include "codec/kvetka/moves.h"
#include "fs/base/status_macros.h"
#include "fs/book/book.h"
#include "fs/book/book_sources.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::Element;
using Problems = std::vector<std::string>;
using Print = absl::FunctionRef<void(std::string_view)>;

// The most problems that are listed, however damaged a book is.
constexpr std::size_t kMostProblems = 1000;

std::string square_name(codec::Square square) {
  return {static_cast<char>('a' + codec::file_of(square)),
          static_cast<char>('1' + codec::rank_of(square))};
}

std::string link_text(codec::kvetka::GameLink link) {
  return fmt::format("{}/{}", link.source, link.game);
}

std::string moves_text(const std::optional<codec::Position>& position, codec::Bytes codes) {
  std::string text;
  std::optional<codec::kvetka::MoveDecoder> decoder;
  if (position.has_value()) decoder.emplace(*position);
  for (const std::uint8_t code : codes) {
    std::optional<codec::Move> move;
    if (decoder.has_value()) move = decoder->decode(code);
    text += fmt::format("{}{:02X}:{}", text.empty() ? "" : " ", code,
                        move.has_value() ? square_name(move->from) + square_name(move->to) : "-");
  }
  return text;
}

std::string links_text(const Element& element) {
  std::string text;
  for (std::size_t i = 0; i < element.link_count(); ++i) {
    if (i > 0) text += ' ';
    text += link_text(element.link(i));
  }
  return text;
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

std::string element_line(const Book& book, std::uint64_t block, const Element& element) {
  const std::optional<codec::Position> position = codec::kvetka::position_of(element.key);
  return fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", block,
                     codec::kvetka::key_to_hex(element.key),
                     position.has_value() ? codec::kvetka::short_fen(*position) : "-", element.wins,
                     element.draws, element.losses, or_dash(moves_text(position, element.moves)),
                     element.some_source.has_value() ? link_text(*element.some_source) : "-",
                     or_dash(links_text(element)),
                     or_dash(element.comment.has_value() ? book.text(*element.comment) : ""));
}

class BookDumper {
 public:
  BookDumper(const Book& book, Print print) : book_(book), print_(print) {}

  absl::StatusOr<Problems> dump();

 private:
  void note(std::string problem) {
    if (problems_.size() < kMostProblems) problems_.push_back(std::move(problem));
  }
  absl::StatusOr<std::uint64_t> count();

  const Book& book_;
  Print print_;
  Problems problems_;
};

absl::StatusOr<std::uint64_t> BookDumper::count() {
  std::uint64_t positions = 0;
  BookBlock block;
  for (std::uint64_t i = 0; i < book_.blocks(); ++i) {
    RETURN_IF_ERROR(book_.visit_block(i, block, [&positions](const Element&) { ++positions; }));
  }
  return positions;
}

absl::StatusOr<Problems> BookDumper::dump() {
  for (const std::string& problem : book_.problems()) note(problem);
  ASSIGN_OR_RETURN(const std::uint64_t positions, count());
  const codec::kvetka::BookHeader& header = book_.header();
  print_(fmt::format(
      "#header\ttype={}\tcaption={}\torder={}\telo={},{},{},{}\tmax_move={}\t"
      "element_type={}\tlinks={}\tblocks={}\theader_size={}\tpositions={}\n",
      codec::kvetka::kBookType, book_.caption(), codec::kvetka::byte_order_name(book_.byte_order()),
      header.limits.white, header.limits.black, header.limits.strong, header.limits.weak,
      header.max_plies, header.element_type, header.links, header.blocks, header.size, positions));
  print_("#block\tkey\tposition\twins\tdraws\tlosses\tmoves\tsome_source\tlast_games\tcomment\n");
  std::optional<codec::kvetka::Key> before;
  BookBlock block;
  for (std::uint64_t i = 0; i < book_.blocks(); ++i) {
    const auto visit = [&](const Element& element) {
      if (before.has_value() && *before >= element.key) {
        note(
            fmt::format("block {}: {} is out of order", i, codec::kvetka::key_to_hex(element.key)));
      }
      before = element.key;
      print_(element_line(book_, i, element));
    };
    const auto damage = [&](const BookDamage& found) {
      note(fmt::format("block {}, byte {}: {}", i, found.offset, found.reason));
    };
    RETURN_IF_ERROR(book_.visit_block(i, block, visit, damage));
  }
  return std::move(problems_);
}

absl::StatusOr<Problems> dump_sources(const std::filesystem::path& path, Print print) {
  // Texts of the book also reveal the byte order of its sources.
  std::optional<codec::kvetka::ByteOrder> order;
  if (const auto book = Book::open(path.parent_path() / path.stem()); book.ok())
    order = (*book)->byte_order();
  ASSIGN_OR_RETURN(const std::unique_ptr<BookSources> sources, BookSources::open(path, order));
  print(
      "#source\ttype\tis_bad\taddress\tgame\tgame_address\tgame_length\twhite\tblack\t"
      "white_elo\tblack_elo\tresult\n");
  for (std::size_t i = 0; i < sources->sources().size(); ++i) {
    const BookSource& source = sources->sources()[i];
    const std::string head = fmt::format("{}\t{}\t{}\t{}", i, static_cast<int>(source.type),
                                         source.is_bad ? 1 : 0, source.address);
    if (source.games == 0) print(head + "\t-\n");
    RETURN_IF_ERROR(sources->visit_games(i, 0, [&](std::uint32_t number, const BookGame& game) {
      print(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", head, number, game.address,
                        game.length, game.white, game.black, game.white_elo, game.black_elo,
                        codec::result_token(game.result)));
      return true;
    }));
  }
  return sources->problems();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> dump_book(const std::filesystem::path& path, Print print) {
  if (codec::has_ending(path.native(), kBookSourcesExtension)) return dump_sources(path, print);
  ASSIGN_OR_RETURN(const std::unique_ptr<Book> book, Book::open(path));
  return BookDumper(*book, print).dump();
}

}  // namespace scidfs::fs
