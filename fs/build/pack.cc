#include "fs/build/pack.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "codec/scv/groups.h"
#include "codec/scv/name.h"
#include "codec/scv/unpack.h"
#include "codec/scv/writer.h"
#include "codec/unicode.h"
#include "fs/base/log.h"
#include "fs/base/status_macros.h"
#include "fs/database/database.h"
#include "fs/database/index_file.h"
#include "fs/file/aside.h"
#include "fs/file/companion.h"
#include "fs/file/folder.h"
#include "fs/file/io.h"
#include "fs/file/new_file.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using codec::Bytes;
using codec::scv::Fault;

absl::Status wrong(const std::string& text) { return absl::InvalidArgumentError(text); }

// A file that becomes a member.
struct Source {
  stdfs::path path;
  std::string name;
  bool is_index = false;
};

struct Packed {
  std::uint64_t size = 0;
  std::uint32_t crc32 = 0;
};

// Adds the files of a database, its index first.
absl::Status add_sources(const stdfs::path& index, std::vector<Source>& sources) {
  const std::string suffix = codec::scv::split_suffix(index.filename().string()).suffix;
  const auto kind = std::ranges::find(codec::scv::kinds(), suffix, &codec::scv::Kind::index);
  const bool is_known = kind != codec::scv::kinds().end() &&
                        (is_index_file(index) || suffix == ".pgn" || suffix == ".pgn.gz");
  if (!is_known) {
    return wrong(fmt::format("Cannot pack {}: it is neither the index of a database nor a PGN file",
                             index.string()));
  }
  sources.push_back({.path = index, .name = index.filename().string(), .is_index = true});
  for (const std::string_view other : kind->required) {
    // Uses the stem of the index, even if the case of the file's own name differs: so archive
    // readers know that the files belong together.
    const stdfs::path path = companion_of(index, other);
    sources.push_back({.path = path, .name = index.stem().string() + path.extension().string()});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Source>> find_sources(const PackOptions& options) {
  std::vector<Source> sources;
  for (const stdfs::path& index : options.databases) {
    RETURN_IF_ERROR(add_sources(index, sources));
  }
  std::set<std::string> names;
  for (const Source& source : sources) {
    if (!codec::scv::is_safe_name(source.name)) {
      return wrong(
          fmt::format("Cannot pack {}: archives do not take such a name", source.path.string()));
    }
    if (!names.insert(codec::fold_case(source.name)).second) {
      return wrong(
          fmt::format("Cannot pack {}: another file has the same name", source.path.string()));
    }
    std::error_code error;
    if (stdfs::equivalent(source.path, options.archive, error)) {
      return wrong(fmt::format("Cannot pack {}: it would be overwritten", source.path.string()));
    }
  }
  return sources;
}

// Returns the number of games of all databases; nothing if there are PGN files among them.
// Unavailable if the files of a database do not match, for example while Scid is saving, unless
// `stays_so`.
absl::StatusOr<std::optional<std::uint64_t>> count_games(const std::vector<Source>& sources,
                                                         bool stays_so) {
  std::optional<std::uint64_t> games = 0;
  for (const Source& source : sources) {
    if (!source.is_index) continue;
    if (!is_index_file(source.path)) {
      games.reset();
      continue;
    }
    ASSIGN_OR_RETURN(const auto database, Database::open(source.path, source.name, {}));
    if (!database->files().is_consistent()) {
      const std::string text =
          fmt::format("{}: its files do not fit together", source.path.string());
      if (!stays_so) return absl::UnavailableError(text);
      log_warning(text + "; packed as they are");
    }
    if (games) *games += database->games();
  }
  return games;
}

absl::Status pack_member(const Source& source, const SourceFile& file, bool is_first,
                         NewFile& draft, Packed& packed) {
  const codec::scv::MemberText text =
      codec::scv::member_text({.name = source.name,
                               .file_size = file.size(),
                               .modified = std::max<std::int64_t>(0, file.stamp().mtime_seconds)},
                              is_first);
  const std::uint64_t start = draft.size();
  RETURN_IF_ERROR(draft.append(text.text));
  codec::scv::Deflater deflater;
  std::vector<std::uint8_t> piece;
  std::uint64_t offset = 0;
  do {
    constexpr std::uint64_t kPiece = std::uint64_t{1} << 20;
    piece.resize(std::min(kPiece, file.size() - offset));
    RETURN_IF_ERROR(file.read(offset, piece));
    offset += piece.size();
    RETURN_IF_ERROR(draft.append(deflater.add(piece, offset == file.size())));
  } while (offset < file.size());
  if (deflater.packed_size() > codec::scv::kMostStored) {
    return wrong(fmt::format("Cannot pack {}: Scidb reads no member of more than 2 GiB",
                             source.path.string()));
  }
  packed = {.size = file.size(), .crc32 = deflater.unpacked_crc32()};
  absl::Status status =
      draft.patch(start + text.size_at, codec::scv::filled_in(deflater.packed_size()));
  status.Update(
      draft.patch(start + text.checksum_at, codec::scv::filled_in(deflater.packed_crc32())));
  return status;
}

// Returns whether the written archive has the content that was read.
bool is_right(NewFile& draft, const std::vector<Packed>& packed) {
  const auto read = [&draft](std::uint64_t offset, std::span<std::uint8_t> out) {
    return draft.read(offset, out);
  };
  const codec::scv::Archive archive = codec::scv::parse_archive(draft.size(), read);
  if (archive.fault != Fault::None || archive.members.size() != packed.size()) return false;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    if (!archive.members[i].is_usable()) return false;
    const codec::scv::Unpacked found =
        codec::scv::unpack(archive.members[i], read, packed[i].size, [](Bytes) { return true; });
    if (found.fault != Fault::None || found.size != packed[i].size ||
        found.crc32 != packed[i].crc32) {
      return false;
    }
  }
  return true;
}

// Returns whether no file has been written to or replaced since it was opened.
bool are_unchanged(const std::vector<Source>& sources, const std::vector<SourceFile>& files) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!files[i].is_as_opened() || stamp_of(sources[i].path) != files[i].stamp()) return false;
  }
  return true;
}

std::vector<FileStamp> stamps_of(const std::vector<Source>& sources) {
  std::vector<FileStamp> stamps;
  stamps.reserve(sources.size());
  for (const Source& source : sources) stamps.push_back(stamp_of(source.path));
  return stamps;
}

// Packs once. Unavailable if a process writes to the databases.
absl::Status try_to_pack(const PackOptions& options, const std::vector<Source>& sources,
                         bool stays_so) {
  std::vector<SourceFile> files;
  codec::scv::ArchiveHeader header{.is_single = options.databases.size() == 1};
  for (const Source& source : sources) {
    // Links may lead anywhere: the user who packs chose them.
    std::error_code error;
    absl::StatusOr<SourceFile> file = SourceFile::open(stdfs::canonical(source.path, error));
    if (error) return file_error("open", source.path.native(), error.value());
    if (!file.ok()) return file.status();
    header.total_size += file->size();
    files.push_back(*std::move(file));
    if (!source.is_index) continue;
    const std::string suffix = codec::scv::split_suffix(source.name).suffix;
    header.formats.insert(suffix.substr(1));
  }
  ASSIGN_OR_RETURN(const auto games, count_games(sources, stays_so));
  header.games = games;
  ASSIGN_OR_RETURN(const std::unique_ptr<NewFile> created,
                   NewFile::create(options.archive, *options.maker));
  NewFile& draft = *created;
  absl::Status status = draft.append(codec::scv::header_text(header));
  std::vector<Packed> packed(sources.size());
  for (std::size_t i = 0; status.ok() && i < sources.size(); ++i) {
    status = pack_member(sources[i], files[i], i == 0, draft, packed[i]);
  }
  if (!are_unchanged(sources, files)) {
    return absl::UnavailableError("Cannot pack: another program is writing to the databases");
  }
  if (!status.ok()) return status;
  if (!is_right(draft, packed)) {
    return absl::DataLossError(
        fmt::format("Cannot write {}: the bytes read back differ from those written",
                    options.archive.string()));
  }
  status = draft.sync();
  if (!status.ok()) return status;
  return draft.put_in_place(options.overwrite ? NewFile::Existing::Replace
                                              : NewFile::Existing::Keep);
}

}  // namespace

absl::Status pack(const PackOptions& options) {
  ASSIGN_OR_RETURN(const std::vector<Source> sources, find_sources(options));
  RETURN_IF_ERROR(check_replaceable(options.archive));
  if (!options.overwrite && ::access(options.archive.c_str(), F_OK) == 0) {
    return wrong(fmt::format("Cannot write {}: it is there already (--force overwrites it)",
                             options.archive.string()));
  }
  remove_abandoned(folder_of(options.archive), [&options](std::string_view name) {
    return name == options.archive.filename().native();
  });
  constexpr int kTries = 5;
  const std::vector<FileStamp> stamps = stamps_of(sources);
  absl::Status status;
  for (int i = 0; i < kTries; ++i) {
    if (i != 0) std::this_thread::sleep_for(options.pause);
    const bool stays_so = i == kTries - 1 && stamps_of(sources) == stamps;
    status = try_to_pack(options, sources, stays_so);
    if (!absl::IsUnavailable(status)) break;
  }
  return status;
}

}  // namespace scidfs::fs
