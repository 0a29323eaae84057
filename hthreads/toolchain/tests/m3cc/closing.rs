//! Clusters that close while their threads run.

use crate::tree::{TREE, build_texts};

const KERNEL: &str = "#include \"hthread_device.h\"
__global__ void computes(long *numbers)
{
    for (unsigned long i = 0; ; i++)
        numbers[i % 8] += i;
}

__global__ void waits(long *numbers)
{
    while (!*(volatile long *)numbers)
        continue;
}

__global__ void calls(double *numbers)
{
    for (;;)
        numbers[1] += __builtin_sin(numbers[0]);
}

__global__ void branches(long *numbers)
{
    __asm__ volatile(\".Lagain:\\n  SBR .Lagain\\n  SNOP 6\");
}

__global__ void ends(long *numbers)
{
    numbers[get_thread_id()] = 5;
}
";

/// Closes or resets the cluster while a kernel runs, and uses it again.
const PROGRAM: &str = "#include \"hthread_host.h\"
#include \"libmt.h\"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int group;
static long *numbers;

static void launch(const char *kernel)
{
    uint64_t arguments[] = {(uint64_t)numbers};
    group = hthread_group_create(0, 3, kernel, 0, 1, arguments);
}

static void begin(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    numbers = hthread_malloc(0, 4096, HT_MEM_RW);
    memset(numbers, 0, 4096);
}

int main(int argc, char **argv)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    begin();
    launch(argv[1]);
    usleep(20000);
    if (argc > 2)
        printf(\"reset %d\\n\", mt_reset_cluster(0));
    else {
        printf(\"closed %d\\n\", hthread_dev_close(0));
        begin();
    }
    launch(\"ends\");
    printf(\"%d\", hthread_group_wait(group));
    printf(\" %ld %ld\\n\", numbers[0], numbers[2]);
    return hthread_dev_close(0);
}
";

#[test]
fn threads_that_make_no_request_end_with_their_cluster() {
    let folder = tempfile::tempdir().unwrap();
    for optimisation in ["-O0", "-O2"] {
        build_texts(folder.path(), KERNEL, PROGRAM, optimisation);
        for kernel in ["computes", "waits", "calls", "branches"] {
            for (how, said) in [("", "closed"), ("reset", "reset")] {
                let line = format!("timeout -s KILL 60 ./program {kernel} {how}");
                let output = TREE.run(&line, folder.path());
                let errors = String::from_utf8_lossy(&output.stderr);
                let expected = format!("{said} 0\n0 5 5\n");
                assert_eq!(
                    String::from_utf8_lossy(&output.stdout),
                    expected,
                    "{kernel} {optimisation} {errors}"
                );
                assert!(output.status.success(), "{kernel} {errors}");
            }
        }
    }
    // In simulated time it has not begun.
    let output = TREE.run("MOCL3_RECORD=recording ./program computes", folder.path());
    assert_eq!(output.stdout, b"closed 0\n0 5 5\n");
}
