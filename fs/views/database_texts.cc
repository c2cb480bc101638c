#include "fs/views/database_texts.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/date.h"
#include "codec/text.h"
#include "fs/base/filename.h"
#include "fs/base/first_lines.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/database/game_reader.h"
#include "fs/database/measure.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// Limits errors.tsv: a database with nothing but damage must not make a text of gigabytes, nor make
// a request for the file's size wait for minutes.
constexpr std::size_t kMaxErrorLines = 100000;
constexpr std::uint64_t kMaxErrorBytes = std::uint64_t{256} << 20;  // of records

}  // namespace

std::string info_text(const Database& database, bool is_counted) {
  const codec::scid::DatabaseInfo& info = database.files().info();
  const std::size_t damaged = is_counted ? database.sizes().damaged().size() : 0;
  std::string text;
  const auto line = [&text](std::string_view key, const auto& value) {
    text += fmt::format("{}: {}\n", key, value);
  };
  line("database", codec::clean_line(database.name()));
  line("description", info.description);
  const std::string& format = database.options().format;
  line("format", format.empty() ? database.files().index_file().header().layout->name : format);
  line("type", info.type);
  line("autoload", info.autoload);
  line("games", database.games());
  line("games shown", database.loaded().shown_count());
  line("games deleted", database.loaded().deleted_count());
  for (const auto& [key, kind] :
       {std::pair("players", NameKind::Player), std::pair("events", NameKind::Event),
        std::pair("sites", NameKind::Site), std::pair("rounds", NameKind::Round)}) {
    line(key, database.names()[kind].size());
  }
  line("first date", codec::to_string(database.loaded().shown_dates().first));
  line("last date", codec::to_string(database.loaded().shown_dates().last));
  for (std::size_t i = 0; i < info.custom_flags.size(); ++i) {
    line(fmt::format("custom flag {}", i + 1), info.custom_flags[i]);
  }
  if (is_counted) {
    line("damaged games", damaged);
  } else {
    line("damaged games", database.files().shares_records() ? "not counted" : "not counted yet");
  }
  for (const std::string& problem : database.files().problems()) {
    line("problem", codec::clean_line(problem));
  }
  for (const std::string& note : database.files().notes()) line("note", note);
  const bool healthy = database.files().problems().empty() && damaged == 0;
  line("health", healthy ? (is_counted ? "good" : "no problem found yet")
                         : "damaged; what can be read is shown, see errors.tsv");
  return text;
}

std::string together_text(const Together& together) {
  std::uint64_t games = 0;
  FirstLines members("database", "databases");
  for (const Together::Member& member : together.members) {
    const Database& database = *member.version->database();
    const std::size_t shown = database.loaded().shown_count();
    games += shown;
    members.add(fmt::format("{}: {} games{}", member.path, shown,
                            database.files().problems().empty() ? "" : ", damaged"));
  }
  FirstLines unread("not read yet", "PGN files"), refused("refused", "PGN files");
  for (const std::string& path : together.unread) unread.add(path);
  for (const std::string& line : together.refused) refused.add(line);
  return fmt::format(
      "databases: {}\ngames: {}\n{}{}{}elsewhere: games/, fens/, deleted/ and errors.tsv are in "
      "the "
      "directories of these databases\n",
      together.members.size(), games, members.text(), unread.text(), refused.text());
}

absl::StatusOr<std::string> errors_text(const Database& database, const WorkBudget& budget) {
  absl::Status status = measure(database, GameList::all_but(database.games(), {}), budget);
  if (!status.ok()) return status;
  std::string text = "number\toffset\treason\n";
  const ReaderPool::Loan reader = database.readers().borrow();
  std::size_t lines = 0;
  std::uint64_t bytes = 0;
  const DeltaList damaged = database.sizes().damaged();
  GameList::Cursor rest = GameList::of(damaged.bytes()).begin();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    if (!budget.spend(games_of_record(database, game))) return WorkBudget::exceeded();
    if (lines == kMaxErrorLines || bytes > kMaxErrorBytes) {
      text += fmt::format("{}\t\tand more; only the first {} are listed\n", kUnknownName, lines);
      break;
    }
    ++lines;
    bytes += database.entry(game).length;
    reader->scratch().clear();
    ASSIGN_OR_RETURN(const auto damage, reader->append(game, reader->scratch()));
    if (!damage.has_value()) continue;
    text += fmt::format("{}\t{}\t{}\n", game + 1, database.entry(game).offset + damage->offset,
                        damage->reason);
  }
  return text;
}

}  // namespace scidfs::fs
