// Limits of a guarded call, and what it has used of them.

#ifndef MOCL3_GUARD_LIMITS_H
#define MOCL3_GUARD_LIMITS_H

#include "shim.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace guarding {

inline uint64_t nanoseconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
}

// Resident memory of the process in bytes; 0 if unknown. Allocates nothing.
inline uint64_t resident_bytes() {
  char text[128];
  int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0)
    return 0;
  text[size] = '\0';
  // The second number counts pages.
  const char *second = std::strchr(text, ' ');
  return second ? std::strtoull(second, nullptr, 10) * sysconf(_SC_PAGESIZE) : 0;
}

// Limits of a guarded call, and what it has used of them.
class Allowance {
  static constexpr uint64_t look_nanoseconds = 2000000;

  Mocl3Limits limits;
  uint64_t start = 0, last_look = 0, resident_at_start = 0;

public:
  explicit Allowance(const Mocl3Limits &limits) : limits(limits) {
    if (!is_limited())
      return;
    start = nanoseconds_now();
    resident_at_start = resident_bytes();
  }

  bool is_limited() const { return limits.nanoseconds || limits.bytes; }

  // The limit that is exceeded; MOCL3_ENDED if there is none.
  Mocl3Ending exceeded() {
    if (!is_limited())
      return MOCL3_ENDED;
    uint64_t now = nanoseconds_now();
    if (limits.nanoseconds && now - start > limits.nanoseconds)
      return MOCL3_TOO_LONG;
    if (limits.bytes && now - last_look > look_nanoseconds) {
      last_look = now;
      if (resident_bytes() > resident_at_start + limits.bytes)
        return MOCL3_TOO_LARGE;
    }
    return MOCL3_ENDED;
  }
};

} // namespace guarding

#endif
