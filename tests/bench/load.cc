// load BASE READERS RATE < PATHS: reads each file below BASE once, to its end, and prints how many
// answers there were a second, and in how many milliseconds half and 99 of 100 of them were there.
//
// BASE is a folder, or http://127.0.0.1:PORT and the begin of a path; each reader keeps its
// connection. RATE: files that are asked for in a second, also while answers are late; their time
// counts from when they were due, so that those that wait behind a slow one are not forgotten.
// 0: each reader asks as soon as it has an answer.
#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace scidfs::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kHttp = "http://127.0.0.1:";
constexpr std::size_t kChunk = 1 << 18;

[[noreturn]] void fail(std::string_view what, std::string_view path) {
  fmt::print(stderr, "load: {}: {}\n", what, path);
  std::exit(1);
}

void read_file(const std::string& path, std::string& room) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("cannot open", path);
  ssize_t count = 0;
  while ((count = ::read(file, room.data(), room.size())) > 0) {
  }
  if (count < 0) fail("cannot read", path);
  ::close(file);
}

// A connection that is kept.
class Connection {
 public:
  explicit Connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
      fail("cannot connect", "127.0.0.1");
    }
  }
  ~Connection() { ::close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void fetch(const std::string& path, std::string& room) {
    const std::string request = fmt::format(
        "GET {} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n", path);
    if (::send(socket_, request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      fail("cannot send", path);
    }
    std::string head;
    std::size_t end = std::string::npos;
    while ((end = head.find("\r\n\r\n")) == std::string::npos) head += receive(path, room);
    constexpr std::string_view kLength = "\r\nContent-Length: ";
    const std::size_t length = head.find(kLength);
    if (!head.starts_with("HTTP/1.1 200 ") || length > end) fail(head.substr(0, 100), path);
    std::size_t left = 0;
    std::from_chars(head.data() + length + kLength.size(), head.data() + end, left);
    left -= std::min(left, head.size() - end - 4);
    while (left != 0) left -= std::min(left, receive(path, room).size());
  }

 private:
  std::string_view receive(const std::string& path, std::string& room) {
    const ssize_t count = ::recv(socket_, room.data(), room.size(), 0);
    if (count <= 0) fail("no answer", path);
    return {room.data(), static_cast<std::size_t>(count)};
  }

  const int socket_;
};

struct Load {
  std::string base;
  unsigned readers = 1;
  double rate = 0;
  std::vector<std::string> paths;
};

// Reads paths in turn with all readers. Returns the milliseconds of each.
std::vector<double> read_all(const Load& load, Clock::time_point start) {
  std::vector<double> milliseconds(load.paths.size());
  std::atomic<std::size_t> next = 0;
  const auto read_some = [&] {
    std::string room(kChunk, '\0');
    std::optional<Connection> connection;
    std::string prefix = load.base;
    if (prefix.starts_with(kHttp)) {
      std::uint16_t port = 0;
      const char* const end = prefix.data() + prefix.size();
      const auto parsed = std::from_chars(prefix.data() + kHttp.size(), end, port);
      connection.emplace(port);
      prefix = std::string(parsed.ptr, end);
    }
    for (std::size_t i = 0; (i = next.fetch_add(1)) < load.paths.size();) {
      Clock::time_point due = Clock::now();
      if (load.rate != 0) {
        due = start + std::chrono::duration_cast<Clock::duration>(
                          std::chrono::duration<double>(static_cast<double>(i) / load.rate));
        std::this_thread::sleep_until(due);
      }
      const std::string path = fmt::format("{}/{}", prefix, load.paths[i]);
      connection ? connection->fetch(path, room) : read_file(path, room);
      milliseconds[i] = std::chrono::duration<double, std::milli>(Clock::now() - due).count();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < load.readers; ++i) threads.emplace_back(read_some);
  for (std::thread& thread : threads) thread.join();
  return milliseconds;
}

int run(std::span<char*> arguments) {
  if (arguments.size() != 4) {
    fmt::print(stderr, "usage: load BASE READERS RATE < PATHS\n");
    return 2;
  }
  Load load{.base = arguments[1],
            .readers = static_cast<unsigned>(std::max(1, std::atoi(arguments[2]))),
            .rate = std::atof(arguments[3]),
            .paths = {}};
  for (std::string line; std::getline(std::cin, line);) load.paths.push_back(line);
  if (load.paths.empty()) fail("no paths", "standard input");
  const Clock::time_point start = Clock::now();
  std::vector<double> milliseconds = read_all(load, start);
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  std::ranges::sort(milliseconds);
  fmt::print("{:.1f} {:.3f} {:.3f}\n", static_cast<double>(milliseconds.size()) / seconds,
             milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 99 / 100]);
  return 0;
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  return scidfs::bench::run(std::span(argv, static_cast<std::size_t>(argc)));
}
