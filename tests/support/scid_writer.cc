#include "tests/support/scid_writer.h"

#include <algorithm>
#include <fstream>
#include <map>

#include "codec/scid/index.h"

namespace scidfs::tests {
namespace {

constexpr std::size_t kPlayers = 2;  // in front of the other ids of an entry

codec::scid::NameKind kind_of(std::size_t id) {
  return id < kPlayers ? codec::scid::NameKind::Player
                       : static_cast<codec::scid::NameKind>(id - kPlayers + 1);
}

void put_big(std::string& out, std::uint32_t value, unsigned bytes) {
  while (bytes-- > 0) out += static_cast<char>(value >> (8 * bytes));
}

}  // namespace

std::uint32_t ScidWriter::id_of(Kind kind, std::string_view name) {
  std::vector<std::string>& names = names_[static_cast<std::size_t>(kind)];
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) names.emplace_back(name);
  return static_cast<std::uint32_t>(std::ranges::find(names, name) - names.begin());
}

void ScidWriter::add(const std::string& record, std::string_view white, std::string_view black) {
  Entry& entry = entries_.emplace_back();
  entry.ids = {id_of(Kind::Player, white), id_of(Kind::Player, black), id_of(Kind::Event, "Cup"),
               id_of(Kind::Site, "Town"), id_of(Kind::Round, "1")};
  replace(entries_.size() - 1, record);
}

void ScidWriter::replace(std::size_t game, const std::string& record) {
  entries_[game].offset = static_cast<std::uint32_t>(games_.size());
  entries_[game].length = static_cast<std::uint32_t>(record.size());
  games_ += record;
}

void ScidWriter::set_white(std::size_t game, std::string_view name) {
  // Scid writes the record again after any edit.
  replace(game, games_.substr(entries_[game].offset, entries_[game].length));
  entries_[game].ids[0] = id_of(Kind::Player, name);
}

void ScidWriter::toggle_flag(std::size_t game, unsigned flag) {
  entries_[game].flags ^= 1U << flag;
}

void ScidWriter::rename_white(std::size_t game, std::string_view name) {
  names_[0][entries_[game].ids[0]] = name;
}

void ScidWriter::compact() {
  ScidWriter next;
  next.description_ = description_;
  for (const Entry& entry : entries_) {
    if ((entry.flags >> codec::scid::kFlagDeleted & 1) != 0) continue;
    next.entries_.push_back(entry);
    next.replace(next.entries_.size() - 1, games_.substr(entry.offset, entry.length));
    for (std::size_t i = 0; i < entry.ids.size(); ++i) {
      const std::string& name = names_[static_cast<std::size_t>(kind_of(i))][entry.ids[i]];
      next.entries_.back().ids[i] = next.id_of(kind_of(i), name);
    }
  }
  *this = std::move(next);
}

ScidFiles ScidWriter::files() const {
  return {.index = index(), .names = name_file(), .games = games_};
}

std::string ScidWriter::index() const {
  std::string out("Scid.si\0\x01\x90\0\0\0\0", 14);
  put_big(out, static_cast<std::uint32_t>(entries_.size()), 3);
  put_big(out, 1, 3);
  out += description_;
  out.resize(codec::scid::kIndexHeaderSize);
  for (const Entry& entry : entries_) {
    const std::size_t end = out.size() + codec::scid::kIndexEntrySize;
    put_big(out, entry.offset, 4);
    put_big(out, entry.length & 0xFFFF, 2);
    put_big(out, entry.length >> 16 << 7 | entry.flags >> 16, 1);
    put_big(out, entry.flags & 0xFFFF, 2);
    put_big(out, 0, 1);
    put_big(out, entry.ids[0], 2);
    put_big(out, entry.ids[1], 2);
    put_big(out, 0, 1);
    for (std::size_t i = kPlayers; i < entry.ids.size(); ++i) put_big(out, entry.ids[i], 2);
    out.resize(end);
  }
  return out;
}

std::string ScidWriter::name_file() const {
  std::string out("Scid.sn\0\0\0\0\0", 12);
  std::array<std::map<std::uint32_t, std::uint32_t>, codec::scid::kNameKinds> uses;
  for (const Entry& entry : entries_) {
    for (std::size_t i = 0; i < entry.ids.size(); ++i) {
      ++uses[static_cast<std::size_t>(kind_of(i))][entry.ids[i]];
    }
  }
  for (const auto& names : names_) put_big(out, static_cast<std::uint32_t>(names.size()), 3);
  constexpr std::uint32_t kTwoBytes = 0xFFFF;  // of a frequency
  for (std::size_t kind = 0; kind < names_.size(); ++kind) put_big(out, kTwoBytes, 3);
  for (std::size_t kind = 0; kind < names_.size(); ++kind) {
    for (std::uint32_t id = 0; id < names_[kind].size(); ++id) {
      const std::string& name = names_[kind][id];
      put_big(out, id, 2);
      put_big(out, uses[kind][id], 2);
      put_big(out, static_cast<std::uint32_t>(name.size()), 1);
      if (id != 0) put_big(out, 0, 1);
      out += name;
    }
  }
  return out;
}

void overwrite(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void patch(const std::filesystem::path& path, std::string_view bytes) {
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out) << bytes;
  std::filesystem::resize_file(path, bytes.size());
}

void replace(const std::filesystem::path& path, std::string_view bytes) {
  const std::filesystem::path aside = path.string() + ".new";
  overwrite(aside, bytes);
  std::filesystem::rename(aside, path);
}

}  // namespace scidfs::tests
