// Whether files are far: on a network, in a cloud, or behind another FUSE file system. There each
// read takes long however little it reads, and a server that does not answer keeps a thread that
// waits for it, which no signal ends.
#pragma once

#include <cstdint>
#include <filesystem>

namespace scidfs::fs {

// What the user says of the source.
enum class Locality : std::uint8_t {
  Auto,  // as the type of the file system says
  Local,
  Remote,
};

// Whether the file system of an open file is far. Asks it for its type, unless the user has said.
bool is_remote(int descriptor, Locality said);
// The same of what a path names. What nobody can tell is far: nothing else may be said of it.
bool is_remote(const std::filesystem::path& path, Locality said);

// How many threads read from a far file system at once: most of their time they wait for it.
inline constexpr unsigned kRemoteThreads = 16;

}  // namespace scidfs::fs
