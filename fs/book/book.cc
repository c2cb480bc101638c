#include "fs/book/book.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <system_error>
#include <utility>

#include "codec/ending.h"
#include "fs/base/status_macros.h"
#include "fs/file/companion.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::kvetka::BlockElements;
using codec::kvetka::Element;
using codec::kvetka::kBlockSize;
using codec::kvetka::Key;

constexpr unsigned kMaxPieces = 100'000;
// After a missing piece, looks for this many further pieces, to report the gap.
constexpr unsigned kHole = 16;
// If the caption does not show the byte order, searches this many blocks for comments.
constexpr std::uint64_t kBlocksForByteOrder = 10'000;

std::string with_suffix(const std::filesystem::path& prefix, const std::string& suffix) {
  return prefix.string() + suffix;
}

}  // namespace

std::filesystem::path book_piece_path(const std::filesystem::path& prefix, unsigned piece) {
  return with_suffix(prefix, fmt::format("_{}{}", piece, kBookExtension));
}
std::filesystem::path book_index_path(const std::filesystem::path& prefix) {
  return with_suffix(prefix, std::string(kBookIndexExtension));
}
std::filesystem::path book_sources_path(const std::filesystem::path& prefix) {
  return with_suffix(prefix, std::string(kBookSourcesExtension));
}

std::filesystem::path book_prefix(const std::filesystem::path& path) {
  const std::string text = path.string();
  for (const std::string_view suffix : {kFirstPieceEnding, kBookExtension, kBookIndexExtension}) {
    if (text.size() > suffix.size() && codec::has_ending(text, suffix)) {
      return text.substr(0, text.size() - suffix.size());
    }
  }
  return path;
}

std::filesystem::path BookFiles::piece(unsigned number) const {
  return with_ending(with_suffix(prefix, fmt::format("_{}", number)), kBookExtension, ending);
}
std::filesystem::path BookFiles::index() const {
  return with_ending(prefix, kBookIndexExtension, ending);
}
std::filesystem::path BookFiles::sources() const {
  return with_ending(prefix, kBookSourcesExtension, ending);
}

BookFiles find_book(const std::filesystem::path& path) {
  BookFiles files{.prefix = book_prefix(path), .ending = std::string(kBookExtension)};
  const bool is_first = codec::has_ending(path.native(), kFirstPieceEnding);
  files.ending = (is_first ? path : files.piece(0)).extension().string();
  return files;
}

absl::StatusOr<std::unique_ptr<Book>> Book::open(const std::filesystem::path& path,
                                                 const std::filesystem::path& boundary) {
  std::unique_ptr<Book> book(new Book());
  const BookFiles files = find_book(path);
  ASSIGN_OR_RETURN(SourceFile first, SourceFile::open(files.piece(0), boundary));
  ASSIGN_OR_RETURN(const std::vector<std::uint8_t> front,
                   first.read_front(codec::kvetka::kMaxHeaderSize));
  absl::StatusOr<codec::kvetka::BookHeader> header = codec::kvetka::parse_book_header(front);
  if (!header.ok()) {
    return absl::Status(header.status().code(),
                        fmt::format("Cannot open {}: {}", first.path().string(),
                                    std::string(header.status().message())));
  }
  book->header_ = *std::move(header);
  book->pieces_.push_back({.file = std::move(first)});
  book->open_pieces(files, boundary);
  book->count_blocks();
  book->find_byte_order();
  book->load_index(files, boundary);
  return book;
}

void Book::open_pieces(const BookFiles& files, const std::filesystem::path& boundary) {
  std::uint64_t end = pieces_[0].file.size();
  const auto name = [&](unsigned piece) { return files.piece(piece).filename().string(); };
  unsigned number = 1;
  for (; number < kMaxPieces; ++number) {
    absl::StatusOr<SourceFile> file = SourceFile::open(files.piece(number), boundary);
    if (!file.ok()) {
      if (!absl::IsNotFound(file.status())) problems_.emplace_back(file.status().message());
      break;
    }
    pieces_.push_back({.file = *std::move(file), .begin = end});
    end += pieces_.back().file.size();
  }
  for (unsigned later = number + 1; later <= number + kHole; ++later) {
    std::error_code error;
    if (!std::filesystem::exists(files.piece(later), error)) continue;
    problems_.push_back(fmt::format("{} is missing, but {} is there", name(number), name(later)));
    break;
  }
  for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
    const std::uint64_t blocks = pieces_[i].file.size() - (i == 0 ? header_.size : 0);
    if (blocks % kBlockSize != 0) {
      problems_.push_back(
          fmt::format("{} does not end with a block", name(static_cast<unsigned>(i))));
    }
  }
}

void Book::count_blocks() {
  const std::uint64_t room = bytes() - std::min<std::uint64_t>(bytes(), header_.size);
  const std::uint64_t stated = std::uint64_t{header_.blocks} * kBlockSize;
  if (room != stated) {
    problems_.push_back(fmt::format("the header tells of {} blocks, {} bytes; there are {} bytes",
                                    header_.blocks, stated, room));
  }
  blocks_ = std::min<std::uint64_t>(header_.blocks, room / kBlockSize);
  if (header_.is_unknown_type()) {
    problems_.push_back(
        fmt::format("its elements are of the unknown type {}", header_.element_type));
  }
}

void Book::find_byte_order() {
  codec::kvetka::ByteOrderVote vote;
  vote.add(header_.caption_units());
  BookBlock block;
  for (std::uint64_t i = 0;
       !vote.is_decided() && i < std::min<std::uint64_t>(blocks_, kBlocksForByteOrder); ++i) {
    (void)visit_block(i, block, [&vote](const Element& element) {
      if (element.comment.has_value()) vote.add(*element.comment);
    });
  }
  byte_order_ = vote.decide();
}

std::uint64_t Book::bytes() const { return pieces_.back().begin + pieces_.back().file.size(); }

std::vector<FileStamp> Book::stamps() const {
  std::vector<FileStamp> stamps;
  for (const Piece& piece : pieces_) stamps.push_back(piece.file.stamp());
  return stamps;
}

absl::Status Book::read(std::uint64_t offset, std::span<std::uint8_t> out) const {
  while (!out.empty()) {
    const auto after = std::ranges::upper_bound(pieces_, offset, {}, &Piece::begin);
    const Piece& piece = *std::prev(after);
    const std::uint64_t at = offset - piece.begin;
    std::size_t count = out.size();
    // A block may begin in one piece and continue in the next.
    if (after != pieces_.end()) count = std::min<std::uint64_t>(count, after->begin - offset);
    RETURN_IF_ERROR(piece.file.read(at, out.first(count)));
    if (!piece.file.is_as_opened()) {
      return absl::FailedPreconditionError(
          fmt::format("{} has changed", piece.file.path().string()));
    }
    out = out.subspan(count);
    offset += count;
  }
  return absl::OkStatus();
}

absl::Status Book::read_block(std::uint64_t number, BookBlock& block) const {
  assert(number < blocks());
  return read(header_.size + number * kBlockSize, block);
}

absl::Status Book::visit_block(std::uint64_t number, BookBlock& block,
                               absl::FunctionRef<void(const Element&)> visit,
                               absl::FunctionRef<void(BookDamage)> damage) const {
  RETURN_IF_ERROR(read_block(number, block));
  BlockElements elements(block, header_.has_links());
  Element element;
  for (;;) {
    switch (elements.next(element)) {
      case BlockElements::Next::Element:
        visit(element);
        break;
      case BlockElements::Next::Damage:
        damage({.block = number,
                .offset = elements.offset(),
                .reason = std::string(elements.error())});
        break;
      case BlockElements::Next::End:
        return absl::OkStatus();
    }
  }
}

std::optional<Key> Book::least_key(std::uint64_t number, BookBlock& block) const {
  std::optional<Key> least;
  (void)visit_block(number, block, [&least](const Element& element) {
    if (!least.has_value() || element.key < *least) least = element.key;
  });
  return least;
}

void Book::load_index(const BookFiles& files, const std::filesystem::path& boundary) {
  const absl::StatusOr<SourceFile> file = SourceFile::open(files.index(), boundary);
  if (!file.ok()) {
    if (!absl::IsNotFound(file.status())) problems_.emplace_back(file.status().message());
    return;
  }
  const auto name = files.index().filename().string();
  const absl::StatusOr<std::vector<std::uint8_t>> bytes =
      file->size() == blocks_ * codec::kvetka::kKeySize
          ? file->read_front(file->size())
          : absl::StatusOr<std::vector<std::uint8_t>>(std::vector<std::uint8_t>());
  std::optional<std::vector<Key>> keys;
  if (bytes.ok()) keys = codec::kvetka::parse_book_index(*bytes, blocks_);
  BookBlock block;
  const auto is_right = [&](std::uint64_t i) { return least_key(i, block) == (*keys)[i]; };
  if (!keys.has_value() || (blocks_ != 0 && !(is_right(0) && is_right(blocks_ - 1)))) {
    problems_.push_back(fmt::format("{} does not belong to the blocks and is not used", name));
    return;
  }
  auto index = std::make_shared<Index>();
  index->reserve(keys->size());
  for (std::uint32_t i = 0; i < keys->size(); ++i) index->push_back({(*keys)[i], i});
  const cache::MutexLock lock(index_mutex_);
  index_ = std::move(index);
}

Book::IndexPtr Book::index() const {
  {
    const cache::MutexLock lock(index_mutex_);
    if (index_ != nullptr) return index_;
  }
  return rebuild_index();
}

Book::IndexPtr Book::rebuild_index() const {
  const cache::MutexLock lock(index_mutex_);
  if (index_is_rebuilt_) return index_;
  auto index = std::make_shared<Index>();
  BookBlock block;
  for (std::uint64_t i = 0; i < blocks_; ++i) {
    const std::optional<Key> key = least_key(i, block);
    if (key.has_value()) index->push_back({*key, static_cast<std::uint32_t>(i)});
  }
  std::ranges::stable_sort(*index, {}, &IndexEntry::key);
  index_ = std::move(index);
  index_is_rebuilt_ = true;
  return index_;
}

absl::StatusOr<bool> Book::read_position(std::uint64_t block, std::size_t index,
                                         BookPosition& found) const {
  if (block >= blocks_) return false;
  std::size_t at = 0;
  bool is_there = false;
  RETURN_IF_ERROR(visit_block(block, found.block, [&](const Element& element) {
    if (at++ != index) return;
    found.element = element;
    found.block_number = block;
    found.index = index;
    is_there = true;
  }));
  return is_there;
}

absl::StatusOr<bool> Book::find(const Key& key, BookPosition& found) const {
  for (IndexPtr index = this->index();;) {
    const auto after = std::ranges::upper_bound(*index, key, {}, &IndexEntry::key);
    if (after == index->begin()) return false;
    const IndexEntry& entry = *std::prev(after);
    bool is_there = false;
    std::optional<Key> least;
    bool is_after_all = true;
    std::size_t index_in_block = 0;
    const auto visit = [&](const Element& element) {
      const std::size_t at = index_in_block++;
      if (!least.has_value() || element.key < *least) least = element.key;
      if (element.key >= key) is_after_all = false;
      if (element.key != key || is_there) return;
      found.element = element;
      found.block_number = entry.block;
      found.index = at;
      is_there = true;
    };
    RETURN_IF_ERROR(visit_block(entry.block, found.block, visit));
    if (is_there) return true;
    // Before this reports that there is no such position, it checks that the index is right.
    BookBlock next;
    if (least == entry.key &&
        (!is_after_all || after == index->end() || least_key(after->block, next) == after->key)) {
      return false;
    }
    const IndexPtr rebuilt = rebuild_index();
    if (rebuilt == index) return false;
    index = rebuilt;
  }
}

}  // namespace scidfs::fs
