// Answers that are no files: messages for people, and JSON.
#pragma once

#include <absl/status/status.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "fs/serve/http_request.h"

namespace scidfs::fs {

// Returns whether a method is answered with more than a refusal.
bool is_known_method(std::string_view method);
// Returns these methods, as the field Allow lists them.
std::string known_methods();

// Returns whether a request is to be asked again, or no client waits for it. All other errors
// become answers: that a thing is not there, or cannot be read.
bool is_asked_again(const absl::Status& status);
// Returns the status that HTTP has for an error.
unsigned status_of(const absl::Status& error);

// Returns a text for people: a page if the client wants HTML.
HttpAnswer message_answer(const HttpRequest& request, unsigned status, std::string_view text);
HttpAnswer error_answer(const HttpRequest& request, const absl::Status& error);
// Returns the answer to a request with another method.
HttpAnswer refusal_answer(const HttpRequest& request);
// Returns a list or an object, as one line.
HttpAnswer json_answer(const nlohmann::ordered_json& json);

}  // namespace scidfs::fs
