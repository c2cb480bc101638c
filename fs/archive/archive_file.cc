#include "fs/archive/archive_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "codec/scv/groups.h"
#include "codec/scv/unpack.h"
#include "fs/database/index_file.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::scv::Fault;
using codec::scv::Member;
using codec::scv::Unpacked;

bool is_gzip_file(const Member& member) {
  const std::string suffix = codec::scv::split_suffix(member.name).suffix;
  return suffix == ".pgn.gz";
}

// Reads all of `out` or fails.
absl::Status read_fully(const PrivateFile& file, std::uint64_t offset,
                        std::span<std::uint8_t> out) {
  while (!out.empty()) {
    const ssize_t count =
        ::pread(file.descriptor(), out.data(), out.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return absl::DataLossError("Cannot read what was unpacked");
    out = out.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return absl::OkStatus();
}

Unpacked gunzip(const PrivateFile& file, std::uint64_t most, codec::scv::Sink sink) {
  return codec::scv::gunzip(
      file.size(),
      [&file](std::uint64_t offset, std::span<std::uint8_t> out) {
        return read_fully(file, offset, out);
      },
      most, sink);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const ArchiveFile>> ArchiveFile::open(SourceFile file,
                                                                     const UnpackOptions& options) {
  std::shared_ptr<ArchiveFile> opened(new ArchiveFile(std::move(file), options));
  opened->archive_ = codec::scv::parse_archive(
      opened->file_.size(),
      [&](std::uint64_t offset, std::span<std::uint8_t> out) { return opened->read(offset, out); });
  const codec::scv::Archive& archive = opened->archive_;
  if (archive.fault != Fault::None && archive.members.empty()) {
    return absl::DataLossError(fmt::format("Cannot open {}: {}", opened->file_.path().string(),
                                           codec::scv::describe(archive.fault)));
  }
  opened->look_into_members();
  if (!opened->file_.is_as_opened()) {
    return absl::FailedPreconditionError(
        fmt::format("Cannot open {}: it is being written", opened->file_.path().string()));
  }
  return opened;
}

void ArchiveFile::look_into_members() {
  const std::size_t count = archive_.members.size();
  std::vector<bool> is_wanted(count);
  for (const codec::scv::Group& group : codec::scv::find_groups(archive_)) {
    if (!is_index_file("x" + std::string(group.kind->index))) continue;
    is_wanted[group.index] = true;
    for (const std::size_t member : group.required) is_wanted[member] = true;
  }
  std::uint64_t most = kMostUnpacked;
  states_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    kept_.push_back(std::make_unique<Kept>());
    states_[i].fault = archive_.members[i].fault;
    if (!archive_.members[i].is_usable()) continue;
    look_into(i, is_wanted[i], most);
    most -= states_[i].size;
    if (!is_good(i) || !is_gzip_file(archive_.members[i])) continue;
    states_[i].gunzipped_size = measure_gunzipped(i, most);
    most -= states_[i].gunzipped_size.value_or(0);
  }
}

void ArchiveFile::look_into(std::size_t member, bool is_wanted, std::uint64_t most) {
  auto kept = std::make_shared<PrivateFile>(options_);
  bool is_kept = is_wanted;
  const Unpacked unpacked = codec::scv::unpack(
      archive_.members[member],
      [this](std::uint64_t offset, std::span<std::uint8_t> out) { return read(offset, out); }, most,
      [&](Bytes bytes) {
        // Where there is no room, bytes() will say so.
        is_kept = is_kept && kept->append(bytes).ok();
        return true;
      });
  states_[member].fault = unpacked.fault;
  states_[member].size = unpacked.size;
  if (!is_kept || unpacked.fault != Fault::None) return;
  cache::MutexLock lock(kept_[member]->mutex);
  kept_[member]->bytes = std::move(kept);
}

std::optional<std::uint64_t> ArchiveFile::measure_gunzipped(std::size_t member,
                                                            std::uint64_t most) const {
  const absl::StatusOr<PrivateFilePtr> packed = unpack(member);
  if (!packed.ok()) return std::nullopt;
  const Unpacked unpacked = gunzip(**packed, most, [](Bytes) { return true; });
  if (unpacked.fault != Fault::None) return std::nullopt;
  return unpacked.size;
}

absl::Status ArchiveFile::failure(std::size_t member, Fault fault, const absl::Status& room) const {
  if (!file_.is_as_opened()) {
    return absl::FailedPreconditionError(
        fmt::format("{} has changed since it was opened", file_.path().string()));
  }
  if (!room.ok()) return room;
  return absl::DataLossError(fmt::format("{}: {}: {}", file_.path().string(),
                                         archive_.members[member].name,
                                         codec::scv::describe(fault)));
}

absl::StatusOr<PrivateFilePtr> ArchiveFile::unpack(std::size_t member) const {
  auto unpacked = std::make_shared<PrivateFile>(options_);
  absl::Status room;
  const Unpacked result = codec::scv::unpack(
      archive_.members[member],
      [this](std::uint64_t offset, std::span<std::uint8_t> out) { return read(offset, out); },
      kMostUnpacked,
      [&](Bytes bytes) {
        room = unpacked->append(bytes);
        return room.ok();
      });
  if (result.fault != Fault::None || result.size != size(member) || !file_.is_as_opened()) {
    return failure(member, result.fault, room);
  }
  return unpacked;
}

absl::StatusOr<PrivateFilePtr> ArchiveFile::bytes(std::size_t member) const {
  Kept& kept = *kept_[member];
  cache::MutexLock lock(kept.mutex);
  if (kept.bytes == nullptr) {
    absl::StatusOr<PrivateFilePtr> unpacked = unpack(member);
    if (!unpacked.ok()) return unpacked.status();
    kept.bytes = *std::move(unpacked);
  }
  return kept.bytes;
}

absl::StatusOr<PrivateFilePtr> ArchiveFile::gunzipped(std::size_t member) const {
  Kept& kept = *kept_[member];
  cache::MutexLock lock(kept.mutex);
  if (kept.gunzipped != nullptr) return kept.gunzipped;
  // What is packed twice is wanted as it is by nobody, mostly.
  absl::StatusOr<PrivateFilePtr> packed =
      kept.bytes != nullptr ? absl::StatusOr<PrivateFilePtr>(kept.bytes) : unpack(member);
  if (!packed.ok()) return packed.status();
  auto unpacked = std::make_shared<PrivateFile>(options_);
  absl::Status room;
  const Unpacked result = gunzip(**packed, *gunzipped_size(member), [&](Bytes bytes) {
    room = unpacked->append(bytes);
    return room.ok();
  });
  if (result.fault != Fault::None) return failure(member, result.fault, room);
  kept.gunzipped = std::move(unpacked);
  return kept.gunzipped;
}

}  // namespace scidfs::fs
