#include "fs/serve/answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

namespace scidfs::fs {
namespace {

constexpr unsigned kBadRequest = 400;
constexpr unsigned kForbidden = 403;
constexpr unsigned kNotFound = 404;
constexpr unsigned kMethodNotAllowed = 405;
constexpr unsigned kUriTooLong = 414;
constexpr unsigned kInternalError = 500;

constexpr std::array<std::string_view, 4> kMethods = {"GET", "HEAD", "OPTIONS", "PROPFIND"};

}  // namespace

bool is_asked_again(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsCancelled(status) ||
         absl::IsFailedPrecondition(status);
}

unsigned status_of(const absl::Status& error) {
  switch (error.code()) {
    case absl::StatusCode::kNotFound:
      return kNotFound;
    case absl::StatusCode::kInvalidArgument:
      return kBadRequest;
    case absl::StatusCode::kOutOfRange:
      return kUriTooLong;
    case absl::StatusCode::kPermissionDenied:
      return kForbidden;
    default:
      return kInternalError;
  }
}

HttpAnswer message_answer(const HttpRequest& request, unsigned status, std::string_view text) {
  HttpAnswer answer{.status = status, .fields = {{"Cache-Control", "no-cache"}}, .body = {}};
  if (request.accept.find("text/html") != std::string::npos) {
    std::string shown;
    for (const char c : text) {
      if (c == '<' || c == '&') {
        shown += c == '<' ? "&lt;" : "&amp;";
      } else {
        shown += c;
      }
    }
    answer.fields.emplace_back("Content-Type", "text/html; charset=utf-8");
    answer.body = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta "
        "charset=\"utf-8\"><title>{0}</title></head>\n"
        "<body><h1>{0}</h1><p>{1}</p></body>\n</html>\n",
        status, shown);
  } else {
    answer.fields.emplace_back("Content-Type", "text/plain; charset=utf-8");
    answer.body = fmt::format("{}\n", text);
  }
  return answer;
}

HttpAnswer error_answer(const HttpRequest& request, const absl::Status& error) {
  return message_answer(request, status_of(error), std::string(error.message()));
}

bool is_known_method(std::string_view method) {
  return std::ranges::find(kMethods, method) != kMethods.end();
}

std::string known_methods() { return fmt::to_string(fmt::join(kMethods, ", ")); }

HttpAnswer refusal_answer(const HttpRequest& request) {
  HttpAnswer answer = message_answer(request, kMethodNotAllowed, "This site is only to be read.");
  answer.fields.emplace_back("Allow", known_methods());
  return answer;
}

HttpAnswer json_answer(const nlohmann::ordered_json& json) {
  using Json = nlohmann::ordered_json;
  constexpr auto kReplace = Json::error_handler_t::replace;  // names of a source may be any bytes
  return {.status = 200,
          .fields = {{"Content-Type", "application/json"}, {"Cache-Control", "no-cache"}},
          .body = json.dump(-1, ' ', false, kReplace) + '\n',
          .kind = AnswerKind::List};
}

}  // namespace scidfs::fs
