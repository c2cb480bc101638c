#include "fs/views/database_texts.h"

#include <fmt/format.h>

#include "codec/date.h"
#include "codec/text.h"
#include "fs/database/game_reader.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// A database of nothing but damage must not become a text of gigabytes, nor keep whoever asks for
// the size of errors.tsv waiting for minutes.
constexpr std::size_t kMaxErrorLines = 100000;
constexpr std::uint64_t kMaxErrorBytes = std::uint64_t{256} << 20;  // of records

std::uint64_t count_damaged(const Database& database) {
  std::uint64_t damaged = 0;
  for (GameIndex game = 0; game < database.games(); ++game) {
    damaged += database.is_damaged(game) ? 1 : 0;
  }
  return damaged;
}

}  // namespace

std::string info_text(const Database& database) {
  const codec::scid::DatabaseInfo& info = database.info();
  const bool complete = database.all_sizes_known();
  const std::uint64_t damaged = complete ? count_damaged(database) : 0;
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    fmt::format_to(std::back_inserter(text), "{}: {}\n", key, value);
  };
  line("database", codec::clean_line(database.name()));
  line("description", info.description);
  line("format", database.index_file().header().layout->name);
  line("type", info.type);
  line("autoload", info.autoload);
  line("games", database.games());
  line("games shown", database.shown_count());
  line("games deleted", database.deleted_count());
  for (const auto& [key, kind] :
       {std::pair("players", NameKind::Player), std::pair("events", NameKind::Event),
        std::pair("sites", NameKind::Site), std::pair("rounds", NameKind::Round)}) {
    line(key, database.names()[kind].size());
  }
  line("first date", codec::to_string(database.shown_dates().first));
  line("last date", codec::to_string(database.shown_dates().last));
  for (std::size_t i = 0; i < info.custom_flags.size(); ++i) {
    line(fmt::format("custom flag {}", i + 1), info.custom_flags[i]);
  }
  if (complete) {
    line("damaged games", damaged);
  } else {
    line("damaged games", "not counted yet");
  }
  for (const std::string& problem : database.problems()) {
    line("problem", codec::clean_line(problem));
  }
  const bool healthy = database.problems().empty() && damaged == 0;
  line("health", healthy ? (complete ? "good" : "no problem found yet")
                         : "damaged; what can be read is shown, see errors.tsv");
  return text;
}

absl::StatusOr<std::string> errors_text(const Database& database) {
  if (!database.all_sizes_known()) {
    return absl::UnavailableError(
        fmt::format("{}: not all games have been looked at yet", database.name()));
  }
  std::string text = "number\toffset\treason\n";
  const Database::ReaderPtr reader = database.borrow_reader();
  std::size_t lines = 0;
  std::uint64_t bytes = 0;
  for (GameIndex game = 0; game < database.games(); ++game) {
    if (!database.is_damaged(game)) continue;
    if (lines == kMaxErrorLines || bytes > kMaxErrorBytes) {
      fmt::format_to(std::back_inserter(text), "\t\tand more; only the first {} are listed\n",
                     lines);
      break;
    }
    ++lines;
    bytes += database.entry(game).length;
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
