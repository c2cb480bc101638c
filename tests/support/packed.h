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

// Writes an archive into memory; any failure ends the program.
class ArchiveWriter {
 public:
  ArchiveWriter() = default;
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  static void check(int result) {
    if (result != ARCHIVE_OK) std::abort();
  }
  archive* get() const { return writer_; }
  // Opens it, when its format has been set.
  void open() {
    check(archive_write_set_bytes_in_last_block(writer_, 1));
    check(archive_write_open(
        writer_, &bytes_, nullptr,
        [](archive*, void* out, const void* from, std::size_t size) -> la_ssize_t {
          static_cast<std::string*>(out)->append(static_cast<const char*>(from), size);
          return static_cast<la_ssize_t>(size);
        },
        nullptr));
  }
  // Adds a file with this text, `times`.
  void add(const std::string& name, std::string_view text, std::size_t times = 1) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(text.size() * times));
    check(archive_write_header(writer_, entry));
    for (std::size_t i = 0; i < times; ++i) {
      if (archive_write_data(writer_, text.data(), text.size()) !=
          static_cast<la_ssize_t>(text.size()))
        std::abort();
    }
    archive_entry_free(entry);
  }
  // Ends it, and returns its bytes.
  std::string finish() {
    check(archive_write_free(writer_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
  archive* const writer_ = archive_write_new();
};

// Returns a text that is compressed in a way that has the ending .gz, .zst, .bz2 or .xz, repeated
// `times`.
inline std::string packed(std::string_view text, std::string_view ending, std::size_t times = 1) {
  ArchiveWriter writer;
  ArchiveWriter::check(ending == ".gz"    ? archive_write_add_filter_gzip(writer.get())
                       : ending == ".zst" ? archive_write_add_filter_zstd(writer.get())
                       : ending == ".bz2" ? archive_write_add_filter_bzip2(writer.get())
                                          : archive_write_add_filter_xz(writer.get()));
  ArchiveWriter::check(archive_write_set_format_raw(writer.get()));
  writer.open();
  writer.add("text", text, times);
  return writer.finish();
}

// Returns a zip file with these files, by name.
inline std::string zipped(const std::vector<std::pair<std::string, std::string>>& files,
                          bool is_encrypted = false) {
  ArchiveWriter writer;
  ArchiveWriter::check(archive_write_set_format_zip(writer.get()));
  if (is_encrypted) {
    ArchiveWriter::check(archive_write_set_options(writer.get(), "zip:encryption=traditional"));
    ArchiveWriter::check(archive_write_set_passphrase(writer.get(), "secret"));
  }
  writer.open();
  for (const auto& [name, text] : files) writer.add(name, text);
  return writer.finish();
}

// Returns a zip file whose names are marked as UTF-8.
inline std::string with_utf8_names(std::string zip) {
  constexpr char kFlag = 0x08;
  for (const auto& [mark, flags] :
       {std::pair<std::string, std::size_t>("PK\3\4", 7), {"PK\1\2", 9}}) {
    for (std::size_t at = zip.find(mark); at != std::string::npos; at = zip.find(mark, at + 1)) {
      zip[at + flags] = static_cast<char>(zip[at + flags] | kFlag);
    }
  }
  return zip;
}

}  // namespace scidfs::tests
