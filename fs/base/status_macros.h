// Statements for results that may be errors: macros, since no function returns for its caller.
#pragma once

#include <utility>

// Evaluates an expression of type absl::Status, and returns it if it is an error.
#define RETURN_IF_ERROR(...) \
  SCIDFS_RETURN_IF_ERROR(SCIDFS_JOIN(status_or_ok_, __COUNTER__), __VA_ARGS__)

// Evaluates an expression of type absl::StatusOr<T>. Returns its status if it is an error;
// otherwise initializes the declared `variable` with its value, or assigns that to it. Stands in a
// block, since it is several statements.
#define ASSIGN_OR_RETURN(variable, ...) \
  SCIDFS_ASSIGN_OR_RETURN(SCIDFS_JOIN(value_or_status_, __COUNTER__), variable, __VA_ARGS__)

#define SCIDFS_JOIN(a, b) SCIDFS_JOIN_EXPANDED(a, b)
#define SCIDFS_JOIN_EXPANDED(a, b) a##b
#define SCIDFS_RETURN_IF_ERROR(status, ...)                       \
  do {                                                            \
    if (auto status = (__VA_ARGS__); !status.ok()) return status; \
  } while (false)
#define SCIDFS_ASSIGN_OR_RETURN(result, variable, ...) \
  auto result = __VA_ARGS__;                           \
  if (!result.ok()) return std::move(result).status(); \
  variable = *std::move(result)
