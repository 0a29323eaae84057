// Threads of the platform received asynchronous signals of the program. They block them all,
// whatever the program does with signals after those threads have started.
// fixed by: de18bc1
// only on: MOCL3

#define _GNU_SOURCE
#include "common.h"
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(condition)                                          \
    do {                                                           \
        if (!(condition)) {                                        \
            fprintf(stderr, "%s\n", #condition);                   \
            abort();                                               \
        }                                                          \
    } while (0)

static pthread_t main_thread;
static volatile sig_atomic_t here, elsewhere;

static void handler(int number)
{
    (void)number;
    if (pthread_equal(pthread_self(), main_thread))
        ++here;
    else
        ++elsewhere;
}

static void CL_CALLBACK end_of_build(cl_program program, void *ended)
{
    (void)program;
    __atomic_store_n((int *)ended, 1, __ATOMIC_SEQ_CST);
}

int main(void)
{
    main_thread = pthread_self();
    set_up();
    /* Host threads, a worker, and a thread that builds. */
    int ended = 0;
    for (int repeat = 0; repeat < 3; ++repeat) {
        launch(20000);
        OK(clFlush(queue));
        usleep(20000);
    }
    OK(clFinish(queue));

    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int number = 0; number < 20; ++number) {
        const struct timespec second = {1, 0};
        kill(getpid(), SIGUSR1);
        EXPECT(sigtimedwait(&set, NULL, &second) == SIGUSR1);
    }

    const char *lines = "kernel void other(global int *x) { x[0] = 1; }";
    cl_int code;
    cl_program other = clCreateProgramWithSource(context, 1, &lines, NULL, &code);
    OK(code);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval timer = {{0, 1000}, {0, 1000}};
    setitimer(ITIMER_REAL, &timer, NULL);
    /* Blocked here, a signal goes to any other thread that does not block it. */
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    OK(clBuildProgram(other, 0, NULL, "", end_of_build, &ended));
    for (int repeat = 0; repeat < 10; ++repeat) {
        launch(20000);
        OK(clFinish(queue));
    }
    while (!__atomic_load_n(&ended, __ATOMIC_SEQ_CST))
        usleep(1000);
    sigdelset(&set, SIGUSR1);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    while (here == 0)
        usleep(1000);
    EXPECT(elsewhere == 0);
    OK(clReleaseProgram(other));
    tear_down();
    return 0;
}
