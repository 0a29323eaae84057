// Which code an instruction belongs to: what must not be left at once, and what may be.

#ifndef MOCL3_GUARDED_CODE_H
#define MOCL3_GUARDED_CODE_H

#include "shim.h"

#include "llvm-c/Core.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <link.h>
#include <pthread.h>

extern "C" void *__tls_get_addr(void *);

namespace guarding {

// The address ranges of the libraries that define given functions.
template <size_t Count> class Libraries {
  struct Range {
    uintptr_t low, high;
  };
  Range ranges[Count] = {};

  static int find(dl_phdr_info *object, size_t, void *range_) {
    Range &range = *static_cast<Range *>(range_);
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
      const auto &segment = object->dlpi_phdr[i];
      uintptr_t low = object->dlpi_addr + segment.p_vaddr;
      uintptr_t high = low + segment.p_memsz;
      if (segment.p_type == PT_LOAD && low <= range.low && range.low < high) {
        range = {low, high};
        return 1;
      }
    }
    return 0;
  }

public:
  explicit Libraries(const uintptr_t (&functions)[Count]) {
    for (size_t i = 0; i < Count; ++i) {
      ranges[i] = {functions[i], functions[i]};
      dl_iterate_phdr(find, &ranges[i]);
    }
  }

  bool contains(uintptr_t address) const {
    return std::any_of(std::begin(ranges), std::end(ranges), [=](const Range &range) {
      return range.low <= address && address < range.high;
    });
  }
};

// Code that may hold process-wide locks: the allocator, the C library and the dynamic
// linker. If it exhausts the stack, it must not be left at once: it gets the zone as
// additional stack and is single-stepped until it returns.
inline const Libraries<3> &critical_code() {
  static const Libraries<3> code({reinterpret_cast<uintptr_t>(&malloc),
                                  reinterpret_cast<uintptr_t>(&pthread_mutex_lock),
                                  reinterpret_cast<uintptr_t>(&__tls_get_addr)});
  return code;
}

// Code that may be left at any instruction: clang and LLVM, which hold no process-wide locks.
inline const Libraries<2> &interruptible_code() {
  static const Libraries<2> code(
      {reinterpret_cast<uintptr_t>(mocl3_address_in_clang()),
       reinterpret_cast<uintptr_t>(&LLVMContextCreate)});
  return code;
}

} // namespace guarding

#endif
