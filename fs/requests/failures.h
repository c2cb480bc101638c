// How requests fail: exceptions become statuses, and statuses become an errno.
#pragma once

#include <absl/status/status.h>

#include <exception>
#include <new>
#include <type_traits>

namespace scidfs::fs {

// Returns the errno of a status; no other function translates them. Logs the errors whose cause an
// errno cannot tell the reader.
int to_errno(const absl::Status& status);

// Returns the error of a request while MappedFile::may_show() is false.
absl::Status lost_answer();

// Returns what `work` returns, a Status or a StatusOr, or its exception as a status.
template <class Work>
std::invoke_result_t<const Work&> caught(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("out of memory");
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  }
}

}  // namespace scidfs::fs
