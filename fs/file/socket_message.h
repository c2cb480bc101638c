// Messages between two processes over a socket that keeps their bounds, each with a descriptor if
// need be.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// The most bytes of a message: a reason contains paths.
inline constexpr std::size_t kMostOfMessage = std::size_t{1} << 14;

struct SocketMessage {
  std::string text;       // empty: the other process has ended
  Descriptor descriptor;  // none: the message had none
};

// The most bytes of a request: those of many small files.
inline constexpr std::size_t kMostOfRequest = std::size_t{1} << 16;

// Sends a message, with a descriptor unless that is negative. Returns whether it was sent.
bool send_message(int socket, std::string_view text, int descriptor);
// Waits for a message.
SocketMessage receive_message(int socket);

}  // namespace scidfs::fs
