#include "fs/book/book_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/ending.h"
#include "fs/base/names.h"
#include "fs/book/book_moves.h"
#include "fs/book/book_texts.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::kvetka::Turning;

constexpr std::string_view kPagesName = "fen";
constexpr std::string_view kPageSuffix = ".txt";
constexpr unsigned kMostPieces = 100'000;

// Entries of places. The key of a text is its number. The place of a page:
//
//  field  bits   meaning
//  view   3..0   bits 31..28 of the position's BookPlace
//  entry         kPage, plus 1 if the board is flipped, plus 2 if it is mirrored
//  key    27..0  bits 27..0 of the BookPlace
enum Entry : std::uint8_t { kTop, kText, kPages, kPage };
constexpr unsigned kTurnings = 4;
static_assert(kBookPlaceSize <= kKeyBits + kViewBits);

enum Text : std::uint8_t { kInfo, kPositions, kLines, kGames };
constexpr std::array<std::string_view, 4> kTexts = {"info.txt", "positions.epd", "lines.pgn",
                                                    "games.pgn"};

Child text_child(std::uint32_t text) {
  return {.name = std::string(kTexts[text]), .place = {.entry = kText, .key = text}};
}

Child pages_child() {
  return {.name = std::string(kPagesName), .place = {.entry = kPages}, .is_directory = true};
}

}  // namespace

std::optional<std::string> book_name(std::string_view file) {
  if (!codec::has_ending(file, kFirstPieceEnding) || file.size() == kFirstPieceEnding.size()) {
    return std::nullopt;
  }
  const std::string_view extension = file.substr(file.size() - kBookExtension.size());
  file.remove_suffix(kFirstPieceEnding.size());
  return std::string(file).append(extension);
}

std::string name_of_whole_book(std::string_view file) {
  std::string_view name = file.substr(0, file.rfind('.'));
  if (codec::has_ending(file, kBookExtension)) name = name.substr(0, name.rfind('_'));
  return std::string(name).append(kBookExtension);
}

FileStamp book_companions(const stdfs::path& path) {
  const BookFiles files = find_book(path);
  FileStamp all;
  const auto add = [&all](const FileStamp& stamp) {
    if (stamp == FileStamp{}) return false;
    all.inode = fingerprint_of(stamp, all.inode);
    all.device = stamp.device;
    all.size += stamp.size;
    all.ctime = std::max(all.ctime, stamp.ctime);
    if (std::pair(stamp.mtime_seconds, stamp.mtime_nanoseconds) >
        std::pair(all.mtime_seconds, all.mtime_nanoseconds)) {
      all.mtime_seconds = stamp.mtime_seconds;
      all.mtime_nanoseconds = stamp.mtime_nanoseconds;
    }
    return true;
  };
  add(stamp_of(files.index()));
  add(stamp_of(files.sources()));
  for (unsigned piece = 1; piece < kMostPieces; ++piece) {
    if (!add(stamp_of(files.piece(piece)))) break;
  }
  return all;
}

absl::StatusOr<std::shared_ptr<const BookSnapshot>> BookSnapshot::open(const stdfs::path& path) {
  if (!book_name(path.filename().string()).has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot open {}: the first file of a book is called NAME{}", path.string(),
                    kFirstPieceEnding));
  }
  std::shared_ptr<BookSnapshot> opened(new BookSnapshot());
  opened->name_ = book_prefix(path.filename()).string();
  opened->folder_ = path.parent_path();
  std::error_code error;
  const stdfs::path boundary = stdfs::canonical(opened->folder_, error);
  if (error) {
    return absl::DataLossError(fmt::format("Cannot open {}: {}", path.string(), error.message()));
  }
  absl::StatusOr<std::unique_ptr<Book>> book = Book::open(path, boundary);
  if (!book.ok()) return book.status();
  opened->book_ = *std::move(book);
  absl::StatusOr<std::unique_ptr<BookSources>> sources =
      BookSources::open(find_book(path).sources(), opened->book_->byte_order(), boundary);
  if (sources.ok()) {
    opened->sources_ = *std::move(sources);
  } else if (!absl::IsNotFound(sources.status())) {
    opened->sources_problem_ = std::string(sources.status().message());
  }
  return opened;
}

std::string BookSnapshot::summary() const { return fmt::format("{} blocks", book_->blocks()); }

std::vector<std::string> BookSnapshot::problems() const {
  std::vector<std::string> problems = book_->problems();
  if (sources_ != nullptr) {
    problems.insert(problems.end(), sources_->problems().begin(), sources_->problems().end());
  }
  if (!sources_problem_.empty()) problems.push_back(sources_problem_);
  return problems;
}

bool BookSnapshot::is_directory(LocalId place) const {
  return place.view == 0 && (place.entry == kTop || place.entry == kPages) && place.key == 0;
}

bool BookSnapshot::exists(LocalId place) const {
  if (place.entry >= kPage && place.entry < kPage + kTurnings) {
    return place.view >> (kBookPlaceSize - kKeyBits) == 0;
  }
  if (place.view != 0) return false;
  if (is_directory(place)) return true;
  return place.entry == kText && place.key < kTexts.size() &&
         (place.key != kGames || sources_ != nullptr);
}

absl::Status BookSnapshot::list(LocalId directory, std::uint64_t first, const WorkBudget&,
                                EmitChild emit) const {
  if (directory.entry != kTop) return absl::OkStatus();
  return list_children(
      first, kTexts.size() + 1,
      [this](std::uint64_t position) -> std::optional<Child> {
        if (position == kTexts.size()) return pages_child();
        if (position == kGames && sources_ == nullptr) return std::nullopt;
        return text_child(static_cast<std::uint32_t>(position));
      },
      emit);
}

std::optional<Child> BookSnapshot::lookup(LocalId directory, std::string_view name) const {
  if (directory.entry == kPages) return lookup_page(name);
  if (name == kPagesName) return pages_child();
  const auto text = std::ranges::find(kTexts, name);
  if (text == kTexts.end()) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(text - kTexts.begin());
  if (number == kGames && sources_ == nullptr) return std::nullopt;
  return text_child(number);
}

std::optional<Child> BookSnapshot::lookup_page(std::string_view name) const {
  const std::optional<std::string_view> stem = strip_suffix(name, kPageSuffix);
  if (!stem.has_value()) return std::nullopt;
  const std::optional<codec::Position> position = position_of_page(*stem);
  if (!position.has_value()) return std::nullopt;
  const Turning turning = codec::kvetka::turning_of(*position);
  const auto key = codec::kvetka::key_of(*position, turning);
  BookPosition found;
  if (!key.has_value()) return std::nullopt;
  const absl::StatusOr<bool> is_there = book_->find(*key, found);
  if (!is_there.ok() || !*is_there) return std::nullopt;
  const std::optional<BookPlace> place = fs::place_of(found);
  if (!place.has_value()) return std::nullopt;
  const unsigned entry = kPage + (turning.flipped ? 1U : 0U) + (turning.mirrored ? 2U : 0U);
  return Child{.name = std::string(name),
               .place = {.view = static_cast<std::uint8_t>(*place >> kKeyBits),
                         .entry = static_cast<std::uint8_t>(entry),
                         .key = *place & kMaxKey}};
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open(LocalId file,
                                                            const WorkBudget& budget) const {
  if (file.entry >= kPage && file.entry < kPage + kTurnings) return open_page(file);
  if (file.entry == kText) {
    switch (file.key) {
      case kInfo:
        return open_info(budget);
      case kPositions:
        return open_positions(budget);
      case kLines:
        return open_lines(budget);
      case kGames:
        if (sources_ != nullptr) return open_games(budget);
        break;
      default:
        break;
    }
  }
  return absl::NotFoundError("no such text");
}

absl::StatusOr<std::shared_ptr<const BookSurvey>> BookSnapshot::survey(
    const WorkBudget& budget) const {
  return survey_.get(budget, [&]() -> absl::StatusOr<std::shared_ptr<const BookSurvey>> {
    absl::StatusOr<BookSurvey> survey = survey_book(*book_, budget);
    if (!survey.ok()) return survey.status();
    return std::make_shared<const BookSurvey>(*std::move(survey));
  });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_info(const WorkBudget& budget) const {
  const auto survey = this->survey(budget);
  if (!survey.ok()) return survey.status();
  return std::make_unique<TextContent>(
      book_info_text(*book_, **survey, sources_.get(), sources_problem_));
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_positions(
    const WorkBudget& budget) const {
  const absl::StatusOr<SectionEnds> ends =
      positions_.get(budget, [&] { return measure_epd(*book_, budget); });
  if (!ends.ok()) return ends.status();
  return std::make_unique<SectionedContent>(*ends,
                                            [book = book_](std::size_t block, std::string& out) {
                                              return append_epd(*book, block, out);
                                            });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_lines(const WorkBudget& budget) const {
  const auto survey = this->survey(budget);
  if (!survey.ok()) return survey.status();
  const auto lines = lines_.get(budget, [&] {
    const std::string caption = book_->caption();
    return BookLines::make(book_, caption.empty() ? name_ : caption, **survey, budget);
  });
  if (!lines.ok()) return lines.status();
  return std::make_unique<SectionedContent>(
      (*lines)->ends(), [lines = *lines](std::size_t section, std::string& out) {
        return lines->append(section, out);
      });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_games(const WorkBudget& budget) const {
  const auto games =
      games_.get(budget, [&] { return BookGameTexts::make(sources_, folder_, budget); });
  if (!games.ok()) return games.status();
  return std::make_unique<SectionedContent>(
      (*games)->ends(), [games = *games](std::size_t section, std::string& out) {
        return games->append(section, out);
      });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_page(LocalId place) const {
  const unsigned turned = place.entry - kPage;
  const Turning turning{.flipped = (turned & 1) != 0, .mirrored = (turned & 2) != 0};
  BookPosition found;
  const BookPlace here = static_cast<BookPlace>(place.view) << kKeyBits | place.key;
  const absl::StatusOr<bool> is_there =
      book_->read_position(here >> kBookPlaceBits, here & ((1U << kBookPlaceBits) - 1), found);
  if (!is_there.ok()) return is_there.status();
  if (!*is_there) return absl::NotFoundError("no such position");
  absl::StatusOr<std::string> text = book_page_text(*book_, found.element, turning);
  if (!text.ok()) return text.status();
  return std::make_unique<TextContent>(*std::move(text));
}

}  // namespace scidfs::fs
