#include "fs/tables/player_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>
#include <string_view>

#include "codec/text_buffer.h"
#include "fs/scan/set_walk.h"
#include "fs/tables/identities.h"
#include "fs/tables/person_text.h"

namespace scidfs::fs {
namespace {

using Column = PackedIndex::Column;

constexpr std::string_view kHead =
    "name\tgames\twhite\tblack\twins\tdraws\tlosses\tpoints\tscore\tfirst_year\tlast_year\t"
    "highest_elo\tpath\twhite_score\tblack_score";
constexpr std::string_view kPeopleHead = "\ttitle\tcountry\tborn\tdied\tid\tspellings";

std::string head_of(PlayerTable::Rows rows) {
  std::string head(kHead);
  if (rows == PlayerTable::Rows::Persons) head += kPeopleHead;
  return head + '\n';
}

Identities identities_of(const Database& database, PlayerTable::Rows rows) {
  const bool by_spelling = rows == PlayerTable::Rows::Spellings;
  return {database, by_spelling ? Identities::Of::Spellings : Identities::Of::Persons};
}

constexpr std::size_t kLinesOfSection = 1000;

std::size_t sections_of(std::size_t players) {
  return std::max<std::size_t>(1, (players + kLinesOfSection - 1) / kLinesOfSection);
}

// Writes the lines of some players.
class Lines {
 public:
  Lines(const Database& database, PlayerTable::Rows rows)
      : who_(identities_of(database, rows)),
        people_(rows == PlayerTable::Rows::Persons ? database.people() : nullptr),
        names_(database.names()[codec::scid::NameKind::Player]) {}

  void append(const PlayerScore& player);
  std::string_view text() const { return text_.view(); }
  std::size_t size() const { return text_.size(); }

 private:
  // Each writes a field and what ends it.
  void write(std::string_view text) {
    out_ = std::copy(text.begin(), text.end(), out_);
    *out_++ = '\t';
  }
  void write(std::uint64_t number) {
    out_ = std::to_chars(out_, out_ + kMaxDigits, number).ptr;
    *out_++ = '\t';
  }
  void write_known(std::uint32_t number) { number == 0 ? write("") : write(number); }
  void write_tenths(std::uint64_t tenths) {
    write(tenths / 10);
    out_[-1] = '.';
    *out_++ = static_cast<char>('0' + tenths % 10);
    *out_++ = '\t';
  }
  void write_score(const Score& score) {
    if (score.decided() == 0) {
      write("");
    } else {
      write_tenths(tenths_of_percent(score.points(), std::uint64_t{2} * score.decided()));
    }
  }

  static constexpr std::size_t kMaxDigits = 20;
  static constexpr std::size_t kFieldsRoom = 14 * (kMaxDigits + 3);

  void append_person(std::uint32_t person);

  const Identities who_;
  const People* const people_;  // null: nothing is said of them
  const codec::scid::NameTable& names_;
  codec::TextBuffer text_;
  char* out_ = nullptr;
  std::string path_;
  std::string fields_;
};

void Lines::append(const PlayerScore& player) {
  path_.clear();
  who_.append_path(player.player, path_);
  const std::string_view name = who_.name(player.player);
  out_ = text_.room(name.size() + path_.size() + kFieldsRoom);
  const Score results = player.score.results();
  write(name);
  write(player.score.games());
  for (const Score& with : player.score.with) write(with.all());
  for (const Outcome outcome : {Outcome::Win, Outcome::Draw, Outcome::Loss}) {
    write(results[outcome]);
  }
  write_tenths(results.points() * 5);
  write_score(results);
  write_known(player.first_year);
  write_known(player.last_year);
  write_known(player.highest_elo);
  write(path_);
  for (const Score& with : player.score.with) write_score(with);
  out_[-1] = '\n';
  text_.commit(out_);
  if (people_ != nullptr) append_person(who_.person(player.player));
}

// In place of the end of the line.
void Lines::append_person(std::uint32_t person) {
  const SpellingIndex::Person of = people_->spelling().person(person);
  text_.commit(text_.room(0) - 1);
  fields_.clear();
  fmt::format_to(std::back_inserter(fields_), "\t{}\t{}\t{}\t{}\t{}\t",
                 codec::scid::titles_to_string(of.titles), of.countries, known_date(of.born),
                 known_date(of.died), of.fide_id == 0 ? "" : fmt::to_string(of.fide_id));
  bool is_first = true;
  for (const std::uint32_t player : people_->spellings(person)) {
    if (!std::exchange(is_first, false)) fields_ += "; ";
    fields_ += names_.text(player);
  }
  fields_ += '\n';
  text_.append(fields_);
}

std::span<const PlayerScore> players_of(std::span<const PlayerScore> all, std::size_t section) {
  const std::size_t first = std::min(section * kLinesOfSection, all.size());
  return all.subspan(first, std::min(kLinesOfSection, all.size() - first));
}

absl::StatusOr<std::vector<PlayerScore>> count_players(const Database& database,
                                                       const SetWalk& walk,
                                                       const std::optional<Subject>& subject,
                                                       PlayerTable::Rows kind,
                                                       const Effort& effort) {
  PlayerTally tally(identities_of(database, kind), walk.games(), subject);
  std::vector<SetRows> rows(tally.workers(workers_for(effort, walk.stretches())),
                            SetRows{Column::White, Column::Black, Column::WhiteRating,
                                    Column::BlackRating, Column::Result, Column::Date});
  absl::Status status =
      walk.visit_all(rows.size(), effort,
                     [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
                       rows[worker].read(database.index(), block, games);
                       tally.add(rows[worker]);
                       return absl::OkStatus();
                     });
  if (!status.ok()) return status;
  std::vector<PlayerScore> scores = std::move(tally).scores();
  if (kind == PlayerTable::Rows::Persons) {
    const Identities who = identities_of(database, kind);
    std::erase_if(scores, [&who](const PlayerScore& score) {
      return who.person(score.player) == People::kNobody;
    });
  }
  return scores;
}

absl::StatusOr<SectionEnds> measure(const Database& database, std::span<const PlayerScore> players,
                                    PlayerTable::Rows rows, const Effort& effort) {
  std::vector<std::uint64_t> ends(sections_of(players.size()));
  absl::Status status = run_tasks(ends.size(), workers_for(effort, ends.size()), effort,
                                  [&](std::size_t, std::size_t section) {
                                    Lines lines(database, rows);
                                    for (const PlayerScore& player : players_of(players, section)) {
                                      lines.append(player);
                                    }
                                    ends[section] = lines.size();
                                    return absl::OkStatus();
                                  });
  if (!status.ok()) return status;
  std::uint64_t end = head_of(rows).size();
  for (std::uint64_t& section_end : ends) {
    end += section_end;
    section_end = end;
  }
  return std::make_shared<const std::vector<std::uint64_t>>(std::move(ends));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const PlayerTable>> PlayerTable::make(
    const GameSet& set, const std::optional<Subject>& subject, Rows rows, const Effort& effort) {
  constexpr std::size_t kPlayersOfGame = 10;  // that are sorted and written in its time
  const Database& database = *set.database();
  const absl::StatusOr<SetWalk> walk = SetWalk::over(set.list(), kPlayerEntriesOfGame, effort);
  if (!walk.ok()) return walk.status();
  absl::StatusOr<std::vector<PlayerScore>> scores =
      count_players(database, *walk, subject, rows, effort);
  if (!scores.ok()) return scores.status();
  if (!effort.spend(scores->size() / kPlayersOfGame)) return Effort::too_little();
  absl::Status status = sort_by_games(identities_of(database, rows), effort, *scores);
  if (!status.ok()) return status;
  absl::StatusOr<SectionEnds> ends = measure(database, *scores, rows, effort);
  if (!ends.ok()) return ends.status();
  return std::shared_ptr<const PlayerTable>(
      new PlayerTable(rows, *std::move(scores), *std::move(ends)));
}

void PlayerTable::append_section(const Database& database, std::size_t section,
                                 std::string& out) const {
  Lines lines(database, rows_);
  for (const PlayerScore& player : players_of(scores_, section)) lines.append(player);
  if (section == 0) out += head_of(rows_);
  out += lines.text();
}

std::unique_ptr<Content> open_player_table(DatabasePtr database,
                                           std::shared_ptr<const PlayerTable> table) {
  const SectionEnds& ends = table->section_ends();
  return std::make_unique<SectionedContent>(
      ends, [database = std::move(database), table = std::move(table)](std::size_t section,
                                                                       std::string& out) {
        table->append_section(*database, section, out);
        return absl::OkStatus();
      });
}

}  // namespace scidfs::fs
