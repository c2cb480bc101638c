#include "fs/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "codec/date.h"
#include "codec/eco.h"
#include "fs/filename.h"
#include "fs/game_reader.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;
using codec::scid::NameKind;

constexpr std::string_view kIndexHead =
    "number\twhite\twhite_elo\tblack\tblack_"
    "elo\tresult\tdate\tround\tevent\tsite\teco\tplies\tpath\t"
    "event_date\tflags\tvariations\tcomments\tnags\tstored_line\tmaterial\thome_"
    "pawns\toffset\tlength"
    "\n";

void append_name(const Database& database, NameKind kind, std::uint32_t id, std::string& out) {
  append_tsv_field(database.names()[kind].text(id), out);
  out += '\t';
}

// A rating is a number; one of another system than Elo has its name in front.
void append_rating(codec::Rating rating, std::string& out) {
  if (rating.value != 0) {
    if (rating.type != codec::RatingType::Elo) {
      fmt::format_to(std::back_inserter(out), "{}:", codec::rating_name(rating.type));
    }
    fmt::format_to(std::back_inserter(out), "{}", rating.value);
  }
  out += '\t';
}

void append_index_line(const Database& database, GameIndex game, std::string_view directory,
                       std::string& out) {
  const IndexEntry entry = database.entry(game);
  const codec::scid::NameTable& players = database.names()[NameKind::Player];
  fmt::format_to(std::back_inserter(out), "{}\t", game + 1);
  append_name(database, NameKind::Player, entry.white, out);
  append_rating(entry.white_rating, out);
  append_name(database, NameKind::Player, entry.black, out);
  append_rating(entry.black_rating, out);
  fmt::format_to(std::back_inserter(out), "{}\t{}\t", codec::result_token(entry.result),
                 codec::to_string(entry.date));
  append_name(database, NameKind::Round, entry.round, out);
  append_name(database, NameKind::Event, entry.event, out);
  append_name(database, NameKind::Site, entry.site, out);
  fmt::format_to(std::back_inserter(out), "{}\t{}\t{}/{}/{}\t", codec::eco_to_string(entry.eco),
                 entry.plies, directory, games_directory_name(game + 1),
                 game_file_name(game + 1, players.text(entry.white), players.text(entry.black),
                                entry.date, entry.result));
  fmt::format_to(
      std::back_inserter(out), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
      entry.event_date.empty() ? std::string() : codec::to_string(entry.event_date),
      codec::scid::flags_to_string(entry.flags), codec::scid::shown_count(entry.variation_code),
      codec::scid::shown_count(entry.comment_code), codec::scid::shown_count(entry.nag_code),
      entry.stored_line, codec::scid::material_to_string(entry.material),
      codec::scid::home_pawns_to_string(entry), entry.offset, entry.length);
}

// A database of nothing but damage must not become a text of gigabytes.
constexpr std::size_t kMaxErrorLines = 100000;

// Lines are made anew when they are read; only where every kStride-th begins is kept.
class IndexTable : public Content {
 public:
  IndexTable(std::shared_ptr<const Database> database, GameList list, std::string_view directory)
      : database_(std::move(database)), list_(list), directory_(directory) {
    std::uint64_t end = kIndexHead.size();
    std::string line;
    for (std::size_t position = 0; position < list_.size(); ++position) {
      if (position % kStride == 0) begins_.push_back(end);
      line.clear();
      append_index_line(*database_, list_[position], directory_, line);
      end += line.size();
    }
    size_ = end;
  }

  std::uint64_t size() const override { return size_; }
  std::size_t memory() const override {
    return sizeof(*this) + begins_.capacity() * sizeof(begins_[0]);
  }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    std::string text;
    std::uint64_t begin = 0;
    std::size_t position = 0;
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
    if (after == begins_.begin()) {
      text = kIndexHead;
    } else {
      begin = *(after - 1);
      position = static_cast<std::size_t>(after - 1 - begins_.begin()) * kStride;
    }
    const std::size_t skip = offset - begin;
    for (; position < list_.size() && text.size() < skip + length; ++position) {
      append_index_line(*database_, list_[position], directory_, text);
    }
    if (text.size() < skip + length) return absl::OutOfRangeError("read behind the end");
    out.append(text, skip, length);
    return absl::OkStatus();
  }

 private:
  static constexpr std::size_t kStride = 256;

  std::shared_ptr<const Database> database_;
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
