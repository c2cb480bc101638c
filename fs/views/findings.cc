#include "fs/views/findings.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/pages/set_page.h"

namespace scidfs::fs {

absl::StatusOr<CountedSet> count_set(const Set& set, const WorkBudget& budget) {
  // Fewer games are counted in less than a millisecond, and kept findings take a hundred kilobytes.
  constexpr std::size_t kWorthKeeping = 100'000;
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(const std::vector<Subject> subject, set.subject(budget));
  Identities who(games, set.players_are());
  const auto count = [&]() -> absl::StatusOr<std::shared_ptr<const SetFindings>> {
    ASSIGN_OR_RETURN(SetFindings findings, find_out(games, who, subject, kPagePlayers, budget));
    return std::make_shared<const SetFindings>(std::move(findings));
  };
  absl::StatusOr<std::shared_ptr<const SetFindings>> findings;
  if (games.count(kWorthKeeping) < kWorthKeeping) {
    findings = count();
  } else if (set.is_database()) {
    findings = set.version().findings->get(budget, count);
  } else {
    findings = set.version().searches->results.get<SetFindings>(
        fmt::format("{}:{}", set.version().id, set.answer_key()), budget, count);
  }
  if (!findings.ok()) return findings.status();
  return CountedSet{.games = games,
                    .who = std::move(who),
                    .has_subject = !subject.empty(),
                    .findings = *std::move(findings)};
}

}  // namespace scidfs::fs
