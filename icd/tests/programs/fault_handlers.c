/* Handlers of faults that the program installs while another thread compiles: they stay, they
   get the program's own faults, and compilers that crash do not reach them. */
#include "common.h"
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static pthread_t main_thread;
static sigjmp_buf before_fault;
static atomic_int compiled, enough, crash_as_well;

static void handle(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    (void)context;
    if (!pthread_equal(pthread_self(), main_thread))
        _Exit(3);
    siglongjmp(before_fault, 1);
}

static cl_int build_text(const char *source)
{
    cl_int code;
    cl_program made = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    OK(code);
    code = clBuildProgram(made, 0, NULL, "", NULL, NULL);
    OK(clReleaseProgram(made));
    return code;
}

static void *compile(void *nothing)
{
    for (int i = 0; !enough; ++i) {
        char source[100];
        snprintf(source, sizeof source, "kernel void k(global int *x) { *x = %d; }", i);
        OK(build_text(source));
        const char *crash = "#pragma clang __debug crash\nkernel void k(void) {}";
        if (crash_as_well && build_text(crash) != CL_BUILD_PROGRAM_FAILURE)
            abort();
        ++compiled;
    }
    return nothing;
}

static void wait_for_compilations(int count)
{
    for (int from = compiled; compiled < from + count;)
        sched_yield();
}

static void fault(void)
{
    if (sigsetjmp(before_fault, 1) == 0) {
        *(volatile int *)16 = 1;
        abort();
    }
}

int main(void)
{
    main_thread = pthread_self();
    /* A parent such as nohup may have signals ignored. */
    struct sigaction before[32], ours, found;
    for (int number = 1; number < 32; ++number)
        sigaction(number, NULL, &before[number]);
    set_up();
    memset(&ours, 0, sizeof ours);
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &ours, NULL);
    pthread_t thread;
    if (pthread_create(&thread, NULL, compile, NULL) != 0)
        return 1;
    wait_for_compilations(2);
    /* Most likely in the middle of a compilation. */
    sigaction(SIGSEGV, &ours, NULL);
    wait_for_compilations(2);
    crash_as_well = 1;
    wait_for_compilations(2);
    for (int i = 0; i < 100; ++i)
        fault();
    enough = 1;
    pthread_join(thread, NULL);
    for (int number = 1; number < 32; ++number) {
        if (number == SIGKILL || number == SIGSTOP)
            continue;
        sigaction(number, NULL, &found);
        int is_ours = number == SIGSEGV || number == SIGBUS;
        if (is_ours ? found.sa_sigaction != handle : found.sa_handler != before[number].sa_handler) {
            fprintf(stderr, "signal %d has another handler\n", number);
            return 1;
        }
    }
    tear_down();
    return 0;
}
