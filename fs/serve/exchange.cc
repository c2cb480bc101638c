#include "fs/serve/exchange.h"

#include <atomic>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

#include "codec/ending.h"
#include "fs/base/status_macros.h"
#include "fs/requests/caller.h"
#include "fs/requests/failures.h"
#include "fs/serve/answers.h"
#include "fs/serve/http_server.h"

namespace scidfs::fs {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMalformed = 400;
constexpr unsigned kTooLarge = 413;
constexpr unsigned kTooManyRequests = 429;
constexpr unsigned kUnavailable = 503;

// Of the length of a request's body: a longer one is of more than 64 KiB.
constexpr std::size_t kMostLengthDigits = 5;
// What the threads that take requests may spend on an answer: other clients wait meanwhile.
constexpr std::size_t kQuickGames = 200;
// A body that the client may take in one piece.
constexpr std::size_t kMostAtOnce = std::size_t{64} << 10;

// Frees what a response was made of.
template <class T>
void destroy(void* object) {
  delete static_cast<T*>(object);
}

}  // namespace

// The client, while its connection is suspended. It is asked whether it has left as often as
// programs of a mount are.
class Exchange::Waiter final : public Caller {
 public:
  Waiter(ClientId client, int socket) : client_(client), socket_(socket) {}

  uid_t user() const override { return client_; }
  bool is_cancelled() const override {
    if (has_left_) return true;
    constexpr Clock::duration kPause = std::chrono::milliseconds(20);
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep next = next_look_;
    if (now < next || !next_look_.compare_exchange_strong(next, now + kPause.count())) return false;
    // After the answer, the number may be that of another connection.
    if (is_claimed_) return false;
    if (has_client_left(socket_)) has_left_ = true;
    return has_left_;
  }
  bool claim() override { return !is_claimed_.exchange(true); }

 private:
  const ClientId client_;
  const int socket_;
  mutable std::atomic<Clock::rep> next_look_ = 0;
  mutable std::atomic<bool> has_left_ = false;
  std::atomic<bool> is_claimed_ = false;
};

Exchange::Exchange(const ExchangeContext& context, MHD_Connection* connection,
                   Connections::Connection* socket, std::string target)
    : context_(context), connection_(connection), socket_(socket) {
  request_.raw_target = std::move(target);
  socket_->enter(Connections::Phase::ReadsHeader);
}

void Exchange::end() {
  leave();
  socket_->enter(Connections::Phase::IsIdle);
}

std::shared_ptr<Caller> Exchange::make_waiter() {
  return std::make_shared<Waiter>(client_, socket_->socket());
}

const char* Exchange::field(const char* name) const {
  const char* const value = MHD_lookup_connection_value(connection_, MHD_HEADER_KIND, name);
  return value == nullptr ? "" : value;
}

void Exchange::read_header(const char* method) {
  start_ = Clock::now();
  has_header_ = true;
  request_.method = method;
  request_.host = field("Host");
  request_.accept = field("Accept");
  request_.accept_encoding = field("Accept-Encoding");
  request_.depth = field("Depth");
  request_.if_match = field("If-Match");
  request_.if_none_match = field("If-None-Match");
  request_.if_modified_since = field("If-Modified-Since");
  request_.if_unmodified_since = field("If-Unmodified-Since");
  request_.range = field("Range");
  request_.if_range = field("If-Range");
  client_ = socket_->peer();
  if (context_.proxy == client_) client_ = client_behind(client_, field("X-Forwarded-For"));
}

// Returns whether the header is one that all servers and proxies read alike, of a request that may
// be answered; else the answer says why not. Before the body: it need not be sent then.
bool Exchange::check_header() {
  struct Counts {
    int hosts = 0;
    int lengths = 0;
    int encodings = 0;
    bool is_plain = true;  // chunks are not encoded further
    std::string_view length;
  };
  Counts counts;
  MHD_get_connection_values(
      connection_, MHD_HEADER_KIND,
      [](void* all, MHD_ValueKind, const char* key, const char* value) {
        Counts& found = *static_cast<Counts*>(all);
        const std::string name = codec::in_small_letters(key);
        const std::string_view text = value == nullptr ? "" : value;
        if (name == "host") ++found.hosts;
        if (name == "content-length") found.length = text, ++found.lengths;
        if (name == "transfer-encoding") {
          ++found.encodings;
          found.is_plain &= codec::in_small_letters(text) == "chunked";
        }
        return MHD_YES;
      },
      &counts);
  std::string_view reason;
  unsigned status = kMalformed;
  if (counts.hosts > 1) reason = "The request has more than one Host.";
  if (counts.lengths + counts.encodings > 1 || !counts.is_plain) {
    reason = "The request does not say how long it is.";
  }
  if (reason.empty() && counts.length.size() > kMostLengthDigits) {
    status = kTooLarge;
    reason = "The request is too long.";
  }
  if (reason.empty() && !is_known_method(request_.method)) {
    answer_ = refusal_answer(request_);
  } else if (reason.empty()) {
    return true;
  } else {
    answer_ = message_answer(request_, status, reason);
  }
  const bool has_body = counts.lengths + counts.encodings > 0 && counts.length != "0";
  if (has_body || status == kMalformed) answer_.fields.emplace_back("Connection", "close");
  return false;
}

// Returns whether the request may be answered now; else the answer says why not.
bool Exchange::enter() {
  if (context_.site.is_about_server(request_.raw_target)) return true;
  unsigned status = 0;
  std::string_view reason;
  if (context_.is_stopping) {
    status = kUnavailable;
    reason = "The server is ending.";
  } else {
    switch (context_.connections.admit(*socket_, client_)) {
      case Connections::Admission::Admitted:
        return is_admitted_ = true;
      case Connections::Admission::TooManyOfClient:
        status = kTooManyRequests;
        reason = "You ask too much at a time.";
        break;
      case Connections::Admission::TooMany:
        status = kUnavailable;
        reason = "Too many requests are being answered.";
        break;
    }
  }
  answer_ = message_answer(request_, status, reason);
  answer_.fields.emplace_back("Retry-After", "1");
  answer_.fields.emplace_back("Connection", "close");
  return false;
}

MHD_Result Exchange::handle(const char* method, const char* body, std::size_t* body_bytes) {
  if (!has_header_) {
    read_header(method);
    return check_header() ? MHD_YES : send();
  }
  if (*body_bytes > 0) {
    is_too_long_ |= request_.body.size() + *body_bytes > HttpServer::kMostBodyBytes;
    if (!is_too_long_) request_.body.append(body, *body_bytes);
    *body_bytes = 0;
    return MHD_YES;
  }
  if (!has_begun_) {
    has_begun_ = true;
    if (is_too_long_) {
      answer_ = message_answer(request_, kTooLarge, "The request is too long.");
      return send();
    }
    if (!enter()) return send();
    socket_->enter(Connections::Phase::IsWorking);
    begin();
  }
  if (!has_answer()) return MHD_YES;
  return send();
}

absl::StatusOr<HttpAnswer> Exchange::try_answer(const WorkBudget& budget) {
  constexpr int kMostVersions = 3;
  absl::StatusOr<HttpAnswer> answer;
  for (int version = 0; version < kMostVersions; ++version) {
    walk_.is_restless = false;
    answer = context_.site.answer(request_, budget, walk_);
    // A new version has come while the answer was made.
    if (!absl::IsFailedPrecondition(answer.status())) break;
  }
  return answer;
}

void Exchange::begin() {
  const auto ask = [self = shared_from_this()](const WorkBudget& budget) {
    return self->try_answer(budget);
  };
  const absl::StatusOr<HttpAnswer> quick =
      RequestRunner::asked(ask, WorkBudget::limited(kQuickGames));
  if (!absl::IsUnavailable(quick.status())) return take_answer(quick);
  if (walk_.is_restless) return begin_when_calm();
  context_.runner.run_slowly([this] { return make_waiter(); }, walk_.last.directory, ask,
                             [self = shared_from_this()](const absl::StatusOr<HttpAnswer>& answer) {
                               self->take_answer(answer);
                             });
}

void Exchange::begin_when_calm() {
  walk_.waited = walk_.last;
  const WalkStep step = walk_.last;
  context_.runner.run_when_calm(
      [this] { return make_waiter(); }, step.directory, step.name,
      [self = shared_from_this()](const WorkBudget& budget) { return self->try_answer(budget); },
      [self = shared_from_this()](const absl::StatusOr<HttpAnswer>& answer) {
        self->take_answer(answer);
      });
}

void Exchange::take_answer(const absl::StatusOr<HttpAnswer>& answer) {
  constexpr unsigned kMostWaits = 16;
  if (absl::IsUnavailable(answer.status()) && walk_.is_restless && waits_++ < kMostWaits) {
    return begin_when_calm();
  }
  if (answer.ok()) {
    answer_ = *answer;
  } else {
    has_failed_ = absl::IsCancelled(answer.status()) && !context_.is_stopping;
    if (!has_failed_) to_errno(answer.status());  // logs it
    answer_ = message_answer(request_, kUnavailable, "This cannot be answered now.");
    answer_.fields.emplace_back("Retry-After", "1");
  }
  resume();
}

bool Exchange::has_answer() {
  const cache::MutexLock lock(mutex_);
  if (stage_ == Stage::IsAnswered) return true;
  // A connection that is resumed for another reason than an answer sleeps again.
  stage_ = Stage::IsAwaited;
  MHD_suspend_connection(connection_);
  return false;
}

void Exchange::resume() {
  const cache::MutexLock lock(mutex_);
  const bool is_awaited = stage_ == Stage::IsAwaited;
  stage_ = Stage::IsAnswered;
  if (is_awaited) MHD_resume_connection(connection_);
}

void Exchange::leave() {
  if (std::exchange(is_admitted_, false)) context_.connections.leave(client_);
}

// From here on, the client itself decides how long the answer takes: its connection counts, not the
// request.
MHD_Result Exchange::send() {
  leave();
  if (has_failed_) return MHD_NO;
  context_.metrics.count(answer_.kind, answer_.status, Clock::now() - start_);
  MHD_Response* const response = make_response();
  if (response == nullptr) return MHD_NO;
  for (const auto& [name, value] : answer_.fields) {
    MHD_add_response_header(response, name.c_str(), value.c_str());
  }
  MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  socket_->enter(Connections::Phase::IsSending);
  const MHD_Result result = MHD_queue_response(connection_, answer_.status, response);
  MHD_destroy_response(response);
  return result;
}

MHD_Response* Exchange::make_response() {
  if (std::string* const text = std::get_if<std::string>(&answer_.body)) {
    auto kept = std::make_unique<std::string>(std::move(*text));
    std::string& bytes = *kept;
    socket_->take(bytes.size());
    return MHD_create_response_from_buffer_with_free_callback_cls(
        bytes.size(), bytes.data(), &destroy<std::string>, kept.release());
  }
  FileBody& file = std::get<FileBody>(answer_.body);
  const bool is_short = file.parts.size() == 1 && !file.is_compressed &&
                        file.parts.front().before.empty() &&
                        file.parts.front().range.size <= kMostAtOnce &&
                        file.begin.bytes.size() >= file.parts.front().range.size;
  if (is_short) {
    auto kept = std::make_unique<Slice>(file.begin);
    const Slice& slice = *kept;
    // libmicrohttpd does not write there.
    return MHD_create_response_from_buffer_with_free_callback_cls(
        file.parts.front().range.size, const_cast<char*>(slice.bytes.data()), &destroy<Slice>,
        kept.release());
  }
  body_.emplace(std::move(file));
  return MHD_create_response_from_callback(body_->size().value_or(MHD_SIZE_UNKNOWN), kMostAtOnce,
                                           &read_body, this, nullptr);
}

ssize_t Exchange::read_body(void* exchange, std::uint64_t /*position*/, char* out,
                            std::size_t size) {
  const absl::StatusOr<ssize_t> count = caught([&]() -> absl::StatusOr<ssize_t> {
    return static_cast<Exchange*>(exchange)->read_body(std::span<char>(out, size));
  });
  return count.ok() ? *count : MHD_CONTENT_READER_END_WITH_ERROR;
}

// A client never gets bytes of another version: an answer that cannot go on ends its connection.
ssize_t Exchange::read_body(std::span<char> out) {
  while (true) {
    if (is_body_lost_) return MHD_CONTENT_READER_END_WITH_ERROR;
    if (std::exchange(is_body_awaited_, false)) socket_->enter(Connections::Phase::IsSending);
    const std::size_t count = body_->read(out);
    socket_->take(count);
    if (count > 0) return static_cast<ssize_t>(count);
    if (body_->has_ended()) return MHD_CONTENT_READER_END_OF_STREAM;
    if (!body_->wants_more()) return MHD_CONTENT_READER_END_WITH_ERROR;
    // What is at hand is taken at once; the rest, and all compression, is work like other answers.
    const auto fill = [self =
                           shared_from_this()](const WorkBudget& budget) -> absl::StatusOr<bool> {
      RETURN_IF_ERROR(self->body_->fill(self->context_.tree, budget));
      return true;
    };
    if (!body_->is_compressed()) {
      const absl::StatusOr<bool> at_hand = RequestRunner::asked(fill, WorkBudget::limited(0));
      if (at_hand.ok()) continue;
      if (!absl::IsUnavailable(at_hand.status())) return MHD_CONTENT_READER_END_WITH_ERROR;
    }
    {
      const cache::MutexLock lock(mutex_);
      stage_ = Stage::IsAsked;
    }
    context_.runner.run_slowly([this] { return make_waiter(); }, body_->inode(), fill,
                               [self = shared_from_this()](const absl::StatusOr<bool>& filled) {
                                 self->is_body_lost_ = !filled.ok();
                                 self->resume();
                               });
    // Meanwhile it is not the client who is slow.
    socket_->enter(Connections::Phase::IsWorking);
    is_body_awaited_ = true;
    if (!has_answer()) return 0;
  }
}

}  // namespace scidfs::fs
