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

// What a section says of all its names, and its names themselves where they are few: those of
// sites, events and rounds. Takes so many of them, and so many spellings of a name, and leaves out
// what is more: whoever looks up names need not wait for any file.
class NameRules {
 public:
  static constexpr std::size_t kMostReplacements = 1000;
  static constexpr std::size_t kMostNames = 100'000;
  static constexpr std::size_t kMostSpellings = 1000;

  // Takes the characters of ASCII among these out of all names that are compared.
  void exclude(std::string_view characters);
  // Takes a line of the section, but for names of players. What does not fit is left out.
  void add(const codec::scid::SpellingLine& line);
  // To be called after the last line.
  void finish();

  // Replaces the beginning, parts and the end of a name; returns how often. Names do not grow
  // beyond some thousand bytes.
  std::size_t replace(std::string& name) const;
  // Appends what counts of a name when it is compared.
  void append_key(std::string_view name, std::string& key) const {
    for (const char c : name) {
      if (!is_excluded(c)) key += c;
    }
  }
  bool is_excluded(char c) const { return excluded_[static_cast<unsigned char>(c)]; }

  // The correct name, or what the replacements made of it, or the name itself: a name whose key is
  // that of another spelling, or the beginning of spellings of one name alone.
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
  std::vector<std::pair<std::string, std::uint32_t>> keys_;  // sorted, and which name it is
};

}  // namespace scidfs::fs
