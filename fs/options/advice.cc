#include "fs/options/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <system_error>

#include "codec/ending.h"
#include "codec/scid/format.h"
#include "fs/base/log.h"
#include "fs/base/shell_word.h"
#include "fs/book/book.h"
#include "fs/file/companion.h"
#include "fs/library/source_format.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

bool is_there(const stdfs::path& path) {
  std::error_code error;
  return stdfs::exists(path, error);
}

absl::Status cannot_open(const stdfs::path& source, std::string_view why) {
  return absl::InvalidArgumentError(fmt::format("Cannot open {}: {}", source.string(), why));
}

// Returns a source that exists and has this name with an extension. Empty if there is none.
stdfs::path with_extension(const stdfs::path& source) {
  constexpr std::array<std::string_view, 6> kEnds = {".si4", ".si5",   ".si3",
                                                     ".scv", "_0.kob", ".ive"};
  for (const std::string_view end : kEnds) {
    if (stdfs::path path = with_ending(source, end, end); is_there(path)) return path;
  }
  return {};
}

// Returns "did you mean NAME?", or that the file is missing.
std::string instead(const stdfs::path& wanted) {
  const std::string name = shell_word(wanted.filename().string());
  return is_there(wanted) ? fmt::format("did you mean {}?", name) : name + " is missing";
}

// Returns whether the format's game or name files, but not its index, have this extension.
bool is_other_part(const codec::scid::Format& format, std::string_view extension) {
  return codec::has_ending(extension, format.games_suffix) ||
         codec::has_ending(extension, format.names_suffix);
}

}  // namespace

std::string with_advice(std::string problem, const stdfs::path& path) {
  const auto tilde = std::ranges::find(path, stdfs::path("~"));
  if (tilde == path.end()) return problem;
  stdfs::path below;
  for (auto part = std::next(tilde); part != path.end(); ++part) below /= *part;
  return fmt::format("{}; no shell has replaced the ~, type: \"$HOME/{}\"", problem,
                     below.string());
}

absl::Status check_source(const stdfs::path& source) {
  std::error_code error;
  const stdfs::file_status status = stdfs::status(source, error);
  if (stdfs::is_directory(status)) return absl::OkStatus();
  const std::string extension = source.extension().string();
  if (!stdfs::exists(status)) {
    std::string problem =
        with_advice(error ? error.message() : "No such file or directory", source);
    if (const stdfs::path found = with_extension(source); !found.empty()) {
      problem += "; " + instead(found);
    }
    return absl::NotFoundError(fmt::format("Cannot open {}: {}", source.string(), problem));
  }
  if (const codec::scid::Format* const format = codec::scid::format_of_file(extension);
      format != nullptr && is_other_part(*format, extension)) {
    const stdfs::path index = companion_of(source, format->index_suffix);
    return cannot_open(source, "it is a part of a database; " + instead(index));
  }
  if (codec::has_ending(extension, kBookIndexExtension) ||
      codec::has_ending(extension, kBookSourcesExtension)) {
    const stdfs::path name = stdfs::path(source).replace_extension();
    const stdfs::path book = with_ending(name.string() + "_0", kBookExtension, extension);
    return cannot_open(source, "it is a part of an opening book; " + instead(book));
  }
  return absl::OkStatus();
}

std::string apparmor_advice(const stdfs::path& mountpoint, const stdfs::path& root) {
  char enabled = 'N';
  std::ifstream(root / "sys/module/apparmor/parameters/enabled") >> enabled;
  if (enabled != 'Y' || !is_there(root / "etc/apparmor.d/fusermount3")) return "";
  return fmt::format(
      ". If permission was denied, that was AppArmor, which lets fusermount3 mount in some places "
      "only. Write into /etc/apparmor.d/local/fusermount3: mount fstype=fuse.scidfs "
      "options=(ro,nosuid,nodev) -> \"{0}/\", umount \"{0}/\", (with both commas), and run as "
      "root: apparmor_parser -r /etc/apparmor.d/fusermount3",
      mountpoint.string());
}

void warn_if_nothing_to_show(const stdfs::path& source, bool follow_links) {
  std::error_code error;
  if (!stdfs::is_directory(source, error)) return;
  constexpr auto kOptions = stdfs::directory_options::skip_permission_denied;
  for (stdfs::recursive_directory_iterator it(source, kOptions, error), end; !error && it != end;
       it.increment(error)) {
    if (follow_links && it->is_symlink(error) && it->is_directory(error)) return;
    if (codec::scid::format_of_file(it->path().extension().string()) != nullptr ||
        is_part_of_any(source_formats(), it->path())) {
      return;
    }
  }
  if (!error) {
    log_warning(fmt::format(
        "{} holds no database (.si3, .si4, .si5), no PGN file (.pgn), no archive (.scv) "
        "and no book (.kob): there is nothing to show yet",
        source.string()));
  }
}

}  // namespace scidfs::fs
