// The sources of a Kvetka book and their games: NAME.ksf as it was when it was opened.
// Source: codec/kvetka/FORMAT.md, section 7.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codec/kvetka/sources.h"
#include "codec/kvetka/strings.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A file or a page with games.
struct BookSource {
  codec::kvetka::SourceType type = codec::kvetka::SourceType::Empty;
  bool is_bad = false;      // known to be unreachable
  std::string address{};    // clean UTF-8
  std::uint32_t games = 0;  // number that can be read
  // The offset of every kStride-th game.
  std::vector<std::uint32_t> offsets{};

  static constexpr std::uint32_t kStride = 64;
};

struct BookGame {
  std::uint32_t address = 0;  // in its source; of a PGN file: bytes
  std::uint32_t length = 0;
  std::string white, black;  // clean UTF-8
  std::uint16_t white_elo = 0, black_elo = 0;
  codec::Result result = codec::Result::Unknown;
};

// The sources of a book. Immutable. Reads games when they are needed. Thread-safe.
class BookSources {
 public:
  // Reads the whole file once. `order` is the book's, if it is known. Errors: the file cannot be
  // read, or its table of sources is invalid. Any other problem becomes a line of problems().
  static absl::StatusOr<std::unique_ptr<BookSources>> open(
      const std::filesystem::path& path, std::optional<codec::kvetka::ByteOrder> order,
      const std::filesystem::path& boundary = {});

  const std::vector<BookSource>& sources() const { return sources_; }
  const std::vector<std::string>& problems() const { return problems_; }
  const FileStamp& stamp() const { return file_.stamp(); }
  std::uint64_t games() const;

  // Visits games of a source in order, from number `first` on, until `visit` returns false.
  // DataLoss if the file can no longer be read. REQUIRES: source < sources().size()
  absl::Status visit_games(
      std::size_t source, std::uint32_t first,
      absl::FunctionRef<bool(std::uint32_t game, const BookGame&)> visit) const;

 private:
  BookSources() = default;
  absl::Status load(std::optional<codec::kvetka::ByteOrder> order);
  void load_games(std::size_t source, std::uint64_t offset, std::uint32_t games,
                  codec::kvetka::CodePageVote& vote);

  SourceFile file_;
  codec::CodePage code_page_ = codec::CodePage::Windows1252;
  std::vector<BookSource> sources_;
  std::vector<std::string> problems_;
};

}  // namespace scidfs::fs
