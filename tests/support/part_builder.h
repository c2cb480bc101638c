// Databases made of some games of another one.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "codec/scid/names.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

// Some games of a database as one of its own, whose names have other numbers.
class PartBuilder {
 public:
  explicit PartBuilder(const ScidDatabase& from) : from_(from) {}

  void add(std::uint32_t game) {
    codec::scid::IndexEntry entry = from_.entry(game);
    entry.white = own(codec::scid::NameKind::Player, entry.white);
    entry.black = own(codec::scid::NameKind::Player, entry.black);
    entry.event = own(codec::scid::NameKind::Event, entry.event);
    entry.site = own(codec::scid::NameKind::Site, entry.site);
    entry.round = own(codec::scid::NameKind::Round, entry.round);
    const std::optional<codec::Bytes> record = from_.record(game);
    ASSERT_TRUE(record.has_value()) << game;
    builder_.game(entry, {reinterpret_cast<const char*>(record->data()), record->size()});
  }
  ScidFiles files() const { return builder_.files(); }

 private:
  std::uint32_t own(codec::scid::NameKind kind, std::uint32_t id) {
    const auto [found, is_new] = ids_.try_emplace({kind, id}, 0);
    if (is_new) found->second = builder_.name(kind, from_.names()[kind].text(id));
    return found->second;
  }

  const ScidDatabase& from_;
  ScidFilesBuilder builder_;
  std::map<std::pair<codec::scid::NameKind, std::uint32_t>, std::uint32_t> ids_;
};

}  // namespace scidfs::tests
