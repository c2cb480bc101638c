// What clients get from the HTTP server, by real connections.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/fs/serve/server_fixture.h"

namespace scidfs::fs {
namespace {

using std::chrono::seconds;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tests::gunzip;
using tests::HttpClient;
using tests::HttpResponse;

class HttpServerTest : public ServerTest {
 protected:
  // Compares all files that a directory lists, and those below it, with what HTTP says of them.
  std::size_t compare(HttpClient& client, const std::string& path) {
    std::size_t files = 0;
    for (const std::string& name : names(path)) {
      const std::string below = path.empty() ? name : path + '/' + name;
      const std::vector<std::string> all = split(below);
      if (find(below)->attributes.is_directory) {
        // Each of the 300 games has its files; a set is as others are.
        if (name != "players" && name != "positions" && name != "fens")
          files += compare(client, below);
        continue;
      }
      if (name == "status.txt") continue;  // each look at it may give another text
      const HttpResponse response = client.ask(encode_path(all, false));
      EXPECT_EQ(response.status, 200) << below;
      EXPECT_EQ(response.body, text(below)) << below;
      ++files;
    }
    return files;
  }
  static std::vector<std::string> split(std::string_view path) {
    std::vector<std::string> names;
    while (!path.empty()) {
      const std::size_t slash = std::min(path.find('/'), path.size());
      names.emplace_back(path.substr(0, slash));
      path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return names;
  }
};

TEST_F(HttpServerTest, ServesTheBytesOfAllListedFiles) {
  start();
  HttpClient client(port_);
  EXPECT_GT(compare(client, ""), 300U);
}

TEST_F(HttpServerTest, SaysOfAFileWhatClientsAskFor) {
  start();
  HttpClient client(port_);
  const std::string all = text("a.si4/all.pgn");
  const HttpResponse whole = client.ask("/a.si4/all.pgn");
  EXPECT_EQ(whole.field("content-length"), std::to_string(all.size()));
  EXPECT_EQ(whole.field("content-type"), "application/vnd.chess-pgn; charset=utf-8");
  EXPECT_EQ(whole.field("accept-ranges"), "bytes");
  EXPECT_EQ(whole.field("vary"), "Accept-Encoding");
  EXPECT_EQ(whole.field("x-content-type-options"), "nosniff");
  const std::string tag = whole.field("etag");

  const HttpResponse head = client.ask("/a.si4/all.pgn", "", "HEAD");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.field("content-length"), std::to_string(all.size()));
  EXPECT_EQ(head.field("etag"), tag);

  const HttpResponse known =
      client.ask("/a.si4/all.pgn", fmt::format("If-None-Match: {}\r\n", tag));
  EXPECT_EQ(known.status, 304);
  EXPECT_EQ(known.field("etag"), tag);
  EXPECT_EQ(known.field("content-length"), std::to_string(all.size()));
  EXPECT_EQ(known.body, "");
  EXPECT_EQ(client
                .ask("/a.si4/all.pgn",
                     fmt::format("If-Modified-Since: {}\r\n", whole.field("last-modified")))
                .status,
            304);
  EXPECT_EQ(client.ask("/a.si4/all.pgn", "If-Match: \"other\"\r\n").status, 412);
}

TEST_F(HttpServerTest, SendsRanges) {
  start();
  HttpClient client(port_);
  const std::string all = text("a.si4/all.pgn");
  const auto part = [&](std::string_view range) {
    return client.ask("/a.si4/all.pgn", fmt::format("Range: bytes={}\r\n", range));
  };
  const HttpResponse middle = part("1000-70999");
  EXPECT_EQ(middle.status, 206);
  EXPECT_EQ(middle.body, all.substr(1000, 70'000));
  EXPECT_EQ(middle.field("content-range"), fmt::format("bytes 1000-70999/{}", all.size()));
  EXPECT_EQ(part("-7").body, all.substr(all.size() - 7));
  EXPECT_EQ(part(fmt::format("{}-", all.size() - 3)).body, all.substr(all.size() - 3));
  const HttpResponse outside = part(fmt::format("{}-", all.size()));
  EXPECT_EQ(outside.status, 416);
  EXPECT_EQ(outside.field("content-range"), fmt::format("bytes */{}", all.size()));

  const HttpResponse several = part("0-1,40000-40002,-2");
  EXPECT_EQ(several.status, 206);
  const std::string line = "\r\n--scidfs-part-of-a-file";
  const std::string type = "Content-Type: application/vnd.chess-pgn; charset=utf-8\r\n";
  std::string expected;
  for (const auto& [first, size] :
       {std::pair<std::size_t, std::size_t>{0, 2}, {40'000, 3}, {all.size() - 2, 2}}) {
    expected += fmt::format("{}\r\n{}Content-Range: bytes {}-{}/{}\r\n\r\n{}", line, type, first,
                            first + size - 1, all.size(), all.substr(first, size));
  }
  EXPECT_EQ(several.body, expected + line + "--\r\n");
}

TEST_F(HttpServerTest, CompressesTextWhereTheClientTakesIt) {
  start();
  HttpClient client(port_);
  const std::string all = text("a.si4/all.pgn");
  const HttpResponse packed = client.ask("/a.si4/all.pgn", "Accept-Encoding: br, gzip\r\n");
  EXPECT_EQ(packed.field("content-encoding"), "gzip");
  EXPECT_EQ(packed.field("transfer-encoding"), "chunked");
  EXPECT_EQ(gunzip(packed.body), all);
  const HttpResponse plain = client.ask("/a.si4/all.pgn", "Accept-Encoding: gzip;q=0\r\n");
  EXPECT_EQ(plain.body, all);
  EXPECT_NE(plain.field("etag"), packed.field("etag"));
  EXPECT_EQ(client
                .ask("/a.si4/all.pgn", fmt::format("Accept-Encoding: gzip\r\nIf-None-Match: {}\r\n",
                                                   packed.field("etag")))
                .status,
            304);
  // Ranges are of the plain bytes.
  const HttpResponse range =
      client.ask("/a.si4/all.pgn", "Accept-Encoding: gzip\r\nRange: bytes=5-9\r\n");
  EXPECT_EQ(range.status, 206);
  EXPECT_EQ(range.body, all.substr(5, 5));
}

TEST_F(HttpServerTest, ShowsDirectories) {
  start();
  HttpClient client(port_);
  const HttpResponse slash = client.ask("/a.si4/games?x=1");
  EXPECT_EQ(slash.status, 301);
  EXPECT_EQ(slash.field("location"), "/a.si4/games/?x=1");
  const HttpResponse page = client.ask("/a.si4/");
  EXPECT_EQ(page.field("content-type"), "text/html; charset=utf-8");
  EXPECT_EQ(page.body, text("a.si4/index.html"));
  const HttpResponse list = client.ask("/?list");
  EXPECT_EQ(list.field("content-type"), "application/json");
  EXPECT_THAT(list.body, StartsWith(R"({"entries":[{"name":"a.si4","directory":true},)"));
  EXPECT_EQ(client.ask("/", "Accept: application/json\r\n").body, list.body);
  EXPECT_EQ(client.ask("/?list&from=x").status, 400);
  EXPECT_EQ(client.ask("/a.si4/all.pgn/").status, 404);
}

TEST_F(HttpServerTest, SaysWhatIsWrong) {
  start();
  HttpClient client(port_);
  struct Case {
    std::string target;
    int status;
    std::string text;
  };
  for (const Case& one : std::vector<Case>{
           {"/a.si4/playerz.tsv", 404, "There is no playerz.tsv here. Did you mean players.tsv?\n"},
           {"/a.si4/search/elo=x/", 404, "elo=x: "},
           {"/b.si4/", 404, "There is no b.si4 here."},
           {"/a.si4/../a.si4/info.txt", 400, ".."},
           {"/a.si4/%2e%2e/a.si4/info.txt", 400, ".."},
           {"/a.si4/%00", 400, ""},
           {"/a.si4%2finfo.txt", 400, ""},
           {"/%c0%ae%c0%ae/", 404, ""},
           {"/a.si4\\info.txt", 404, ""},
           {"/" + std::string(5000, 'x'), 414, ""},
           {"/masters?fen=x", 400, R"({"error":)"}}) {
    const HttpResponse response = client.ask(one.target);
    EXPECT_EQ(response.status, one.status) << one.target;
    EXPECT_THAT(response.body, HasSubstr(one.text)) << one.target;
  }
  const HttpResponse page = client.ask("/a.si4/<b>&", "Accept: text/html\r\n");
  EXPECT_THAT(page.body, AllOf(HasSubstr("There is no &lt;b>&amp; here."), Not(HasSubstr("<b>"))));
}

TEST_F(HttpServerTest, IsOnlyToBeRead) {
  start();
  for (const char* const method : {"POST", "PUT", "DELETE", "PATCH"}) {
    const HttpResponse response = ask("/a.si4/info.txt", "Content-Length: 0\r\n", method);
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_EQ(response.field("allow"), "GET, HEAD, OPTIONS, PROPFIND");
  }
  EXPECT_EQ(ask("/", "", "OPTIONS").status, 204);
  // Before the bytes are sent.
  EXPECT_EQ(HttpClient(port_).ask("/", "Content-Length: 700000\r\n", "PROPFIND").status, 413);
  EXPECT_EQ(HttpClient(port_)
                .ask("/", "Content-Length: 500000\r\nExpect: 100-continue\r\n", "PUT")
                .status,
            413);
  const std::string body(70'000, 'x');
  EXPECT_EQ(
      HttpClient(port_)
          .ask("/", fmt::format("Content-Length: {}\r\n\r\n{}", body.size() + 2, body), "PROPFIND")
          .status,
      413);
}

// Else the pages of a site whose name leads here, too, could read all games.
TEST_F(HttpServerTest, AnswersNoOtherSitesNameOnLoopback) {
  is_private_ = true;
  start();
  const auto status = [&](std::string_view host) {
    HttpClient client(port_);
    client.send(fmt::format("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", host));
    return client.receive().status;
  };
  for (const char* const own :
       {"localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "chess.localhost"}) {
    EXPECT_EQ(status(own), 200) << own;
  }
  for (const char* const other :
       {"example.org", "localhost.example.org", "127.0.0.1.example.org", "xlocalhost",
        "127.0.0.1@example.org", "example.org/.localhost", "[example.org]", "[::1"}) {
    EXPECT_EQ(status(other), 421) << other;
  }
}

TEST_F(HttpServerTest, IsADriveToRead) {
  start({}, {"chess"});
  HttpClient client(port_);
  EXPECT_EQ(client.ask("/chess/", "", "OPTIONS").field("dav"), "1");
  const HttpResponse top = client.ask("/chess/a.si4", "Depth: 0\r\n", "PROPFIND");
  EXPECT_EQ(top.status, 207);
  EXPECT_EQ(top.field("content-type"), "application/xml; charset=utf-8");
  EXPECT_THAT(top.body, HasSubstr("<D:href>/chess/a.si4/</D:href>"));
  const HttpResponse whole = client.ask("/chess/", "Depth: 0\r\n", "PROPFIND");
  EXPECT_THAT(whole.body, AllOf(HasSubstr("<D:href>/chess/</D:href>"), Not(HasSubstr("1970"))));
  const HttpResponse all = client.ask("/chess/a.si4/", "Depth: 1\r\n", "PROPFIND");
  for (const std::string& name : names("a.si4")) {
    const std::string path = "a.si4/" + name;
    const bool is_directory = find(path)->attributes.is_directory;
    EXPECT_THAT(all.body, HasSubstr(fmt::format("<D:href>/chess/{}{}</D:href>", path,
                                                is_directory ? "/" : "")));
    if (is_directory) continue;
    const std::size_t size = find(path)->attributes.size;
    EXPECT_THAT(all.body, HasSubstr(fmt::format("<D:getcontentlength>{}<", size))) << path;
  }
  EXPECT_EQ(client.ask("/chess/", "", "PROPFIND").status, 403);
  EXPECT_EQ(client.ask("/chess/", "Depth: infinity\r\n", "PROPFIND").status, 403);
  EXPECT_EQ(client.ask("/chess/no/", "Depth: 1\r\n", "PROPFIND").status, 404);
  EXPECT_EQ(client.ask("/", "Depth: 1\r\n", "PROPFIND").status, 404);
  EXPECT_EQ(client.ask("/chess/", "Depth: 1\r\nContent-Length: 1\r\n\r\nx", "PROPFIND").status,
            400);
  for (const char* const method : {"MKCOL", "MOVE", "COPY", "LOCK", "PROPPATCH"}) {
    HttpClient other(port_);
    EXPECT_EQ(other.ask("/chess/a.si4/info.txt", "Content-Length: 0\r\n", method).status, 405)
        << method;
  }
}

// Where a proxy and a server do not agree where a request ends, one client's becomes another's.
TEST_F(HttpServerTest, RefusesRequestsThatCanBeReadInTwoWays) {
  start();
  for (const char* const fields :
       {"Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: 5\r\nContent-Length: 5\r\n",
        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: xchunked\r\n", "Transfer-Encoding: gzip, chunked\r\n",
        "Host: example.org\r\n"}) {
    HttpClient client(port_);
    const HttpResponse response = client.ask("/healthz", fields);
    EXPECT_EQ(response.status, 400) << fields;
    EXPECT_EQ(response.field("connection"), "close") << fields;
  }
  EXPECT_EQ(ask("*", "", "OPTIONS").status, 204);
  EXPECT_EQ(ask("http://localhost").status, 200);
}

TEST_F(HttpServerTest, SendsNothingAfterTheHeaderOfAHead) {
  start();
  HttpClient client(port_);
  for (const char* const fields : {"Accept-Encoding: gzip\r\n", ""}) {
    EXPECT_EQ(client.ask("/a.si4/all.pgn", fields, "HEAD").status, 200);
    EXPECT_EQ(client.ask("/healthz").body, "ok\n");
  }
}

TEST_F(HttpServerTest, AnswersRequestsWithManyParameters) {
  start();
  std::string target = "/healthz?";
  while (target.size() < 4090) target += '&';
  EXPECT_EQ(ask(target).body, "ok\n");
  EXPECT_EQ(ask("/healthz", "Cookie: a=" + std::string(8000, 'x') + "\r\n").body, "ok\n");
  EXPECT_EQ(ask("/healthz", "Cookie: a=" + std::string(100'000, 'x') + "\r\n").status, 431);
}

TEST_F(HttpServerTest, SlowReadersKeepNoAnswersFromOthers) {
  put("large", example_database(20'000, 2).files());
  EXPECT_TRUE(library_->rescan().changed);
  tree_->renew();
  start({.limits = {.most_requests = 3, .most_requests_of_client = 3}});
  std::vector<std::unique_ptr<HttpClient>> slow;
  for (int i = 0; i < 10; ++i) {
    slow.push_back(std::make_unique<HttpClient>(port_, fmt::format("127.0.0.{}", 2 + i)));
    slow.back()->send("GET /large.si4/all.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(slow.back()->has_bytes_within(60'000));
    EXPECT_TRUE(comes_true([this] { return server_->connections().requests() == 0; }));
  }
  EXPECT_EQ(ask("/a.si4/players.tsv").status, 200);
}

TEST_F(HttpServerTest, AnswersAboutItselfWhenItRefusesOthers) {
  start({.limits = {.most_requests = 0}});
  const HttpResponse refused = ask("/a.si4/info.txt");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.field("retry-after"), "1");
  EXPECT_EQ(ask("/healthz").status, 200);
  EXPECT_EQ(ask("/metrics").status, 200);
}

TEST_F(HttpServerTest, BeginsBelowABase) {
  start({}, {"chess", "all"});
  HttpClient client(port_);
  EXPECT_EQ(client.ask("/chess/all/a.si4/info.txt").body, text("a.si4/info.txt"));
  EXPECT_EQ(client.ask("/chess/all").field("location"), "/chess/all/");
  EXPECT_EQ(client.ask("/chess/all/a.si4").field("location"), "/chess/all/a.si4/");
  EXPECT_EQ(client.ask("/a.si4/info.txt").status, 404);
  EXPECT_EQ(client.ask("/chess/all/healthz").body, "ok\n");
}

TEST_F(HttpServerTest, ShowsTheNewestVersion) {
  start();
  HttpClient client(port_);
  const HttpResponse before = client.ask("/a.si4/info.txt");
  put("a", example_database(299, 1).files());
  HttpResponse after = before;
  for (int i = 0; i < 500 && after.field("etag") == before.field("etag"); ++i) {
    after = client.ask("/a.si4/info.txt");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_THAT(after.body, HasSubstr("299"));
  EXPECT_NE(after.field("etag"), before.field("etag"));
  EXPECT_EQ(
      client.ask("/a.si4/info.txt", fmt::format("If-None-Match: {}\r\n", before.field("etag")))
          .status,
      200);
}

TEST_F(HttpServerTest, CountsAnswers) {
  start();
  HttpClient client(port_);
  client.ask("/a.si4/info.txt");
  client.ask("/nothing");
  const std::string text = client.ask("/metrics").body;
  EXPECT_THAT(text, HasSubstr("scidfs_answers_total{kind=\"file\",status=\"2xx\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("scidfs_answers_total{kind=\"message\",status=\"4xx\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("scidfs_answer_seconds_bucket{le=\"+Inf\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("scidfs_connections 1\n"));
  EXPECT_THAT(text, HasSubstr("scidfs_games 300\n"));
}

TEST_F(HttpServerTest, EndsConnectionsThatLeaveItWaiting) {
  start({.limits = {.header = seconds(1), .keep_alive = seconds(2)}});
  HttpClient silent(port_);
  HttpClient slow(port_);
  HttpClient idle(port_);
  EXPECT_EQ(idle.ask("/healthz").status, 200);
  const std::string header = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: yes";
  bool is_ended = false;
  for (const char c : header) {
    slow.send(std::string(1, c));
    is_ended = slow.is_closed_within(100);
    if (is_ended) break;
  }
  EXPECT_TRUE(is_ended);
  EXPECT_TRUE(silent.is_closed_within(20'000));
  EXPECT_TRUE(idle.is_closed_within(20'000));
  EXPECT_EQ(ask("/healthz").status, 200);
}

TEST_F(HttpServerTest, EndsAnswersThatTheClientDoesNotTake) {
  put("large", example_database(20'000, 2).files());
  EXPECT_TRUE(library_->rescan().changed);
  tree_->renew();
  start({.limits = {.window = seconds(1)}});
  HttpClient client(port_);
  client.send("GET /large.si4/all.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(client.has_bytes_within(60'000));
  EXPECT_TRUE(comes_true([this] { return server_->connections().open() == 0; }));
  const HttpResponse response = client.receive();
  EXPECT_EQ(response.status, 200);
  EXPECT_FALSE(response.is_whole);
}

TEST_F(HttpServerTest, LimitsConnections) {
  start({.limits = {.most = 20, .most_of_client = 10}});
  // Those that say nothing make room for others.
  std::vector<std::unique_ptr<HttpClient>> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(std::make_unique<HttpClient>(port_, fmt::format("127.0.0.{}", 2 + i)));
  }
  EXPECT_EQ(ask("/a.si4/info.txt").status, 200);
  silent.clear();
  EXPECT_TRUE(comes_true([this] { return server_->connections().open() == 0; }));
  // A client's connections beyond its own: several threads accept them, in any order.
  constexpr std::size_t kOwn = 10;
  std::vector<std::unique_ptr<HttpClient>> own;
  while (own.size() < kOwn) own.push_back(std::make_unique<HttpClient>(port_, "127.0.0.2"));
  EXPECT_TRUE(comes_true([this] { return server_->connections().open() == kOwn; }));
  own.push_back(std::make_unique<HttpClient>(port_, "127.0.0.2"));
  const HttpResponse refused = own.back()->ask("/a.si4/info.txt");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.field("retry-after"), "1");
  EXPECT_EQ(ask("/a.si4/info.txt").status, 200);
}

TEST_F(HttpServerTest, StopsWithOpenConnections) {
  start();
  HttpClient idle(port_);
  EXPECT_EQ(idle.ask("/healthz").status, 200);
  HttpClient silent(port_);
  HttpClient reads(port_);
  reads.send("GET /a.si4/all.pgn HTTP/1.1\r\nHost: localhost\r\n\r\n");
  stop(std::chrono::milliseconds(100));
  EXPECT_TRUE(idle.is_closed_within(20'000));
}

}  // namespace
}  // namespace scidfs::fs
