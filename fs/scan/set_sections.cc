#include "fs/scan/set_sections.h"

#include "fs/base/status_macros.h"

namespace scidfs::fs {

absl::StatusOr<SetSectionsPtr> SetSections::over(GameSet parts, std::size_t games_of_section,
                                                 const WorkBudget& budget) {
  const std::shared_ptr<SetSections> sections(new SetSections(std::move(parts)));
  ASSIGN_OR_RETURN(PartsScan scan, PartsScan::over(sections->parts_, kMemoryEntriesOfGame, budget,
                                                   games_of_section));
  sections->sections_ = std::move(scan);
  return sections;
}

absl::Status SetSections::visit(std::size_t section, Visit visit) const {
  return sections_.visit_chunk(
      section, [&](std::size_t, std::span<const GameIndex> games) { return visit(games); });
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
