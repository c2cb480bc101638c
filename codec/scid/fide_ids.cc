#include "codec/scid/fide_ids.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "codec/number.h"
#include "codec/text.h"
#include "codec/unicode.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::string_view kWhiteName = "whitefideid";
constexpr std::string_view kBlackName = "blackfideid";
static_assert(kWhiteName.size() == kBlackName.size());

bool is_named(const ExtraTag& tag, std::string_view lower) {
  return std::ranges::equal(tag.name, lower, {}, to_ascii_lower);
}

// What the tags of one side say.
class SideId {
 public:
  void add(Bytes value) {
    const std::uint32_t id = parse_number<std::uint32_t>(as_text(value)).value_or(0);
    if (id == 0) return;
    is_contradicted_ |= id_ != 0 && id_ != id;
    id_ = id;
  }
  std::uint32_t id() const { return is_contradicted_ ? 0 : id_; }

 private:
  std::uint32_t id_ = 0;
  bool is_contradicted_ = false;
};

}  // namespace

FideIds fide_ids_of(std::span<const ExtraTag> tags) {
  SideId white, black;
  for (const ExtraTag& tag : tags) {
    if (tag.name.size() != kWhiteName.size()) continue;
    if (is_named(tag, kWhiteName)) white.add(tag.value);
    if (is_named(tag, kBlackName)) black.add(tag.value);
  }
  if (white.id() == black.id()) return {};
  return {.white = white.id(), .black = black.id()};
}

}  // namespace scidfs::codec::scid
