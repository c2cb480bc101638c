// Scidb archives: headers, groups and the data of members.
#include <algorithm>
#include <set>

#include "codec/scv/groups.h"
#include "codec/scv/name.h"
#include "codec/text.h"
#include "codec/unicode.h"
#include "tests/fuzz/target.h"
#include "tests/support/archive.h"
#include "tests/support/files.h"

namespace scidfs::fuzz {
namespace {

using codec::scv::Archive;
using codec::scv::Fault;
using codec::scv::Member;

constexpr std::uint64_t kMost = std::uint64_t{4} << 20;

// Reads the content of a member as if it were a gzip file, in pieces.
void check_gunzipped(std::string_view text) {
  std::uint64_t given = 0;
  const auto sink = [&given](codec::Bytes bytes) {
    given += bytes.size();
    return true;
  };
  codec::scv::Gunzipper gunzipper(kMost, sink);
  constexpr std::size_t kPiece = 100;
  for (std::size_t at = 0; at < text.size(); at += kPiece) {
    if (!gunzipper.add(tests::as_bytes(text.substr(at, kPiece)))) break;
  }
  require(gunzipper.finish().size == given && given <= kMost, "more gunzipped bytes than allowed");
}

void check_member(const Member& member, const tests::ArchiveBytes& bytes, std::size_t size) {
  require(codec::is_utf8(tests::as_bytes(member.name)), "a name that is not UTF-8");
  if (member.fault == Fault::None && !codec::scv::is_url(member.name)) {
    require(codec::scv::is_safe_name(member.name), "an unsafe name passed");
  }
  if (!member.is_usable()) return;
  require(member.size <= size && member.offset <= size - member.size, "data outside the file");
  const tests::UnpackedText text = tests::unpack_text(member, bytes, kMost);
  require(text.bytes.size() == text.result.size, "another number of bytes than counted");
  require(text.bytes.size() <= kMost, "more bytes than allowed");
  require(text.result.fault != Fault::Unreadable, "read beyond the end");
  check_gunzipped(text.bytes);
  if (!member.file_size) return;
  require(text.bytes.size() <= *member.file_size, "more bytes than FileSize says");
  if (text.result.fault == Fault::None) {
    require(text.bytes.size() == *member.file_size, "not what FileSize says");
  }
}

void check_groups(const Archive& archive) {
  for (const codec::scv::Group& group : codec::scv::find_groups(archive)) {
    require(group.required.size() + group.missing.size() == group.kind->required.size(),
            "a companion is neither there nor missing");
    for (const std::size_t member : group.required) {
      require(archive.members.at(member).is_usable(), "a companion that cannot be used");
    }
  }
}

class ArchiveTarget : public Target {
 public:
  std::string_view name() const override { return "archive"; }

  void check(std::string_view input) const override {
    const tests::ArchiveBytes bytes{std::string(input)};
    const Archive archive = bytes.parse();
    require(archive.fault_offset <= input.size(), "a fault behind the end");
    std::set<std::string> names;
    std::uint64_t end = 0;
    for (const Member& member : archive.members) {
      check_member(member, bytes, input.size());
      require(member.offset >= end, "members overlap");
      end = member.offset + (member.fault == Fault::SizeExceedsFile ? 0 : member.size);
      if (member.fault != Fault::None || codec::scv::is_url(member.name)) continue;
      require(names.insert(codec::fold_case(member.name)).second, "a name twice");
    }
    check_groups(archive);
  }

  std::vector<Seed> seeds() const override {
    std::vector<Seed> seeds;
    for (const std::string& stem : tests::stems_in("scv", ".scv")) {
      std::string bytes = tests::read_file(tests::test_data("scv/" + stem + ".scv"));
      if (bytes.size() <= most_bytes()) seeds.push_back({stem, std::move(bytes)});
    }
    return seeds;
  }

  void mutate(std::string& input, tests::Random& random, PlainMutator plain) const override {
    plain(input, most_bytes());
    // Valid lines in wrong places, and correct sizes.
    static const std::vector<std::string_view> kLines = {"<-- H E A D -->",
                                                         "<-- D A T A -->",
                                                         "<-- N O D A T A -->",
                                                         "<FileName> a.si4",
                                                         "<FileName> x/a.sg4",
                                                         "<FileName> http://x/y",
                                                         "<Compression> lzo",
                                                         "<Compression> gzip",
                                                         "<Compression> raw",
                                                         "<FileSize> 229",
                                                         "<FileSize> 4611686018427387904",
                                                         "<Database> a",
                                                         "<URI> file:///a",
                                                         "<Checksum> -1",
                                                         "<Modified> 2023-11-14 22:13:20"};
    if (!random.one_in(2)) return;
    const std::size_t start = input.find('\n', random.below(input.size() + 1));
    if (start == std::string::npos) return;
    const std::size_t end = std::min(input.find('\n', start + 1), input.size());
    const std::string line(kLines[random.below(kLines.size())]);
    if (random.one_in(2)) {
      input.replace(start + 1, end - start - 1, line);
    } else {
      input.insert(start + 1, line + "\n");
    }
    input.resize(std::min(input.size(), most_bytes()));
  }
};

}  // namespace

const Target& archive_target() {
  static const ArchiveTarget kTarget;
  return kTarget;
}

}  // namespace scidfs::fuzz
