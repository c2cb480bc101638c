// scidfs-serve answers by HTTP what a mount shows.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/mounted/mounted.h"
#include "tests/support/http_client.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A server of this build, in the sandbox.
class Server {
 public:
  explicit Server(const filesystem::path& source, std::vector<std::string> words = {}) {
    messages_ = folder_ / "messages";
    const std::string output = folder_ / "output";
    words.insert(words.begin(),
                 {program("scidfs-serve"), "--listen", "127.0.0.1:0", "-o",
                  fmt::format("spelling=none,eco=none,fide=none,sandbox={},cache_dir={}",
                              can_be_strict() ? "strict" : "auto", (folder_ / "cache").native())});
    words.push_back(source);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files{};
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT,
                                       0600);
    ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages_.c_str(), O_WRONLY | O_CREAT,
                                       0600);
    EXPECT_EQ(::posix_spawn(&process_, arguments[0], &files, nullptr, arguments.data(), ::environ),
              0);
    ::posix_spawn_file_actions_destroy(&files);
    constexpr int kTries = 1000;
    for (int i = 0; i < kTries && url_.find('\n') == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      url_ = read_file(output);
    }
    EXPECT_THAT(url_, StartsWith("http://localhost:")) << messages();
    port_ = static_cast<std::uint16_t>(std::stoi("0" + url_.substr(url_.rfind(':') + 1)));
  }
  ~Server() {
    if (process_ > 0) {
      EXPECT_EQ(stop(), 0);
    }
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& url() const { return url_; }
  pid_t process() const { return process_; }
  std::string messages() const { return read_file(messages_); }

  // Returns the exit code.
  int stop() {
    send_signal(process_, SIGINT);
    int status = 0;
    EXPECT_EQ(::waitpid(process_, &status, 0), process_);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  TemporaryFolder folder_;
  filesystem::path messages_;
  std::string url_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

std::string url_path(const std::string& path) {
  std::string url;
  for (const unsigned char c : path) {
    const bool is_plain = std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-';
    url += is_plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return url;
}

class ServeTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    source_ = folder_ / "source";
    filesystem::create_directory(source_);
    for (const char* const kind : {"sample", "scid5", "news"}) {
      filesystem::copy(test_data(kind), source_ / kind, filesystem::copy_options::recursive);
    }
    filesystem::create_directories(source_ / "scv");
    filesystem::copy_file(test_data("scv/ok-multi.scv"), source_ / "scv/ok-multi.scv");
    for (const auto& entry : filesystem::recursive_directory_iterator(source_)) {
      if (entry.is_directory()) make_old(entry.path());
    }
  }
  bool is_over() const { return IsSkipped() || HasFatalFailure(); }

  TemporaryFolder folder_;
  filesystem::path source_;
};

TEST_F(ServeTest, ServesTheBytesOfTheMount) {
  if (is_over()) return;
  const Mount mount({.source = source_, .options = "spelling=none,eco=none,fide=none"});
  ASSERT_TRUE(mount.ok());
  const Server server(source_);
  HttpClient client(server.port());
  std::vector<std::string> paths = {
      "sample/sample.si4/search/white=Kasparov*/games.pgn",
      "sample/sample.si4/search/result=draw/search/year=1950../summary.txt",
      "sample/sample.si4/tree/e4/moves.tsv",
      "sample/sample.si4/tree/e4/index.html",
      "sample/sample.si4/book/plies=20.bin",
      "sample/together/summary.txt",
      "sample/style.css",
  };
  std::size_t listed = 0;
  for (const auto& entry : filesystem::recursive_directory_iterator(mount.path())) {
    if (entry.path().filename() == "status.txt" || !entry.is_regular_file()) continue;
    // Each third file, and all of the top.
    if (++listed % 3 == 0 || entry.path().parent_path() == mount.path()) {
      paths.push_back(filesystem::relative(entry.path(), mount.path()));
    }
  }
  EXPECT_GT(listed, 1000U);
  for (const std::string& path : paths) {
    const HttpResponse response = client.ask('/' + url_path(path));
    if (!filesystem::exists(mount / path)) {
      EXPECT_EQ(response.status, 404) << path;
      continue;
    }
    EXPECT_EQ(response.status, 200) << path;
    EXPECT_EQ(response.body, read_file(mount / path)) << path;
  }
  EXPECT_THAT(server.messages(), IsEmpty());
}

TEST_F(ServeTest, AnswersAsAnExplorer) {
  if (is_over()) return;
  const Server server(test_data("sample"));
  HttpClient client(server.port());
  const HttpResponse first = client.ask("/masters?play=e2e4&moves=2&topGames=1");
  EXPECT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.field("access-control-allow-origin"), "*");
  const auto json = nlohmann::json::parse(first.body);
  EXPECT_EQ(json["moves"].size(), 2U);
  EXPECT_EQ(json["topGames"].size(), 1U);
  const HttpResponse game =
      client.ask("/masters/pgn/" + json["topGames"][0]["id"].get<std::string>());
  EXPECT_EQ(game.field("content-type"), "application/vnd.chess-pgn; charset=utf-8");
  EXPECT_THAT(game.body, HasSubstr("\n1. e4"));
  for (const char* const wrong : {"/masters?fen=8/8/8/8/8/8/8/8%20w%20-%20-", "/masters?play=e2e5",
                                  "/player?player=X&color=green", "/masters?since=x"}) {
    const HttpResponse response = client.ask(wrong);
    EXPECT_EQ(response.status, 400) << wrong << response.body;
    EXPECT_THAT(response.body, StartsWith("{\"error\":"));
  }
  EXPECT_EQ(client.ask("/masters/pgn/99999999").status, 404);
}

TEST_F(ServeTest, ShowsChangesOfTheSource) {
  if (is_over()) return;
  const Server server(source_);
  HttpClient client(server.port());
  filesystem::copy(source_ / "sample", source_ / "new", filesystem::copy_options::recursive);
  EXPECT_EQ(client.ask("/new/sample.si4/info.txt").status, 200);
  filesystem::remove_all(source_ / "new");
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  int status = 0;
  while (status != 404 && std::chrono::steady_clock::now() < end) {
    status = client.ask("/new/sample.si4/info.txt").status;
  }
  EXPECT_EQ(status, 404);
}

TEST_F(ServeTest, TakesAnotherPortWhereTheUsualOneIsTaken) {
  if (is_over()) return;
  const std::string serve = fmt::format("{} --listen ", word(program("scidfs-serve")));
  const Server server(source_);
  const Outcome taken = run(fmt::format("{}127.0.0.1:{} {}", serve, server.port(), word(source_)));
  EXPECT_EQ(taken.exit_code, 1);
  EXPECT_THAT(taken.errors, HasSubstr("Address already in use"));
  for (const char* const wrong : {"example.org:1", "127.0.0.1", "1.2.3.4:99999", "[::1:80"}) {
    EXPECT_EQ(run(serve + word(wrong) + " " + word(source_)).exit_code, 2) << wrong;
  }
}

// A client that has left takes no processor from others.
TEST_F(ServeTest, CancelsTheWorkOfClientsThatLeave) {
  if (is_over()) return;
  const Server server(source_);
  const auto processor = [&] {
    const std::string stat = read_file(fmt::format("/proc/{}/stat", server.process()));
    std::istringstream fields(stat.substr(stat.rfind(')') + 2));
    std::vector<std::string> all(std::istream_iterator<std::string>(fields), {});
    return std::stol(all[11]) + std::stol(all[12]);
  };
  HttpClient(server.port()).ask("/healthz");
  // Each is another question, and takes long in a debugger only: what counts is that the server
  // ends them all and stays well.
  for (int i = 0; i < 50; ++i) {
    HttpClient leaving(server.port());
    leaving.send(
        fmt::format("GET /sample/sample.si4/search/text=x{}/search/moves=e4/games.pgn "
                    "HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    i));
  }
  long before = processor();
  constexpr int kLooks = 100;
  bool rests = false;
  for (int i = 0; i < kLooks && !rests; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const long now = processor();
    rests = now - before <= 1;
    before = now;
  }
  EXPECT_TRUE(rests);
  EXPECT_EQ(HttpClient(server.port()).ask("/healthz").status, 200);
}

}  // namespace
}  // namespace scidfs::tests
