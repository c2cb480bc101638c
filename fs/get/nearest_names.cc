#include "fs/get/nearest_names.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <numeric>

#include "codec/text.h"
#include "fs/base/glob.h"

namespace scidfs::fs {
namespace {

struct NearName {
  std::size_t of_beginning = 0;  // the least distance to a beginning of the name
  std::size_t of_name = 0;
  std::string_view name;

  auto operator<=>(const NearName&) const = default;  // NOLINT(modernize-use-nullptr)
};

NearName compare(std::string_view wanted, const std::string& folded, std::string_view name) {
  // The distances of the letters of `wanted` so far to each beginning of the name.
  std::vector<std::size_t> row(folded.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char letter : wanted) {
    std::size_t before = row[0]++;
    for (std::size_t i = 0; i < folded.size(); ++i) {
      const std::size_t changed = before + (folded[i] == letter ? 0 : 1);
      before = row[i + 1];
      row[i + 1] = std::min({changed, before + 1, row[i] + 1});
    }
  }
  return {.of_beginning = *std::ranges::min_element(row), .of_name = row.back(), .name = name};
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string text;
  codec::append_utf8(codec::as_bytes(name), text);
  fold_text_in_place(text);
  return text;
}

std::vector<std::string> nearest_names(std::string_view wanted, std::span<const ListedName> names) {
  constexpr std::size_t kMost = 5;
  constexpr std::size_t kLongest = 255;
  // One letter in four may be wrong.
  constexpr std::size_t kOneWrongIn = 4;
  if (wanted.size() > kLongest) return {};
  const std::string folded = fold_name(wanted);
  std::vector<NearName> near;
  for (const ListedName& listed : names) {
    const NearName candidate = compare(folded, fold_name(listed.name), listed.name);
    if (candidate.of_beginning <= folded.size() / kOneWrongIn) near.push_back(candidate);
  }
  std::ranges::sort(near);
  std::vector<std::string> result;
  for (const NearName& candidate : near) {
    if (result.size() == kMost) break;
    result.emplace_back(candidate.name);
  }
  return result;
}

}  // namespace scidfs::fs
