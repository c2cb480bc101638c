#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace scidfs::tests {
namespace {

constexpr int kPatience = 60'000;  // milliseconds

sockaddr_in address_of(std::string_view host, std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, std::string(host).c_str(), &address.sin_addr);
  return address;
}

std::uint64_t number_of(std::string_view text, int base) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, base);
  return number;
}

}  // namespace

HttpClient::HttpClient(std::uint16_t port, std::string_view from)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const sockaddr_in own = address_of(from, 0);
  const sockaddr_in server = address_of("127.0.0.1", port);
  EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
  EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&server), sizeof server), 0);
}

void HttpClient::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return;  // receive() sees the end
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

bool HttpClient::fill() {
  pollfd look{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&look, 1, kPatience) <= 0) {
    ADD_FAILURE() << "the server says nothing";
    return false;
  }
  std::array<char, 1 << 16> room;
  const ssize_t count = ::recv(socket_.get(), room.data(), room.size(), 0);
  if (count > 0) read_.append(room.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::string HttpClient::take_line() {
  std::size_t end = 0;
  while ((end = read_.find("\r\n")) == std::string::npos) {
    if (!fill()) return {};
  }
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 2);
  return line;
}

HttpResponse HttpClient::receive(std::string_view method) {
  constexpr std::size_t kStatusAt = 9;  // after "HTTP/1.1 "
  constexpr int kFirstWithBody = 200;
  HttpResponse response;
  do {
    const std::string first = take_line();
    if (first.size() <= kStatusAt) return response;
    response.status = static_cast<int>(number_of(first.substr(kStatusAt), 10));
    for (std::string line; !(line = take_line()).empty();) {
      const std::size_t colon = line.find(": ");
      if (colon == std::string::npos) continue;
      std::string name = line.substr(0, colon);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      response.fields[name] = line.substr(colon + 2);
    }
  } while (response.status < kFirstWithBody);
  const bool has_body = method != "HEAD" && response.status != 204 && response.status != 304;
  const auto take = [&](std::size_t size) {
    while (read_.size() < size) {
      if (!fill()) return false;
    }
    response.body += read_.substr(0, size);
    read_.erase(0, size);
    return true;
  };
  response.is_whole = true;
  if (!has_body) return response;
  if (response.field("transfer-encoding") != "chunked") {
    response.is_whole = take(number_of(response.field("content-length"), 10));
    return response;
  }
  while (response.is_whole) {
    const std::string line = take_line();
    const std::uint64_t size = number_of(line, 16);
    response.is_whole = !line.empty() && take(size);
    take_line();
    if (size == 0) break;
  }
  return response;
}

HttpResponse HttpClient::ask(std::string_view path, std::string_view fields,
                             std::string_view method) {
  send(fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}\r\n", method, path, fields));
  return receive(method);
}

void HttpClient::end_requests() const { ::shutdown(socket_.get(), SHUT_WR); }

std::string HttpClient::receive_all(int milliseconds) {
  pollfd look{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  while (::poll(&look, 1, milliseconds) > 0 && fill()) {
  }
  return std::move(read_);
}

bool HttpClient::has_bytes_within(int milliseconds) const {
  pollfd look{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  return ::poll(&look, 1, milliseconds) > 0;
}

bool HttpClient::is_closed_within(int milliseconds) {
  pollfd look{.fd = socket_.get(), .events = POLLIN, .revents = 0};
  if (::poll(&look, 1, milliseconds) <= 0) return false;
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, 0) <= 0;
}

std::string gunzip(std::string_view compressed) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  EXPECT_EQ(::inflateInit2(&stream, kGzip), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data()));
  stream.avail_in = static_cast<uInt>(compressed.size());
  std::string text;
  std::array<char, 1 << 16> room;
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = room.size();
    result = ::inflate(&stream, Z_NO_FLUSH);
    text.append(room.data(), room.size() - stream.avail_out);
  }
  EXPECT_EQ(result, Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U);
  ::inflateEnd(&stream);
  return text;
}

}  // namespace scidfs::tests
