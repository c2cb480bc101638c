#include "fs/build/book_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <utility>

#include "cache/mutex.h"
#include "codec/kvetka/sources.h"
#include "codec/scid/names.h"
#include "codec/text.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/build/book_games.h"
#include "fs/build/book_links.h"
#include "fs/build/book_sort.h"
#include "fs/build/book_write.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

using codec::kvetka::GameLink;

constexpr std::size_t kGamesAtOnce = 4096;
constexpr std::size_t kTalliesAtOnce = 16384;
constexpr std::size_t kSightingsOfLastGame = 1024;
constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

// A database, and its games in the book.
struct Input {
  DatabasePtr database;
  std::vector<GameIndex> games;
  BookGameNumber first = 0;  // number of games[0]
};

// A range of an input's games.
struct Task {
  const Input* input = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Builder {
 public:
  Builder(const BookBuildOptions& options, Progress progress)
      : options_(options), progress_(progress) {}

  absl::StatusOr<BookBuildReport> build();

 private:
  absl::Status open_inputs();
  absl::Status find_sizes();
  absl::Status gather();
  absl::Status gather_some(std::atomic<std::size_t>& next_task);
  absl::Status keep_run(std::vector<Sighting>& sightings) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status write_positions(BookWriter& writer);
  absl::Status write_tally(const Tally& tally, BookWriter& writer);
  absl::Status write_sources(NewFile& file);
  absl::Status write_games(const Input& input, NewFile& file);
  GameLink link_to(BookGameNumber number) const;
  std::filesystem::path folder() const { return folder_of(options_.book); }
  // Returns the most sightings that a thread may keep.
  std::size_t sightings_at_once() const;
  void advance(std::uint64_t games) { progress_(done_ += games, total_); }

  const BookBuildOptions& options_;
  Progress progress_;
  std::vector<Input> inputs_;
  std::vector<Task> tasks_;
  BookBuildReport report_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_ = 0;

  cache::Mutex mutex_;
  std::vector<TallyRun> runs_ ABSL_GUARDED_BY(mutex_);
};

absl::Status Builder::open_inputs() {
  std::uint64_t number = 0;
  for (const std::filesystem::path& path : options_.databases) {
    ASSIGN_OR_RETURN(std::shared_ptr<Database> database,
                     Database::open(path, path.filename().string(), {}));
    for (const std::string& problem : database->files().problems()) {
      report_.problems.push_back(fmt::format("{}: {}", path.string(), problem));
    }
    Input& input = inputs_.emplace_back();
    input.database = std::move(database);
    input.games = games_for_book(*input.database, options_.limits);
    input.first = static_cast<BookGameNumber>(number);
    number += input.games.size();
    if (number > std::numeric_limits<BookGameNumber>::max()) {
      return absl::InvalidArgumentError("Cannot build a book of so many games");
    }
    report_.left_out += input.database->loaded().shown_count() - input.games.size();
    total_ += input.database->games();
  }
  report_.games = number;
  total_ += number;
  // From here on, tasks point into inputs_.
  for (const Input& input : inputs_) {
    for (std::size_t begin = 0; begin < input.games.size(); begin += kGamesAtOnce) {
      tasks_.push_back({&input, begin, std::min(begin + kGamesAtOnce, input.games.size())});
    }
  }
  return absl::OkStatus();
}

// Finds the sizes of all texts, which determine the places of games in all.pgn.
absl::Status Builder::find_sizes() {
  for (const Input& input : inputs_) {
    const Database& database = *input.database;
    const std::size_t tasks = (database.games() + kGamesAtOnce - 1) / kGamesAtOnce;
    cache::Mutex mutex;
    absl::Status failure;
    run_parallel(tasks, thread_count(options_.threads, tasks), [&](std::size_t task) {
      const std::size_t first = task * kGamesAtOnce;
      const std::size_t last = std::min<std::size_t>(first + kGamesAtOnce, database.games());
      absl::Status status =
          database.compute_sizes(static_cast<GameIndex>(first), static_cast<GameIndex>(last));
      advance(last - first);
      const cache::MutexLock lock(mutex);
      failure.Update(std::move(status));
    });
    if (!failure.ok()) return failure;
  }
  return absl::OkStatus();
}

std::size_t Builder::sightings_at_once() const {
  const unsigned threads = thread_count(options_.threads, tasks_.size());
  return std::max<std::size_t>(options_.memory / threads / sizeof(Sighting), 1);
}

absl::Status Builder::keep_run(std::vector<Sighting>& sightings) {
  if (sightings.empty()) return absl::OkStatus();
  absl::StatusOr<TallyRun> run = TallyRun::create(folder());
  if (!run.ok()) return run.status();
  absl::Status status =
      tally_up(sightings, [&run](const Tally& tally) { return run->append(tally); });
  if (status.ok()) status = run->finish();
  if (!status.ok()) return status;
  sightings.clear();
  const cache::MutexLock lock(mutex_);
  runs_.push_back(*std::move(run));
  return absl::OkStatus();
}

absl::Status Builder::gather_some(std::atomic<std::size_t>& next_task) {
  std::vector<Sighting> sightings;
  const std::size_t most = sightings_at_once();
  // Reserve the most: unused capacity takes no memory, but growing by doubling would.
  sightings.reserve(most + kSightingsOfLastGame);
  std::uint64_t damaged = 0;
  for (std::size_t i = next_task++; i < tasks_.size(); i = next_task++) {
    const Task& task = tasks_[i];
    BookGatherer gatherer(*task.input->database, options_.plies);
    for (std::size_t at = task.begin; at < task.end; ++at) {
      const auto number = static_cast<BookGameNumber>(task.input->first + at);
      ASSIGN_OR_RETURN(const bool is_damaged,
                       gatherer.gather(task.input->games[at], number, sightings));
      damaged += is_damaged ? 1 : 0;
      if (sightings.size() < most) continue;
      RETURN_IF_ERROR(keep_run(sightings));
    }
    advance(task.end - task.begin);
  }
  RETURN_IF_ERROR(keep_run(sightings));
  const cache::MutexLock lock(mutex_);
  report_.damaged += damaged;
  return absl::OkStatus();
}

absl::Status Builder::gather() {
  const unsigned threads = thread_count(options_.threads, tasks_.size());
  std::atomic<std::size_t> next_task = 0;
  cache::Mutex mutex;
  absl::Status failure;
  run_parallel(threads, threads, [&](std::size_t) {
    absl::Status status = gather_some(next_task);
    const cache::MutexLock lock(mutex);
    failure.Update(std::move(status));
  });
  return failure;
}

GameLink Builder::link_to(BookGameNumber number) const {
  const auto after = std::ranges::upper_bound(inputs_, number, {}, &Input::first);
  // An input without games has the number of the next input; this finds the last of these.
  const Input& input = *std::prev(after);
  return {.source = static_cast<std::uint16_t>(&input - inputs_.data()),
          .game = number - input.first};
}

absl::Status Builder::write_tally(const Tally& tally, BookWriter& writer) {
  const std::vector<std::uint8_t> codes = tally.codes();
  std::vector<GameLink> links;
  for (const BookGameNumber game : tally.last_games) links.push_back(link_to(game));
  std::optional<GameLink> some_source;
  if (tally.passing.has_value()) some_source = link_to(*tally.passing);
  return writer.add({.key = tally.key,
                     .wins = tally.wins,
                     .draws = tally.draws,
                     .losses = tally.losses,
                     .moves = codes,
                     .some_source = some_source,
                     .links = links});
}

absl::Status Builder::write_positions(BookWriter& writer) {
  std::vector<TallyRun> runs;
  {
    const cache::MutexLock lock(mutex_);
    runs = std::move(runs_);
  }
  if (!options_.links) {
    return merge_runs(std::move(runs), folder(),
                      [&](const Tally& tally) { return write_tally(tally, writer); });
  }
  // Links require that all positions are known before the first one is written.
  BookLinks links;
  ASSIGN_OR_RETURN(TallyRun all, TallyRun::create(folder()));
  absl::Status status = merge_runs(std::move(runs), folder(), [&](const Tally& tally) {
    links.add(tally.key);
    return all.append(tally);
  });
  if (status.ok()) status = all.finish();
  if (!status.ok()) return status;
  TallyRun::Reader reader(all);
  std::vector<Tally> some;
  for (bool is_end = false; !is_end;) {
    some.clear();
    while (some.size() < kTalliesAtOnce) {
      Tally tally;
      ASSIGN_OR_RETURN(const bool more, reader.next(tally));
      is_end = !more;
      if (is_end) break;
      some.push_back(std::move(tally));
    }
    links.complete(some, options_.threads);
    for (const Tally& tally : some) {
      RETURN_IF_ERROR(write_tally(tally, writer));
    }
  }
  return absl::OkStatus();
}

absl::Status Builder::write_games(const Input& input, NewFile& file) {
  const Database& database = *input.database;
  const codec::scid::NameTable& players = database.names()[codec::scid::NameKind::Player];
  std::vector<std::uint8_t> bytes;
  const std::string address = codec::kvetka::encode_units(
      codec::clean_line(database.name()) + "/all.pgn", options_.byte_order);
  codec::kvetka::append_source_head({.type = codec::kvetka::SourceType::PgnFile,
                                     .address = codec::as_bytes(address),
                                     .games = static_cast<std::uint32_t>(input.games.size())},
                                    bytes);
  std::uint64_t offset = 0;
  auto wanted = input.games.begin();
  for (GameIndex game = 0; game < database.games() && wanted != input.games.end(); ++game) {
    if (!database.loaded().has(Part::Shown, game)) continue;
    ASSIGN_OR_RETURN(const std::uint32_t size, database.text_size(game));
    if (game == *wanted) {
      ++wanted;
      const codec::scid::GameEntry entry = database.entry(game);
      const auto name = [&](std::uint32_t id) {
        return codec::kvetka::encode_ansi(players.text(id), options_.code_page);
      };
      const std::string white = name(entry.white);
      const std::string black = name(entry.black);
      const bool is_remote = offset >= kNowhere;
      report_.far_away += is_remote ? 1 : 0;
      codec::kvetka::append_game_record(
          {.address = is_remote ? kNowhere : static_cast<std::uint32_t>(offset),
           .length = is_remote ? 0 : size,
           .white = codec::as_bytes(white),
           .black = codec::as_bytes(black),
           .white_elo = entry.white_rating.elo(),
           .black_elo = entry.black_rating.elo(),
           .result = entry.result},
          bytes);
      RETURN_IF_ERROR(file.append(bytes));
      bytes.clear();
    }
    offset += size;
  }
  return file.append(bytes);
}

absl::Status Builder::write_sources(NewFile& file) {
  std::vector<std::uint32_t> offsets(inputs_.size());
  std::vector<std::uint8_t> table;
  codec::kvetka::append_sources_toc(offsets, table);
  RETURN_IF_ERROR(file.append(table));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (file.size() > kNowhere) {
      return absl::InvalidArgumentError("Cannot write the sources of so many games to one file");
    }
    offsets[i] = static_cast<std::uint32_t>(file.size());
    RETURN_IF_ERROR(write_games(inputs_[i], file));
  }
  table.clear();
  codec::kvetka::append_sources_toc(offsets, table);
  return file.patch(0, table);
}

absl::StatusOr<BookBuildReport> Builder::build() {
  RETURN_IF_ERROR(open_inputs());
  const std::string caption =
      options_.caption.empty() ? options_.book.filename().string() : options_.caption;
  ASSIGN_OR_RETURN(std::unique_ptr<BookWriter> writer,
                   BookWriter::create(options_.book,
                                      {.caption = codec::kvetka::encode_units(
                                           codec::clean_line(caption), options_.byte_order),
                                       .limits = options_.limits,
                                       .max_plies = static_cast<std::uint8_t>(options_.plies),
                                       .element_type = 1,
                                       .links = static_cast<std::uint8_t>(options_.links ? 1 : 0)},
                                      *options_.maker));
  absl::Status status = find_sizes();
  if (status.ok()) status = gather();
  if (status.ok()) status = write_positions(*writer);
  if (status.ok()) status = write_sources(writer->sources());
  if (status.ok()) status = writer->commit();
  if (!status.ok()) return status;
  report_.positions = writer->positions();
  report_.blocks = writer->blocks();
  report_.pieces = writer->pieces();
  return std::move(report_);
}

}  // namespace

absl::StatusOr<BookBuildReport> build_book(const BookBuildOptions& options, Progress progress) {
  return Builder(options, progress).build();
}

}  // namespace scidfs::fs
