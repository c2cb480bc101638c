#include "fs/scan/set_sections.h"

#include "fs/base/status_macros.h"
#include "fs/scan/game_records.h"

namespace scidfs::fs {

absl::StatusOr<SetSectionsPtr> SetSections::over(GameSet parts, std::size_t games_of_section,
                                                 const WorkBudget& budget) {
  const std::shared_ptr<SetSections> sections(new SetSections(std::move(parts)));
  ASSIGN_OR_RETURN(PartsScan scan, PartsScan::over(sections->parts_, kMemoryEntriesOfGame, budget,
                                                   games_of_section));
  sections->sections_ = std::move(scan);
  return sections;
}

absl::StatusOr<std::vector<std::uint64_t>> SetSections::game_ends(const WorkBudget& budget) const {
  std::vector<std::uint64_t> ends(count());
  std::uint64_t end = 0;
  for (std::size_t section = 0; section < ends.size(); ++section) {
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    RETURN_IF_ERROR(visit(section, [&](std::span<const GameIndex> games) {
      end += games.size();
      return absl::OkStatus();
    }));
    ends[section] = end;
  }
  return ends;
}

absl::Status SetSections::visit(std::size_t section, Visit visit) const {
  return sections_.visit_chunk(
      section, [&](std::size_t, std::span<const GameIndex> games) { return visit(games); });
}

absl::Status visit_records(const SetSections& sections, std::size_t section,
                           const WorkBudget& budget,
                           absl::FunctionRef<void(GameIndex game, codec::Bytes record)> visit) {
  const Database& database = *sections.part_of(section).database();
  return sections.visit(section, [&](std::span<const GameIndex> games) {
    GameRecords records(database, GameFile::Check::Now, budget);
    std::size_t next = 0;
    const auto skip_to = [&](std::size_t i) {
      for (; next < i; ++next) visit(games[next], {});
    };
    absl::Status status = records.for_each(games, [&](std::size_t i, codec::Bytes record) {
      skip_to(i);
      visit(games[next++], record);
    });
    skip_to(games.size());
    return status;
  });
}

absl::StatusOr<SectionEnds> measure_text(std::size_t sections, const AppendSection& append,
                                         const WorkBudget& budget) {
  return measure_sections(
      sections, workers_for(budget, sections), budget,
      [&](std::size_t section, std::string& out) { return append(section, budget, out); });
}

std::unique_ptr<Content> text_of_sections(SectionEnds ends, AppendSection append,
                                          std::size_t cost) {
  return std::make_unique<SectionedContent>(
      std::move(ends),
      [append = std::move(append)](std::size_t section, std::string& out) {
        return append(section, WorkBudget::unlimited(nullptr), out);
      },
      cost);
}

}  // namespace scidfs::fs
