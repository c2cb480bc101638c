// Databases in which many games share one record, as no program writes them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/scid/names.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"

namespace scidfs::tests {

// The greatest length of a record.
inline constexpr std::size_t kLongestRecord = (std::size_t{1} << 17) - 1;

// A record of a few moves with a comment that repeats a text until the record has its greatest
// length.
inline std::string longest_record(std::string_view text) {
  constexpr std::size_t kRest = 100;  // for the moves
  std::string comment;
  while (comment.size() + text.size() + kRest <= kLongestRecord) comment += text;
  return ScidEncoder().moves("e4 e5 Nf3 Nc6 Bb5 a6").comment(comment).record();
}

// So many games of two players with this record.
inline ScidFiles share_record(std::size_t games, const std::string& record) {
  using codec::scid::NameKind;
  ScidFilesBuilder builder;
  codec::scid::IndexEntry entry;
  entry.white = builder.name(NameKind::Player, "Anna");
  entry.black = builder.name(NameKind::Player, "Bert");
  for (const NameKind kind : {NameKind::Event, NameKind::Site, NameKind::Round}) {
    builder.name(kind, "x");
  }
  entry.date = {.year = 2001};
  builder.game(entry, record);
  ScidFiles files = builder.files();
  const std::size_t head = index_header(1).size();
  const std::string line = files.index.substr(head);
  files.index = index_header(static_cast<std::uint32_t>(games));
  files.index.reserve(head + games * line.size());
  for (std::size_t game = 0; game < games; ++game) files.index += line;
  return files;
}

}  // namespace scidfs::tests
