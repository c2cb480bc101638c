// Reads the games of PGN texts, as a new database takes them.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cassert>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/file/source_file.h"
#include "fs/file/text_stream.h"
#include "fs/file/zip_file.h"
#include "fs/import/new_database.h"

namespace scidfs::fs {

// Returns whether a file is PGN by its name: .pgn, or that and .gz, .zst, .bz2 or .xz, in any
// letter case.
bool is_pgn_name(std::string_view name);

// A place between two games of a text.
struct PgnPlace {
  std::uint64_t offset = 0;  // in bytes of the text, unpacked
  std::uint64_t line = 1;    // its number
  std::uint64_t games = 0;   // before it
};

struct PgnImportOptions {
  unsigned threads = 0;                                 // that parse; 0: one for each processor
  codec::CodePage page = codec::CodePage::Windows1252;  // of texts that are no UTF-8
  PgnPlace begin{};                                     // where to begin
  // Whether whole games are taken of a compressed text that was cut, with a remark.
  bool takes_partial = false;
  // Whether another program may add to the end of the file meanwhile, which is left out.
  bool may_grow = false;
  // Asked often, by several threads: whether to give up. Empty: never.
  std::function<bool()> is_cancelled{};
};

struct PgnImported {
  PgnPlace end;  // of the text
  // Where the last game begins; in a text without tags the first of several. If the text grows, all
  // games before this place stay as they are, and those after it must be imported again.
  PgnPlace last;
  // Whether the text ends because its file was cut; its last game is left out then.
  bool is_cut = false;
};

// Adds a game to what is made of a text: NewDatabase::add(), or nothing but a count.
using AddGame = absl::FunctionRef<absl::StatusOr<Loss>(const NewGame& game)>;

// A text of games, which may be compressed or in a zip file (fs/file/text_stream.h). For one
// thread.
class PgnSource {
 public:
  static PgnSource standard_input() { return PgnSource(nullptr); }
  explicit PgnSource(SourceFile file) : PgnSource(std::make_shared<SourceFile>(std::move(file))) {}
  // Returns the PGN files in a zip file, to be imported in this order by one thread, each once.
  // `names` is the code page of their names. `remark` gets a line for each other file that has no
  // name or, as `is_source` tells by the name, games. Errors: those of list_zip(); InvalidArgument
  // if there are none.
  static absl::StatusOr<std::vector<PgnSource>> members_of(
      SourceFile zip, codec::CodePage names, IsSource is_source,
      absl::FunctionRef<void(std::string_view)> remark);

  // Returns the bytes of the file, as it is stored, or of a member, unpacked; 0 if they are
  // unknown.
  std::uint64_t size() const {
    if (member_.has_value()) return member_->size;
    return file_ == nullptr ? 0 : file_->size();
  }
  // Returns the file. REQUIRES: it is not standard input.
  const SourceFile& file() const {
    assert(file_ != nullptr);
    return *file_;
  }

  // Adds all games from `options.begin` on, in their order. Several threads parse them, each a
  // piece of whole games at a time; so memory is bounded by the threads and the longest game. One
  // thread at a time calls `add`, `advance`, for each piece that has been added, with the number of
  // bytes of the file that were read for it (0 where few bytes unpack to many), and `remark`.
  // Errors: Unavailable if another program writes to the file, even if the bytes that were read
  // seemed whole; DataLoss if no game of a text that was cut is whole; Cancelled; those of
  // TextStream and of `add`.
  absl::StatusOr<PgnImported> import(AddGame add, const PgnImportOptions& options,
                                     absl::FunctionRef<void(std::uint64_t)> advance,
                                     absl::FunctionRef<void(std::string_view)> remark) const;

 private:
  explicit PgnSource(std::shared_ptr<const SourceFile> file) : file_(std::move(file)) {}

  // Returns the text from its beginning on.
  TextStream open(TextStream::Cut cut) const;

  std::shared_ptr<const SourceFile> file_;  // null: standard input
  // If it is a zip file: its members, and the one of this text.
  std::shared_ptr<ZipMembers> members_;
  std::optional<ZipMember> member_;
};

}  // namespace scidfs::fs
