// The memory of a thread that runs a guarded call.

#ifndef MOCL3_GUARD_MEMORY_H
#define MOCL3_GUARD_MEMORY_H

#include "clang/Basic/Stack.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <sys/mman.h>
#include <sys/resource.h>
#include <utility>

namespace guarding {

inline constexpr size_t page_bytes = 4096;

// Stack for clang's and LLVM's recursive functions. Smaller where address space is limited.
inline constexpr size_t deepest_stack_bytes = 64u << 20;
inline constexpr size_t shallowest_stack_bytes = 1u << 20;
// A frame larger than the guard zone could skip it.
inline constexpr size_t zone_bytes = 1u << 20;
// For thread-local variables and the frames that call the body.
inline constexpr size_t base_bytes = 256u << 10;
inline constexpr size_t signal_stack_bytes = 64u << 10;

// The memory of a guarded thread, from low to high addresses:
//
//   zone         inaccessible: a fault here means that the stack is exhausted
//   stack        frames of the body
//   reserve      holds no frames: unmapped when the system has no memory left
//   base         frames that call the body, and thread-local variables
//   (an inaccessible page)
//   signal stack
class Memory {
  char *mapped = nullptr;
  size_t stack_bytes = 0, reserve_bytes = 0;
  bool has_zone = false, has_reserve = false;

  size_t size() const {
    return zone_bytes + stack_bytes + reserve_bytes + base_bytes + page_bytes +
           signal_stack_bytes;
  }
  char *base_end() const { return reserve() + reserve_bytes + base_bytes; }

  bool map(size_t bytes) {
    stack_bytes = bytes;
    // clang compares the current stack depth with DesiredStackSize: between 7.75 and 8 MiB it
    // continues on a thread of its own, which is not guarded. The reserve skips that range.
    reserve_bytes = bytes > clang::DesiredStackSize - 2 * shallowest_stack_bytes
                        ? clang::DesiredStackSize + shallowest_stack_bytes
                        : shallowest_stack_bytes;
    void *start = mmap(nullptr, size(), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
                       -1, 0);
    if (start == MAP_FAILED)
      return false;
    mapped = static_cast<char *>(start);
    has_zone = has_reserve = true;
    // A huge page would zero two megabytes where the first frames need a few pages.
    madvise(mapped, size(), MADV_NOHUGEPAGE);
    return mprotect(mapped, zone_bytes, PROT_NONE) == 0 &&
           mprotect(base_end(), page_bytes, PROT_NONE) == 0;
  }

  void unmap() {
    if (!mapped)
      return;
    // If the reserve was unmapped earlier, its addresses may belong to another mapping.
    munmap(mapped, reserve() - mapped);
    give_reserve();
    munmap(reserve() + reserve_bytes, mapped + size() - (reserve() + reserve_bytes));
    mapped = nullptr;
  }

public:
  Memory() {
    size_t bytes = deepest_stack_bytes;
    rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min<size_t>(bytes, limit.rlim_cur / 16 / page_bytes * page_bytes);
    for (bytes = std::max(bytes, shallowest_stack_bytes);
         bytes >= shallowest_stack_bytes; bytes = bytes / 2 / page_bytes * page_bytes) {
      if (map(bytes))
        return;
      unmap();
    }
  }
  ~Memory() { unmap(); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  explicit operator bool() const { return mapped; }
  char *thread_stack() const { return mapped + zone_bytes; }
  size_t thread_stack_bytes() const { return base_end() - thread_stack(); }
  size_t body_stack_bytes() const { return stack_bytes; }
  char *reserve() const { return mapped + zone_bytes + stack_bytes; }
  stack_t signal_stack() const {
    stack_t stack = {};
    stack.ss_sp = base_end() + page_bytes;
    stack.ss_size = signal_stack_bytes;
    return stack;
  }

  bool is_zone(const void *address) const {
    return address >= mapped && address < mapped + zone_bytes;
  }

  // Makes all of the zone but its lowest page accessible; false if it already is.
  bool open_zone() {
    return std::exchange(has_zone, false) &&
           mprotect(mapped + page_bytes, zone_bytes - page_bytes,
                    PROT_READ | PROT_WRITE) == 0;
  }

  // Unmaps the reserve; false if it already is.
  bool give_reserve() {
    return std::exchange(has_reserve, false) && munmap(reserve(), reserve_bytes) == 0;
  }
};

} // namespace guarding

#endif
