// Runs each compilation on a thread of its own, with a deep guarded stack. What would
// otherwise end the process ends only the compilation: a fault, an abort, an exhausted
// stack, a fatal error of LLVM, or failed allocation. Limits of time and memory end it too:
// between steps, or, if a step of clang or LLVM takes longer, by a signal within that step.

#include "guard_limits.h"
#include "guard_memory.h"
#include "guarded_code.h"
#include "shim.h"

#include "llvm-c/Core.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <alloca.h>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <pthread.h>
#include <csetjmp>
#include <csignal>
#include <string_view>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

using namespace guarding;

namespace {

// A guarded call.
struct Guard {
  void (*body)(void *);
  void *data;
  Mocl3Run &run;
  Allowance allowance;
  Memory memory;
  // Written by the thread and by its signal handlers.
  sigjmp_buf start;
  volatile bool is_running = false;
  volatile bool is_short_of_memory = false;
  volatile bool is_leaving_critical_code = false;
  // Written by the waiting thread: the exceeded limit for which it interrupts the body.
  std::atomic<Mocl3Ending> interruption = MOCL3_ENDED;

  Guard(void (*body)(void *), void *data, const Mocl3Limits &limits, Mocl3Run &run)
      : body(body), data(data), run(run), allowance(limits) {}

  [[noreturn]] void leave(Mocl3Ending ending, int number = 0,
                          std::string_view text = {}) {
    is_running = false;
    run.ending = ending;
    run.number = number;
    size_t length = std::min(text.size(), sizeof run.text - 1);
    std::memcpy(run.text, text.data(), length);
    run.text[length] = '\0';
    siglongjmp(start, 1);
  }

  // Ends the body if memory is short or a limit is exceeded.
  void check() {
    if (is_short_of_memory)
      leave(MOCL3_NO_MEMORY);
    Mocl3Ending exceeded = allowance.exceeded();
    if (exceeded != MOCL3_ENDED)
      leave(exceeded);
  }

  // Returns if the failed allocation may be retried.
  void no_memory() {
    is_short_of_memory = true;
    if (!memory.give_reserve())
      leave(MOCL3_NO_MEMORY);
  }
};

// Not thread_local: a signal handler on another thread must not allocate it.
pthread_key_t guard_key;
bool has_guard_key = pthread_key_create(&guard_key, nullptr) == 0;

// This thread's guard, even while its body does not run.
Guard *guard_of_thread() {
  return static_cast<Guard *>(pthread_getspecific(guard_key));
}

Guard *guard_here() {
  Guard *guard = guard_of_thread();
  return guard && guard->is_running ? guard : nullptr;
}

// Synchronous signals: raised by an instruction or by abort().
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
constexpr unsigned fault_count = sizeof faults / sizeof *faults;

// If the program installs a handler that calls the previous one, which is ours, ours is
// installed above it under another address: with the same one the two would call each other
// endlessly.
constexpr unsigned layer_count = 8;

struct Layer {
  bool is_used;
  struct sigaction below;
};
Layer layers[layer_count][fault_count];

unsigned place_of(int signal) {
  return std::find(faults, faults + fault_count, signal) - faults;
}

// Does what would happen without our handler.
void pass_on(const struct sigaction &action, int signal, siginfo_t *info,
             void *context) {
  bool is_sent = info->si_code <= 0;
  if (!(action.sa_flags & SA_SIGINFO)) {
    if (action.sa_handler == SIG_IGN && is_sent)
      return;
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
      struct sigaction standard = {};
      standard.sa_handler = SIG_DFL;
      sigaction(signal, &standard, nullptr);
      // A faulting instruction faults again on return; other signals have to be raised.
      if (is_sent || signal == SIGTRAP || signal == SIGABRT)
        raise(signal);
      return;
    }
  }
  if (action.sa_flags & SA_RESETHAND) {
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
  }
  pthread_sigmask(SIG_BLOCK, &action.sa_mask, nullptr);
  if (action.sa_flags & SA_NODEFER) {
    sigset_t itself;
    sigemptyset(&itself);
    sigaddset(&itself, signal);
    pthread_sigmask(SIG_UNBLOCK, &itself, nullptr);
  }
  if (action.sa_flags & SA_SIGINFO)
    action.sa_sigaction(signal, info, context);
  else
    action.sa_handler(signal);
}

// Whether the system refuses memory: then a fault may be due to a failed allocation that
// was not checked.
bool memory_is_scarce() {
  constexpr size_t some = 16u << 20;
  void *start = mmap(nullptr, some, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return true;
  munmap(start, some);
  return false;
}

// TF in the flags register: single-step mode (Intel SDM, volume 1, 3.4.3.3).
constexpr greg_t trap_flag = 0x100;

// Ends the compilation, or returns so that critical code can finish first.
void fault_in(Guard &guard, int signal, siginfo_t *info, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  bool is_critical = critical_code().contains(registers[REG_RIP]);
  if (guard.is_leaving_critical_code && signal == SIGTRAP) {
    if (is_critical)
      return;
    guard.leave(MOCL3_STACK_EXHAUSTED);
  }
  if ((signal == SIGSEGV || signal == SIGBUS) && guard.memory.is_zone(info->si_addr)) {
    if (!is_critical || !guard.memory.open_zone())
      guard.leave(MOCL3_STACK_EXHAUSTED);
    guard.is_leaving_critical_code = true;
    registers[REG_EFL] |= trap_flag;
    return;
  }
  if (guard.is_short_of_memory || memory_is_scarce())
    guard.leave(MOCL3_NO_MEMORY);
  guard.leave(MOCL3_FAULT, signal);
}

// The signal by which the waiting thread interrupts the body.
constexpr int interruption_signal = SIGTRAP;

// Ends the body, or returns if it is in code that must not be left: the waiting thread then
// sends the signal again.
void interrupt(Guard &guard, void *context) {
  auto &registers = static_cast<ucontext_t *>(context)->uc_mcontext.gregs;
  if (guard.is_running && interruptible_code().contains(registers[REG_RIP]))
    guard.leave(guard.interruption);
}

void handle(unsigned layer, int signal, siginfo_t *info, void *context) {
  int error = errno;
  bool is_sent = info->si_code == SI_TKILL && info->si_pid == getpid();
  Guard *guard = guard_of_thread();
  if (guard && is_sent && signal == interruption_signal &&
      guard->interruption != MOCL3_ENDED)
    interrupt(*guard, context);
  else if (guard && guard->is_running && (info->si_code > 0 || is_sent))
    fault_in(*guard, signal, info, context);
  else
    pass_on(layers[layer][place_of(signal)].below, signal, info, context);
  errno = error;
}

using Handler = void (*)(int, siginfo_t *, void *);
template <unsigned Number>
void handle_in_layer(int signal, siginfo_t *info, void *context) {
  handle(Number, signal, info, context);
}
constexpr Handler handlers[layer_count] = {
    handle_in_layer<0>, handle_in_layer<1>, handle_in_layer<2>, handle_in_layer<3>,
    handle_in_layer<4>, handle_in_layer<5>, handle_in_layer<6>, handle_in_layer<7>};

// The layer of one of our handlers; `layer_count` for any other handler.
unsigned layer_of(const struct sigaction &action) {
  if (!(action.sa_flags & SA_SIGINFO))
    return layer_count;
  return std::find(handlers, handlers + layer_count, action.sa_sigaction) - handlers;
}

// Installs our handler above the current one.
void install_handler(unsigned place) {
  struct sigaction now;
  sigaction(faults[place], nullptr, &now);
  if (layer_of(now) < layer_count)
    return;
  for (unsigned number = 0; number < layer_count; ++number) {
    Layer &layer = layers[number][place];
    if (layer.is_used && (layer.below.sa_sigaction != now.sa_sigaction ||
                          layer.below.sa_flags != now.sa_flags))
      continue;
    layer.below = now;
    layer.is_used = true;
    struct sigaction ours = {};
    ours.sa_sigaction = handlers[number];
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(faults[place], &ours, nullptr);
    return;
  }
}

// Removes our handler, unless the program has installed another one above it.
void remove_handler(unsigned place) {
  struct sigaction now;
  sigaction(faults[place], nullptr, &now);
  unsigned layer = layer_of(now);
  if (layer < layer_count)
    sigaction(faults[place], &layers[layer][place].below, nullptr);
}

std::new_handler program_new_handler = nullptr;

// The new-handler: `operator new` tries again when it returns.
void out_of_memory() {
  if (Guard *guard = guard_here())
    return guard->no_memory();
  if (program_new_handler)
    return program_new_handler();
  // Without a handler `operator new` reports the failure to its caller.
  std::set_new_handler(nullptr);
}

void print_error(const char *text) {
  for (const char *part : {"LLVM ERROR: ", text, "\n"})
    (void)!write(STDERR_FILENO, part, std::strlen(part));
}

// LLVM's handler of fatal errors: LLVM ends the process when it returns.
void fatal_error(void *, const char *reason, bool) {
  if (Guard *guard = guard_here())
    guard->leave(MOCL3_FATAL_ERROR, 0, reason);
  print_error(reason);
}

// LLVM's handler of failed allocations other than by `operator new`; they cannot be retried.
void bad_allocation(void *, const char *reason, bool) {
  if (Guard *guard = guard_here())
    guard->leave(MOCL3_NO_MEMORY);
  print_error(reason);
  abort();
}

// Handlers are process-wide; ours are installed only while a guarded call runs.
class Section {
  static std::mutex mutex;
  static unsigned depth;

  static void watch_fork() {
    static const int watched = pthread_atfork(
        [] { mutex.lock(); }, [] { mutex.unlock(); },
        [] {
          // The child has none of the parent's guarded threads.
          depth = 0;
          mutex.unlock();
        });
    (void)watched;
  }

public:
  Section() {
    watch_fork();
    std::lock_guard<std::mutex> lock(mutex);
    for (unsigned place = 0; place < fault_count; ++place)
      install_handler(place);
    std::new_handler now = std::get_new_handler();
    if (now != out_of_memory) {
      program_new_handler = now;
      std::set_new_handler(out_of_memory);
    }
    if (depth++ == 0) {
      llvm::install_fatal_error_handler(fatal_error);
      llvm::install_bad_alloc_error_handler(bad_allocation);
    }
  }
  ~Section() {
    std::lock_guard<std::mutex> lock(mutex);
    if (--depth > 0)
      return;
    llvm::remove_bad_alloc_error_handler();
    llvm::remove_fatal_error_handler();
    if (std::get_new_handler() == out_of_memory)
      std::set_new_handler(program_new_handler);
    for (unsigned place = 0; place < fault_count; ++place)
      remove_handler(place);
  }
};
std::mutex Section::mutex;
unsigned Section::depth = 0;

// Runs the body in frames below the reserve.
__attribute__((noinline)) void run_below_reserve(Guard &guard) {
  auto *here = static_cast<char *>(__builtin_frame_address(0));
  auto *volatile gap = static_cast<char *>(alloca(here - guard.memory.reserve()));
  (void)gap;
  guard.body(guard.data);
}

void *run_thread(void *guard_) {
  Guard &guard = *static_cast<Guard *>(guard_);
  stack_t signal_stack = guard.memory.signal_stack();
  if (sigaltstack(&signal_stack, nullptr) != 0 ||
      pthread_setspecific(guard_key, &guard) != 0) {
    guard.run.number = errno;
    return nullptr;
  }
  sigset_t unblocked;
  sigemptyset(&unblocked);
  for (int signal : faults)
    sigaddset(&unblocked, signal);
  pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  clang::noteBottomOfStack(/*ForceSet=*/true);
  if (sigsetjmp(guard.start, 1) == 0) {
    guard.is_running = true;
    run_below_reserve(guard);
    guard.is_running = false;
    guard.run.ending = MOCL3_ENDED;
  }
  // The waiting thread may still send an interruption.
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  pthread_setspecific(guard_key, nullptr);
  signal_stack.ss_flags = SS_DISABLE;
  sigaltstack(&signal_stack, nullptr);
  return nullptr;
}

// Waits for the thread to end. Interrupts it if a limit has been exceeded for `patience`
// nanoseconds without the body reaching a check.
void join(Guard &guard, pthread_t thread) {
  if (!guard.allowance.is_limited()) {
    pthread_join(thread, nullptr);
    return;
  }
  constexpr long interval = 10000000;
  constexpr uint64_t patience = 100000000;
  Allowance allowance = guard.allowance;
  uint64_t exceeded_at = 0;
  for (;;) {
    timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += interval;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    // CLOCK_REALTIME, since ThreadSanitizer does not know pthread_clockjoin_np.
    if (pthread_timedjoin_np(thread, nullptr, &until) != ETIMEDOUT)
      return;
    uint64_t now = nanoseconds_now();
    Mocl3Ending exceeded = allowance.exceeded();
    if (exceeded == MOCL3_ENDED)
      continue;
    if (exceeded_at == 0)
      exceeded_at = now;
    if (now - exceeded_at < patience)
      continue;
    guard.interruption = exceeded;
    pthread_kill(thread, interruption_signal);
  }
}

} // namespace

extern "C" void mocl3_run_guarded(void (*body)(void *), void *data,
                                  const Mocl3Limits *limits, Mocl3Run *run) {
  *run = {};
  run->ending = MOCL3_NOT_STARTED;
  run->number = ENOMEM;
  Guard guard(body, data, *limits, *run);
  if (!guard.memory || !has_guard_key)
    return;
  run->stack_bytes = guard.memory.body_stack_bytes();
  critical_code();
  interruptible_code();
  Section section;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, guard.memory.thread_stack(),
                        guard.memory.thread_stack_bytes());
  // The guarded thread blocks all signals: those to the process are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int error = pthread_create(&thread, &attributes, run_thread, &guard);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error != 0) {
    run->number = error;
    return;
  }
  join(guard, thread);
}

extern "C" bool mocl3_is_guarded(void) { return guard_here() != nullptr; }

extern "C" bool mocl3_is_limited(void) {
  Guard *guard = guard_here();
  return guard && guard->allowance.is_limited();
}

extern "C" void mocl3_check(void) {
  if (Guard *guard = guard_here())
    guard->check();
}

extern "C" bool mocl3_out_of_memory(void) {
  Guard *guard = guard_here();
  if (guard)
    guard->no_memory();
  return guard != nullptr;
}
