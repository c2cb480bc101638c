// Compresses texts for tests, with the writers of libarchive.
#pragma once

#include <archive.h>
#include <archive_entry.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scidfs::tests {

// Returns a text that is compressed in a way that has the ending .gz, .zst, .bz2 or .xz, repeated
// `times`.
inline std::string packed(std::string_view text, std::string_view ending, std::size_t times = 1) {
  std::string bytes;
  archive* const writer = archive_write_new();
  const auto check = [](int result) {
    if (result != ARCHIVE_OK) std::abort();
  };
  check(ending == ".gz"    ? archive_write_add_filter_gzip(writer)
        : ending == ".zst" ? archive_write_add_filter_zstd(writer)
        : ending == ".bz2" ? archive_write_add_filter_bzip2(writer)
                           : archive_write_add_filter_xz(writer));
  check(archive_write_set_format_raw(writer));
  check(archive_write_set_bytes_in_last_block(writer, 1));
  check(archive_write_open(
      writer, &bytes, nullptr,
      [](archive*, void* out, const void* from, std::size_t size) -> la_ssize_t {
        static_cast<std::string*>(out)->append(static_cast<const char*>(from), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr));
  archive_entry* const entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  check(archive_write_header(writer, entry));
  for (std::size_t i = 0; i < times; ++i) {
    if (archive_write_data(writer, text.data(), text.size()) !=
        static_cast<la_ssize_t>(text.size()))
      std::abort();
  }
  archive_entry_free(entry);
  check(archive_write_free(writer));
  return bytes;
}

// Returns a zip file with these files, by name.
inline std::string zipped(const std::vector<std::pair<std::string, std::string>>& files,
                          bool is_encrypted = false) {
  std::string bytes;
  archive* const writer = archive_write_new();
  const auto check = [](int result) {
    if (result != ARCHIVE_OK) std::abort();
  };
  check(archive_write_set_format_zip(writer));
  if (is_encrypted) {
    check(archive_write_set_options(writer, "zip:encryption=traditional"));
    check(archive_write_set_passphrase(writer, "secret"));
  }
  check(archive_write_set_bytes_in_last_block(writer, 1));
  check(archive_write_open(
      writer, &bytes, nullptr,
      [](archive*, void* out, const void* from, std::size_t size) -> la_ssize_t {
        static_cast<std::string*>(out)->append(static_cast<const char*>(from), size);
        return static_cast<la_ssize_t>(size);
      },
      nullptr));
  for (const auto& [name, text] : files) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
    check(archive_write_header(writer, entry));
    if (archive_write_data(writer, text.data(), text.size()) !=
        static_cast<la_ssize_t>(text.size()))
      std::abort();
    archive_entry_free(entry);
  }
  check(archive_write_free(writer));
  return bytes;
}

}  // namespace scidfs::tests
