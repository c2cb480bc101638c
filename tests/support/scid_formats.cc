#include "tests/support/scid_formats.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "codec/scid/names.h"
#include "tests/support/files.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {
namespace {

using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using codec::scid::NameKind;

constexpr std::size_t kScid3HeaderSize = 128;

void put_word(std::uint32_t value, std::string& out) {
  for (unsigned shift = 0; shift < 32; shift += 8) out += static_cast<char>(value >> shift);
}

// Calls visit(entry) for each entry of a Scid 4 index.
template <class Visit>
void for_each_entry(const std::string& index, const Visit& visit) {
  for (std::size_t at = kIndexHeaderSize; at + kIndexEntrySize <= index.size();
       at += kIndexEntrySize) {
    visit(std::string_view(index).substr(at, kIndexEntrySize));
  }
}

}  // namespace

std::string index5_entry(const IndexEntry& e) {
  constexpr unsigned kIdBits = 28;
  const auto type = [](codec::Rating rating) { return static_cast<std::uint32_t>(rating.type); };
  std::string out;
  put_word(std::uint32_t{e.comment_code} << kIdBits | e.white, out);
  put_word(std::uint32_t{e.variation_code} << kIdBits | e.black, out);
  put_word(std::uint32_t{e.nag_code} << kIdBits | e.event, out);
  put_word(e.site, out);
  put_word((e.chess960 ? 0x80000000 : 0) | e.round, out);
  put_word(std::uint32_t{e.white_rating.value} << 20 | date_bits(e.date), out);
  put_word(std::uint32_t{e.black_rating.value} << 20 | date_bits(e.event_date), out);
  put_word(std::uint32_t{e.plies} << 22 | e.flags, out);
  put_word(e.length << 15 | static_cast<std::uint32_t>(e.offset >> 32), out);
  put_word(static_cast<std::uint32_t>(e.offset), out);
  put_word(std::uint32_t{e.stored_line} << 24 | e.material, out);
  put_word(std::uint32_t{e.home_pawn_count} << 24 | type(e.white_rating) << 21 |
               type(e.black_rating) << 18 | static_cast<std::uint32_t>(e.result) << 16 | e.eco,
           out);
  for (const std::uint8_t items : e.home_pawns) out += static_cast<char>(items);
  return out;
}

std::string name5_item(unsigned type, std::string_view text) {
  std::string out;
  std::uint64_t number = std::uint64_t{text.size()} << 3 | type;
  for (; number >= 0x80; number >>= 7) out += static_cast<char>(number | 0x80);
  out += static_cast<char>(number);
  return out.append(text);
}

std::string name5_file(const NameLists& names) {
  // Interleaved, in the order in which games use them.
  std::string out;
  bool any_left = true;
  for (std::size_t id = 0; any_left; ++id) {
    any_left = false;
    for (unsigned kind = 0; kind < names.size(); ++kind) {
      if (id >= names[kind].size()) continue;
      out += name5_item(kind, names[kind][id]);
      any_left = true;
    }
  }
  return out;
}

std::uint32_t Scid5Builder::id_of(NameKind kind, const std::string& name) {
  std::vector<std::string>& list = names_[static_cast<std::size_t>(kind)];
  const auto found = std::find(list.begin(), list.end(), name);
  const auto id = static_cast<std::uint32_t>(found - list.begin());
  if (found == list.end()) {
    list.push_back(name);
    files_.names += name5_item(static_cast<unsigned>(kind), name);
  }
  return id;
}

void Scid5Builder::game(const Names& names, IndexEntry entry, std::string_view record) {
  constexpr std::size_t kBlock = 131'072;
  entry.event = id_of(NameKind::Event, names.event);
  entry.site = id_of(NameKind::Site, names.site);
  entry.round = id_of(NameKind::Round, names.round);
  entry.white = id_of(NameKind::Player, names.white);
  entry.black = id_of(NameKind::Player, names.black);
  // The rest of a block has the beginning of the record that does not fit there.
  const std::size_t left = kBlock - files_.games.size() % kBlock;
  if (record.size() > left) files_.games += record.substr(0, left);
  entry.offset = files_.games.size();
  entry.length = static_cast<std::uint32_t>(record.size());
  files_.index += index5_entry(entry);
  files_.games += record;
}

ScidFiles as_scid3(const ScidFiles& files) {
  constexpr std::size_t kLeftOut = 6;
  ScidFiles made = files;
  made.index.resize(kScid3HeaderSize);
  patch_big(300, 2, 8, made.index);
  for_each_entry(files.index, [&](std::string_view entry) {
    made.index.append(entry.substr(0, kLeftOut)).append(entry.substr(kLeftOut + 1));
  });
  return made;
}

ScidFiles as_scid5(const ScidFiles& files) {
  const codec::scid::Names names = codec::scid::parse_names(as_bytes(files.names));
  const auto header = codec::scid::parse_index_header(as_bytes(files.index));
  if (!names.status.ok() || !header.ok()) {
    std::fprintf(stderr, "no whole database of Scid 4\n");
    std::abort();
  }
  NameLists lists;
  for (std::size_t kind = 0; kind < lists.size(); ++kind) {
    const codec::scid::NameTable& table = names.tables[kind];
    for (std::uint32_t id = 0; id < table.size(); ++id) lists[kind].emplace_back(table.text(id));
  }
  constexpr unsigned kInfo = 4;
  ScidFiles made{.index = {}, .names = name5_file(lists), .games = files.games};
  made.names += name5_item(kInfo, "type" + std::to_string(header->type));
  made.names += name5_item(kInfo, "autoload" + std::to_string(header->autoload));
  made.names += name5_item(kInfo, "description" + header->description);
  for (std::size_t flag = 0; flag < header->custom_flags.size(); ++flag) {
    made.names += name5_item(kInfo, "flag" + std::to_string(flag + 1) + header->custom_flags[flag]);
  }
  for_each_entry(files.index, [&](std::string_view entry) {
    made.index += index5_entry(codec::scid::parse_index_entry(as_bytes(entry)));
  });
  return made;
}

}  // namespace scidfs::tests
