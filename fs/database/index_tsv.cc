#include "fs/database/index_tsv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/database/index_tsv_line.h"

namespace scidfs::fs {
namespace {

class IndexTsv : public Content {
 public:
  IndexTsv(DatabasePtr database, Part part) : database_(std::move(database)), part_(part) {
    const std::span<const std::uint32_t> lengths = database_->loaded().tsv_bytes(part_);
    begins_.reserve(lengths.size());
    size_ = IndexTsvLines::kHead.size();
    for (const std::uint32_t length : lengths) {
      begins_.push_back(size_);
      size_ += length;
    }
  }

  std::uint64_t size() const override { return size_; }
  std::size_t memory() const override {
    return sizeof(*this) + begins_.capacity() * sizeof(begins_[0]);
  }
  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override;

 private:
  absl::Status append_block(std::size_t block, codec::TextBuffer& text) const;

  DatabasePtr database_;
  Part part_;
  std::vector<std::uint64_t> begins_;  // of the first line of each block of games
  std::uint64_t size_ = 0;
};

absl::Status IndexTsv::append_block(std::size_t block, codec::TextBuffer& text) const {
  const std::size_t before = text.size();
  std::vector<codec::scid::IndexEntry> room;
  ASSIGN_OR_RETURN(const IndexBlock games, database_->files().index_file().read_block(block, room));
  for (std::size_t i = 0; i < games.entries.size(); ++i) {
    const codec::scid::IndexEntry& entry = games.entries[i];
    if (!database_->loaded().holds(part_, entry.flags)) continue;
    database_->loaded().tsv_lines().append(static_cast<GameIndex>(games.first + i), entry,
                                           directory_of(part_), text);
  }
  const std::size_t expected = database_->loaded().tsv_bytes(part_)[block];
  if (text.size() - before == expected) return absl::OkStatus();
  return absl::InternalError(
      fmt::format("{}: the lines of games {} and following have {} bytes, not {}",
                  database_->name(), games.first + 1, text.size() - before, expected));
}

absl::Status IndexTsv::read(std::uint64_t offset, std::size_t length, std::string& out) const {
  assert(offset + length <= size());
  codec::TextBuffer text;
  std::uint64_t begin = 0;
  std::size_t block = 0;
  if (offset < IndexTsvLines::kHead.size()) {
    text.append(IndexTsvLines::kHead);
  } else {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
    block = static_cast<std::size_t>(after - begins_.begin()) - 1;
    begin = begins_[block];
  }
  const std::size_t skip = offset - begin;
  for (; block < begins_.size() && text.size() < skip + length; ++block) {
    RETURN_IF_ERROR(append_block(block, text));
  }
  if (text.size() < skip + length) return absl::OutOfRangeError("read after the end");
  out.append(text.view().substr(skip, length));
  return absl::OkStatus();
}

}  // namespace

std::unique_ptr<Content> open_index_tsv(DatabasePtr database, Part part) {
  return std::make_unique<IndexTsv>(std::move(database), part);
}

}  // namespace scidfs::fs
