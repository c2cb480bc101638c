#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/database/index_tsv_line.h"
#include "fs/scan/parts_scan.h"
#include "fs/tables/game_names.h"
#include "fs/tables/set_tables.h"

namespace scidfs::fs {
namespace {

using codec::scid::IndexEntry;

// The lines of a set, in sections of one or two hundred of a part. Remembers where each section
// begins; makes a section as a whole.
class SetIndex : public Content {
 public:
  SetIndex(GameSet parts, PartsScan sections)
      : parts_(std::move(parts)), sections_(std::move(sections)), head_(IndexTsvLines::kHead) {
    for (const DatabaseGames& part : parts_) directories_.push_back(games_directory(part));
    add_database_column(parts_, head_);
  }

  absl::Status measure(const WorkBudget& budget);

  std::uint64_t size() const override { return ends_.empty() ? head_.size() : ends_.back(); }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;
  std::size_t memory() const override {
    std::size_t bytes = sizeof *this + sections_.memory() + ends_.capacity() * sizeof(ends_[0]);
    for (const DatabaseGames& part : parts_) bytes += part.memory();
    return bytes;
  }

 private:
  std::uint64_t begin_of(std::size_t section) const {
    return section == 0 ? head_.size() : ends_[section - 1];
  }
  absl::StatusOr<std::uint64_t> length_of(std::size_t section) const;
  absl::Status append(std::size_t section, codec::TextBuffer& text) const;

  GameSet parts_;
  std::vector<std::string> directories_;  // by part: where its games are
  PartsScan sections_;  // of the lists of the parts, which are valid as long as these
  std::string head_;
  std::vector<std::uint64_t> ends_;
};

// Returns the known length of a block's lines if all games of the block are in the set; else
// nothing.
std::optional<std::uint64_t> known_length(const DatabaseGames& set, std::size_t block,
                                          std::span<const GameIndex> games) {
  const Database& database = *set.database();
  const std::size_t first = block * IndexFile::kBlock;
  const std::size_t end = std::min<std::size_t>(first + IndexFile::kBlock, database.games());
  if (games.size() != end - first) return std::nullopt;
  return database.loaded().tsv_bytes(set.part())[block];
}

absl::StatusOr<std::uint64_t> SetIndex::length_of(std::size_t section) const {
  const std::size_t part = sections_.part_of(section);
  const DatabaseGames& set = parts_[part];
  const std::string& directory = directories_[part];
  const std::string_view column = set.database_path();
  const std::size_t more_bytes =
      directory.size() - directory_of(set.part()).size() + (column.empty() ? 0 : column.size() + 1);
  const Database& database = *set.database();
  std::uint64_t length = 0;
  std::vector<IndexEntry> entries;
  RETURN_IF_ERROR(
      sections_.visit_chunk(section, [&](std::size_t block, std::span<const GameIndex> games) {
        if (const std::optional<std::uint64_t> known = known_length(set, block, games)) {
          length += *known + games.size() * more_bytes;
          return absl::OkStatus();
        }
        RETURN_IF_ERROR(database.files().index_file().read_entries(block, games, entries));
        for (std::size_t i = 0; i < games.size(); ++i) {
          length += database.loaded().tsv_lines().length(games[i], entries[i], directory, column);
        }
        return absl::OkStatus();
      }));
  return length;
}

absl::Status SetIndex::append(std::size_t section, codec::TextBuffer& text) const {
  const std::size_t part = sections_.part_of(section);
  const Database& database = *parts_[part].database();
  const std::size_t before = text.size();
  std::vector<IndexEntry> entries;
  RETURN_IF_ERROR(
      sections_.visit_chunk(section, [&](std::size_t block, std::span<const GameIndex> games) {
        RETURN_IF_ERROR(database.files().index_file().read_entries(block, games, entries));
        for (std::size_t i = 0; i < games.size(); ++i) {
          database.loaded().tsv_lines().append(games[i], entries[i], directories_[part], text,
                                               parts_[part].database_path());
        }
        return absl::OkStatus();
      }));
  const std::uint64_t expected = ends_[section] - begin_of(section);
  if (text.size() - before == expected) return absl::OkStatus();
  return absl::InternalError(fmt::format("{}: lines of the index have {} bytes, not {}",
                                         database.name(), text.size() - before, expected));
}

absl::Status SetIndex::measure(const WorkBudget& budget) {
  constexpr std::size_t kSectionsOfTask = 32;
  ends_.resize(sections_.chunks());
  const std::size_t tasks = (ends_.size() + kSectionsOfTask - 1) / kSectionsOfTask;
  RETURN_IF_ERROR(
      run_tasks(tasks, workers_for(budget, tasks), budget, [&](std::size_t, std::size_t task) {
        const std::size_t last = std::min((task + 1) * kSectionsOfTask, ends_.size());
        for (std::size_t section = task * kSectionsOfTask; section < last; ++section) {
          ASSIGN_OR_RETURN(const std::uint64_t length, length_of(section));
          ends_[section] = length;
        }
        return absl::OkStatus();
      }));
  std::uint64_t end = head_.size();
  for (std::uint64_t& section_end : ends_) {
    end += section_end;
    section_end = end;
  }
  return absl::OkStatus();
}

absl::Status SetIndex::read(std::uint64_t offset, std::size_t length, std::string& out) const {
  if (offset > size() || length > size() - offset)
    return absl::OutOfRangeError("read after the end");
  codec::TextBuffer text;
  std::uint64_t begin = 0;
  std::size_t section = 0;
  if (offset < head_.size()) {
    text.append(head_);
  } else {
    section = static_cast<std::size_t>(std::ranges::upper_bound(ends_, offset) - ends_.begin());
    if (section < ends_.size()) begin = begin_of(section);
  }
  const std::size_t skip = offset - begin;
  for (; section < ends_.size() && text.size() < skip + length; ++section) {
    RETURN_IF_ERROR(append(section, text));
  }
  if (length != 0) out.append(text.view().substr(skip, length));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_set_index(GameSet parts, const WorkBudget& budget) {
  constexpr std::size_t kGamesOfSection = 128;
  ASSIGN_OR_RETURN(PartsScan sections,
                   PartsScan::over(parts, kFileEntriesOfGame, budget, kGamesOfSection));
  if (!sections.spend_blocks(budget)) return WorkBudget::exceeded();
  auto content = std::make_unique<SetIndex>(std::move(parts), std::move(sections));
  RETURN_IF_ERROR(content->measure(budget));
  return content;
}

}  // namespace scidfs::fs
