#include "fs/reference/spelling_index.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include "codec/text.h"
#include "codec/types.h"

namespace scidfs::fs {
namespace {

using codec::scid::NameKind;
using codec::scid::SpellingLine;

// Fields of SpellingIndex::kFacts.
constexpr unsigned kHighestBits = 14;
constexpr unsigned kEstimatedBit = 14;
constexpr unsigned kWomanBit = 15;
constexpr unsigned kInactiveBit = 16;
constexpr unsigned kTitlesShift = 17;
static_assert(kTitlesShift + codec::scid::kTitles <= 32);

// Fields of SpellingIndex::kCountries.
constexpr unsigned kLengthBits = 8;
constexpr std::uint32_t kMostLength = (1U << kLengthBits) - 1;
constexpr std::size_t kMostCountryBytes = std::size_t{1} << 24;

// More than any real file has. A file made to exhaust memory must not cost more.
constexpr std::size_t kMostPersons = std::size_t{1} << 21;
constexpr std::size_t kMostNameBytes = 255;  // of one name, as in databases
constexpr std::size_t kMostTextBytes = std::size_t{1} << 27;
constexpr std::size_t kMostRulesBytes = std::size_t{1} << 24;
constexpr std::size_t kMostSpellings = 1000;  // of one person
constexpr std::size_t kMostRatings = 4096;    // of one person
constexpr std::size_t kMostHistoryBytes = std::size_t{1} << 26;

constexpr std::size_t words_for(std::size_t bytes) { return (bytes + 3) / 4; }

}  // namespace

SpellingIndex SpellingIndex::empty() {
  std::vector<std::uint32_t> header(kHeaderWords);
  header[kLayout] = kLayoutVersion;
  SpellingIndex index(std::move(header));
  index.lay_out();
  return index;
}

absl::StatusOr<SpellingIndex> SpellingIndex::from(std::vector<std::uint32_t> words) {
  SpellingIndex index(std::move(words));
  if (!index.lay_out() || !index.is_verified()) {
    return absl::DataLossError("the saved index of a spelling file is damaged");
  }
  return index;
}

SpellingIndex::Layout SpellingIndex::layout_of(std::span<const std::uint32_t> header) {
  const std::size_t spellings = std::size_t{header[kPersons]} + header[kAliases];
  // First the lengths, each before the next array.
  Layout begins = {kHeaderWords, header[kPersons] * kFields, header[kAliases] * kAliasFields,
                   2 * spellings, spellings};
  for (std::size_t text = kNames; text < kArrays; ++text) {
    begins[text + 1] = words_for(header[kNameBytes + (text - kNames)]);
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

// Finds the arrays. Returns false unless they are exactly the data.
bool SpellingIndex::lay_out() {
  if (words_.size() < kHeaderWords || words_[kLayout] != kLayoutVersion) return false;
  const Layout begins = layout_of(words_);
  if (words_.size() != begins[kArrays]) return false;
  const auto words_of = [&](Array array) {
    return std::span<const std::uint32_t>(words_).subspan(begins[array],
                                                          begins[array + 1] - begins[array]);
  };
  const auto text_in = [&](Array array, Word bytes) {
    return std::string_view(reinterpret_cast<const char*>(words_of(array).data()), words_[bytes]);
  };
  persons_ = words_of(kPersonRows);
  aliases_ = words_of(kAliasRows);
  fronts_ = words_of(kFronts);
  order_ = words_of(kOrder);
  names_ = text_in(kNames, kNameBytes);
  alias_texts_ = text_in(kAliasTexts, kAliasBytes);
  countries_ = text_in(kCountryTexts, kCountryBytes);
  rules_ = text_in(kRules, kRulesBytes);
  histories_ = text_in(kHistories, kHistoryBytes);
  return true;
}

// Returns whether no index in the arrays leads out of them.
bool SpellingIndex::is_verified() const {
  const auto ascends = [](std::span<const std::uint32_t> rows, std::size_t stride,
                          std::size_t bytes) {
    std::uint32_t last = 0;
    for (std::size_t at = 0; at < rows.size(); at += stride) {
      if (rows[at] < last || rows[at] > bytes) return false;
      last = rows[at];
    }
    return true;
  };
  if (!ascends(persons_, kFields, names_.size())) return false;
  if (!persons_.empty() && !ascends(persons_.subspan(kHistory), kFields, histories_.size())) {
    return false;
  }
  if (!ascends(aliases_, kAliasFields, alias_texts_.size())) return false;
  for (std::uint32_t person = 0; person < persons(); ++person) {
    const std::uint32_t countries = field(person, kCountries);
    if ((countries >> kLengthBits) + (countries & kMostLength) > countries_.size()) return false;
  }
  for (std::size_t at = kPerson; at < aliases_.size(); at += kAliasFields) {
    if (aliases_[at] >= persons()) return false;
  }
  return std::ranges::all_of(order_, [this](std::uint32_t item) { return item < spellings(); });
}

std::uint64_t SpellingIndex::fingerprint() const {
  return words_[kFingerprint] | std::uint64_t{words_[kFingerprintTop]} << 32;
}

SpellingIndex::Person SpellingIndex::person(std::uint32_t person) const {
  const std::uint32_t facts = field(person, kFacts);
  const std::uint32_t countries = field(person, kCountries);
  const auto has = [facts](unsigned bit) { return (facts >> bit & 1) != 0; };
  return {.name = text_of(person),
          .countries = countries_.substr(countries >> kLengthBits, countries & kMostLength),
          .titles = facts >> kTitlesShift,
          .fide_id = field(person, kFideId),
          .born = codec::unpack_date(field(person, kBorn)),
          .died = codec::unpack_date(field(person, kDied)),
          .highest = static_cast<std::uint16_t>(facts & ((1U << kHighestBits) - 1)),
          .best = static_cast<std::uint16_t>(field(person, kBest)),
          .is_estimated = has(kEstimatedBit),
          .is_woman = has(kWomanBit),
          .is_inactive = has(kInactiveBit)};
}

void SpellingIndex::append_history(std::uint32_t person, std::vector<MonthRating>& ratings) const {
  const std::size_t begin = field(person, kHistory);
  const std::size_t end = person + 1 < persons() ? field(person + 1, kHistory) : histories_.size();
  unpack_history(histories_.substr(begin, end - begin), ratings);
}

std::string_view SpellingIndex::text_of(std::uint32_t item) const {
  const bool is_name = item < persons();
  const std::span<const std::uint32_t> rows = is_name ? persons_ : aliases_;
  const std::size_t stride = is_name ? std::size_t{kFields} : std::size_t{kAliasFields};
  const std::string_view texts = is_name ? names_ : alias_texts_;
  const std::size_t at = std::size_t{is_name ? item : item - persons()} * stride;
  const std::size_t end = at + stride < rows.size() ? rows[at + stride] : texts.size();
  return texts.substr(rows[at], end - rows[at]);
}

std::uint32_t SpellingIndex::person_at(std::uint32_t place) const {
  assert(place < spellings());
  const std::uint32_t item = order_[place];
  return item < persons() ? item : aliases_[std::size_t{item - persons()} * kAliasFields + kPerson];
}

std::uint64_t SpellingIndex::front_of(std::string_view key) {
  std::uint64_t front = 0;
  for (std::size_t i = 0; i < sizeof front; ++i) {
    front = front << 8 | (i < key.size() ? static_cast<unsigned char>(key[i]) : 0U);
  }
  return front;
}

SpellingIndex::Match SpellingIndex::match(std::uint32_t place, std::string_view key) const {
  assert(place < spellings());
  std::size_t matched = 0;
  for (const char c : text_of(order_[place])) {
    if (is_excluded(c)) continue;
    if (matched == key.size()) return Match::Beginning;
    if (c != key[matched]) return Match::None;
    ++matched;
  }
  return matched == key.size() ? Match::Exact : Match::None;
}

std::uint32_t SpellingIndex::lower_bound(std::string_view key) const {
  const std::uint64_t front = front_of(key);
  const auto is_less = [&](std::uint32_t place) {
    const std::uint64_t other = front_at(place);
    if (other != front) return other < front;
    std::size_t matched = 0;
    for (const char c : text_of(order_[place])) {
      if (is_excluded(c)) continue;
      if (matched == key.size()) return false;
      if (c != key[matched]) {
        return static_cast<unsigned char>(c) < static_cast<unsigned char>(key[matched]);
      }
      ++matched;
    }
    return matched < key.size();
  };
  std::uint32_t first = 0;
  for (std::uint32_t count = spellings(); count != 0;) {
    const std::uint32_t half = count / 2;
    if (is_less(first + half)) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first;
}

void SpellingIndex::read_key(std::uint32_t item, std::string& key) const {
  key.clear();
  for (const char c : text_of(item)) {
    if (!is_excluded(c)) key += c;
  }
}

void SpellingIndex::sort_spellings() {
  struct Keyed {
    std::uint64_t front;
    std::uint32_t item;
  };
  std::vector<Keyed> sorted(spellings());
  std::string key;
  for (std::uint32_t item = 0; item < sorted.size(); ++item) {
    read_key(item, key);
    sorted[item] = {.front = front_of(key), .item = item};
  }
  std::string other;
  std::ranges::sort(sorted, [&](const Keyed& a, const Keyed& b) {
    if (a.front != b.front) return a.front < b.front;
    if (a.item == b.item) return false;
    read_key(a.item, key);
    read_key(b.item, other);
    return std::tie(key, a.item) < std::tie(other, b.item);
  });
  const Layout begins = layout_of(words_);
  for (std::size_t place = 0; place < sorted.size(); ++place) {
    words_[begins[kFronts] + 2 * place] = static_cast<std::uint32_t>(sorted[place].front);
    words_[begins[kFronts] + 2 * place + 1] = static_cast<std::uint32_t>(sorted[place].front >> 32);
    words_[begins[kOrder] + place] = sorted[place].item;
  }
}

std::vector<bool> SpellingIndex::find_sharers() const {
  std::vector<bool> are_sharers(persons());
  // The names that begin with a surname and an initial are neighbors: another person's, if there is
  // any, is the next one but for those of the same person.
  std::string key, other;
  std::size_t surname = 0;
  const auto read_surname = [&](std::uint32_t place) {
    const std::string_view text = spelling_at(place);
    const std::size_t comma = text.find(',');
    const std::size_t end = comma != std::string_view::npos ? comma : text.find(' ');
    surname = 0;
    for (const char c : text.substr(0, end)) surname += is_excluded(c) ? 0U : 1U;
    read_key(order_[place], key);
  };
  constexpr int kMostLooks = 64;  // more spellings of a person than are neighbors in real files
  const auto shares = [&](std::uint32_t first, std::uint32_t step) {
    std::uint32_t place = first + step;
    for (int looks = 0; place < spellings() && looks < kMostLooks; place += step, ++looks) {
      read_key(order_[place], other);
      if (other.compare(0, surname + 1, key, 0, surname + 1) != 0) return false;
      if (person_at(place) != person_at(first)) return true;
    }
    return false;
  };
  for (std::uint32_t place = 0; place < spellings(); ++place) {
    if (are_sharers[person_at(place)]) continue;
    read_surname(place);
    if (shares(place, 1) || shares(place, ~std::uint32_t{0})) are_sharers[person_at(place)] = true;
  }
  return are_sharers;
}

void SpellingIndex::add_histories(std::string_view histories, std::span<const std::uint32_t> ends) {
  const std::vector<bool> are_sharers = find_sharers();
  const Layout begins = layout_of(words_);
  std::string kept;
  for (std::uint32_t person = 0; person < persons(); ++person) {
    words_[begins[kPersonRows] + std::size_t{person} * kFields + kHistory] =
        static_cast<std::uint32_t>(kept.size());
    const std::size_t begin = person == 0 ? 0 : ends[person - 1];
    if (are_sharers[person]) kept += histories.substr(begin, ends[person] - begin);
  }
  words_[kHistoryBytes] = static_cast<std::uint32_t>(kept.size());
  words_.resize(begins[kHistories] + words_for(kept.size()));
  if (!kept.empty()) std::memcpy(&words_[begins[kHistories]], kept.data(), kept.size());
  lay_out();
}

void SpellingIndexBuilder::add(std::uint64_t offset, std::string_view raw) {
  const SpellingLine line = codec::scid::parse_spelling_line(raw);
  using Kind = SpellingLine::Kind;
  if (line.kind == Kind::Other) return;
  if (line.kind == Kind::Elo && section_ != NameKind::Player) return;
  if (line.kind == Kind::Section) {
    section_ = codec::scid::parse_spelling_section(line.text);
    spellings_ = kMostSpellings;
    if (section_ == NameKind::Player) {
      for (const char c : line.data) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) excluded_[byte / 32] |= 1U << byte % 32;
      }
    }
  } else if (!section_.has_value()) {
    return;
  }
  const bool is_rule = line.kind == Kind::Section || line.kind == Kind::Prefix ||
                       line.kind == Kind::Infix || line.kind == Kind::Suffix;
  if (!is_rule && section_ == NameKind::Player) return add_player_line(offset, line);
  if (rules_.size() + raw.size() >= kMostRulesBytes) {
    has_left_out_ = true;
    return;
  }
  rules_ += raw;
  rules_ += '\n';
}

bool SpellingIndexBuilder::is_full() const {
  return persons_.size() >= kMostPersons * SpellingIndex::kFields ||
         aliases_.size() >= kMostPersons * SpellingIndex::kAliasFields ||
         names_.size() + alias_texts_.size() >= kMostTextBytes;
}

void SpellingIndexBuilder::add_player_line(std::uint64_t offset, const SpellingLine& line) {
  using Kind = SpellingLine::Kind;
  if (is_full()) {
    has_left_out_ = true;
    return;
  }
  if (line.kind == Kind::Name) return add_person(offset, line);
  if (spellings_ >= kMostSpellings) return;
  if (line.kind == Kind::Elo) return add_ratings(line.text);
  if (line.kind == Kind::Bio) {
    const std::uint32_t fide_id = codec::scid::parse_fide_id(line.text);
    if (fide_id != 0) {
      persons_[persons_.size() - SpellingIndex::kFields + SpellingIndex::kFideId] = fide_id;
    }
  } else if (line.text.size() <= kMostNameBytes) {
    ++spellings_;
    aliases_.push_back(static_cast<std::uint32_t>(alias_texts_.size()));
    aliases_.push_back(static_cast<std::uint32_t>(persons_.size() / SpellingIndex::kFields - 1));
    alias_texts_ += codec::clean_line(line.text);
  }
}

void SpellingIndexBuilder::add_person(std::uint64_t offset, const SpellingLine& line) {
  end_person();
  // Lines below an invalid name belong to no person.
  spellings_ = kMostSpellings;
  if (line.text.size() > kMostNameBytes) return;
  spellings_ = 0;
  const codec::scid::PlayerData data = codec::scid::parse_player_data(line.data);
  const std::uint32_t facts = data.highest | std::uint32_t{data.is_estimated} << kEstimatedBit |
                              std::uint32_t{data.is_woman} << kWomanBit |
                              std::uint32_t{data.is_inactive} << kInactiveBit |
                              data.titles << kTitlesShift;
  const std::array<std::uint32_t, SpellingIndex::kFields> fields = {
      static_cast<std::uint32_t>(names_.size()),
      static_cast<std::uint32_t>(offset),
      0,
      codec::pack_date(data.born),
      codec::pack_date(data.died),
      facts,
      country(data.countries),
      data.highest,
      0};
  persons_.insert(persons_.end(), fields.begin(), fields.end());
  names_ += codec::clean_line(line.text);
}

void SpellingIndexBuilder::add_ratings(std::string_view text) {
  std::vector<codec::scid::YearRating> ratings;
  codec::scid::parse_elo(text, ratings);
  std::uint32_t& best = persons_[persons_.size() - SpellingIndex::kFields + SpellingIndex::kBest];
  for (const auto& rating : ratings) best = std::max<std::uint32_t>(best, rating.elo);
  if (ratings_.size() < kMostRatings) codec::scid::append_months(ratings, ratings_);
}

// Packs the ratings of the last person.
void SpellingIndexBuilder::end_person() {
  if (history_ends_.size() == persons_.size() / SpellingIndex::kFields) return;
  tidy_history(ratings_);
  if (histories_.size() < kMostHistoryBytes) pack_history(ratings_, histories_);
  ratings_.clear();
  history_ends_.push_back(static_cast<std::uint32_t>(histories_.size()));
}

std::uint32_t SpellingIndexBuilder::country(std::string_view text) {
  if (text.empty() || text.size() > kMostLength / 3) return 0;
  const auto [found, is_new] = country_.try_emplace(std::string(text), 0);
  if (is_new) {
    const std::string clean = codec::clean_line(text);
    if (countries_.size() + clean.size() <= kMostCountryBytes) {
      found->second = static_cast<std::uint32_t>(countries_.size() << kLengthBits | clean.size());
      countries_ += clean;
    }
  }
  return found->second;
}

std::vector<std::uint32_t> SpellingIndexBuilder::take_words(std::uint64_t fingerprint) {
  using Index = SpellingIndex;
  std::vector<std::uint32_t> words(Index::kHeaderWords);
  const auto set = [&words](Index::Word word, std::uint64_t value) {
    words[word] = static_cast<std::uint32_t>(value);
  };
  set(Index::kLayout, Index::kLayoutVersion);
  set(Index::kPersons, persons_.size() / Index::kFields);
  set(Index::kAliases, aliases_.size() / Index::kAliasFields);
  set(Index::kNameBytes, names_.size());
  set(Index::kAliasBytes, alias_texts_.size());
  set(Index::kCountryBytes, countries_.size());
  set(Index::kRulesBytes, rules_.size());
  set(Index::kFingerprint, fingerprint);
  set(Index::kFingerprintTop, fingerprint >> 32);
  std::ranges::copy(excluded_, words.begin() + Index::kExcluded);

  // Frees each array after copying it: the whole is never in memory twice.
  const Index::Layout begins = Index::layout_of(words);
  words.reserve(begins[Index::kArrays] + words_for(histories_.size()));
  for (std::vector<std::uint32_t>* const rows : {&persons_, &aliases_}) {
    words.insert(words.end(), rows->begin(), rows->end());
    std::vector<std::uint32_t>().swap(*rows);
  }
  words.resize(begins[Index::kNames]);
  for (std::string* const text : {&names_, &alias_texts_, &countries_, &rules_}) {
    const std::size_t begin = words.size();
    words.resize(begin + words_for(text->size()));
    if (!text->empty()) std::memcpy(&words[begin], text->data(), text->size());
    std::string().swap(*text);
  }
  return words;
}

absl::StatusOr<SpellingIndex> SpellingIndexBuilder::finish(std::uint64_t fingerprint) && {
  if (persons_.empty()) return absl::InvalidArgumentError("it has no names of players");
  if (has_left_out_) return absl::InvalidArgumentError("it has too many names");
  end_person();
  SpellingIndex index(take_words(fingerprint));
  index.lay_out();
  index.sort_spellings();
  index.add_histories(histories_, history_ends_);
  return index;
}

}  // namespace scidfs::fs
