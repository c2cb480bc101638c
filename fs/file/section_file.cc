#include "fs/file/section_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cache/hash.h"
#include "codec/text.h"
#include "fs/base/status_macros.h"
#include "fs/file/cache_file.h"
#include "fs/file/descriptor.h"
#include "fs/file/io.h"
#include "fs/file/locality.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

constexpr std::string_view kSectionMagic = "scidfsIX";
constexpr std::uint32_t kLayout = 2;
constexpr std::uint32_t kMostSections = 64;
constexpr std::uint64_t kAlignment = 64;
constexpr std::size_t kBlockBytes = std::size_t{1} << 16;
constexpr std::size_t kBytesOfWrite = std::size_t{1} << 20;
constexpr std::size_t kPlaceWords = 3;  // of 64 bits, for a section in its table

// The first bytes of a file.
struct Head {
  std::array<char, 8> magic;
  std::uint32_t layout;
  std::uint32_t sections;
  std::uint64_t key;
  std::uint64_t bytes;
  std::uint64_t blocks;
  std::uint64_t checksum;
};
static_assert(sizeof(Head) == 48);

template <class T>
std::span<std::uint8_t> raw_bytes(T& value) {
  return {reinterpret_cast<std::uint8_t*>(&value), sizeof value};
}
template <class T>
std::span<std::uint8_t> raw_bytes(std::vector<T>& values) {
  return {reinterpret_cast<std::uint8_t*>(values.data()), values.size() * sizeof(T)};
}

// `tables`: the bytes after the head.
std::uint64_t checksum_of(Head head, codec::Bytes tables) {
  const std::uint64_t first =
      cache::fingerprint(codec::Bytes(raw_bytes(head)).first(offsetof(Head, checksum)));
  return cache::fingerprint(tables, first);
}

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}
std::uint64_t blocks_of(std::uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes; }

// Appends the checksums of a section's blocks, which may begin and end within its pieces.
void add_checksums(const Section& section, std::vector<std::uint64_t>& checksums) {
  std::vector<std::uint8_t> block;  // of several pieces
  for (codec::Bytes piece : section.pieces) {
    while (!piece.empty()) {
      const codec::Bytes part = piece.first(std::min(piece.size(), kBlockBytes - block.size()));
      piece = piece.subspan(part.size());
      if (part.size() == kBlockBytes) {
        checksums.push_back(cache::fingerprint(part));
        continue;
      }
      block.insert(block.end(), part.begin(), part.end());
      if (block.size() < kBlockBytes) continue;
      checksums.push_back(cache::fingerprint(block));
      block.clear();
    }
  }
  if (!block.empty()) checksums.push_back(cache::fingerprint(block));
}

}  // namespace

std::uint64_t Section::bytes() const {
  std::uint64_t bytes = 0;
  for (const codec::Bytes piece : pieces) bytes += piece.size();
  return bytes;
}

SectionImage::SectionImage(std::uint64_t key, std::vector<Section> sections)
    : sections_(std::move(sections)) {
  std::ranges::sort(sections_, {}, &Section::number);
  std::vector<std::uint64_t> checksums;
  for (const Section& section : sections_) add_checksums(section, checksums);
  std::vector<std::uint64_t> places;
  size_ =
      sizeof(Head) + (kPlaceWords * sections_.size() + checksums.size()) * sizeof(std::uint64_t);
  for (const Section& section : sections_) {
    size_ = aligned(size_);
    places.insert(places.end(), {section.number, size_, section.bytes()});
    size_ += section.bytes();
  }
  Head head{.magic = {},
            .layout = kLayout,
            .sections = static_cast<std::uint32_t>(sections_.size()),
            .key = key,
            .bytes = size_,
            .blocks = checksums.size(),
            .checksum = 0};
  std::ranges::copy(kSectionMagic, head.magic.begin());
  places.insert(places.end(), checksums.begin(), checksums.end());
  const std::span<const std::uint8_t> tables = raw_bytes(places);
  head.checksum = checksum_of(head, tables);
  const std::span<const std::uint8_t> begin = raw_bytes(head);
  head_.assign(begin.begin(), begin.end());
  head_.insert(head_.end(), tables.begin(), tables.end());
}

absl::Status SectionImage::for_each_part(
    absl::FunctionRef<absl::Status(codec::Bytes)> visit) const {
  static constexpr std::array<std::uint8_t, kAlignment> kZeros{};
  std::uint64_t offset = head_.size();
  RETURN_IF_ERROR(visit(head_));
  for (const Section& section : sections_) {
    RETURN_IF_ERROR(visit(codec::Bytes(kZeros).first(aligned(offset) - offset)));
    offset = aligned(offset) + section.bytes();
    for (const codec::Bytes piece : section.pieces) RETURN_IF_ERROR(visit(piece));
  }
  assert(offset == size_);
  return absl::OkStatus();
}

absl::Status save_sections(const stdfs::path& path, const SectionImage& image,
                           absl::FunctionRef<bool()> is_cancelled) {
  ASSIGN_OR_RETURN(std::unique_ptr<NewFile> file, new_cache_file(path));
  RETURN_IF_ERROR(image.for_each_part([&](codec::Bytes part) -> absl::Status {
    for (; !part.empty(); part = part.subspan(std::min(part.size(), kBytesOfWrite))) {
      if (is_cancelled()) return absl::CancelledError("cancelled");
      RETURN_IF_ERROR(file->append(part.first(std::min(part.size(), kBytesOfWrite))));
    }
    return absl::OkStatus();
  }));
  RETURN_IF_ERROR(file->sync());
  return file->put_in_place(NewFile::Existing::Replace);
}

namespace {

// A file that is being examined.
struct Examined {
  const stdfs::path& path;
  int descriptor = -1;
  std::uint64_t size = 0;

  absl::Status damaged(std::string_view reason) const {
    return refused(absl::StatusCode::kDataLoss, reason);
  }
  absl::Status other(std::string_view reason) const {
    return refused(absl::StatusCode::kFailedPrecondition, reason);
  }
  absl::Status refused(absl::StatusCode code, std::string_view reason) const {
    return absl::Status(code, fmt::format("Cannot use {}: {}", path.native(), reason));
  }
  absl::Status read(std::uint64_t offset, std::span<std::uint8_t> out) const {
    return read_fully(descriptor, offset, out, path.native());
  }
};

// Checks layout and key before the checksum: another layout may have it elsewhere.
absl::StatusOr<Head> read_head(const Examined& file, std::uint64_t key) {
  Head head{};
  if (file.size < sizeof head) return file.damaged("it is cut short");
  RETURN_IF_ERROR(file.read(0, raw_bytes(head)));
  if (std::string_view(head.magic.data(), head.magic.size()) != kSectionMagic) {
    return file.damaged("it is no index file of scidfs");
  }
  if (head.layout != kLayout) return file.other("it has another layout");
  if (head.key != key) return file.other("it is of another version of the database");
  if (head.bytes != file.size) {
    return file.damaged(fmt::format("{} bytes, expected {}", file.size, head.bytes));
  }
  if (head.sections > kMostSections || head.blocks > kMostSections + blocks_of(file.size)) {
    return file.damaged("its tables are too long");
  }
  return head;
}

// Returns the tables after the head.
absl::StatusOr<std::vector<std::uint64_t>> read_tables(const Examined& file, const Head& head) {
  std::vector<std::uint64_t> tables(kPlaceWords * head.sections + head.blocks);
  if (sizeof head + raw_bytes(tables).size() > file.size) return file.damaged("it is cut short");
  RETURN_IF_ERROR(file.read(sizeof head, raw_bytes(tables)));
  if (head.checksum != checksum_of(head, raw_bytes(tables))) {
    return file.damaged("the checksum of its tables is wrong");
  }
  return tables;
}

absl::StatusOr<std::vector<SectionPlace>> places_in(const Examined& file, const Head& head,
                                                    std::span<const std::uint64_t> tables) {
  std::vector<SectionPlace> places;
  std::uint64_t end = sizeof head + tables.size_bytes();
  std::uint64_t blocks = 0;
  for (std::uint32_t i = 0; i < head.sections; ++i) {
    const auto words = tables.subspan(kPlaceWords * i, kPlaceWords);
    const SectionPlace place{.number = words[0], .offset = words[1], .bytes = words[2]};
    const bool is_next = places.empty() || places.back().number < place.number;
    if (!is_next || place.offset != aligned(end) || place.offset > file.size ||
        place.bytes > file.size - place.offset) {
      return file.damaged("its sections do not fit");
    }
    end = place.offset + place.bytes;
    blocks += blocks_of(place.bytes);
    places.push_back(place);
  }
  if (end != file.size || blocks != head.blocks) return file.damaged("its sections do not fit");
  return places;
}

// What the first bytes of a file say.
struct Contents {
  std::vector<std::uint8_t> head;  // these bytes
  std::vector<SectionPlace> places;
  std::vector<CheckedBytes> blocks;
};

absl::StatusOr<Contents> read_contents(const Examined& file, std::uint64_t key) {
  ASSIGN_OR_RETURN(Head head, read_head(file, key));
  ASSIGN_OR_RETURN(std::vector<std::uint64_t> tables, read_tables(file, head));
  Contents contents;
  ASSIGN_OR_RETURN(contents.places, places_in(file, head, tables));
  const std::span<const std::uint8_t> first = raw_bytes(head);
  const std::span<const std::uint8_t> rest = raw_bytes(tables);
  contents.head.assign(first.begin(), first.end());
  contents.head.insert(contents.head.end(), rest.begin(), rest.end());
  auto checksum = tables.begin() + static_cast<std::ptrdiff_t>(kPlaceWords * head.sections);
  for (const SectionPlace& place : contents.places) {
    for (std::uint64_t at = 0; at < place.bytes; at += kBlockBytes) {
      const auto bytes = std::min<std::uint64_t>(place.bytes - at, kBlockBytes);
      contents.blocks.push_back({place.offset + at, static_cast<std::size_t>(bytes), *checksum++});
    }
  }
  return contents;
}

// Returns whether a file of the same length has these contents.
bool are_right(const Contents& contents, codec::Bytes bytes) {
  return std::ranges::equal(contents.head, bytes.first(contents.head.size())) &&
         std::ranges::all_of(contents.blocks, [bytes](const CheckedBytes& block) {
           return block.are_right(bytes.subspan(block.offset, block.bytes));
         });
}

// Writes an image into memory. Returns whether it fits there.
bool copy_image(const SectionImage& image, std::span<std::uint8_t> out) {
  if (image.size() != out.size()) return false;
  return image
      .for_each_part([&out](codec::Bytes part) {
        std::ranges::copy(part, out.begin());
        out = out.subspan(part.size());
        return absl::OkStatus();
      })
      .ok();
}

}  // namespace

// Nothing of what is checked here changes before it is mapped: the lease comes first.
absl::StatusOr<std::unique_ptr<const SectionFile>> SectionFile::map(const stdfs::path& path,
                                                                    std::uint64_t key,
                                                                    Remake remake) {
  ASSIGN_OR_RETURN(Descriptor opened, open_cache_file(path));
  struct stat attributes {};
  Examined file{.path = path, .descriptor = opened.get()};
  if (is_remote(opened.get(), Locality::Auto)) return file.other("it lies on a network");
  ASSIGN_OR_RETURN(LeasedFile leased, LeasedFile::lease(std::move(opened), path.native()));
  if (::fstat(leased.get(), &attributes) != 0) return file_error("read", path.native(), errno);
  file.size = static_cast<std::uint64_t>(attributes.st_size);
  ASSIGN_OR_RETURN(Contents contents, read_contents(file, key));
  std::unique_ptr<SectionFile> result(new SectionFile);
  result->places_ = contents.places;
  std::vector<CheckedBytes> blocks = contents.blocks;
  MappedFile::Rescue rescue{
      .is_right = [contents = std::move(contents)](
                      codec::Bytes bytes) { return are_right(contents, bytes); },
      .make =
          [remake = std::move(remake), path](std::span<std::uint8_t> out) {
            std::error_code ignored;
            stdfs::remove(path, ignored);  // the next mount makes it again
            return remake([out](const SectionImage& image) { return copy_image(image, out); });
          }};
  ASSIGN_OR_RETURN(result->file_, MappedFile::map(std::move(leased), file.size, std::move(blocks),
                                                  std::move(rescue)));
  return result;
}

codec::Bytes SectionFile::section(std::uint64_t number) const {
  const auto found = std::ranges::find(places_, number, &SectionPlace::number);
  return found == places_.end() ? codec::Bytes()
                                : file_->bytes().subspan(found->offset, found->bytes);
}

void SectionFile::check_ahead(absl::FunctionRef<bool()> is_over) const {
  const codec::Bytes bytes = file_->bytes();
  for (std::size_t offset = 0; offset < bytes.size() && !is_over(); offset += MappedFile::kWindow) {
    static_cast<void>(*static_cast<const volatile std::uint8_t*>(&bytes[offset]));
  }
}

struct SectionReader::State {
  stdfs::path path;
  Descriptor file;
  std::uint64_t size = 0;
  std::vector<SectionPlace> places;
  std::vector<std::size_t> first_blocks;  // by place: its first one in `blocks`
  std::vector<CheckedBytes> blocks;
  mutable std::vector<std::atomic<bool>> are_good;  // blocks whose checksum has been compared

  // Compares a block with its checksum unless that has been done.
  absl::Status check(std::size_t block) const {
    if (are_good[block].load(std::memory_order_relaxed)) return absl::OkStatus();
    const Examined examined{.path = path, .descriptor = file.get(), .size = size};
    std::vector<std::uint8_t> found(blocks[block].bytes);
    RETURN_IF_ERROR(examined.read(blocks[block].offset, found));
    if (!blocks[block].are_right(found)) {
      return examined.damaged("the checksum of its bytes is wrong");
    }
    are_good[block].store(true, std::memory_order_relaxed);
    return absl::OkStatus();
  }
};

SectionReader::SectionReader(std::unique_ptr<const State> state) : state_(std::move(state)) {}
SectionReader::~SectionReader() = default;

absl::StatusOr<std::unique_ptr<const SectionReader>> SectionReader::open(const stdfs::path& path,
                                                                         std::uint64_t key) {
  auto state = std::make_unique<State>();
  state->path = path;
  ASSIGN_OR_RETURN(state->file, open_cache_file(path));
  const Examined opened{.path = path};
  if (is_remote(state->file.get(), Locality::Auto)) return opened.other("it lies on a network");
  struct stat attributes {};
  if (::fstat(state->file.get(), &attributes) != 0) return file_error("read", path.native(), errno);
  state->size = static_cast<std::uint64_t>(attributes.st_size);
  ASSIGN_OR_RETURN(
      Contents contents,
      read_contents({.path = path, .descriptor = state->file.get(), .size = state->size}, key));
  for (std::size_t blocks = 0; const SectionPlace& place : contents.places) {
    state->first_blocks.push_back(blocks);
    blocks += blocks_of(place.bytes);
  }
  state->places = std::move(contents.places);
  state->blocks = std::move(contents.blocks);
  state->are_good = std::vector<std::atomic<bool>>(state->blocks.size());
  return std::unique_ptr<const SectionReader>(new SectionReader(std::move(state)));
}

std::uint64_t SectionReader::bytes(std::uint64_t number) const {
  const auto found = std::ranges::find(state_->places, number, &SectionPlace::number);
  return found == state_->places.end() ? 0 : found->bytes;
}

absl::Status SectionReader::read(std::uint64_t number, std::uint64_t offset,
                                 std::span<std::uint8_t> out) const {
  if (out.empty()) return absl::OkStatus();
  const Examined examined{
      .path = state_->path, .descriptor = state_->file.get(), .size = state_->size};
  const auto place = std::ranges::find(state_->places, number, &SectionPlace::number);
  if (place == state_->places.end() || offset > place->bytes ||
      out.size() > place->bytes - offset) {
    return examined.damaged("a section is too short");
  }
  const auto index = static_cast<std::size_t>(place - state_->places.begin());
  const std::size_t first = state_->first_blocks[index] + offset / kBlockBytes;
  const std::size_t last = state_->first_blocks[index] + (offset + out.size() - 1) / kBlockBytes;
  for (std::size_t block = first; block <= last; ++block) RETURN_IF_ERROR(state_->check(block));
  return examined.read(place->offset + offset, out);
}

bool is_section_file(const stdfs::path& path) {
  const absl::StatusOr<Descriptor> file = open_cache_file(path);
  std::array<std::uint8_t, kSectionMagic.size()> begin{};
  return file.ok() && read_fully(file->get(), 0, begin, path.native()).ok() &&
         codec::as_text(begin) == kSectionMagic;
}

}  // namespace scidfs::fs
