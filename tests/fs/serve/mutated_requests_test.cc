// Requests that no client would send: the server answers, or closes the connection, and stays well.
//
// SCIDFS_MUTATED_REQUESTS is their number (default 1000), SCIDFS_FIRST_MUTATED_REQUEST the number
// of the first: a failure prints the one that repeats it.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "tests/fs/serve/server_fixture.h"

namespace scidfs::fs {
namespace {

using testing::StartsWith;

constexpr std::array<std::string_view, 9> kRequests = {
    "GET /a.si4/games/00000000.pgn HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-3,5-,-2\r\n\r\n",
    "HEAD /a.si4/all.pgn HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: W/\"a\", \"b\"\r\n\r\n",
    "GET /masters?fen=8/8/8/8/8/8/8/8%20w%20-%20-&play=e2e4,c7c5&moves=3&db=a.si4 HTTP/1.1\r\n"
    "Host: localhost\r\n\r\n",
    "PROPFIND /a.si4/ HTTP/1.1\r\nHost: localhost\r\nDepth: 1\r\nContent-Length: 82\r\n\r\n"
    "<D:propfind xmlns:D=\"DAV:\"><D:prop><D:getetag/><x xmlns='y'/></D:prop></D:propfind>",
    "GET /a.si4/search/eco=B90..B99/year=1990../games.pgn HTTP/1.1\r\nHost: localhost\r\n"
    "Accept-Encoding: gzip;q=0.5, *\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
    "chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\nGET /?list&from=7 HTTP/1.0\r\n\r\n",
    "GET http://localhost/a.si4/%2e%2e/%00/%c0%ae HTTP/1.1\r\nHost: localhost\r\n"
    "X-Forwarded-For: 1.2.3.4, ::1\r\nExpect: 100-continue\r\n\r\n",
    "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
};
constexpr std::array<std::string_view, 16> kPieces = {"\r\n",
                                                      "\n",
                                                      "\r",
                                                      "..",
                                                      "%2e",
                                                      "%2f",
                                                      "%00",
                                                      "/",
                                                      " ",
                                                      ": ",
                                                      ",",
                                                      "-",
                                                      "=",
                                                      "99999999999999999999",
                                                      "Content-Length: 5\r\n",
                                                      "Transfer-Encoding: chunked\r\n"};

class MutatedRequestsTest : public ServerTest {
 protected:
  static std::uint64_t number(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
  }
};

std::string mutated(std::uint64_t seed) {
  std::mt19937_64 dice(seed);
  const auto below = [&dice](std::size_t limit) {
    return dice() % std::max<std::size_t>(1, limit);
  };
  std::string request(kRequests[below(kRequests.size())]);
  for (std::size_t changes = 1 + below(6); changes > 0; --changes) {
    const std::size_t at = below(request.size() + 1);
    switch (below(6)) {
      case 0:
        if (at < request.size()) request[at] = static_cast<char>(dice());
        break;
      case 1:
        request.erase(at, below(20));
        break;
      case 2:
        request.insert(at, kPieces[below(kPieces.size())]);
        break;
      case 3:
        request.insert(at, request.substr(below(request.size()), below(60)));
        break;
      case 4:
        request.insert(at, std::string(1 + below(3000), static_cast<char>(dice())));
        break;
      default:
        request.insert(at, kRequests[below(kRequests.size())]);
        break;
    }
  }
  return request;
}

TEST_F(MutatedRequestsTest, AreAnsweredOrRefused) {
  constexpr std::uint64_t kUsual = 1000;
  constexpr int kSilence = 100;  // milliseconds: a few requests wait for a scan of the source
  start();
  const std::uint64_t first = number("SCIDFS_FIRST_MUTATED_REQUEST", 0);
  const std::uint64_t count = number("SCIDFS_MUTATED_REQUESTS", kUsual);
  const std::string players = text("a.si4/players.tsv");
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(fmt::format("SCIDFS_FIRST_MUTATED_REQUEST={} SCIDFS_MUTATED_REQUESTS=1", seed));
    tests::HttpClient client(port_);
    client.send(mutated(seed));
    client.end_requests();
    const std::string all = client.receive_all(kSilence);
    if (!all.empty()) {
      EXPECT_THAT(all, StartsWith("HTTP/1."));
    }
    // Nothing of a file that is not shown.
    EXPECT_EQ(all.find("root:x:0"), std::string::npos);
    if (seed % 100 == 0) {
      EXPECT_EQ(ask("/a.si4/players.tsv").body, players);
    }
    if (HasFailure()) FAIL() << testing::PrintToString(mutated(seed));
  }
  EXPECT_EQ(ask("/a.si4/players.tsv").body, players);
  for (int i = 0; i < 500 && server_->connections().open() > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(server_->connections().open(), 0U);
  EXPECT_EQ(server_->connections().requests(), 0U);
}

}  // namespace
}  // namespace scidfs::fs
