#include "fs/file/companion.h"

#include <algorithm>
#include <array>
#include <vector>

#include "codec/ending.h"
#include "codec/unicode.h"
#include "fs/file/folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr bool is_capital(char c) { return codec::to_ascii_lower(c) != c; }

std::string in_capitals(std::string text) {
  std::ranges::transform(text, text.begin(), codec::to_ascii_upper);
  return text;
}

// Returns `ending` with capitals where `like` has them.
std::string in_letters_of(std::string_view like, std::string_view ending) {
  std::string text(ending);
  for (std::size_t i = 0; i < std::min(text.size(), like.size()); ++i) {
    if (is_capital(like[i])) text[i] = codec::to_ascii_upper(text[i]);
  }
  return text;
}

std::array<std::string, 3> spellings(std::string_view ending, std::string_view like) {
  return {in_letters_of(like, ending), std::string(ending), in_capitals(std::string(ending))};
}

stdfs::path joined(const stdfs::path& stem, const std::string& ending) {
  stdfs::path path = stem;
  path += ending;
  return path;
}

}  // namespace

stdfs::path with_ending(const stdfs::path& stem, std::string_view ending, std::string_view like) {
  const std::array<std::string, 3> endings = spellings(ending, like);
  for (const std::string& one : endings) {
    if (stdfs::path path = joined(stem, one); has_name(path)) return path;
  }
  return joined(stem, endings[0]);
}

stdfs::path companion_of(const stdfs::path& index, std::string_view ending) {
  const std::string own = index.extension().string();
  const std::string own_small = codec::in_small_letters(own);
  const std::string name = index.stem().string();
  const stdfs::path folder = index.parent_path();
  const std::array<std::string, 3> endings = spellings(ending, own);
  for (const std::string& stem : {name, codec::in_small_letters(name), in_capitals(name)}) {
    for (const std::string& one : endings) {
      stdfs::path path = folder / (stem + one);
      if (!has_name(path)) continue;
      const stdfs::path index_of_its_own = folder / (stem + in_letters_of(one, own_small));
      if (index_of_its_own == index || !has_name(index_of_its_own)) return path;
    }
  }
  return folder / (name + endings[0]);
}

}  // namespace scidfs::fs
