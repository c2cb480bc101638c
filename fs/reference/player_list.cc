#include "fs/reference/player_list.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cache/hash.h"
#include "codec/text.h"

namespace scidfs::fs {
namespace {

enum Part : std::uint64_t { kMonth = 1, kRows, kNames, kOrder, kFederations };

constexpr std::size_t kFederationLetters = 3;
constexpr std::size_t kMostAlike = 1000;

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
constexpr bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

template <class Values>
codec::Bytes bytes_of(const Values& values) {
  return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(values[0])};
}

// Returns the values of a section; nothing if it has a part of one.
template <class Value>
std::optional<std::span<const Value>> values_of(const SectionFile& file, Part part) {
  const std::size_t bytes = file.section(part).size();
  if (bytes % sizeof(Value) != 0) return std::nullopt;
  return file.values<Value>(part, bytes / sizeof(Value));
}

std::uint16_t month_in(std::uint32_t word) {
  return word <= std::numeric_limits<std::uint16_t>::max() ? static_cast<std::uint16_t>(word)
                                                           : std::uint16_t{0};
}

}  // namespace

SectionImage PlayerList::Arrays::image(std::uint64_t key) const {
  return SectionImage(key, {{.number = kMonth, .pieces = {bytes_of(std::span(&month, 1))}},
                            {.number = kRows, .pieces = {bytes_of(rows)}},
                            {.number = kNames, .pieces = {bytes_of(names)}},
                            {.number = kOrder, .pieces = {bytes_of(order)}},
                            {.number = kFederations, .pieces = {bytes_of(federations)}}});
}

PlayerList::PlayerList(Arrays arrays)
    : arrays_(std::move(arrays)),
      month_(month_in(arrays_.month)),
      rows_(arrays_.rows),
      names_(arrays_.names),
      order_(arrays_.order),
      federations_(arrays_.federations) {
  assert(rows_.size() == order_.size() + 1);
}

absl::StatusOr<std::unique_ptr<const PlayerList>> PlayerList::from(
    std::unique_ptr<const SectionFile> file) {
  const auto month = values_of<std::uint32_t>(*file, kMonth);
  const auto rows = values_of<Row>(*file, kRows);
  const auto order = values_of<Keyed>(*file, kOrder);
  if (!month || month->size() != 1 || !rows || !order || rows->size() != order->size() + 1) {
    return absl::DataLossError("its sections do not fit each other");
  }
  std::unique_ptr<PlayerList> list(new PlayerList(std::move(file)));
  list->month_ = month_in(month->front());
  list->rows_ = *rows;
  list->order_ = *order;
  list->names_ = codec::as_text(list->file_->section(kNames));
  list->federations_ = codec::as_text(list->file_->section(kFederations));
  return list;
}

FidePlayer PlayerList::player(std::uint32_t player) const {
  assert(player < players());
  const Row& row = rows_[player];
  const std::size_t begin = std::min<std::size_t>(row.name, names_.size());
  const std::size_t end = std::clamp<std::size_t>(rows_[player + 1].name, begin, names_.size());
  const std::size_t federation =
      std::min<std::size_t>(row.federation * kFederationLetters, federations_.size());
  return {.id = row.id,
          .name = names_.substr(begin, end - begin),
          .federation = federations_.substr(federation, kFederationLetters),
          .titles = row.facts & ((1U << kWomanBit) - 1),
          .born = row.born,
          .rating = row.rating,
          .is_woman = (row.facts >> kWomanBit & 1) != 0,
          .is_inactive = (row.facts >> kInactiveBit & 1) != 0};
}

std::optional<std::uint32_t> PlayerList::find_id(std::uint32_t id) const {
  const std::span<const Row> rows = rows_.first(players());
  const auto found = std::ranges::lower_bound(rows, id, {}, &Row::id);
  if (found == rows.end() || found->id != id) return std::nullopt;
  return static_cast<std::uint32_t>(found - rows.begin());
}

std::uint32_t PlayerList::hash_of(std::string_view name) {
  std::string key;
  for (const char c : name) {
    if (!is_ascii(c) || is_letter_or_digit(c)) key += c;
  }
  return static_cast<std::uint32_t>(cache::fingerprint(key));
}

std::vector<std::uint32_t> PlayerList::find_alike(std::string_view name) const {
  const std::uint32_t hash = hash_of(name);
  std::vector<std::uint32_t> players;
  for (auto at = std::ranges::lower_bound(order_, hash, {}, &Keyed::hash);
       at != order_.end() && at->hash == hash; ++at) {
    if (players.size() == kMostAlike) return {};
    if (at->player < order_.size()) players.push_back(at->player);
  }
  return players;
}

std::size_t PlayerList::memory() const {
  return bytes_of(arrays_.rows).size() + arrays_.names.size() + bytes_of(arrays_.order).size() +
         arrays_.federations.size();
}

}  // namespace scidfs::fs
