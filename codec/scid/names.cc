#include "codec/scid/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "codec/scid/names_builder.h"
#include "codec/text.h"

namespace scidfs::codec::scid {
namespace {

constexpr std::size_t kStampSize = 4;
constexpr std::size_t kMinRecordSize = 4;  // two bytes of id, frequency, length

// A reader of the four sections one after the other, as far as they can be followed.
class SectionReader {
 public:
  SectionReader(Bytes file, CodePage page, StoredNames* stored)
      : in_(file), builder_(file.size(), page, stored) {}

  Names read() {
    std::array<std::uint32_t, kNameKinds> counts{};
    std::array<std::uint32_t, kNameKinds> frequencies{};
    bool is_whole = read_header(counts, frequencies);
    // Each section begins at the end of the one before.
    for (std::size_t kind = 0; kind < kNameKinds && is_whole; ++kind) {
      kind_ = static_cast<NameKind>(kind);
      is_whole = read_section(counts[kind], frequencies[kind]);
    }
    return builder_.finish();
  }

 private:
  void report_record(std::string_view what) { builder_.report(kind_, what, record_offset_); }

  bool read_header(std::array<std::uint32_t, kNameKinds>& counts,
                   std::array<std::uint32_t, kNameKinds>& frequencies) {
    const Bytes magic = in_.take(kNamesMagic.size());
    if (in_.ok() && as_text(magic) != kNamesMagic) {
      builder_.report("not a Scid name file (wrong magic)", 0);
      return false;
    }
    in_.take(kStampSize);
    for (std::uint32_t& count : counts) count = in_.u24();
    for (std::uint32_t& frequency : frequencies) frequency = in_.u24();
    if (!in_.ok()) builder_.report("the name file ends in its header", in_.offset());
    return in_.ok();
  }

  // Reads a section. Returns false if its end is not known.
  bool read_section(std::uint32_t count, std::uint32_t greatest_frequency) {
    record_offset_ = in_.offset();
    if (count > kMaxNames4[static_cast<std::size_t>(kind_)]) {
      report_record(fmt::format("{} are declared, more than the format has room for,", count));
      return false;
    }
    const std::size_t likely = std::min<std::size_t>(count, in_.remaining() / kMinRecordSize + 1);
    builder_.expect(kind_, count == 0 ? 0 : likely,
                    std::min<std::size_t>(likely * 16, in_.remaining() * 2));

    const std::size_t id_size = name_id_width(count);
    const std::size_t frequency_size = name_frequency_width(greatest_frequency);
    std::size_t previous_length = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      record_offset_ = in_.offset();
      const auto id = static_cast<std::uint32_t>(in_.big(id_size));
      in_.take(frequency_size);
      const std::size_t length = in_.u8();
      const std::size_t prefix = i == 0 ? 0 : in_.u8();
      if (prefix > length) {
        report_record("a prefix is longer than its name,");
        return false;
      }
      if (prefix > previous_length) {
        report_record("a prefix is longer than the name before,");
        return false;
      }
      const Bytes rest = in_.take(length - prefix);
      if (!in_.ok()) {
        report_record(fmt::format("the file ends in name {} of {},", i + 1, count));
        return false;
      }
      const auto tail = name_.begin() + static_cast<std::ptrdiff_t>(prefix);
      if (i > 0 && length == previous_length && std::equal(rest.begin(), rest.end(), tail)) {
        report_record("a name is there twice,");  // harmless: both ids mean it
      }
      std::ranges::copy(rest, tail);
      previous_length = length;
      if (!store(id, count, Bytes(name_).first(length))) return false;
    }
    // `count` records with different ids below `count` have been read, or the fault is reported.
    return true;
  }

  // Stores a name. Returns false if there is no room for more text. A bad id costs only its own
  // name.
  bool store(std::uint32_t id, std::uint32_t count, Bytes raw) {
    if (id >= count || !builder_.has_slot(id)) {
      report_record(fmt::format("id {} is out of range,", id));
    } else if (builder_.contains(kind_, id)) {
      report_record(fmt::format("id {} is there twice,", id));
    } else if (!builder_.store(kind_, id, raw)) {
      report_record("the names are too long for a file of this size,");
      return false;
    }
    return true;
  }

  ByteReader in_;
  NamesBuilder builder_;
  NameKind kind_{};
  std::size_t record_offset_ = 0;
  std::array<std::uint8_t, kMaxName4> name_{};  // the last name, raw: front coding knows only bytes
};

}  // namespace

std::size_t max_name_file_size(Bytes header) {
  constexpr std::size_t kMaxNameRecordSize = 3 + 3 + 1 + 1 + kMaxName4;
  ByteReader in(header);
  in.take(kNamesMagic.size() + kStampSize);
  std::size_t size = kNamesHeaderSize;
  for (std::size_t kind = 0; kind < kNameKinds; ++kind) size += in.u24() * kMaxNameRecordSize;
  return std::min(size, kMaxNameFileSize);
}

Names parse_names(Bytes file, CodePage page, StoredNames* stored) {
  return SectionReader(file, page, stored).read();
}

}  // namespace scidfs::codec::scid
