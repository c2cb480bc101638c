#include "fs/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codec/date.h"
#include "codec/text_buffer.h"
#include "fs/game_reader.h"
#include "fs/index_line.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// A database of nothing but damage must not become a text of gigabytes.
constexpr std::size_t kMaxErrorLines = 100000;

// Lines are made anew when they are read; only where every kStride-th begins is kept.
class IndexTable : public Content {
 public:
  IndexTable(std::shared_ptr<const Database> database, GameList list, std::string_view directory)
      : database_(std::move(database)),
        lines_(database_->names()),
        list_(list),
        directory_(directory) {
    begins_.reserve(list_.size() / kStride + 1);
    size_ = IndexLines::kHead.size();
    for (std::size_t position = 0; position < list_.size(); ++position) {
      if (position % kStride == 0) begins_.push_back(size_);
      size_ += length(list_[position]);
    }
  }

  std::uint64_t size() const override { return size_; }
  std::size_t memory() const override {
    return sizeof(*this) + lines_.memory() + begins_.capacity() * sizeof(begins_[0]);
  }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    codec::TextBuffer text;
    std::uint64_t begin = 0;
    std::size_t position = 0;
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
    if (after == begins_.begin()) {
      text.append(IndexLines::kHead);
    } else {
      position = static_cast<std::size_t>(after - 1 - begins_.begin()) * kStride;
      begin = line_at(offset, *(after - 1), position);
    }
    const std::size_t skip = offset - begin;
    for (; position < list_.size() && text.size() < skip + length; ++position) {
      const GameIndex game = list_[position];
      lines_.append(game, database_->entry(game), directory_, text);
    }
    if (text.size() < skip + length) return absl::OutOfRangeError("read behind the end");
    out.append(text.view().substr(skip, length));
    return absl::OkStatus();
  }

 private:
  static constexpr std::size_t kStride = 256;

  std::size_t length(GameIndex game) const {
    return lines_.length(game, database_->entry(game), directory_);
  }

  // Where the line with the byte `offset` begins; `position`, whose line begins at `begin` and not
  // behind it, becomes that of the line.
  std::uint64_t line_at(std::uint64_t offset, std::uint64_t begin, std::size_t& position) const {
    for (; position < list_.size(); ++position) {
      const std::uint64_t end = begin + length(list_[position]);
      if (end > offset) break;
      begin = end;
    }
    return begin;
  }

  std::shared_ptr<const Database> database_;
  IndexLines lines_;
  GameList list_;
  std::string_view directory_;
  std::vector<std::uint64_t> begins_;  // of lines 0, kStride, 2 * kStride, ...
  std::uint64_t size_ = 0;
};

// The first and the last date of the games, and how many are shown and damaged.
struct Summary {
  codec::Date first;
  codec::Date last;
  std::uint64_t damaged = 0;
};

Summary summarise(const Database& database) {
  Summary summary;
  const GameList shown = database.shown();
  for (std::size_t position = 0; position < shown.size(); ++position) {
    const codec::Date date = database.entry(shown[position]).date;
    if (date.year == 0) continue;
    if (summary.first.empty() || date < summary.first) summary.first = date;
    summary.last = std::max(summary.last, date);
  }
  if (database.all_sizes_known()) {
    for (GameIndex game = 0; game < database.games(); ++game) {
      summary.damaged += database.is_damaged(game) ? 1 : 0;
    }
  }
  return summary;
}

}  // namespace

std::string info_text(const Database& database) {
  const codec::scid::IndexHeader& header = database.header();
  const Summary summary = summarise(database);
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
  };
  line("database", database.name());
  line("description", header.description);
  line("format", "Scid 4 (index version 400)");
  line("type", header.type);
  line("autoload", header.autoload);
  line("games", database.games());
  line("games shown", database.shown().size());
  line("games deleted", database.deleted().size());
  for (const auto& [key, kind] :
       {std::pair("players", NameKind::Player), std::pair("events", NameKind::Event),
        std::pair("sites", NameKind::Site), std::pair("rounds", NameKind::Round)}) {
    line(key, database.names()[kind].size());
  }
  line("first date", codec::to_string(summary.first));
  line("last date", codec::to_string(summary.last));
  for (std::size_t i = 0; i < header.custom_flags.size(); ++i) {
    line(fmt::format("custom flag {}", i + 1), header.custom_flags[i]);
  }
  if (database.all_sizes_known()) {
    line("damaged games", summary.damaged);
  } else {
    line("damaged games", "not counted yet");
  }
  for (const std::string& problem : database.problems()) line("problem", problem);
  const bool healthy = database.problems().empty() && summary.damaged == 0;
  line("health", healthy ? (database.all_sizes_known() ? "good" : "no problem found yet")
                         : "damaged; what can be read is shown, see errors.tsv");
  return text;
}

std::unique_ptr<Content> open_index_table(std::shared_ptr<const Database> database, GameList list,
                                          std::string_view directory) {
  return std::make_unique<IndexTable>(std::move(database), list, directory);
}

absl::StatusOr<std::string> errors_text(const Database& database) {
  if (!database.all_sizes_known()) {
    return absl::UnavailableError(
        fmt::format("{}: not all games have been looked at yet", database.name()));
  }
  std::string text = "number\toffset\treason\n";
  const Database::ReaderPtr reader = database.borrow_reader();
  std::size_t lines = 0;
  for (GameIndex game = 0; game < database.games(); ++game) {
    if (!database.is_damaged(game)) continue;
    if (++lines > kMaxErrorLines) {
      fmt::format_to(std::back_inserter(text), "\t\tand more; only the first {} are listed\n",
                     kMaxErrorLines);
      break;
    }
    reader->scratch().clear();
    const auto damage = reader->append(game, reader->scratch());
    if (!damage.ok()) return damage.status();
    if (!damage->has_value()) continue;
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\n", game + 1,
                   database.entry(game).offset + (*damage)->offset, (*damage)->reason);
  }
  return text;
}

}  // namespace scidfs::fs
