// Owns a file descriptor.
#pragma once

#include <unistd.h>

#include <utility>

namespace rhumb::core {

// Closes its descriptor on destruction; a negative number means none.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  int Release() { return std::exchange(number_, -1); }
  void Close() {
    if (number_ >= 0) ::close(Release());
  }

 private:
  int number_;
};

}  // namespace rhumb::core
