// An open file, closed when its owner is destroyed.
#pragma once

#include <unistd.h>

#include <utility>

namespace scidfs::fs {

// Owns the number of an open file, or nothing (-1). The destructor ignores the result of close(2):
// a writer has already synced data that must not be lost.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  bool ok() const { return number_ >= 0; }
  int get() const { return number_; }
  // Returns the number, which the caller has to close.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace scidfs::fs
