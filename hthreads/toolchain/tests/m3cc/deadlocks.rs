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
";

/// With an argument, a thread of the host program sets the flag.
const PROGRAM: &str = "#include \"hthread_host.h\"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *set(void *flag)
{
    sleep(2);
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
    if (argc > 1)
        pthread_create(&setter, NULL, set, flag);
    uint64_t arguments[] = {(uint64_t)flag};
    int group = hthread_group_create(0, 2, \"waits\", 0, 1, arguments);
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
            let output = TREE.run(&format!("{variables} ./program"), folder.path());
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
            let output = TREE.run(&format!("{variables} ./program later"), folder.path());
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.stdout, b"0\n", "{optimisation} {variables} {errors}");
        }
    }
}
