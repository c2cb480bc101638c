// Whether files are remote: on a network, in a cloud, or behind another FUSE file system. There
// each read takes long, no matter how small. A server that does not answer blocks the thread that
// waits for it, and no signal ends that wait.
#pragma once

#include <cstdint>
#include <filesystem>

namespace scidfs::fs {

// The user's setting for the source.
enum class Locality : std::uint8_t {
  Auto,  // by the type of the file system
  Local,
  Remote,
};

// Returns whether an open file is remote. Asks the file system for its type, unless the user has
// set it.
bool is_remote(int descriptor, Locality said);
// Returns whether the file at a path is remote. A file whose file system is unknown counts as
// remote: nothing else is safe to assume.
bool is_remote(const std::filesystem::path& path, Locality said);

// How many threads read from a remote file system at once: they wait for it most of their time.
inline constexpr unsigned kRemoteThreads = 16;

}  // namespace scidfs::fs
