#include "fs/reference/name_rules.h"

#include <algorithm>
#include <optional>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

using codec::scid::SpellingLine;

// Longer names stay unchanged: each of many replacements could double one.
constexpr std::size_t kMostBytes = 4096;

}  // namespace

void NameRules::exclude(std::string_view characters) {
  constexpr unsigned char kAsciiEnd = 0x80;
  for (const char c : characters) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < kAsciiEnd) excluded_.set(byte);
  }
}

void NameRules::add_replacement(const SpellingLine& line, std::vector<Text>& to) {
  const std::optional<codec::scid::Replacement> replacement =
      codec::scid::parse_replacement(line.text);
  if (!replacement.has_value() || to.size() == kMostReplacements) return;
  to.push_back(
      {.from = codec::clean_line(replacement->from), .to = codec::clean_line(replacement->to)});
}

void NameRules::add(const SpellingLine& line) {
  switch (line.kind) {
    case SpellingLine::Kind::Name:
    case SpellingLine::Kind::Spelling: {
      if (line.kind == SpellingLine::Kind::Name) {
        if (names_.size() == kMostNames) return;
        names_.push_back(codec::clean_line(line.text));
        spellings_ = 0;
      }
      if (names_.empty() || ++spellings_ > kMostSpellings) return;
      std::string key;
      append_key(codec::clean_line(line.text), key);
      keys_.emplace_back(std::move(key), static_cast<std::uint32_t>(names_.size() - 1));
      return;
    }
    case SpellingLine::Kind::Prefix:
      return add_replacement(line, prefixes_);
    case SpellingLine::Kind::Infix:
      return add_replacement(line, infixes_);
    case SpellingLine::Kind::Suffix:
      return add_replacement(line, suffixes_);
    default:
      return;
  }
}

void NameRules::finish() { std::sort(keys_.begin(), keys_.end()); }

std::size_t NameRules::replace(std::string& name) const {
  std::size_t count = 0;
  for (const Text& text : prefixes_) {
    if (!name.starts_with(text.from)) continue;
    name.replace(0, text.from.size(), text.to);
    ++count;
    break;
  }
  for (const Text& text : infixes_) {
    for (std::size_t at = name.find(text.from); at != std::string::npos;
         at = name.find(text.from, at + text.to.size())) {
      if (name.size() > kMostBytes) return count;
      name.replace(at, text.from.size(), text.to);
      ++count;
    }
  }
  for (const Text& text : suffixes_) {
    if (!name.ends_with(text.from)) continue;
    name.replace(name.size() - text.from.size(), text.from.size(), text.to);
    ++count;
    break;
  }
  return count;
}

std::string NameRules::correct(std::string_view name) const {
  std::string replaced(name);
  const std::size_t replacements = replace(replaced);
  std::string key;
  append_key(replaced, key);
  if (key.empty()) return std::string(name);  // the beginning of every key
  const auto begin = std::lower_bound(keys_.begin(), keys_.end(), key,
                                      [](const auto& a, const auto& b) { return a.first < b; });
  const auto is_found = [&](auto at) { return at != keys_.end() && at->first.starts_with(key); };
  if (!is_found(begin)) return replacements != 0 ? replaced : std::string(name);
  if (begin->first == key) return names_[begin->second];
  auto other = begin;
  while (is_found(other) && other->second == begin->second) ++other;
  return is_found(other) ? std::string(name) : names_[begin->second];
}

}  // namespace scidfs::fs
