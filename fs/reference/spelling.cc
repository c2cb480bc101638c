#include "fs/reference/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/content/work_budget.h"
#include "fs/file/cache_file.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using codec::scid::SpellingLine;
using Match = SpellingIndex::Match;

constexpr std::size_t kBlock = std::size_t{1} << 20;
// The characters that do not count in comparisons of players, where no file lists others.
constexpr std::string_view kUsuallyExcluded = "., -_*";

std::string_view as_text(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

absl::StatusOr<SpellingIndex> read_file(const SourceFile& file,
                                        absl::FunctionRef<bool()> is_cancelled) {
  // Offsets have 32 bits.
  if (file.size() > std::numeric_limits<std::uint32_t>::max()) {
    return absl::InvalidArgumentError("it is too large");
  }
  SpellingIndexBuilder builder;
  codec::scid::LineCutter lines;
  const auto add = [&builder](std::uint64_t offset, std::string_view line) {
    builder.add(offset, line);
  };
  std::vector<std::uint8_t> block(std::min<std::uint64_t>(kBlock, file.size()));
  std::uint64_t fingerprint = 0;
  for (std::uint64_t at = 0; at < file.size(); at += block.size()) {
    if (is_cancelled()) return WorkBudget::cancelled();
    const std::span<std::uint8_t> part =
        std::span(block).first(std::min<std::uint64_t>(block.size(), file.size() - at));
    RETURN_IF_ERROR(file.read(at, part));
    fingerprint = cache::fingerprint(part, fingerprint);
    lines.add(as_text(part), add);
  }
  lines.finish(add);
  return std::move(builder).finish(fingerprint);
}

std::optional<SpellingIndex> load_saved(const CacheFile& saved) {
  std::optional<std::vector<std::uint32_t>> words = saved.load(std::nullopt);
  if (!words.has_value()) return std::nullopt;
  absl::StatusOr<SpellingIndex> index = SpellingIndex::from(*std::move(words));
  if (index.ok()) return *std::move(index);
  log_warning(std::string(index.status().message()));
  return std::nullopt;
}

// Returns a name without blanks around it, and with one blank for each run of blanks.
std::string with_single_blanks(std::string_view name) {
  std::string single;
  for (const char c : name) {
    if (c != ' ' || !(single.empty() || single.back() == ' ')) single += c;
  }
  if (single.ends_with(' ')) single.pop_back();
  return single;
}

// Returns whether a name has only ASCII letters, at most one of which is a capital.
bool is_surname_only(std::string_view name) {
  std::size_t capitals = 0;
  for (const char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (!is_capital && (c < 'a' || c > 'z')) return false;
    if (is_capital && ++capitals > 1) return false;
  }
  return true;
}

// Returns a name without a country such as " (USA)" at its end.
std::string_view without_country(std::string_view name) {
  constexpr std::size_t kLength = std::string_view(" (USA)").size();
  const std::size_t begin = name.rfind(" (");
  const bool is_country =
      begin != std::string_view::npos && begin + kLength == name.size() && name.back() == ')';
  return is_country ? name.substr(0, begin) : name;
}

// More persons than share a surname and an initial in real files.
constexpr std::size_t kMostFitting = 4096;

bool has_only_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// The characters of a name that count in comparisons.
struct NameKeys {
  std::string surname, given;
};

NameKeys name_keys(std::string_view name, const NameRules& rules) {
  const std::size_t comma = name.find(',');
  const std::size_t end = comma != std::string_view::npos ? comma : name.find(' ');
  NameKeys keys;
  rules.append_key(name.substr(0, end), keys.surname);
  if (end != std::string_view::npos) rules.append_key(name.substr(end), keys.given);
  return keys;
}

}  // namespace

Spelling::Spelling(SourceFile file, SpellingIndex index)
    : file_(std::move(file)), index_(std::move(index)) {
  std::optional<NameKind> section;
  codec::scid::LineCutter lines;
  const auto add = [&](std::uint64_t, std::string_view text) {
    const SpellingLine line = codec::scid::parse_spelling_line(text);
    if (line.kind == SpellingLine::Kind::Section) {
      section = codec::scid::parse_spelling_section(line.text);
      if (section.has_value()) rules_[static_cast<std::size_t>(*section)].exclude(line.data);
    } else if (section.has_value()) {
      rules_[static_cast<std::size_t>(*section)].add(line);
    }
  };
  lines.add(index_.rules(), add);
  lines.finish(add);
  for (NameRules& rules : rules_) rules.finish();
}

std::shared_ptr<const Spelling> Spelling::of_list(std::shared_ptr<const PlayerList> list) {
  const std::shared_ptr<Spelling> spelling(new Spelling(SourceFile(), SpellingIndex::empty()));
  spelling->rules_[static_cast<std::size_t>(NameKind::Player)].exclude(kUsuallyExcluded);
  spelling->add_list(std::move(list), [] { return false; });
  return spelling;
}

void Spelling::add_list(std::shared_ptr<const PlayerList> list,
                        absl::FunctionRef<bool()> is_cancelled) {
  if (list != nullptr) listed_.emplace(std::move(list), index_, player_rules(), is_cancelled);
}

absl::StatusOr<std::shared_ptr<const Spelling>> Spelling::load(
    SourceFile file, const std::filesystem::path& folder, absl::FunctionRef<bool()> is_cancelled,
    std::shared_ptr<const PlayerList> list) {
  // One for each path of a spelling file.
  const CacheFile saved(folder, "spelling\n" + file.path().string(), fingerprint_of(file.stamp()));
  std::optional<SpellingIndex> index = load_saved(saved);
  if (!index.has_value()) {
    absl::StatusOr<SpellingIndex> made = read_file(file, is_cancelled);
    if (!made.ok()) {
      return absl::Status(made.status().code(),
                          fmt::format("Cannot use the spelling file {}: {}", file.path().native(),
                                      std::string(made.status().message())));
    }
    index = *std::move(made);
    // A file that changed during the read is read again at the next mount.
    if (file.is_as_opened()) {
      saved.save(index->words(), "the spelling file will be read again next time");
    }
  }
  const std::shared_ptr<Spelling> spelling(new Spelling(std::move(file), *std::move(index)));
  spelling->add_list(std::move(list), is_cancelled);
  return spelling;
}

SpellingIndex::Person Spelling::person(std::uint32_t person) const {
  if (person >= index_.persons()) return listed_->person(person);
  return listed_ ? listed_->completed(person, index_.person(person)) : index_.person(person);
}

void Spelling::append_ratings(std::uint32_t person, std::vector<MonthRating>& ratings) const {
  const std::size_t begin = ratings.size();
  if (person < index_.persons()) index_.append_history(person, ratings);
  if (listed_) listed_->add_rating(person, begin, ratings);
}

std::vector<std::uint32_t> Spelling::find_listed(std::string_view name) const {
  if (!listed_) return {};
  return listed_->find(replaced_name(with_single_blanks(name)), player_rules());
}

std::vector<std::uint32_t> Spelling::find_fide_ids(std::span<const std::uint32_t> ids) const {
  std::vector<std::uint32_t> persons(ids.size(), kNobody);
  std::vector<bool> is_known(ids.size());
  for (std::uint32_t person = 0; !ids.empty() && person < index_.persons(); ++person) {
    const std::uint32_t id = index_.fide_id(person);
    const auto found = std::ranges::lower_bound(ids, id);
    if (id == 0 || found == ids.end() || *found != id) continue;
    const auto number = static_cast<std::size_t>(found - ids.begin());
    persons[number] = is_known[number] ? kNobody : person;
    is_known[number] = true;
  }
  for (std::size_t number = 0; listed_ && number < ids.size(); ++number) {
    if (!is_known[number]) persons[number] = listed_->find_id(ids[number]).value_or(kNobody);
  }
  return persons;
}

SpellingIndex::Match Spelling::match_at(std::uint32_t place, std::string_view key) const {
  return place < index_.spellings() ? index_.match(place, key) : Match::None;
}

// Finds the first spelling for a name, or for the name with its last word in front.
Spelling::Lookup Spelling::look_up(std::string_view name) const {
  const NameRules& rules = player_rules();
  std::string single = with_single_blanks(name);
  Lookup lookup{.is_surname = is_surname_only(single)};
  lookup.name = replaced_name(std::move(single));
  rules.append_key(lookup.name, lookup.key);
  // The empty key is the beginning of every key.
  if (lookup.key.empty()) return lookup;
  lookup.place = index_.lower_bound(lookup.key);
  lookup.match = match_at(lookup.place, lookup.key);
  const std::size_t blank = lookup.name.rfind(' ');
  if (lookup.match == Match::None && blank != std::string::npos) {
    const std::string_view front = std::string_view(lookup.name).substr(0, blank);
    const std::string_view last = std::string_view(lookup.name).substr(blank);
    lookup.key.clear();
    rules.append_key(last, lookup.key);
    rules.append_key(front, lookup.key);
    lookup.name = fmt::format("{}, {}", last.substr(1), front);
    lookup.place = index_.lower_bound(lookup.key);
    lookup.match = match_at(lookup.place, lookup.key);
  }
  return lookup;
}

Spelling::Found Spelling::find_player(std::string_view name) const {
  const auto [own, key, first, match, is_surname] = look_up(name);
  if (match == Match::None) return {};
  std::uint32_t place = first;
  Found found{.kind = Found::Kind::Person};
  // Looks at only some of many equal spellings, which make them ambiguous.
  constexpr std::size_t kMostLooks = 4096;
  for (std::size_t looks = 0; match_at(place, key) == match && looks < kMostLooks;
       ++place, ++looks) {
    const std::uint32_t person = index_.person_at(place);
    if (std::ranges::find(found.candidates, person) != found.candidates.end()) continue;
    if (found.candidates.size() == kMostCandidates) {
      found.kind = Found::Kind::Ambiguous;
      break;
    }
    found.candidates.push_back(person);
  }
  std::ranges::sort(found.candidates);
  if (is_surname) {
    found.kind = Found::Kind::Surname;
  } else if (match == Match::Beginning) {
    if (found.candidates.size() > 1) found.kind = Found::Kind::Ambiguous;
  } else if (found.kind == Found::Kind::Person && found.candidates.size() > 1) {
    found.kind = Found::Kind::Namesakes;
  }
  return found;
}

// Returns the name of a player after the replacements.
std::string Spelling::replaced_name(std::string name) const {
  player_rules().replace(name);
  name.resize(without_country(name).size());
  return name;
}

std::vector<std::uint32_t> Spelling::find_fitting(std::string_view name) const {
  return fitting(replaced_name(with_single_blanks(name)));
}

// Does the work of find_fitting(), for a name after the replacements.
std::vector<std::uint32_t> Spelling::fitting(std::string_view name) const {
  const NameRules& rules = player_rules();
  const auto [surname, given] = name_keys(name, rules);
  if (surname.empty() || given.empty()) return {};
  const std::string key = surname + given.front();
  std::vector<std::uint32_t> found;
  std::uint32_t place = index_.lower_bound(key);
  for (std::size_t looks = 0; place < index_.spellings(); ++place, ++looks) {
    if (index_.match(place, key) == SpellingIndex::Match::None) break;
    if (looks == kMostFitting) return {};
    const NameKeys other = name_keys(without_country(index_.spelling_at(place)), rules);
    if (other.surname != surname) continue;
    if (!other.given.starts_with(given) && !given.starts_with(other.given)) continue;
    found.push_back(index_.person_at(place));
  }
  sort_unique(found);
  return found;
}

template <class Visit>
bool Spelling::for_each_beginning(const Lookup& lookup, const Visit& visit) const {
  std::uint32_t place = lookup.place;
  for (std::size_t looks = 0; match_at(place, lookup.key) != Match::None; ++place, ++looks) {
    if (looks == kMostFitting) return false;
    visit(index_.person_at(place), index_.spelling_at(place));
  }
  return true;
}

Spelling::Meant Spelling::find_meant(std::string_view name, const Found& found) const {
  if (found.kind == Found::Kind::Nobody || found.kind == Found::Kind::Surname) return {};
  const NameRules& rules = player_rules();
  const Lookup lookup = look_up(name);
  const NameKeys own = name_keys(lookup.name, rules);
  const bool is_exact = lookup.match == Match::Exact;
  Meant meant;
  if (found.kind != Found::Kind::Ambiguous) meant.persons = found.candidates;
  if (is_exact && meant.persons.size() == 1) meant.named = meant.persons.front();
  if (found.kind != Found::Kind::Ambiguous && own.given.size() != 1) {
    meant.are_namesakes = is_exact;
    const auto add_numbered = [&](std::uint32_t person, std::string_view text) {
      std::string key;
      rules.append_key(text, key);
      if (has_only_digits(std::string_view(key).substr(lookup.key.size()))) {
        meant.persons.push_back(person);
      }
    };
    // What begins with the whole name of a person is not too much.
    if (is_exact) for_each_beginning(lookup, add_numbered);
  } else if (!own.given.empty()) {
    const std::vector<std::uint32_t> others = fitting(lookup.name);
    meant.persons.insert(meant.persons.end(), others.begin(), others.end());
    // Without a comma, any word may be the last one of the surname.
    const bool has_comma = lookup.name.find(',') != std::string::npos;
    const auto add_unclear = [&](std::uint32_t person, std::string_view text) {
      if (!has_comma || others.empty() || text.find(',') == std::string_view::npos) {
        meant.persons.push_back(person);
      }
    };
    if (!for_each_beginning(lookup, add_unclear)) return {};
  }
  sort_unique(meant.persons);
  return meant;
}

std::string Spelling::correct_site(std::string_view name) const {
  return rules_[static_cast<std::size_t>(NameKind::Site)].correct(name);
}
std::string Spelling::correct_event(std::string_view name) const {
  return rules_[static_cast<std::size_t>(NameKind::Event)].correct(name);
}
std::string Spelling::correct_round(std::string_view name) const {
  return rules_[static_cast<std::size_t>(NameKind::Round)].correct(name);
}

absl::StatusOr<Spelling::Details> Spelling::details(std::uint32_t person) const {
  constexpr std::size_t kPiece = std::size_t{1} << 13;  // most people's lines are shorter
  constexpr std::size_t kMost = std::size_t{1} << 20;
  Details details;
  if (person >= index_.persons()) return details;
  codec::scid::LineCutter lines;
  bool is_his = true;
  bool is_first = true;
  const auto add = [&](std::uint64_t, std::string_view text) {
    const SpellingLine line = codec::scid::parse_spelling_line(text);
    const bool ends =
        line.kind == SpellingLine::Kind::Name || line.kind == SpellingLine::Kind::Section;
    if (ends && !std::exchange(is_first, false)) is_his = false;
    if (!is_his) return;
    if (line.kind == SpellingLine::Kind::Bio) details.notes.push_back(codec::clean_line(line.text));
    if (line.kind == SpellingLine::Kind::Elo) codec::scid::parse_elo(line.text, details.ratings);
  };
  std::vector<std::uint8_t> piece(kPiece);
  const std::uint64_t begin = std::min(index_.offset(person), file_.size());
  const std::uint64_t end = std::min<std::uint64_t>(file_.size(), begin + kMost);
  for (std::uint64_t at = begin; at < end && is_his; at += kPiece) {
    const std::span<std::uint8_t> part =
        std::span(piece).first(std::min<std::uint64_t>(kPiece, end - at));
    RETURN_IF_ERROR(file_.read(at, part));
    lines.add(as_text(part), add);
  }
  if (is_his) lines.finish(add);
  if (!file_.is_as_opened()) {
    return absl::FailedPreconditionError(
        fmt::format("{} has changed since it was opened", file_.path().native()));
  }
  return details;
}

}  // namespace scidfs::fs
