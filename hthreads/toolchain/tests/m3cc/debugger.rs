//! Device code under gdb, with the script of `mocl3 debug`.

use crate::tree::{TREE, build_texts, repository};
use std::process::Command;

/// Each thread has a number of its own in a function that it calls.
const KERNEL: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"

static long square(long number)
{
    lvector long *lanes = vector_malloc(sizeof(lvector long));
    *lanes = number;
    long result = number * number;
    vector_free(lanes);
    return result;
}

__global__ void squares(long *results)
{
    int thread = get_thread_id();
    results[thread] = square(thread + 5);
}
";

const PROGRAM: &str = "#include \"hthread_host.h\"

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    long *results = hthread_malloc(0, 24 * sizeof(long), HT_MEM_RW);
    uint64_t arguments[] = {(uint64_t)results};
    int group = hthread_group_create(0, 4, \"squares\", 0, 1, arguments);
    hthread_group_wait(group);
    hthread_group_destroy(group);
    hthread_dev_close(0);
    return 0;
}
";

/// An access whose alignment is tested has one line.
const STEPS: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"

static lvector double twice(lvector double number)
{
    return number + number;
}

__global__ void squares(lvector double *results)
{
    lvector double *lanes = vector_malloc(2 * sizeof *lanes);
    for (long i = 0; i < 1; i++)
        lanes[1] = twice(lanes[0]);
    vector_store(lanes, results, sizeof *lanes);
}
";

#[test]
fn gdb_steps_into_functions() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed (apt-get install gdb)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build_texts(folder.path(), STEPS, PROGRAM, "-g -O0");
    let script = repository("tools/mocl3/gdb/mocl3.py");
    let line = format!(
        "MOCL3_DEBUG=sources gdb -nx -q -batch -iex 'source {}' \
         -ex 'break kernel.c:13' -ex run -ex step -ex 'info source' ./program",
        script.display()
    );
    let shown = TREE.succeed(&line, folder.path());
    assert!(shown.contains("twice (number=...) at kernel.c:"), "{shown}");
}

#[test]
fn gdb_stops_in_a_thread_at_a_line_and_shows_variables() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed (apt-get install gdb)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    build_texts(here, KERNEL, PROGRAM, "-g -O0");
    let script = repository("tools/mocl3/gdb/mocl3.py");
    let line = format!(
        "MOCL3_DEBUG=sources gdb -nx -q -batch -iex 'source {}' \
         -ex 'break kernel.c:9 if $_mocl3_hthread() == 2' -ex run -ex 'print result' -ex 'print *lanes' \
         -ex backtrace -ex up -ex 'print thread' -ex continue ./program",
        script.display()
    );
    let shown = TREE.succeed(&line, here);
    for expected in [
        "square (number=7) at kernel.c:9",
        "$1 = 49",
        "$2 = {7 <repeats 16 times>}",
        "squares (results=",
        "$3 = 2",
        "exited normally",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
}

/// At -O2, `sum` is inlined with its instructions, and nothing is left of `same`.
const INLINED: &str = "#include \"hthread_device.h\"

static long sum(const long *numbers, long count)
{
    long result = 0;
    for (long i = 0; i < count; i++)
        result += numbers[i];
    return result;
}

static long same(long number)
{
    return number;
}

__global__ void squares(long *results)
{
    results[get_thread_id()] = sum(results, same(24));
}
";

#[test]
fn gdb_stops_in_inlined_functions_or_says_that_nothing_is_left_of_them() {
    if Command::new("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed (apt-get install gdb)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    build_texts(folder.path(), INLINED, PROGRAM, "-g -O2");
    let script = repository("tools/mocl3/gdb/mocl3.py");
    let line = format!(
        "MOCL3_DEBUG=sources gdb -nx -q -batch -iex 'source {}' -ex 'break -qualified sum' \
         -ex 'break -qualified same' -ex run -ex backtrace -ex 'delete 1' -ex continue ./program",
        script.display()
    );
    let shown = TREE.succeed(&line, folder.path());
    for expected in [
        "sum (numbers=",
        "squares (results=",
        "Breakpoint 2, -qualified same, has never been set",
    ] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    assert!(!shown.contains("Breakpoint 1, -qualified"), "{shown}");
}
