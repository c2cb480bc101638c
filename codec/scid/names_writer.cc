#include "codec/scid/names_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>

#include "codec/bytes.h"

namespace scidfs::codec::scid {
namespace {

using Out = std::vector<std::uint8_t>;

// Returns whether Scid puts a name before another: by the first byte as an unsigned number, then by
// the others as signed ones.
bool is_before(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() < b.size();
  const auto first = static_cast<unsigned char>(a.front());
  const auto other = static_cast<unsigned char>(b.front());
  if (first != other) return first < other;
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  // The end of a name counts as a NUL.
  const auto byte = [](std::string_view text, std::string_view::const_iterator at) {
    return at == text.end() ? 0 : static_cast<int>(static_cast<signed char>(*at));
  };
  return byte(a, in_a) < byte(b, in_b);
}

void append_section(std::span<const NameUses> names, std::uint32_t greatest, Out& out) {
  std::vector<std::uint32_t> ids(names.size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::ranges::sort(ids, [names](std::uint32_t a, std::uint32_t b) {
    return is_before(names[a].name, names[b].name);
  });
  const std::size_t id_size = name_id_width(static_cast<std::uint32_t>(names.size()));
  const std::size_t uses_size = name_frequency_width(greatest);
  std::string_view before;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const NameUses& name = names[ids[i]];
    assert(name.name.size() <= kMaxName4);
    append_big(ids[i], id_size, out);
    append_big(name.uses, uses_size, out);
    append_big(name.name.size(), 1, out);
    const auto prefix =
        static_cast<std::size_t>(std::ranges::mismatch(name.name, before).in1 - name.name.begin());
    if (i != 0) append_big(prefix, 1, out);
    out.insert(out.end(), name.name.begin() + static_cast<std::ptrdiff_t>(prefix), name.name.end());
    before = name.name;
  }
}

void append_item(unsigned type, std::string_view text, Out& out) {
  constexpr unsigned kBits = 7;
  std::uint64_t number = std::uint64_t{text.size()} << kName5TypeBits | type;
  for (; number >= 1U << kBits; number >>= kBits) {
    out.push_back(static_cast<std::uint8_t>(number | 1U << kBits));
  }
  out.push_back(static_cast<std::uint8_t>(number));
  out.insert(out.end(), text.begin(), text.end());
}

}  // namespace

void append_names4(const std::array<std::span<const NameUses>, kNameKinds>& names, Out& out) {
  constexpr std::size_t kNumberSize = 3;
  constexpr std::size_t kTimeSize = 4;  // that of the obsolete time
  out.insert(out.end(), kNamesMagic.begin(), kNamesMagic.end());
  out.insert(out.end(), kTimeSize, 0);
  for (const auto& section : names) append_big(section.size(), kNumberSize, out);
  std::array<std::uint32_t, kNameKinds> greatest{};
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    for (const NameUses& name : names[kind]) greatest[kind] = std::max(greatest[kind], name.uses);
    assert(names[kind].size() <= kMaxNames4[kind]);
    append_big(greatest[kind], kNumberSize, out);
  }
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) {
    append_section(names[kind], greatest[kind], out);
  }
}

void append_name5(NameKind kind, std::string_view name, Out& out) {
  append_item(static_cast<unsigned>(kind), name, out);
}

void append_info5(const DatabaseInfo& info, Out& out) {
  const auto append = [&out](const std::string& item) {
    append_item(static_cast<unsigned>(kNameKinds), item, out);
  };
  if (info.type != 0) append(fmt::format("type{}", info.type));
  if (info.autoload != 0) append(fmt::format("autoload{}", info.autoload));
  if (!info.description.empty()) append("description" + info.description);
  for (std::size_t flag = 0; flag < kCustomFlags; ++flag) {
    const std::string& text = info.custom_flags[flag];
    if (!text.empty()) append(fmt::format("flag{}{}", flag + 1, text));
  }
}

}  // namespace scidfs::codec::scid
