// How the names of one section of the spelling file are compared and corrected.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/scid/spelling_file.h"

namespace scidfs::fs {

// The rules that a section has for all its names, and the names themselves where they are few:
// those of sites, events and rounds. Limits the number of names, and of spellings of a name, and
// leaves out the rest, so that a lookup is quick for any file.
class NameRules {
 public:
  static constexpr std::size_t kMostReplacements = 1000;
  static constexpr std::size_t kMostNames = 100'000;
  static constexpr std::size_t kMostSpellings = 1000;

  // Excludes the ASCII characters among these from all comparisons of names.
  void exclude(std::string_view characters);
  // Adds a line of the section, except names of players. Leaves out lines beyond the limits.
  void add(const codec::scid::SpellingLine& line);
  // Must be called after the last line.
  void finish();

  // Replaces the beginning, parts and the end of a name. Returns the number of replacements. Names
  // do not grow beyond some thousand bytes.
  std::size_t replace(std::string& name) const;
  // Appends the characters of a name that count in comparisons.
  void append_key(std::string_view name, std::string& key) const {
    for (const char c : name) {
      if (!is_excluded(c)) key += c;
    }
  }
  bool is_excluded(char c) const { return excluded_[static_cast<unsigned char>(c)]; }

  // Returns the correct name, or the result of the replacements, or the name itself. A correct name
  // is found for a name whose key is that of another spelling, or the beginning of spellings of
  // only one name.
  std::string correct(std::string_view name) const;

 private:
  struct Text {
    std::string from;
    std::string to;
  };
  static void add_replacement(const codec::scid::SpellingLine& line, std::vector<Text>& to);

  std::bitset<256> excluded_;
  std::vector<Text> prefixes_, infixes_, suffixes_;
  std::vector<std::string> names_;
  std::size_t spellings_ = 0;                                // of the last name
  std::vector<std::pair<std::string, std::uint32_t>> keys_;  // sorted; the index of the name
};

}  // namespace scidfs::fs
