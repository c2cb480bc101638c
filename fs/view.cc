#include "fs/view.h"

#include <array>
#include <charconv>

#include "fs/inode.h"
#include "fs/views/all.h"

namespace scidfs::fs {

std::span<const View* const> views() {
  static const std::array<const View*, 9> kViews = {
      &root_view(), &games_view(),   &players_view(), &events_view(), &years_view(),
      &eco_view(),  &deleted_view(), &flags_view(),   &fens_view(),
  };
  static_assert(kViews.size() <= kTextsView);
  return kViews;
}

void list_children(std::uint64_t first, std::uint64_t count,
                   absl::FunctionRef<std::optional<Child>(std::uint64_t)> child_at,
                   EmitChild emit) {
  for (std::uint64_t position = first; position < count; ++position) {
    std::optional<Child> child = child_at(position);
    if (child.has_value() && !emit(*std::move(child), position + 1)) return;
  }
}

std::optional<std::string_view> strip_suffix(std::string_view name, std::string_view suffix) {
  if (!name.ends_with(suffix)) return std::nullopt;
  return name.substr(0, name.size() - suffix.size());
}

std::optional<std::uint32_t> parse_number(std::string_view text, std::size_t digits) {
  if (text.empty() || (digits != 0 && text.size() != digits)) return std::nullopt;
  if (digits == 0 && text.size() > 1 && text[0] == '0') return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace scidfs::fs
