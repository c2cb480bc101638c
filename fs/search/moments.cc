#include "fs/search/moments.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "codec/scid/game_epd.h"
#include "codec/text.h"
#include "codec/text_buffer.h"
#include "fs/base/status_macros.h"
#include "fs/database/decoding.h"
#include "fs/scan/game_records.h"
#include "fs/scan/set_sections.h"
#include "fs/search/facet_row.h"
#include "fs/search/moves_filter.h"
#include "fs/tables/game_names.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;

// The search for the positions in the games of a part.
class MomentFinder {
 public:
  MomentFinder(const DatabaseGames& set, const Facet& facet, const WorkBudget& budget)
      : database_(*set.database()),
        id_prefix_(codec::pgn_escape(game_id_prefix(set))),
        epd_(database_.files().format().castling),
        records_(database_, GameFile::Check::Now, budget) {
    for (const Condition& condition : *facet.alternatives) {
      const auto filter = facet.row->filter_moves(condition, database_.files().format().castling);
      seekers_.push_back(filter->seeker());
    }
  }

  // Appends the lines of some games of a block.
  absl::Status append(std::span<const GameIndex> games, codec::TextBuffer& out) {
    return records_.for_each(games, [&](std::size_t i, Bytes record) {
      const std::optional<std::uint32_t> ply = seek(record);
      if (!ply.has_value()) return;
      const codec::scid::GameEntry entry = database_.index().entry(games[i]);
      epd_.append_line({.number = games[i] + 1, .offset = entry.offset}, entry.result, record, *ply,
                       out, id_prefix_);
    });
  }

 private:
  std::optional<std::uint32_t> seek(Bytes record) {
    std::optional<std::uint32_t> first;
    for (const auto& seeker : seekers_) {
      const std::optional<std::uint32_t> ply = seeker->seek(record);
      if (ply.has_value()) first = std::min(*ply, first.value_or(*ply));
    }
    return first;
  }

  const Database& database_;
  const std::string id_prefix_;
  std::vector<std::unique_ptr<MovesFilter::Seeker>> seekers_;  // of the alternatives
  codec::scid::GameEpd epd_;
  GameRecords records_;
};

}  // namespace

std::optional<Facet> moment_of(FacetGroups groups) {
  std::optional<Facet> last;
  for (const FacetGroup& group : groups) {
    for (const Facet& facet : group) {
      const bool is_asked = facet.row->stage == FacetStage::Moves && facet.row->has_moment;
      if (facet.is_negated || !is_asked) continue;
      if (!last.has_value() || last->canonical < facet.canonical) last = facet;
    }
  }
  return last;
}

absl::StatusOr<std::unique_ptr<Content>> open_moments(GameSet parts, Facet facet,
                                                      const WorkBudget& budget) {
  assert(!facet.is_negated && facet.row->stage == FacetStage::Moves && facet.row->has_moment);
  constexpr std::size_t kGamesOfSection = 512;
  const std::size_t times = facet.alternatives->size() + 1;
  for (const DatabaseGames& part : parts) {
    RETURN_IF_ERROR(begin_decoding(*part.database(), part.list(), budget, times));
  }
  const absl::StatusOr<SetSectionsPtr> sections =
      SetSections::over(std::move(parts), kGamesOfSection, budget);
  if (!sections.ok()) return sections.status();
  AppendSection append = [sections = *sections, facet = std::move(facet)](
                             std::size_t section, const WorkBudget& of_section, std::string& out) {
    MomentFinder finder(sections->part_of(section), facet, of_section);
    codec::TextBuffer text;
    absl::Status status = sections->visit(
        section, [&](std::span<const GameIndex> games) { return finder.append(games, text); });
    out.append(text.view());
    return status;
  };
  ASSIGN_OR_RETURN(SectionEnds ends, measure_text((*sections)->count(), append, budget));
  return text_of_sections(std::move(ends), std::move(append));
}

}  // namespace scidfs::fs
