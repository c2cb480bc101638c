// The answer to a request for a file.
#pragma once

#include <string>
#include <string_view>

#include "fs/serve/http_request.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

// Returns the ETag of a file, with its quotes. The bytes of an inode number never change.
std::string etag_of(const Attributes& file);

// Returns the answer to a GET or HEAD of the file with this name: whole, in ranges, compressed, or
// without a body, as the conditions of the request want it (fs/serve/conditions.h).
HttpAnswer answer_of_file(const HttpRequest& request, std::string_view name, const Entry& entry);

}  // namespace scidfs::fs
