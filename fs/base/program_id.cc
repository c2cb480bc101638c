#include "fs/base/program_id.h"

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "cache/hash.h"

namespace scidfs::fs {
namespace {

// Returns the description of the build ID among the notes of a segment; empty if there is none.
std::string_view build_id_in(std::string_view notes) {
  constexpr std::string_view kOwner("GNU\0", 4);
  const auto padded = [](std::size_t size) { return (size + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const std::size_t name_size = padded(note.n_namesz);
    if (name_size > notes.size() || note.n_descsz > notes.size() - name_size) break;
    const std::string_view name = notes.substr(0, note.n_namesz);
    const std::string_view description = notes.substr(name_size, note.n_descsz);
    if (note.n_type == NT_GNU_BUILD_ID && name == kOwner) return description;
    const std::size_t whole = name_size + padded(note.n_descsz);
    if (whole > notes.size()) break;
    notes.remove_prefix(whole);
  }
  return {};
}

int take_build_id(dl_phdr_info* program, std::size_t /*size*/, void* found) {
  for (const ElfW(Phdr) & segment : std::span(program->dlpi_phdr, program->dlpi_phnum)) {
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader gives addresses as numbers
    const auto* const start = reinterpret_cast<const char*>(program->dlpi_addr + segment.p_vaddr);
    const std::string_view id = build_id_in({start, segment.p_memsz});
    if (!id.empty()) *static_cast<std::uint64_t*>(found) = cache::fingerprint(id);
  }
  return 1;  // the first object is the program itself
}

}  // namespace

std::uint64_t program_id() {
  static const std::uint64_t kId = [] {
    std::uint64_t found = 0;
    ::dl_iterate_phdr(&take_build_id, &found);
    return found;
  }();
  return kId;
}

}  // namespace scidfs::fs
