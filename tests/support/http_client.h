// A client of HTTP/1.1 that says exactly what a test wants, well-formed or not.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"

namespace scidfs::tests {

struct HttpResponse {
  int status = 0;                             // 0: the server has closed the connection instead
  std::map<std::string, std::string> fields;  // by name in lower case
  std::string body;                           // without chunks
  bool is_whole = false;                      // the connection did not end within it

  std::string field(const std::string& name) const {
    const auto found = fields.find(name);
    return found == fields.end() ? "" : found->second;
  }
};

// One connection. Fails the test if the server is silent for a minute.
class HttpClient {
 public:
  // `from`: an address of this machine, 127.0.0.2 and so on, as another client.
  explicit HttpClient(std::uint16_t port, std::string_view from = "127.0.0.1");

  void send(std::string_view bytes) const;
  // Reads the answer to a request with this method.
  HttpResponse receive(std::string_view method = "GET");
  // Sends a request without a body, with further header lines that end with "\r\n".
  HttpResponse ask(std::string_view path, std::string_view fields = "",
                   std::string_view method = "GET");
  // Says that no more comes.
  void end_requests() const;
  // Returns all that comes until the server closes the connection, or says nothing for so long.
  std::string receive_all(int milliseconds);
  // Returns whether an answer has begun to come within so many milliseconds; reads none of it.
  bool has_bytes_within(int milliseconds) const;
  // Returns whether the server closes the connection within so many milliseconds.
  bool is_closed_within(int milliseconds);
  void close() { socket_ = fs::Descriptor(); }

 private:
  // Reads more bytes into `read_`. Returns false at the end of the connection.
  bool fill();
  std::string take_line();

  fs::Descriptor socket_;
  std::string read_;
};

// Returns the text that gzip has made this of.
std::string gunzip(std::string_view compressed);

}  // namespace scidfs::tests
