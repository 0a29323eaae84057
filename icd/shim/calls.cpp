// Calls functions of the host program. An exception that one throws ends here, and so does the
// unwinding by which `pthread_exit` ends a thread: frames of Rust above cannot be unwound by
// either.
#include <csetjmp>
#include <cstddef>
#include <cstdio>
#include <exception>

namespace {

// As in src/callback/calls.rs.
enum Ending { RETURNED, THREW, UNWOUND };

// Stands between the function and whatever unwinds. `pthread_exit` cannot be caught: the C
// library aborts if its unwinding is not carried on (a handler of `catch (...)` that does not
// throw again). But it may be left, as the C library itself does at its end, by `longjmp`.
class Barrier {
  jmp_buf &begin;
  const int exceptions;

public:
  bool returned = false;

  explicit Barrier(jmp_buf &begin)
      : begin(begin), exceptions(std::uncaught_exceptions()) {}
  Barrier(const Barrier &) = delete;

  ~Barrier() {
    // A C++ exception continues to its handler.
    if (!returned && std::uncaught_exceptions() == exceptions)
      longjmp(begin, 1);
  }
};

template <typename Call>
Ending catching(jmp_buf &begin, char *message, size_t size, const Call &call) {
  try {
    Barrier barrier(begin);
    call();
    barrier.returned = true;
    return RETURNED;
  } catch (const std::exception &exception) {
    snprintf(message, size, "%s", exception.what());
  } catch (...) {
    snprintf(message, size, "not a std::exception");
  }
  return THREW;
}

template <typename Call>
int contained(char *message, size_t size, const Call &call) {
  jmp_buf begin;
  if (_setjmp(begin))
    return UNWOUND;
  return catching(begin, message, size, call);
}

} // namespace

extern "C" {

int mocl3_call_native_kernel(void (*function)(void *), void *arguments,
                             char *message, size_t size) {
  return contained(message, size, [&] { function(arguments); });
}

int mocl3_call_object_callback(void (*function)(void *, void *), void *object,
                               void *user_data, char *message, size_t size) {
  return contained(message, size, [&] { function(object, user_data); });
}

int mocl3_call_event_callback(void (*function)(void *, int, void *),
                              void *event, int status, void *user_data,
                              char *message, size_t size) {
  return contained(message, size, [&] { function(event, status, user_data); });
}

int mocl3_call_context_callback(void (*function)(const char *, const void *,
                                                 size_t, void *),
                                const char *text, void *user_data,
                                char *message, size_t size) {
  return contained(message, size,
                   [&] { function(text, nullptr, 0, user_data); });
}
}
