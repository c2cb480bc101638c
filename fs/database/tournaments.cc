#include "fs/database/tournaments.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "fs/base/filename.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;

// The correct names of a dictionary, each looked up once and kept once.
class CorrectNames {
 public:
  using Correct = std::string (Spelling::*)(std::string_view) const;
  using Texts = std::vector<std::unique_ptr<const std::string>>;

  // `text` returns what counts of a name.
  using Text = std::string_view (*)(std::string_view);
  CorrectNames(const codec::scid::NameTable& names, Text text, const Spelling& spelling,
               Correct correct, Texts& texts)
      : names_(names), text_(text), spelling_(spelling), correct_(correct), texts_(texts) {}

  const std::string* of(std::uint32_t id) {
    // All ids that the names lack count as one.
    const std::uint32_t known = std::min(id, names_.size());
    const auto [at, is_new] = by_id_.try_emplace(known, nullptr);
    if (!is_new) return at->second;
    auto text = std::make_unique<const std::string>((spelling_.*correct_)(text_(names_.text(id))));
    const auto [same, is_first] = by_text_.try_emplace(*text, text.get());
    if (is_first) texts_.push_back(std::move(text));
    return at->second = same->second;
  }

 private:
  const codec::scid::NameTable& names_;
  const Text text_;
  const Spelling& spelling_;
  const Correct correct_;
  Texts& texts_;
  absl::flat_hash_map<std::uint32_t, const std::string*> by_id_;
  absl::flat_hash_map<std::string_view, const std::string*> by_text_;
};

DeltaList together(const GameLists& lists, const std::vector<std::uint32_t>& events) {
  std::vector<GameIndex> games;
  for (const std::uint32_t event : events) {
    GameList::Cursor rest = lists.event_games().games(event).begin();
    for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) games.push_back(game);
  }
  std::ranges::sort(games);
  // Events share a game only in a wrong index file of the cache folder (stored_index.h).
  games.erase(std::unique(games.begin(), games.end()), games.end());
  DeltaList deltas;
  for (const GameIndex game : games) deltas.add(game);
  return deltas;
}

}  // namespace

Tournaments::Tournaments(const GameLists& lists, const codec::scid::Names& names,
                         const Spelling& spelling)
    : lists_(&lists) {
  const auto data = std::make_shared<Data>();
  CorrectNames events(
      names[NameKind::Event], [](std::string_view name) { return name; }, spelling,
      &Spelling::correct_event, data->texts);
  CorrectNames sites(names[NameKind::Site], &event_site, spelling, &Spelling::correct_site,
                     data->texts);
  absl::flat_hash_map<std::tuple<const std::string*, const std::string*, std::uint16_t>,
                      std::uint32_t>
      number_of;
  absl::flat_hash_map<std::uint32_t, std::vector<std::uint32_t>> several;  // events
  const std::vector<EventKey>& keys = lists.events();
  for (std::uint32_t event = 0; event < keys.size(); ++event) {
    const Tournament tournament{.event = events.of(keys[event].event),
                                .site = sites.of(keys[event].site),
                                .year = keys[event].year,
                                .only_event = event};
    const auto [at, is_new] =
        number_of.try_emplace(std::tuple(tournament.event, tournament.site, tournament.year),
                              static_cast<std::uint32_t>(data->of.size()));
    if (is_new) {
      data->of.push_back(tournament);
      continue;
    }
    std::vector<std::uint32_t>& all = several[at->second];
    if (all.empty()) all.push_back(data->of[at->second].only_event);
    all.push_back(event);
  }
  for (const auto& [tournament, all] : several) {
    merged_.try_emplace(tournament, together(lists, all));
  }
  data_ = data;
  std::vector<std::uint32_t> ids(data->of.size());
  std::iota(ids.begin(), ids.end(), 0U);
  set_ = NamedSet(ids, {.append_name =
                            [data](std::uint32_t id, std::string& out) {
                              out += event_directory_name(*data->of[id].event, *data->of[id].site);
                            },
                        .group_of = [data](std::uint32_t id, std::string_view) -> std::uint32_t {
                          return data->of[id].year;
                        }});
}

GameList Tournaments::games(std::uint32_t tournament) const {
  const auto merged = merged_.find(tournament);
  if (merged != merged_.end()) return GameList::of(merged->second.bytes());
  return lists_->event_games().games(data_->of[tournament].only_event);
}

std::size_t Tournaments::memory() const {
  std::size_t bytes = set_.memory();
  for (const auto& [tournament, games] : merged_) bytes += sizeof games + games.bytes().size();
  bytes += data_->of.size() * sizeof(Tournament);
  for (const auto& text : data_->texts) bytes += sizeof(std::string) + text->capacity();
  return bytes;
}

}  // namespace scidfs::fs
