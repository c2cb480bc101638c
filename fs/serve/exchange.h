// One request of an HTTP client, from its first line to the last byte of its answer.
#pragma once

#include <microhttpd.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cache/mutex.h"
#include "fs/requests/request_runner.h"
#include "fs/serve/body_reader.h"
#include "fs/serve/client.h"
#include "fs/serve/connections.h"
#include "fs/serve/http_request.h"
#include "fs/serve/metrics.h"
#include "fs/serve/site.h"

namespace scidfs::fs {

// What all exchanges share. All outlive them.
struct ExchangeContext {
  const Site& site;
  Tree& tree;
  RequestRunner& runner;
  Connections& connections;
  Metrics& metrics;
  std::optional<ClientId> proxy;
  const std::atomic<bool>& is_stopping;
};

// libmicrohttpd's threads call the methods, one at a time. Where an answer takes long, they suspend
// the connection, and a thread of the runner resumes it. A suspended connection is not closed: the
// object looks itself whether the client has left, and makes the answer end then.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  // `target`: as it stands in the first line.
  Exchange(const ExchangeContext& context, MHD_Connection* connection,
           Connections::Connection* socket, std::string target);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  // Is called when the header has been read, for each piece of the request's body, at the end of
  // it, and whenever the connection is resumed.
  MHD_Result handle(const char* method, const char* body, std::size_t* body_bytes);
  // Is called last, while the connection still exists.
  void end();

 private:
  class Waiter;
  // Where the answer to one question stands, which one thread asks and another may answer.
  enum class Stage : std::uint8_t { IsAsked, IsAwaited, IsAnswered };

  void read_header(const char* method);
  const char* field(const char* name) const;
  bool check_header();
  bool enter();
  void leave();
  // Asks `ask` for the answer; take_answer() gets it.
  void begin();
  void begin_when_calm();
  absl::StatusOr<HttpAnswer> try_answer(const WorkBudget& budget);
  void take_answer(const absl::StatusOr<HttpAnswer>& answer);
  // Lets the connection sleep until resume(), if the answer has not come yet. Returns whether it
  // has.
  bool has_answer() ABSL_LOCKS_EXCLUDED(mutex_);
  void resume() ABSL_LOCKS_EXCLUDED(mutex_);
  MHD_Result send();
  MHD_Response* make_response();

  static ssize_t read_body(void* exchange, std::uint64_t position, char* out, std::size_t size);
  ssize_t read_body(std::span<char> out);
  std::shared_ptr<Caller> make_waiter();

  const ExchangeContext& context_;
  MHD_Connection* const connection_;
  Connections::Connection* const socket_;
  HttpRequest request_;
  ClientId client_ = 0;
  bool has_header_ = false;
  bool is_admitted_ = false;
  bool has_begun_ = false;
  bool is_too_long_ = false;
  std::chrono::steady_clock::time_point start_;

  WalkState walk_;  // of the thread that works on the answer
  unsigned waits_ = 0;
  HttpAnswer answer_;
  bool has_failed_ = false;         // the client has left, or the source is gone
  std::optional<BodyReader> body_;  // of the thread that works on it
  bool is_body_awaited_ = false;
  bool is_body_lost_ = false;

  cache::Mutex mutex_;
  Stage stage_ ABSL_GUARDED_BY(mutex_) = Stage::IsAsked;
};

}  // namespace scidfs::fs
