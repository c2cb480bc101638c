#include <algorithm>

#include "codec/text.h"
#include "fs/reference/player_list.h"

namespace scidfs::fs {
namespace {

// More than any real list has. A list made to exhaust memory must not cost more.
constexpr std::size_t kMostPlayers = std::size_t{1} << 22;
constexpr std::size_t kMostBytesOfNames = std::size_t{1} << 27;  // of all names
constexpr std::size_t kMostFederations = 4096;
constexpr std::size_t kMostBytesOfOneName = 255;  // as in databases

// Returns a name as UTF-8 without control characters.
std::string clean_name(std::string_view name) {
  constexpr auto kIsPlain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::ranges::all_of(name, kIsPlain)) return std::string(name);
  return std::string(codec::trim(codec::clean_line(name)));
}

std::uint16_t facts_of(const FidePlayer& player) {
  return static_cast<std::uint16_t>(player.titles |
                                    std::uint32_t{player.is_woman} << PlayerList::kWomanBit |
                                    std::uint32_t{player.is_inactive} << PlayerList::kInactiveBit);
}

}  // namespace

void PlayerListBuilder::add(std::string_view line) {
  if (!status_.ok()) return;
  if (!columns_.has_value()) {
    absl::StatusOr<FideColumns> columns = FideColumns::parse_first_line(line);
    if (columns.ok()) {
      columns_ = *columns;
    } else {
      status_ = columns.status();
    }
    return;
  }
  const std::optional<FidePlayer> player = columns_->player(line);
  const std::string name = player.has_value() ? clean_name(player->name) : std::string();
  if (name.empty() || name.size() > kMostBytesOfOneName) {
    if (!codec::trim(line).empty()) ++skipped_;
    return;
  }
  if (rows_.size() == kMostPlayers || names_.size() >= kMostBytesOfNames) {
    status_ = absl::InvalidArgumentError("it has too many players");
    return;
  }
  rows_.push_back({.name = static_cast<std::uint32_t>(names_.size()),
                   .id = player->id,
                   .born = player->born,
                   .rating = player->rating,
                   .federation = federation(player->federation),
                   .facts = facts_of(*player)});
  names_ += name;
}

std::uint16_t PlayerListBuilder::federation(std::string_view text) {
  if (text.empty()) return PlayerList::kNoFederation;
  const auto known = numbers_.find(std::string(text));
  if (known != numbers_.end()) return known->second;
  if (numbers_.size() == kMostFederations) return PlayerList::kNoFederation;
  const auto number = static_cast<std::uint16_t>(numbers_.size());
  numbers_.emplace(text, number);
  federations_ += text;
  return number;
}

// Returns the arrays by id, of several players of one id the first.
PlayerList::Arrays PlayerListBuilder::sorted() const {
  constexpr unsigned kHalf = 32;
  std::vector<std::uint64_t> by_id(rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    by_id[i] = std::uint64_t{rows_[i].id} << kHalf | i;
  }
  std::ranges::sort(by_id);
  by_id.erase(
      std::unique(by_id.begin(), by_id.end(),
                  [](std::uint64_t a, std::uint64_t b) { return a >> kHalf == b >> kHalf; }),
      by_id.end());

  PlayerList::Arrays arrays{.federations = federations_};
  arrays.rows.reserve(by_id.size() + 1);
  arrays.names.reserve(names_.size());
  for (const std::uint64_t pair : by_id) {
    const auto i = static_cast<std::uint32_t>(pair);
    const std::size_t begin = rows_[i].name;
    const std::size_t end = i + 1 < rows_.size() ? rows_[i + 1].name : names_.size();
    arrays.rows.push_back(rows_[i]);
    arrays.rows.back().name = static_cast<std::uint32_t>(arrays.names.size());
    arrays.names.append(names_, begin, end - begin);
  }
  arrays.rows.push_back({.name = static_cast<std::uint32_t>(arrays.names.size())});
  return arrays;
}

absl::StatusOr<PlayerList::Arrays> PlayerListBuilder::finish(std::uint16_t month) {
  if (!status_.ok()) return status_;
  if (!columns_.has_value()) return absl::InvalidArgumentError("it is empty");
  if (rows_.empty()) return absl::InvalidArgumentError("it has no players");
  PlayerList::Arrays arrays = sorted();
  arrays.month = month;
  const std::size_t players = arrays.rows.size() - 1;
  skipped_ += rows_.size() - players;
  std::vector<PlayerList::Row>().swap(rows_);
  std::string().swap(names_);
  arrays.order.resize(players);
  for (std::uint32_t player = 0; player < players; ++player) {
    const std::size_t begin = arrays.rows[player].name;
    arrays.order[player] = {
        .hash = PlayerList::hash_of(
            std::string_view(arrays.names).substr(begin, arrays.rows[player + 1].name - begin)),
        .player = player};
  }
  std::ranges::sort(arrays.order, {}, [](const PlayerList::Keyed& keyed) {
    return std::pair(keyed.hash, keyed.player);
  });
  return arrays;
}

}  // namespace scidfs::fs
