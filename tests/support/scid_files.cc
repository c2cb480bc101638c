#include "tests/support/scid_files.h"

#include <algorithm>

#include "codec/scid/format.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::tests {
namespace {

using codec::scid::IndexEntry;

constexpr std::size_t kHeaderRest = codec::scid::kIndexHeaderSize - 0x14;

// The year of an event date is stored as its difference from that of the game.
std::uint32_t event_date_bits(const IndexEntry& entry) {
  if (entry.event_date.empty()) return 0;
  const int code = entry.event_date.year - entry.date.year + 4;
  if (code < 1 || code > 7) return 0;
  return static_cast<std::uint32_t>(code) << 9 | std::uint32_t{entry.event_date.month} << 5 |
         entry.event_date.day;
}

std::uint32_t rating_bits(codec::Rating rating) {
  return static_cast<std::uint32_t>(rating.type) << 12 | rating.value;
}

}  // namespace

std::uint32_t date_bits(codec::Date date) {
  return std::uint32_t{date.year} << 9 | std::uint32_t{date.month} << 5 | date.day;
}

ScidFiles read_scid_files(const std::string& prefix, std::string_view index_suffix) {
  const codec::scid::Format& format = *codec::scid::format_of_index(index_suffix);
  return {.index = read_file(prefix + std::string(format.index_suffix)),
          .names = read_file(prefix + std::string(format.names_suffix)),
          .games = read_file(prefix + std::string(format.games_suffix))};
}

void write_scid_files(const ScidFiles& files, const std::filesystem::path& prefix,
                      std::string_view index_suffix) {
  const codec::scid::Format& format = *codec::scid::format_of_index(index_suffix);
  write_file(prefix.string() + std::string(format.index_suffix), files.index);
  write_file(prefix.string() + std::string(format.names_suffix), files.names);
  write_file(prefix.string() + std::string(format.games_suffix), files.games);
}

void put_big(std::uint32_t value, std::size_t width, std::string& out) {
  while (width-- > 0) out += static_cast<char>(value >> (8 * width));
}

void patch_big(std::uint32_t value, std::size_t width, std::size_t offset, std::string& bytes) {
  std::string number;
  put_big(value, width, number);
  bytes.replace(offset, width, number);
}

std::string index_header(std::uint32_t games) {
  std::string out("Scid.si\0", 8);
  put_big(400, 2, out);
  put_big(0, 4, out);
  put_big(games, 3, out);
  put_big(1, 3, out);
  out.append(kHeaderRest, '\0');
  return out;
}

std::string index_entry(const IndexEntry& entry) {
  std::string out;
  put_big(static_cast<std::uint32_t>(entry.offset), 4, out);
  put_big(entry.length, 2, out);
  put_big((entry.length >> 9 & 0x80) | entry.flags >> 16, 1, out);
  put_big(entry.flags, 2, out);
  put_big((entry.white >> 12 & 0xF0) | (entry.black >> 16 & 0x0F), 1, out);
  put_big(entry.white, 2, out);
  put_big(entry.black, 2, out);
  put_big((entry.event >> 11 & 0xE0) | (entry.site >> 14 & 0x1C) | (entry.round >> 16 & 3), 1, out);
  put_big(entry.event, 2, out);
  put_big(entry.site, 2, out);
  put_big(entry.round, 2, out);
  put_big(static_cast<std::uint32_t>(entry.result) << 12 | std::uint32_t{entry.nag_code} << 8 |
              std::uint32_t{entry.comment_code} << 4 | entry.variation_code,
          2, out);
  put_big(entry.eco, 2, out);
  put_big(event_date_bits(entry) << 20 | date_bits(entry.date), 4, out);
  put_big(rating_bits(entry.white_rating), 2, out);
  put_big(rating_bits(entry.black_rating), 2, out);
  put_big(entry.stored_line, 1, out);
  put_big(entry.material, 3, out);
  put_big(entry.plies, 1, out);
  put_big((entry.plies >> 2 & 0xC0U) | entry.home_pawn_count, 1, out);
  for (const std::uint8_t items : entry.home_pawns) put_big(items, 1, out);
  return out;
}

std::string name_file(const NameLists& names) {
  std::string out("Scid.sn\0\0\0\0\0", 12);
  for (const auto& list : names) put_big(static_cast<std::uint32_t>(list.size()), 3, out);
  for (std::size_t kind = 0; kind < names.size(); ++kind) put_big(1, 3, out);
  for (const auto& list : names) {
    const std::string* previous = nullptr;
    for (std::uint32_t id = 0; id < list.size(); ++id) {
      const std::string& name = list[id];
      put_big(id, list.size() < 0x10000 ? 2 : 3, out);
      put_big(1, 1, out);
      put_big(static_cast<std::uint32_t>(name.size()), 1, out);
      std::size_t prefix = 0;
      if (previous != nullptr) {
        prefix =
            static_cast<std::size_t>(std::ranges::mismatch(name, *previous).in1 - name.begin());
        put_big(static_cast<std::uint32_t>(prefix), 1, out);
      }
      out.append(name, prefix);
      previous = &name;
    }
  }
  return out;
}

std::optional<codec::scid::GameFacts> facts_of_record(codec::Bytes record,
                                                      codec::CastlingRule rule) {
  std::vector<codec::scid::ExtraTag> tags;
  codec::scid::RecordHead head;
  if (parse_record_head(record, tags, head, rule).has_value()) return std::nullopt;
  codec::scid::Walker walker;
  return facts_of(walker, record, head);
}

IndexEntry entry_of_facts(const codec::scid::GameFacts& facts) {
  using codec::scid::kFlagPromotion, codec::scid::kFlagStart, codec::scid::kFlagUnderpromotion;
  IndexEntry entry;
  entry.material = facts.material;
  entry.home_pawn_count = facts.home_pawn_count;
  entry.home_pawns = facts.home_pawns;
  entry.stored_line = facts.stored_line;
  entry.flags = (facts.own_start ? 1U << kFlagStart : 0) |
                (facts.promotion ? 1U << kFlagPromotion : 0) |
                (facts.underpromotion ? 1U << kFlagUnderpromotion : 0);
  return entry;
}

std::uint32_t ScidFilesBuilder::name(codec::scid::NameKind kind, std::string_view text) {
  std::vector<std::string>& list = names_[static_cast<std::size_t>(kind)];
  list.emplace_back(text);
  return static_cast<std::uint32_t>(list.size() - 1);
}

void ScidFilesBuilder::game(IndexEntry entry, std::string_view record) {
  entry.offset = games_.size();
  entry.length = static_cast<std::uint32_t>(record.size());
  entries_ += index_entry(entry);
  games_ += record;
  ++count_;
}

ScidFiles ScidFilesBuilder::files() const {
  return {.index = index_header(count_) + entries_, .names = name_file(names_), .games = games_};
}

ScidFilesBuilder builder_with_names() {
  ScidFilesBuilder builder;
  for (std::size_t kind = 0; kind < codec::scid::kNameKinds; ++kind) {
    builder.name(static_cast<codec::scid::NameKind>(kind), "x");
  }
  return builder;
}

}  // namespace scidfs::tests
