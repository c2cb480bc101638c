#include "fs/file/small_files.h"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "fs/file/socket_message.h"
#include "fs/file/unfinished.h"

namespace scidfs::fs {
namespace {

// Before the path and the bytes of each file.
struct Header {
  FileTime time{};
  std::uint32_t path_size = 0;
  std::uint32_t size = 0;
  NewFile::Existing existing = NewFile::Existing::Keep;
};

// The process writes one message while the program fills the next; neither waits for the other to
// read, as both ends of a socket hold more than these.
constexpr std::size_t kMostAwaited = 4;

// A program that needs long for each file sends it at once.
constexpr std::chrono::milliseconds kPatience{50};

// A reason names the path twice at most.
constexpr std::size_t kReason = 128;

}  // namespace

std::optional<SmallFile> take_small_file(std::string_view& message) {
  Header header;
  if (message.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, message.data(), sizeof header);
  message.remove_prefix(sizeof header);
  if (message.size() < std::uint64_t{header.path_size} + header.size) return std::nullopt;
  const SmallFile file{.path = message.substr(0, header.path_size),
                       .time = header.time,
                       .existing = header.existing,
                       .bytes = message.substr(header.path_size, header.size)};
  message.remove_prefix(std::size_t{header.path_size} + header.size);
  return file;
}

void SmallFiles::write(const std::filesystem::path& path, FileTime time, NewFile::Existing existing,
                       std::string_view bytes) {
  assert(path.native().size() + bytes.size() <= kMost);
  const std::string_view below = maker_.below(path);
  const std::size_t size = sizeof(Header) + below.size() + bytes.size();
  const std::size_t reason = 2 * path.native().size() + kReason;
  if (message_.size() + size > kMostOfRequest || most_of_reply_ + reason > kMostOfMessage) send();
  if (message_.empty()) message_ += FileMaker::kWrite;
  const Header header{.time = time,
                      .path_size = static_cast<std::uint32_t>(below.size()),
                      .size = static_cast<std::uint32_t>(bytes.size()),
                      .existing = existing};
  message_.append(reinterpret_cast<const char*>(&header), sizeof header);
  message_ += below;
  message_ += bytes;
  most_of_reply_ += reason;
  last_ = path;
  if (Clock::now() - sent_at_ >= kPatience) send();
}

void SmallFiles::send() {
  if (message_.empty()) return;
  if (awaited_ >= kMostAwaited) receive();
  sent_at_ = Clock::now();
  bool is_sent = false;
  {
    UnbrokenStep step;
    is_sent = ::write(maker_.socket(), message_.data(), message_.size()) >= 0;
    if (is_sent && awaited_++ == 0) step.add_writer(maker_.socket());
  }
  message_.clear();
  most_of_reply_ = 0;
  if (!is_sent) fail_(FileMaker::no_process(last_));
}

void SmallFiles::receive() {
  SocketMessage reply;
  {
    UnbrokenStep step;
    reply = receive_message(maker_.socket());
    awaited_ = reply.text.empty() ? 0 : awaited_ - 1;
    if (awaited_ == 0) step.remove_writer(maker_.socket());
  }
  if (reply.text.empty()) return fail_(FileMaker::no_process(last_));
  std::string_view failures = std::string_view(reply.text).substr(1);
  while (!failures.empty()) {
    const std::string_view one = failures.substr(0, failures.find('\0'));
    failures.remove_prefix(std::min(failures.size(), one.size() + 1));
    if (!one.empty()) {
      fail_(absl::Status(static_cast<absl::StatusCode>(one[0]), std::string(one.substr(1))));
    }
  }
}

void SmallFiles::settle() {
  send();
  while (awaited_ > 0) receive();
}

}  // namespace scidfs::fs
