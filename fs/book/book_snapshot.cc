#include "fs/book/book_snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codec/ending.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/book/book_moves.h"
#include "fs/book/book_texts.h"
#include "fs/file/fingerprint.h"
#include "fs/pages/board_svg.h"
#include "fs/pages/shared_files.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::kvetka::Turning;

constexpr std::string_view kFenName = "fen";
constexpr unsigned kMostPieces = 100'000;

// The files of a position. All but the first are for pages.
enum Form : std::uint8_t { kAsText, kAsPage, kAsPicture };
constexpr std::array<std::string_view, 3> kForms = {".txt", ".html", ".svg"};

// Entries of places. The key of a text is its number. The place of a file of a position:
//
//  field  bits   meaning
//  view   3..0   bits 31..28 of the position's BookPlace
//  entry         kPosition, plus 1 if the board is flipped, plus 2 if it is mirrored, plus
//                kTurnings times its Form
//  key    27..0  bits 27..0 of the BookPlace
enum Entry : std::uint8_t { kTop, kText, kFen, kPosition };
constexpr unsigned kTurnings = 4;
constexpr bool is_of_position(LocalId place) {
  return place.entry >= kPosition && place.entry < kPosition + kTurnings * kForms.size();
}
static_assert(kBookPlaceSize <= kKeyBits + kViewBits);

// The texts: those that are always listed, kPageFiles, and the page of fen/.
enum Text : std::uint8_t {
  kInfo,
  kPositions,
  kLines,
  kGames,
  kPage,
  kStyleSheetText,
  kScriptText,
  kIconText,
  kFenPage,
  kTextsEnd
};
constexpr std::array<std::string_view, kPage> kTexts = {"info.txt", "positions.epd", "lines.pgn",
                                                        "games.pgn"};

Child text_child(std::uint32_t text) {
  return {.name = std::string(kTexts[text]), .place = {.entry = kText, .key = text}};
}

Child fen_child() {
  return {.name = std::string(kFenName), .place = {.entry = kFen}, .is_directory = true};
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

absl::StatusOr<std::shared_ptr<const BookSnapshot>> BookSnapshot::open(const stdfs::path& path,
                                                                       PagesMode pages,
                                                                       bool is_mount_point) {
  const std::optional<std::string> shown_name = book_name(path.filename().string());
  if (!shown_name.has_value()) {
    return absl::InvalidArgumentError(
        fmt::format("Cannot open {}: the first file of a book is called NAME{}", path.string(),
                    kFirstPieceEnding));
  }
  std::shared_ptr<BookSnapshot> opened(new BookSnapshot());
  opened->name_ = book_prefix(path.filename()).string();
  opened->directory_ = {.name = codec::clean_line(*shown_name), .is_mount_point = is_mount_point};
  opened->pages_ = pages;
  opened->folder_ = path.parent_path();
  std::error_code error;
  const stdfs::path boundary = stdfs::canonical(opened->folder_, error);
  if (error) {
    return absl::DataLossError(fmt::format("Cannot open {}: {}", path.string(), error.message()));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<Book> book, Book::open(path, boundary));
  opened->book_ = std::move(book);
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
  return place.view == 0 && (place.entry == kTop || place.entry == kFen) && place.key == 0;
}

bool BookSnapshot::has_text(std::uint32_t text) const {
  if (text >= kPage) return text < kTextsEnd && pages_ != PagesMode::None;
  return text != kGames || sources_ != nullptr;
}

bool BookSnapshot::exists(LocalId place) const {
  if (is_of_position(place)) {
    const bool is_there = pages_ != PagesMode::None || place.entry < kPosition + kTurnings;
    return is_there && place.view >> (kBookPlaceSize - kKeyBits) == 0;
  }
  if (place.view != 0) return false;
  return is_directory(place) || (place.entry == kText && has_text(place.key));
}

std::optional<Child> BookSnapshot::page_file(LocalId directory, std::size_t number) const {
  if (pages_ == PagesMode::None) return std::nullopt;
  const bool is_of_fen = number == 0 && directory.entry == kFen;
  return Child{.name = std::string(kPageFiles[number]),
               .place = {.entry = kText,
                         .key = is_of_fen ? std::uint32_t{kFenPage}
                                          : static_cast<std::uint32_t>(kPage + number)}};
}

absl::Status BookSnapshot::list(LocalId directory, std::uint64_t first, const WorkBudget&,
                                EmitChild emit) const {
  const std::uint64_t own = directory.entry == kTop ? kTexts.size() + 1 : 0;
  const bool is_mount_point = directory_.is_mount_point && directory.entry == kTop;
  return list_children(
      first, own + kPageFiles.size(),
      [&](std::uint64_t position) -> std::optional<Child> {
        if (position >= own) {
          if (!lists_page_file(position - own, pages_, is_mount_point)) return std::nullopt;
          return page_file(directory, position - own);
        }
        if (position == kTexts.size()) return fen_child();
        const auto text = static_cast<std::uint32_t>(position);
        return has_text(text) ? std::optional(text_child(text)) : std::nullopt;
      },
      emit);
}

std::optional<Child> BookSnapshot::find(LocalId directory, std::string_view name) const {
  const auto* const file = std::ranges::find(kPageFiles, name);
  if (file != kPageFiles.end()) {
    return page_file(directory, static_cast<std::size_t>(file - kPageFiles.begin()));
  }
  if (directory.entry == kFen) return find_position(name);
  if (name == kFenName) return fen_child();
  const auto text = std::ranges::find(kTexts, name);
  if (text == kTexts.end()) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(text - kTexts.begin());
  return has_text(number) ? std::optional(text_child(number)) : std::nullopt;
}

std::optional<Child> BookSnapshot::find_position(std::string_view name) const {
  const auto* const form = std::ranges::find_if(
      kForms, [name](std::string_view suffix) { return name.ends_with(suffix); });
  if (form == kForms.end()) return std::nullopt;
  const auto number = static_cast<unsigned>(form - kForms.begin());
  if (number != kAsText && pages_ == PagesMode::None) return std::nullopt;
  const std::string_view stem = name.substr(0, name.size() - form->size());
  const std::optional<codec::Position> position = position_of_name(stem);
  if (!position.has_value()) return std::nullopt;
  const Turning turning = codec::kvetka::turning_of(*position);
  const auto key = codec::kvetka::key_of(*position, turning);
  BookPosition found;
  if (!key.has_value()) return std::nullopt;
  const absl::StatusOr<bool> is_there = book_->find(*key, found);
  if (!is_there.ok() || !*is_there) return std::nullopt;
  const std::optional<BookPlace> place = place_of(found.block_number, found.index);
  if (!place.has_value()) return std::nullopt;
  const unsigned entry =
      kPosition + kTurnings * number + (turning.flipped ? 1U : 0U) + (turning.mirrored ? 2U : 0U);
  return Child{.name = std::string(name),
               .place = {.view = static_cast<std::uint8_t>(*place >> kKeyBits),
                         .entry = static_cast<std::uint8_t>(entry),
                         .key = *place & kMaxKey}};
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open(LocalId file,
                                                            const WorkBudget& budget) const {
  return file.entry == kText ? open_text(file.key, budget) : open_position(file);
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_text(std::uint32_t text,
                                                                 const WorkBudget& budget) const {
  switch (text) {
    case kInfo:
      return open_info(budget);
    case kPositions:
      return open_positions(budget);
    case kLines:
      return open_lines(budget);
    case kGames:
      return open_games(budget);
    case kPage:
      return open_page(budget);
    case kStyleSheetText:
    case kScriptText:
    case kIconText:
      return std::make_unique<TextContent>(std::string(page_file_text(text - kPage)));
    case kFenPage: {
      const std::string first = first_position();
      return std::make_unique<TextContent>(
          positions_page(kFenName, book_crumbs(directory_, 1), kForms[kAsPage],
                         first.empty() ? Link() : Link().name(first)));
    }
    default:
      return absl::NotFoundError("no such text");
  }
}

std::string BookSnapshot::first_position() const {
  std::string name = name_of_position(codec::Position()).append(kForms[kAsPage]);
  return find_position(name).has_value() ? name : std::string();
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_page(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const auto survey, this->survey(budget));
  std::vector<std::string_view> files;
  for (std::uint32_t text = 0; text < kTexts.size(); ++text) {
    if (has_text(text)) files.push_back(kTexts[text]);
  }
  return std::make_unique<TextContent>(
      book_page(directory_, book_info_text(*book_, *survey, sources_.get(), sources_problem_),
                files, first_position()));
}

absl::StatusOr<std::shared_ptr<const BookSurvey>> BookSnapshot::survey(
    const WorkBudget& budget) const {
  return survey_.get(budget, [&]() -> absl::StatusOr<std::shared_ptr<const BookSurvey>> {
    ASSIGN_OR_RETURN(BookSurvey survey, survey_book(*book_, budget));
    return std::make_shared<const BookSurvey>(std::move(survey));
  });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_info(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const auto survey, this->survey(budget));
  return std::make_unique<TextContent>(
      book_info_text(*book_, *survey, sources_.get(), sources_problem_));
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_positions(
    const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const SectionEnds ends,
                   positions_.get(budget, [&] { return measure_epd(*book_, budget); }));
  return std::make_unique<SectionedContent>(ends,
                                            [book = book_](std::size_t block, std::string& out) {
                                              return append_epd(*book, block, out);
                                            });
}

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_lines(const WorkBudget& budget) const {
  ASSIGN_OR_RETURN(const auto survey, this->survey(budget));
  const auto lines = lines_.get(budget, [&] {
    const std::string caption = book_->caption();
    return BookLines::make(book_, caption.empty() ? name_ : caption, *survey, budget);
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

absl::StatusOr<std::unique_ptr<Content>> BookSnapshot::open_position(LocalId place) const {
  const unsigned turned = place.entry - kPosition;
  const Turning turning{.flipped = (turned & 1) != 0, .mirrored = (turned & 2) != 0};
  BookPosition found;
  const BookPlace here = static_cast<BookPlace>(place.view) << kKeyBits | place.key;
  ASSIGN_OR_RETURN(
      const bool is_there,
      book_->read_position(here >> kBookPlaceBits, here & ((1U << kBookPlaceBits) - 1), found));
  if (!is_there) return absl::NotFoundError("no such position");
  ASSIGN_OR_RETURN(const BookPositionFacts facts,
                   book_position_facts(*book_, found.element, turning));
  switch (turned / kTurnings) {
    case kAsText:
      return std::make_unique<TextContent>(book_position_text(facts));
    case kAsPage:
      return std::make_unique<TextContent>(book_position_page(directory_, facts));
    default:
      return std::make_unique<TextContent>(board_svg(facts.position, codec::Color::White));
  }
}

}  // namespace scidfs::fs
