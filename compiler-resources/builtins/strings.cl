// The ends of strings that printf prints (6.12.13), for code whose accesses are checked.

#include "types.h"

#define LENGTH(SPACE)                                                                  \
  __attribute__((always_inline)) ulong __mocl3_string_length_##SPACE(                  \
      const SPACE char *text, ulong most) {                                            \
    ulong length = 0;                                                                  \
    while (length < most && text[length] != 0)                                         \
      ++length;                                                                        \
    return length;                                                                     \
  }
LENGTH(private)
LENGTH(global)
LENGTH(constant)
LENGTH(local)
