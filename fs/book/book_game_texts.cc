#include "fs/book/book_game_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "codec/text.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::kvetka::SourceType;

constexpr std::string_view kCurrentDir = "%currentdir";
// A longer game means that the address is wrong.
constexpr std::uint32_t kMaxGame = std::uint32_t{1} << 20;

// Returns a game of a PGN file without what our PGN texts never have: carriage returns, control
// characters, blanks and lines around the game.
std::string cleaned(codec::Bytes bytes) {
  std::string text;
  codec::append_utf8(bytes, text);
  std::erase(text, '\r');
  for (char& c : text) {
    if (codec::is_ascii_control(c) && c != '\n' && c != '\t') c = ' ';
  }
  const std::size_t end = text.find_last_not_of(" \t\n");
  text.resize(end == std::string::npos ? 0 : end + 1);
  return text;
}

std::string tag(std::string_view name, std::string_view value) {
  return fmt::format("[{} \"{}\"]\n", name, value.empty() ? "?" : codec::pgn_escape(value));
}

std::string stub(const BookSource& source, std::uint32_t number, const BookGame& game) {
  std::string text = tag("Event", "?") + tag("Site", "?") + tag("Date", "????.??.??") +
                     tag("Round", "?") + tag("White", game.white) + tag("Black", game.black) +
                     tag("Result", codec::result_token(game.result));
  if (game.white_elo != 0) text += tag("WhiteElo", std::to_string(game.white_elo));
  if (game.black_elo != 0) text += tag("BlackElo", std::to_string(game.black_elo));
  text += tag("Source", fmt::format("{}, game {}", source.address, std::uint64_t{number} + 1));
  return fmt::format("{}\n{}", text, codec::result_token(game.result));
}

}  // namespace

std::optional<stdfs::path> find_book_source(const stdfs::path& folder, std::string_view address) {
  if (address.starts_with(kCurrentDir)) address.remove_prefix(kCurrentDir.size());
  std::vector<std::string> parts(1);
  for (const char c : address) {
    if (c == '\\' || c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  for (std::size_t first = 0; first < parts.size(); ++first) {
    stdfs::path path = folder;
    const auto rest = parts.begin() + static_cast<std::ptrdiff_t>(first);
    if (std::any_of(rest, parts.end(), [](const std::string& part) {
          return part.empty() || part == "." || part == ".." || part.find('\0') != part.npos;
        })) {
      continue;
    }
    std::for_each(rest, parts.end(), [&path](const std::string& part) { path /= part; });
    std::error_code error;
    if (stdfs::is_regular_file(path, error)) return path;
  }
  return std::nullopt;
}

absl::StatusOr<std::shared_ptr<const BookGameTexts>> BookGameTexts::make(
    std::shared_ptr<const BookSources> sources, const stdfs::path& folder,
    const WorkBudget& budget) {
  if (!budget.is_unlimited()) return WorkBudget::exceeded();
  std::shared_ptr<BookGameTexts> texts(new BookGameTexts());
  texts->sources_ = std::move(sources);
  std::error_code error;
  const stdfs::path boundary = stdfs::canonical(folder, error);
  for (const BookSource& source : texts->sources_->sources()) {
    std::optional<SourceFile>& file = texts->files_.emplace_back();
    if (source.type == SourceType::PgnFile && !error) {
      const std::optional<stdfs::path> path = find_book_source(folder, source.address);
      if (path.has_value()) {
        absl::StatusOr<SourceFile> opened = SourceFile::open(*path, boundary);
        if (opened.ok()) file = *std::move(opened);
      }
    }
    for (std::uint32_t first = 0; first < source.games; first += BookSource::kStride) {
      texts->sections_.push_back(
          {.source = static_cast<std::uint32_t>(texts->files_.size() - 1), .first = first});
    }
  }
  auto ends = std::make_shared<std::vector<std::uint64_t>>();
  std::uint64_t size = 0;
  std::string text;
  for (std::size_t section = 0; section < texts->sections_.size(); ++section) {
    text.clear();
    if (budget.is_cancelled()) return budget.cancelled();
    RETURN_IF_ERROR(texts->append(section, text));
    ends->push_back(size += text.size());
  }
  texts->ends_ = std::move(ends);
  return std::shared_ptr<const BookGameTexts>(std::move(texts));
}

absl::StatusOr<std::optional<std::string>> BookGameTexts::own_text(const SourceFile& file,
                                                                   const BookGame& game) const {
  if (game.length == 0 || game.length > kMaxGame || game.address > file.size() ||
      game.length > file.size() - game.address) {
    return std::nullopt;
  }
  std::vector<std::uint8_t> bytes(game.length);
  RETURN_IF_ERROR(file.read(game.address, bytes));
  if (bytes[0] != '[') return std::nullopt;
  return cleaned(bytes);
}

absl::Status BookGameTexts::append_game(std::size_t source, std::uint32_t number,
                                        const BookGame& game, std::string& out) const {
  absl::StatusOr<std::optional<std::string>> own = std::nullopt;
  if (files_[source].has_value()) own = own_text(*files_[source], game);
  if (!own.ok()) return own.status();
  out += own->has_value() ? **own : stub(sources_->sources()[source], number, game);
  out += "\n\n";
  return absl::OkStatus();
}

absl::Status BookGameTexts::append(std::size_t section, std::string& out) const {
  const std::uint32_t source = sections_[section].source;
  const std::uint32_t first = sections_[section].first;
  absl::Status failure;
  absl::Status status =
      sources_->visit_games(source, first, [&](std::uint32_t number, const BookGame& game) {
        failure = append_game(source, number, game, out);
        return failure.ok() && number + 1 < first + BookSource::kStride;
      });
  status.Update(failure);
  if (status.ok() && files_[source].has_value() && !files_[source]->is_as_opened()) {
    return absl::FailedPreconditionError("a source of the book has changed");
  }
  return status;
}

}  // namespace scidfs::fs
