//! Threads that wait for what no thread does.

use crate::tree::{TREE, build_texts};

const KERNEL: &str = "#include \"hthread_device.h\"
__global__ void waits(volatile long *flag)
{
    if (get_thread_id() == 1)
        while (!*flag)
            ;
    else
        core_barrier(3, 2);
    if (get_thread_id() == 1)
        core_barrier(3, 2);
}

volatile long rounds, beats[2];

/* The count is in memory only, so that the registers are the same in each round. */
__global__ void counts(volatile long *flag)
{
    if (get_thread_id() == 1)
        while (!*flag)
            rounds++;
    core_barrier(3, 2);
}

__global__ void repeats(volatile long *flag)
{
    if (get_thread_id() == 1)
        while (!*flag) {
            beats[0] = 1;
            beats[1] = 2;
            beats[0] = 3;
        }
    core_barrier(3, 2);
}
";

/// Runs a kernel. If an argument gives seconds, a thread of the host program sets the flag after them.
const PROGRAM: &str = "#include \"hthread_host.h\"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int seconds;

static void *set(void *flag)
{
    sleep(seconds);
    *(volatile long *)flag = 1;
    return NULL;
}

int main(int argc, char **argv)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    long *flag = hthread_malloc(0, sizeof *flag, HT_MEM_RW);
    *flag = 0;
    pthread_t setter;
    seconds = argc > 2 ? atoi(argv[2]) : 0;
    if (seconds)
        pthread_create(&setter, NULL, set, flag);
    uint64_t arguments[] = {(uint64_t)flag};
    int group = hthread_group_create(0, 2, argv[1], 0, 1, arguments);
    printf(\"%d\\n\", hthread_group_wait(group));
    return 0;
}
";

/// With and without simulated time.
#[test]
fn busy_waits_that_cannot_end_are_reported_with_their_lines() {
    for optimisation in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        build_texts(
            folder.path(),
            KERNEL,
            PROGRAM,
            &format!("-g {optimisation}"),
        );
        for variables in ["", "MOCL3_RECORD=recording"] {
            let output = TREE.run(&format!("{variables} ./program waits"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(
                output.stdout, b"13\n",
                "{optimisation} {variables} {errors}"
            );
            let line = if optimisation == "-O0" {
                "kernel.c:5"
            } else {
                "kernel.c:"
            };
            assert!(
                errors.contains("Cluster 0: no thread can continue:\n")
                    && errors.contains("  Group 0-Thread 0: at barrier 3, 1 of 2 have arrived\n")
                    && errors.contains("  Group 0-Thread 1: busy-waits in waits at ")
                    && errors.contains(line),
                "{optimisation} {variables} {errors}"
            );
            let output = TREE.run(&format!("{variables} ./program waits 2"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.stdout, b"0\n", "{optimisation} {variables} {errors}");
        }
    }
}

#[test]
fn threads_that_count_in_memory_do_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    for optimisation in ["-O0", "-O2"] {
        build_texts(folder.path(), KERNEL, PROGRAM, optimisation);
        for variables in ["", "MOCL3_RECORD=recording"] {
            let output = TREE.run(&format!("{variables} ./program counts 7"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.stdout, b"0\n", "{optimisation} {variables} {errors}");
            // Those that write the same again and again do.
            let output = TREE.run(&format!("{variables} ./program repeats"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            let report = "  Group 0-Thread 1: busy-waits\n";
            assert!(
                errors.contains(report),
                "{optimisation} {variables} {errors}"
            );
        }
    }
}
