#include "fs/import/pgn_games.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "cache/mutex.h"
#include "codec/ending.h"
#include "codec/pgn_reader/reader.h"
#include "codec/pgn_reader/scanner.h"
#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/import/game_batch.h"

namespace scidfs::fs {
namespace {

// How much is read and parsed at once: little, so that the last pieces of several threads end at
// nearly the same time, and their bytes stay in the processor's cache.
constexpr std::size_t kPiece = std::size_t{1} << 18;

// Some whole games of a text.
struct Piece {
  std::string room;  // what is not needed of it is kept, since to fill it again takes time
  std::string_view text;
  std::vector<codec::pgn_reader::FoundGame> games;  // views of text
  std::uint64_t number = 0;                         // in the text, from 0
  std::uint64_t line = 1;                           // the number of its first line
  std::uint64_t end = 0;                            // its offset in the text
  std::uint64_t end_line = 1;
  std::uint64_t bytes_of_file = 0;  // that were read for it
  bool is_last = false;             // no tag after it tells that its game is complete
};

// Cuts a text into pieces as it is read.
class PieceReader {
 public:
  PieceReader(TextStream& stream, const PgnPlace& begin)
      : stream_(stream), offset_(begin.offset), line_(begin.line) {}

  // Takes the next piece. Returns whether there is one. Errors: the text cannot be read.
  absl::StatusOr<bool> next(Piece& piece);

 private:
  // Appends what is read next to the rest.
  absl::Status read_more();
  // Makes room_ that large, if it is not.
  void reserve(std::size_t size) { room_.resize(std::max(room_.size(), size)); }

  TextStream& stream_;
  codec::pgn_reader::GameScanner scanner_;
  std::string room_;      // begins with the rest of what was read
  std::size_t rest_ = 0;  // its size
  bool is_end_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t offset_;
  std::uint64_t line_;
  std::uint64_t bytes_of_file_ = 0;  // that the pieces so far were read from
};

absl::Status PieceReader::read_more() {
  reserve(rest_ + kPiece);
  const auto room = std::span(room_).subspan(rest_, kPiece);
  ASSIGN_OR_RETURN(const std::size_t count,
                   stream_.read({reinterpret_cast<std::uint8_t*>(room.data()), room.size()}));
  is_end_ = count < kPiece;
  rest_ += count;
  return absl::OkStatus();
}

// Has games that follow each other begin at another place.
void rebase(std::vector<codec::pgn_reader::FoundGame>& games, const char* begin) {
  for (codec::pgn_reader::FoundGame& game : games) {
    game.text = {begin, game.text.size()};
    begin += game.text.size();
  }
}

absl::StatusOr<bool> PieceReader::next(Piece& piece) {
  std::size_t length = 0;
  piece.games.clear();
  while (length == 0) {
    piece.is_last = is_end_;
    // Nothing tells that the game at the end of what was cut is whole.
    if (is_end_ && !stream_.cut().ok()) return false;
    if (!is_end_) {
      RETURN_IF_ERROR(read_more());
    }
    length = scanner_.find_all({room_.data(), rest_}, piece.is_last, piece.games);
    if (piece.is_last && length == 0) return false;
  }
  piece.room.swap(room_);
  piece.text = std::string_view(piece.room).substr(0, length);
  rest_ -= length;
  reserve(rest_);
  std::copy_n(piece.room.data() + length, rest_, room_.data());
  rebase(piece.games, piece.text.data());
  piece.number = number_++;
  piece.line = line_;
  piece.end = offset_ += length;
  piece.end_line = line_ += codec::pgn_reader::count_lines(piece.text);
  piece.bytes_of_file = stream_.bytes_of_file() - bytes_of_file_;
  bytes_of_file_ += piece.bytes_of_file;
  return true;
}

// Parses pieces on several threads and writes them in their order.
class PgnImport {
 public:
  PgnImport(TextStream& stream, std::string_view name, AddGame add_game,
            const PgnImportOptions& options, absl::FunctionRef<void(std::uint64_t)> advance,
            absl::FunctionRef<void(std::string_view)> remark)
      : name_(name),
        add_game_(add_game),
        options_(options),
        advance_(advance),
        remark_(remark),
        pieces_(stream, options.begin),
        imported_{.end = options.begin, .last = options.begin} {}

  absl::StatusOr<PgnImported> run();

 private:
  // Parses and writes pieces until there are no more, or one thread has failed.
  void work();
  bool take(Piece& piece) ABSL_LOCKS_EXCLUDED(read_mutex_);
  void write(const Piece& piece, const GameBatch& games) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status add(const GameBatch& games) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void fail(absl::Status status) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string_view name_;
  AddGame add_game_;
  const PgnImportOptions& options_;
  absl::FunctionRef<void(std::uint64_t)> advance_;
  absl::FunctionRef<void(std::string_view)> remark_;

  cache::Mutex read_mutex_;
  PieceReader pieces_ ABSL_GUARDED_BY(read_mutex_);

  cache::Mutex mutex_;
  cache::CondVar turn_;
  std::uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;  // pieces
  PgnImported imported_ ABSL_GUARDED_BY(mutex_);
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

void PgnImport::fail(absl::Status status) {
  const cache::MutexLock lock(mutex_);
  status_.Update(std::move(status));
  turn_.notify_all();
}

bool PgnImport::take(Piece& piece) {
  absl::StatusOr<bool> taken = false;
  if (options_.is_cancelled && options_.is_cancelled()) {
    taken = absl::CancelledError();
  } else {
    const cache::MutexLock lock(read_mutex_);
    taken = pieces_.next(piece);
  }
  if (!taken.ok()) fail(taken.status());
  return taken.ok() && *taken;
}

absl::Status PgnImport::add(const GameBatch& games) {
  auto remark = games.remarks().begin();
  for (std::size_t i = 0; i < games.size(); ++i) {
    const std::uint64_t number = ++imported_.end.games;
    for (; remark != games.remarks().end() && remark->game == i; ++remark) {
      remark_(fmt::format("{}, line {}: game {}: {}", name_, remark->line, number, remark->reason));
    }
    ASSIGN_OR_RETURN(const Loss loss, add_game_(games.game(i)));
    if (loss != Loss::None) {
      remark_(fmt::format("{}: game {}: {}", name_, number, loss_text(loss)));
    }
  }
  for (; remark != games.remarks().end(); ++remark) {
    remark_(fmt::format("{}, line {}: {}", name_, remark->line, remark->reason));
  }
  return absl::OkStatus();
}

void PgnImport::write(const Piece& piece, const GameBatch& games) {
  const cache::MutexLock lock(mutex_);
  while (status_.ok() && written_ != piece.number) turn_.wait(mutex_);
  if (!status_.ok()) return;
  status_ = add(games);
  if (status_.ok()) advance_(piece.bytes_of_file);
  imported_.end.offset = piece.end;
  imported_.end.line = piece.end_line;
  if (!piece.is_last) imported_.last = imported_.end;
  ++written_;
  turn_.notify_all();
}

void PgnImport::work() {
  GameBatch games;
  codec::PgnReader<GameBatch> reader(games, options_.page);
  Piece piece;
  try {
    while (take(piece)) {
      games.clear();
      reader.read(piece.games, piece.line);
      write(piece, games);
      const cache::MutexLock lock(mutex_);
      if (!status_.ok()) return;
    }
  } catch (...) {
    // No other thread may wait for this piece.
    fail(absl::ResourceExhaustedError("Out of memory"));
    throw;
  }
}

absl::StatusOr<PgnImported> PgnImport::run() {
  const unsigned used = thread_count(options_.threads, std::numeric_limits<std::size_t>::max());
  run_parallel(used, used, [this](std::size_t) { work(); });
  const cache::MutexLock lock(mutex_);
  if (!status_.ok()) return status_;
  return imported_;
}

}  // namespace

bool is_pgn_name(std::string_view name) {
  return codec::has_ending(name.substr(0, name.size() - packing_suffix(name).size()), ".pgn");
}

absl::StatusOr<std::vector<PgnSource>> PgnSource::members_of(
    SourceFile zip, codec::CodePage names, IsSource is_source,
    absl::FunctionRef<void(std::string_view)> remark) {
  const auto file = std::make_shared<const SourceFile>(std::move(zip));
  ASSIGN_OR_RETURN(std::vector<ZipMember> members, list_zip(*file, names));
  const auto unpacked = std::make_shared<ZipMembers>(*file);
  std::vector<PgnSource> sources;
  for (ZipMember& member : members) {
    const std::string_view loss = member.loss(is_source);
    if (!loss.empty() && !member.is_encrypted) {
      remark(fmt::format("{}/{}: left out: {}", file->path().string(), member.name, loss));
      continue;
    }
    if (!member.is_pgn()) continue;
    PgnSource& source = sources.emplace_back(PgnSource(file));
    source.members_ = unpacked;
    source.member_ = std::move(member);
  }
  if (!sources.empty()) return sources;
  return absl::InvalidArgumentError(
      fmt::format("Cannot read {}: it has no PGN file", file->path().string()));
}

TextStream PgnSource::open(TextStream::Cut cut) const {
  if (file_ == nullptr) return TextStream(STDIN_FILENO, "standard input", cut);
  return member_.has_value() ? TextStream(*file_, *members_, *member_, cut)
                             : TextStream(*file_, cut);
}

namespace {

// Tells that a text was cut, if any game of it is whole.
absl::Status take_cut(const TextStream& stream, PgnImported& imported,
                      absl::FunctionRef<void(std::string_view)> remark) {
  if (imported.end.games == 0) return stream.cut();
  imported.is_cut = true;
  remark(fmt::format("{}: it was cut after byte {}: what follows game {} is left out",
                     stream.name(), stream.bytes_of_file(), imported.end.games));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<PgnImported> PgnSource::import(
    AddGame add, const PgnImportOptions& options, absl::FunctionRef<void(std::uint64_t)> advance,
    absl::FunctionRef<void(std::string_view)> remark) const {
  TextStream stream = open(options.takes_partial ? TextStream::Cut::End : TextStream::Cut::Damage);
  if (options.may_grow) stream.let_file_grow();
  absl::Status status = stream.skip(options.begin.offset);
  absl::StatusOr<PgnImported> imported;
  if (status.ok()) {
    if (stream.is_misnamed()) {
      remark(fmt::format("{}: it is not compressed, though its name says so", stream.name()));
    }
    imported = PgnImport(stream, stream.name(), add, options, advance, remark).run();
    status = imported.status();
  }
  if (status.ok() && !stream.cut().ok()) status = take_cut(stream, *imported, remark);
  if (absl::IsFailedPrecondition(status) || !stream.is_unchanged()) {
    return absl::UnavailableError(
        fmt::format("Cannot read {}: another program is writing to it", stream.name()));
  }
  if (!status.ok()) return status;
  return imported;
}

}  // namespace scidfs::fs
