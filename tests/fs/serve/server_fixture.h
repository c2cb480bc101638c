// A real HTTP server for a database, on a port of this machine.
#pragma once

#include <absl/functional/function_ref.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "fs/library/live_reload.h"
#include "fs/serve/http_server.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/http_client.h"

namespace scidfs::fs {

class ServerTest : public LibraryTest {
 protected:
  void SetUp() override {
    put("a", example_database(300, 1).files());
    options_.index = IndexMode::None;
    open(source_);
  }
  void TearDown() override { stop(std::chrono::milliseconds(0)); }
  void stop(std::chrono::milliseconds grace) {
    reload_.reset();
    if (server_ != nullptr) server_->stop(grace);
    server_.reset();
    runner_.reset();
  }

  void start(const HttpServer::Options& options = {}, const std::vector<std::string>& base = {}) {
    Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    ASSERT_EQ(::listen(socket.get(), 100), 0);
    ASSERT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    runner_ = std::make_unique<RequestRunner>(*tree_);
    site_ = std::make_unique<Site>(
        *tree_, library_->searches().rejected_names,
        Site::Options{.base = base, .is_private = is_private_, .metrics = [this] {
                        return metrics_.text(server_->connections(), *tree_);
                      }});
    auto server = HttpServer::start(std::move(socket), *site_, *tree_, *runner_, metrics_, options);
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    reload_ = std::make_unique<LiveReload>(
        *library_,
        LiveReload::Listener{.doubted = [](const auto&) {}, .changed = [this] { tree_->renew(); }});
  }

  tests::HttpResponse ask(std::string_view target, std::string_view fields = "",
                          std::string_view method = "GET") const {
    return tests::HttpClient(port_).ask(target, fields, method);
  }

  // Returns whether something comes true, in a minute.
  static bool comes_true(absl::FunctionRef<bool()> condition) {
    constexpr int kLooks = 3000;
    for (int i = 0; i < kLooks && !condition(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return condition();
  }

  bool is_private_ = false;
  std::uint16_t port_ = 0;
  Metrics metrics_;
  std::unique_ptr<RequestRunner> runner_;
  std::unique_ptr<Site> site_;
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<LiveReload> reload_;
};

}  // namespace scidfs::fs
