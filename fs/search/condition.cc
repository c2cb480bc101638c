#include "fs/search/condition.h"

#include <utility>

namespace scidfs::fs {

Condition::Condition(Value value) : value_(std::move(value)) {}
Condition::Condition(const Condition& other) = default;
Condition::Condition(Condition&& other) noexcept = default;
Condition& Condition::operator=(const Condition& other) = default;
Condition& Condition::operator=(Condition&& other) noexcept = default;
Condition::~Condition() = default;

}  // namespace scidfs::fs
