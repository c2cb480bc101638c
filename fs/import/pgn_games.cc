#include "fs/import/pgn_games.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <limits>
#include <utility>

#include "cache/mutex.h"
#include "codec/pgn_reader/reader.h"
#include "codec/pgn_reader/scanner.h"
#include "fs/base/parallel.h"
#include "fs/file/io.h"
#include "fs/import/game_batch.h"

namespace scidfs::fs {
namespace {

// How much is read and parsed at once.
constexpr std::size_t kPiece = std::size_t{1} << 20;

// Some whole games of a text.
struct Piece {
  std::string text;
  std::uint64_t number = 0;  // in the text, from 0
  std::uint64_t line = 1;    // the number of its first line
};

// Cuts a text into pieces as it is read.
class PieceReader {
 public:
  PieceReader(int descriptor, std::string_view name) : descriptor_(descriptor), name_(name) {}

  // Takes the next piece. Returns whether there is one. Errors: the text cannot be read.
  absl::StatusOr<bool> next(Piece& piece);

 private:
  // Appends what is read next to rest_.
  absl::Status read_more();

  const int descriptor_;
  const std::string_view name_;
  codec::pgn_reader::GameScanner scanner_;
  std::string rest_;
  bool is_end_ = false;
  std::uint64_t number_ = 0;
  std::uint64_t line_ = 1;
};

absl::Status PieceReader::read_more() {
  const std::size_t before = rest_.size();
  rest_.resize(before + kPiece);
  ssize_t count;
  do {
    count = ::read(descriptor_, rest_.data() + before, kPiece);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return file_error("read", name_, errno);
  is_end_ = count == 0;
  rest_.resize(before + static_cast<std::size_t>(count));
  return absl::OkStatus();
}

absl::StatusOr<bool> PieceReader::next(Piece& piece) {
  std::size_t length = 0;
  while (length == 0) {
    if (!is_end_) {
      if (absl::Status status = read_more(); !status.ok()) return status;
    }
    length = is_end_ ? rest_.size() : scanner_.skip(rest_, false);
    if (is_end_ && length == 0) return false;
  }
  piece.text.assign(rest_, 0, length);
  piece.number = number_++;
  piece.line = line_;
  line_ += codec::pgn_reader::count_lines(piece.text);
  rest_.erase(0, length);
  return true;
}

// Parses pieces on several threads and writes them in their order.
class PgnImport {
 public:
  PgnImport(int descriptor, std::string_view name, NewDatabase& target,
            absl::FunctionRef<void(std::uint64_t)> advance,
            absl::FunctionRef<void(std::string_view)> remark)
      : name_(name),
        target_(target),
        advance_(advance),
        remark_(remark),
        pieces_(descriptor, name) {}

  absl::Status run(unsigned threads);

 private:
  // Parses and writes pieces until there are no more, or one thread has failed.
  void work();
  bool take(Piece& piece) ABSL_LOCKS_EXCLUDED(read_mutex_);
  void write(const Piece& piece, const GameBatch& games) ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status add(const GameBatch& games) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void fail(absl::Status status) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::string_view name_;
  NewDatabase& target_;
  absl::FunctionRef<void(std::uint64_t)> advance_;
  absl::FunctionRef<void(std::string_view)> remark_;

  cache::Mutex read_mutex_;
  PieceReader pieces_ ABSL_GUARDED_BY(read_mutex_);

  cache::Mutex mutex_;
  cache::CondVar turn_;
  std::uint64_t written_ ABSL_GUARDED_BY(mutex_) = 0;  // pieces
  std::uint64_t games_ ABSL_GUARDED_BY(mutex_) = 0;    // of this text
  absl::Status status_ ABSL_GUARDED_BY(mutex_);
};

void PgnImport::fail(absl::Status status) {
  const cache::MutexLock lock(mutex_);
  status_.Update(std::move(status));
  turn_.notify_all();
}

bool PgnImport::take(Piece& piece) {
  absl::StatusOr<bool> taken = false;
  {
    const cache::MutexLock lock(read_mutex_);
    taken = pieces_.next(piece);
  }
  if (!taken.ok()) fail(taken.status());
  return taken.ok() && *taken;
}

absl::Status PgnImport::add(const GameBatch& games) {
  auto remark = games.remarks().begin();
  for (std::size_t i = 0; i < games.size(); ++i) {
    ++games_;
    for (; remark != games.remarks().end() && remark->game == i; ++remark) {
      remark_(fmt::format("{}, line {}: game {}: {}", name_, remark->line, games_, remark->reason));
    }
    const absl::StatusOr<Loss> loss = target_.add(games.game(i));
    if (!loss.ok()) return loss.status();
    if (*loss != Loss::None) {
      remark_(fmt::format("{}: game {}: {}", name_, games_, loss_text(*loss)));
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
  if (status_.ok()) advance_(piece.text.size());
  ++written_;
  turn_.notify_all();
}

void PgnImport::work() {
  GameBatch games;
  codec::PgnReader<GameBatch> reader(games, codec::CodePage::Windows1252);
  Piece piece;
  try {
    while (take(piece)) {
      games.clear();
      reader.read(piece.text, piece.line);
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

absl::Status PgnImport::run(unsigned threads) {
  const unsigned used = thread_count(threads, std::numeric_limits<std::size_t>::max());
  run_parallel(used, used, [this](std::size_t) { work(); });
  const cache::MutexLock lock(mutex_);
  return status_;
}

}  // namespace

absl::StatusOr<PgnSource> PgnSource::open(const std::filesystem::path& path) {
  PgnSource source;
  source.name_ = path.string();
  if (path == kStandardInput) {
    source.name_ = "standard input";
    source.descriptor_ = STDIN_FILENO;
    return source;
  }
  source.own_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!source.own_.ok()) return file_error("open", path.native(), errno);
  source.descriptor_ = source.own_.get();
  struct stat status {};
  if (::fstat(source.descriptor_, &status) != 0) return file_error("read", path.native(), errno);
  if (S_ISDIR(status.st_mode)) return file_error("read", path.native(), EISDIR);
  if (S_ISREG(status.st_mode)) source.size_ = static_cast<std::uint64_t>(status.st_size);
  return source;
}

absl::Status PgnSource::import(NewDatabase& target, unsigned threads,
                               absl::FunctionRef<void(std::uint64_t)> advance,
                               absl::FunctionRef<void(std::string_view)> remark) const {
  return PgnImport(descriptor_, name_, target, advance, remark).run(threads);
}

}  // namespace scidfs::fs
