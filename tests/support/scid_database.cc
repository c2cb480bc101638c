#include "tests/support/scid_database.h"

#include <cstdio>
#include <cstdlib>

#include "tests/support/files.h"

namespace scidfs::tests {

using codec::Bytes;
using codec::GameTags;
using codec::TextBuffer;
using codec::scid::GameText;
using codec::scid::IndexEntry;

ScidDatabase::ScidDatabase(const std::string& prefix, std::string_view index_suffix)
    : ScidDatabase(read_scid_files(prefix, index_suffix), index_suffix) {}

ScidDatabase::ScidDatabase(ScidFiles files, std::string_view index_suffix)
    : format_(*codec::scid::format_of_index(index_suffix)), files_(std::move(files)) {
  names_ = format_.parse_names(as_bytes(files_.names), codec::CodePage::Windows1252, nullptr);
  const auto header = format_.parse_header(as_bytes(files_.index), files_.index.size(),
                                           codec::CodePage::Windows1252);
  if (!header.ok()) {
    std::fprintf(stderr, "%s\n", header.status().ToString().c_str());
    std::abort();
  }
  header_ = *header;
}

bool ScidDatabase::has_entry(std::uint32_t game) const {
  const codec::scid::IndexLayout& layout = *header_.layout;
  return layout.header_size + (std::size_t{game} + 1) * layout.entry_size <= files_.index.size();
}

IndexEntry ScidDatabase::entry(std::uint32_t game) const {
  if (!has_entry(game)) {
    constexpr std::uint32_t kNobody = ~std::uint32_t{0};
    IndexEntry missing;
    missing.white = missing.black = missing.event = missing.site = missing.round = kNobody;
    return missing;
  }
  const codec::scid::IndexLayout& layout = *header_.layout;
  const std::size_t offset = layout.header_size + std::size_t{game} * layout.entry_size;
  return layout.parse_entry(as_bytes(files_.index).subspan(offset, layout.entry_size));
}

GameTags ScidDatabase::tags(std::uint32_t game) const {
  return codec::scid::make_tags(entry(game), names_);
}

codec::scid::GamePlace ScidDatabase::place(std::uint32_t game) const {
  return {.number = game + 1, .offset = entry(game).offset};
}

std::optional<Bytes> ScidDatabase::record(std::uint32_t game) const {
  const IndexEntry found = entry(game);
  const Bytes file = as_bytes(files_.games);
  if (found.length < codec::scid::kMinRecordSize || found.offset > file.size() ||
      found.length > file.size() - found.offset) {
    return std::nullopt;
  }
  return file.subspan(found.offset, found.length);
}

RenderedGame ScidDatabase::render(std::uint32_t game, GameText& writer) const {
  TextBuffer out;
  std::optional<codec::Damage> damage;
  if (const std::optional<Bytes> bytes = record(game)) {
    damage = writer.append(tags(game), place(game), *bytes, out);
  } else {
    damage = codec::Damage{.offset = 0, .reason = "the record is not in the file"};
    writer.append_stub(tags(game), place(game), damage->reason, out);
  }
  return {.text = std::string(out.view()), .damage = damage};
}

std::vector<RenderedGame> ScidDatabase::render_games(const codec::PgnOptions& options) const {
  GameText writer(options, format_.castling);
  std::vector<RenderedGame> rendered;
  for (std::uint32_t game = 0; game < games(); ++game) rendered.push_back(render(game, writer));
  return rendered;
}

std::string ScidDatabase::render(const codec::PgnOptions& options) const {
  GameText writer(options, format_.castling);
  std::string text;
  for (std::uint32_t game = 0; game < games(); ++game) text += render(game, writer).text;
  return text;
}

GameTags example_tags(codec::Result result) {
  // After each text are the readable bytes that GameTags requires.
  static const std::string padding(codec::scid::NameTable::kPadding, '\0');
  static const std::string event = "Event" + padding;
  static const std::string site = "Site" + padding;
  static const std::string round = "1" + padding;
  static const std::string white = "White, A" + padding;
  static const std::string black = "Black, B" + padding;
  const auto text = [](const std::string& padded) {
    return std::string_view(padded).substr(0, padded.size() - padding.size());
  };
  GameTags tags;
  tags.event = text(event);
  tags.site = text(site);
  tags.round = text(round);
  tags.white = text(white);
  tags.black = text(black);
  tags.result = result;
  return tags;
}

RenderedGame render_record(std::string_view record, const codec::PgnOptions& options,
                           const GameTags& tags) {
  TextBuffer out;
  GameText writer(options);
  // A copy of the exact size, so that a sanitizer detects reads beyond the end.
  const std::vector<std::uint8_t> bytes(record.begin(), record.end());
  const std::optional<codec::Damage> damage =
      writer.append(tags, {.number = 1, .offset = 0}, bytes, out);
  return {.text = std::string(out.view()), .damage = damage};
}

}  // namespace scidfs::tests
