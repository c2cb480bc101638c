#include "tests/fuzz/three_files.h"

#include <algorithm>

#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

using codec::scid::IndexEntry;
using codec::scid::IndexLayout;
using codec::scid::kIndexHeaderSize;
using tests::ScidFiles;

constexpr std::size_t kLengthBytes = 3;

std::string_view cut(std::string_view& input, std::size_t length) {
  const std::string_view front = input.substr(0, length);
  input.remove_prefix(front.size());
  return front;
}

std::size_t cut_length(std::string_view& input) {
  std::size_t length = 0;
  for (const char c : cut(input, kLengthBytes)) length = length << 8 | static_cast<std::uint8_t>(c);
  return length;
}

// Calls use(entry) for each whole entry of an index.
template <class Use>
void for_each_entry(const ScidFiles& files, const IndexLayout& layout, const Use& use) {
  for (std::size_t at = layout.header_size; at + layout.entry_size <= files.index.size();
       at += layout.entry_size) {
    use(layout.parse_entry(
        tests::as_bytes(std::string_view(files.index).substr(at, layout.entry_size))));
  }
}

bool lies_in(const IndexEntry& entry, const std::string& games) {
  return entry.offset <= games.size() && entry.length <= games.size() - entry.offset;
}

}  // namespace

std::string pack_files(const ScidFiles& files) {
  std::string out;
  tests::put_big(static_cast<std::uint32_t>(files.index.size()), kLengthBytes, out);
  tests::put_big(static_cast<std::uint32_t>(files.names.size()), kLengthBytes, out);
  return out + files.index + files.names + files.games;
}

ScidFiles unpack_files(std::string_view input) {
  const std::size_t index = cut_length(input);
  const std::size_t names = cut_length(input);
  ScidFiles files;
  files.index = cut(input, index);
  files.names = cut(input, names);
  files.games = input;
  return files;
}

std::uint64_t record_bytes(const ScidFiles& files, const IndexLayout& layout) {
  std::uint64_t bytes = 0;
  for_each_entry(files, layout, [&](const IndexEntry& entry) {
    if (lies_in(entry, files.games)) bytes += entry.length;
  });
  return bytes;
}

ScidFiles first_games(const ScidFiles& files, std::size_t games) {
  ScidFiles few{
      .index = files.index.substr(0, kIndexHeaderSize), .names = files.names, .games = {}};
  std::uint32_t count = 0;
  for_each_entry(files, codec::scid::kScid4Index, [&](IndexEntry entry) {
    if (count == games || !lies_in(entry, files.games)) return;
    const std::string record = files.games.substr(entry.offset, entry.length);
    entry.offset = few.games.size();
    few.index += tests::index_entry(entry);
    few.games += record;
    ++count;
  });
  tests::patch_big(count, kLengthBytes, tests::kGameCountOffset, few.index);
  return few;
}

}  // namespace scidfs::fuzz
