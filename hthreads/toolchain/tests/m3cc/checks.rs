//! Device code that is checked (`MOCL3_CHECK`).

use crate::programs::build;
use crate::tree::{TREE, build_texts};
use std::path::Path;

/// Lines of the kernel, each with what is found there; empty if nothing is.
const LINES: &[(&str, &str)] = &[
    (
        "for (int i = 0; i <= 64; i++) a[i] = i;",
        "out-of-bounds: write of 8 bytes just after the end of the buffer (SM, 512 bytes), taken at kernel.c:{a}",
    ),
    (
        "on_stack[id + 8] = 3;",
        "out-of-bounds: write of 4 bytes just after the end of variable `on_stack` (stack, 32 bytes)",
    ),
    (
        "in_ddr[-1] = 1;",
        "out-of-bounds: write of 8 bytes, 8 bytes before the start of variable `in_ddr` (DDR, 128 bytes)",
    ),
    (
        "in_gsm[id + 25] = 2;",
        "out-of-bounds: write of 8 bytes, 8 bytes after the end of variable `in_gsm` (GSM, 192 bytes)",
    ),
    (
        "v[4] = v[0];",
        "out-of-bounds: write of 128 bytes just after the end of the buffer (AM, 512 bytes)",
    ),
    ("s += sum(in, n);", ""),
    (
        "double *last = choose(in, out, n); s += last[1];",
        "out-of-bounds: read of 8 bytes just after the end of the buffer (DDR, 8000 bytes)",
    ),
    (
        "unsigned int channel = dma_p2p(in, 4, 64, 64, b, 1, 256, 0, 0, 0);",
        "",
    ),
    ("s += b[32] + in[8];", ""),
    (
        "s += b[3];",
        "dma: read of 8 bytes before the transfer that writes it has been waited for",
    ),
    ("in[8] = s;", ""),
    (
        "in[16] = s;",
        "dma: write of 8 bytes before the transfer that reads it has been waited for",
    ),
    (
        "vector_load(in + 100, b, 256);",
        "dma: write of 256 bytes by a transfer before the transfer that writes it has been waited for",
    ),
    ("dma_wait(channel); s += b[4]; in[16] = s;", ""),
    (
        "scalar_free(a); s += a[1];",
        "in a buffer in SM that was freed at kernel.c:{here}",
    ),
    (
        "*(int *)((char *)b + 2) = 4;",
        "misaligned: write of 4 bytes at",
    ),
    (
        "s += host[0];",
        "which is in no buffer or variable of cluster 0",
    ),
    (
        "vector_load(in + n - 8, v, 256);",
        "out-of-bounds: read of 256 bytes by a transfer, which begins 64 bytes before the end of the buffer (DDR, 8000 bytes)",
    ),
    (
        "vector_load_async(in, v, 512);",
        "dma: the transfer is never waited for",
    ),
    (
        "unsigned int late = vector_load_async(in, w, 128); vector_free(w); dma_wait(late);",
        "dma: end of a buffer of 128 bytes before the transfer that writes it has been waited for",
    ),
    (
        "double *heap = malloc(16); heap[1] = s; heap[2] = s;",
        "out-of-bounds: write of 8 bytes just after the end of the buffer (heap, 16 bytes)",
    ),
    (
        "free(heap); struct pair { long first, second; } *null = (void *)(n - 1000); null->second = 4;",
        "null-pointer: write of 8 bytes through a null pointer",
    ),
    (
        "places[id] = b; group_barrier(0); s += places[1 - id][5];",
        "in SM of core",
    ),
    ("out[id] = s; group_barrier(0); scalar_free(b);", ""),
];

const BEFORE: &str = "#include <compiler/m3000.h>
#include <stdlib.h>
#include \"hthread_device.h\"

double in_ddr[16];
__gsm__ double in_gsm[24];
static double *places[2];

static double sum(double *values, long n)
{
    double s = 0;
    for (double *value = values; value < values + n; value++)
        s += *value;
    return s;
}

static double *choose(double *one, double *other, long n)
{
    return n > 5 ? one + n - 1 : other;
}

__global__ void wrong(long n, double *in, double *out, double *host)
{
    int id = get_thread_id();
    int on_stack[8];
    double *a = scalar_malloc(64 * sizeof(double));
    double *b = scalar_malloc(64 * sizeof(double));
    lvector double *v = vector_malloc(4 * sizeof(lvector double));
    lvector double *w = vector_malloc(sizeof(lvector double));
    double s = 0;
";

const PROGRAM: &str = "#include \"hthread_host.h\"
#include <stdio.h>

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    long n = 1000;
    static double host[4];
    double *in = hthread_malloc(0, n * sizeof(double), HT_MEM_RW);
    double *out = hthread_malloc(0, 2 * sizeof(double), HT_MEM_RW);
    uint64_t arguments[] = {n, (uint64_t)in, (uint64_t)out, (uint64_t)host};
    int group = hthread_group_create(0, 2, \"wrong\", 1, 3, arguments);
    hthread_group_wait(group);
    hthread_group_destroy(group);
    hthread_dev_close(0);
    return 0;
}
";

/// The line of the kernel with this number in `LINES`.
fn line_of(number: usize) -> usize {
    BEFORE.lines().count() + 1 + number
}

fn write_and_build(here: &Path, optimisation: &str) {
    let lines: Vec<&str> = LINES.iter().map(|(line, _)| *line).collect();
    let kernel = format!("{BEFORE}{}\n}}\n", lines.join("\n"));
    build_texts(here, &kernel, PROGRAM, &format!("-g {optimisation}"));
}

/// The paragraphs that a program writes, as its findings.
pub fn paragraphs(errors: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in errors.lines() {
        match all.last_mut() {
            Some(last) if line.starts_with("  ") => {
                last.push('\n');
                last.push_str(line);
            }
            _ => all.push(line.to_owned()),
        }
    }
    all
}

#[test]
fn wrong_accesses_are_found_at_their_lines() {
    for optimisation in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        write_and_build(folder.path(), optimisation);
        let output = TREE.run("MOCL3_CHECK=memory,dma ./program", folder.path());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        let mut found = paragraphs(&errors);
        for (number, (line, expected)) in LINES.iter().enumerate() {
            let here = line_of(number);
            let at = format!("kernel `wrong`, kernel.c:{here}:");
            let of_line = |paragraph: &String| paragraph.contains(&at);
            let a = BEFORE
                .lines()
                .position(|line| line.contains("*a ="))
                .unwrap()
                + 1;
            let expected = expected.replace("{a}", &a.to_string());
            let expected = expected.replace("{here}", &here.to_string());
            let shown: Vec<String> = found.extract_if(.., |one| of_line(one)).collect();
            match expected.as_str() {
                "" => assert!(shown.is_empty(), "{optimisation}: {line}: {shown:#?}"),
                expected => assert!(
                    !shown.is_empty() && shown.iter().all(|one| one.contains(expected)),
                    "{optimisation}: {line}: {shown:#?}\n{errors}"
                ),
            }
        }
        assert!(found.is_empty(), "{optimisation}: {found:#?}");
    }
}

/// A program that leaves everything as it is, whose kernel is stopped by an exception.
const CARELESS: &str = "#include \"hthread_host.h\"
#include <stdio.h>

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    hthread_malloc(0, 64, HT_MEM_RW);
    hthread_barrier_create(0);
    int group = hthread_group_create(0, 2, \"stops\", 0, 0, NULL);
    hthread_group_wait(group);
    hthread_group_create(0, 1, \"missing\", 0, 0, NULL);
    return 0;
}
";

const STOPS: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"

__global__ void stops(void)
{
    scalar_malloc(24);
    if (get_thread_id() == 1)
        dma_p2p((void *)0x1234564, 1, 8, 0, scalar_malloc(8), 1, 8, 0, 0, 0);
}
";

#[test]
fn errors_and_what_is_not_freed_are_found() {
    let folder = tempfile::tempdir().unwrap();
    build_texts(folder.path(), STOPS, CARELESS, "-g -O2");
    let output = TREE.run(
        "MOCL3_CHECK=all MOCL3_FINDINGS=found ./program",
        folder.path(),
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(255), "{errors}");
    let found = findings::log::read_folder(&folder.path().join("found")).unwrap();
    let mut found: Vec<String> = found.iter().map(findings::text::paragraph).collect();
    found.sort();
    let expected = [
        "api-error: func missing not found\nSet function error",
        "exception: DMA Addr Overstep at address 0x1234564: address is not 64-bit aligned\n  \
         kernel `stops`, kernel.c:8:9\n    \
         8 |         dma_p2p((void *)0x1234564, 1, 8, 0, scalar_malloc(8), 1, 8, 0, 0, 0);\n      \
         |         ^\n  thread: 1 of group 0, cluster 0",
        "leak: 1 `hthread_malloc` block of cluster 0 is not freed",
        "leak: 1 barrier of cluster 0 is not freed",
        "leak: 1 group of cluster 0 is not freed",
        "leak: a buffer of 24 bytes in SM of thread 0 of group 0 is not freed",
        "leak: a buffer of 24 bytes in SM of thread 1 of group 0 is not freed",
        "leak: a buffer of 8 bytes in SM of thread 1 of group 0 is not freed",
        "leak: cluster 0 is not closed",
    ];
    assert_eq!(found, expected);
}

/// Statements of two threads, and the finding of each; empty if they are ordered. `id` is the thread's number,
/// `words` are in DDR.
const ORDERS: &[(&str, &str)] = &[
    (
        "words[id / 2] = id;",
        "write of 8 bytes at byte 0 of the buffer (DDR, 1600 bytes) conflicts with a write",
    ),
    ("words[id] = id;", ""),
    ("((char *)words)[id + 3] = id;", ""),
    (
        "if (id == 0) shared = 3; else words[1] = shared;",
        "write of 4 bytes at byte 0 of variable `shared` (DDR, 4 bytes) conflicts with a read by thread 1 of the group",
    ),
    (
        "if (id == 0) shared = 3; group_barrier(0); if (id == 1) words[1] = shared;",
        "",
    ),
    ("rwlock_wrlock(2); shared++; rwlock_unlock(2);", ""),
    (
        "rwlock_rdlock(2); shared++; rwlock_unlock(2);",
        "write of 4 bytes at byte 0 of variable `shared` (DDR, 4 bytes) conflicts with a write",
    ),
    (
        "if (id == 0) { words[9] = 1; ready = 1; } else { while (!ready) ; words[10] = words[9]; }",
        "",
    ),
    ("__sync_fetch_and_add(&shared, 1);", ""),
    (
        "if (id == 0) vector_store(a, words, 256); else words[31] = 0;",
        "write of 8 bytes at byte 248 of the buffer (DDR, 1600 bytes) conflicts with a write",
    ),
    (
        "vector_load(words, a, 256); vector_store(a, words + 32 * (id + 1), 256);",
        "",
    ),
    (
        "unsigned int c = 0; if (id == 0) c = vector_load_async(words, a, 256); \
         group_barrier(0); if (id == 1) words[3] = 1; else dma_wait(c);",
        "write of 8 bytes at byte 24 of the buffer (DDR, 1600 bytes) conflicts with a read by thread 0",
    ),
    (
        "long *block = hbm_malloc(64); block[0] = id; hbm_free(block); \
         long *again = malloc(64); again[1] = id; free(again);",
        "",
    ),
    (
        "int mine[2] = {id, 1}; put(mine, id); words[id] = mine[0];",
        "",
    ),
];

const ORDERED: &str = "#include <compiler/m3000.h>
#include <stdlib.h>
#include \"hthread_device.h\"
int shared;
volatile int ready;
__attribute__((noinline)) void put(int *to, int id) { to[0] = id + 1; }
__global__ void ordered(long which, long *words)
{
    int id = get_thread_id();
    lvector long *a = vector_malloc(256);
    group_barrier(1);
    switch (which) {
";

const RUNS_ONE: &str = "#include \"hthread_host.h\"
#include <stdlib.h>

int main(int count, char **arguments)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    long *words = hthread_malloc(0, 1600, HT_MEM_RW);
    uint64_t values[] = {atoi(arguments[1]), (uint64_t)words};
    int barriers[] = {hthread_barrier_create(0), hthread_barrier_create(0)};
    int locks[] = {hthread_rwlock_create(0), hthread_rwlock_create(0), hthread_rwlock_create(0)};
    int group = hthread_group_create(0, 2, \"ordered\", 1, 1, values);
    hthread_group_wait(group);
    hthread_dev_close(0);
    return 0;
}
";

#[test]
fn accesses_without_an_order_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let case = |(number, (line, _)): (usize, &(&str, &str))| {
        format!("case {number}: {{ {} }} break;\n", line.replace("\\\n", ""))
    };
    let cases: String = ORDERS.iter().enumerate().map(case).collect();
    let kernel = format!("{}{cases}}}\n}}\n", ORDERED);
    build_texts(folder.path(), &kernel, RUNS_ONE, "-g -O1");
    for (number, (line, expected)) in ORDERS.iter().enumerate() {
        let mut shown = Vec::new();
        for threads in ["1", "2"] {
            let run = format!("MOCL3_HOST_THREADS={threads} MOCL3_CHECK=races ./program {number}");
            let output = TREE.run(&run, folder.path());
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{line}: {errors}");
            let found = paragraphs(&errors).into_iter();
            let found: Vec<String> = found.filter(|one| one.contains("data-race: ")).collect();
            assert_eq!(found.is_empty(), expected.is_empty(), "{line}: {errors}");
            assert!(
                found.iter().all(|one| one.contains(expected)),
                "{line}: {errors}"
            );
            shown.push(found);
        }
        assert_eq!(shown[0], shown[1], "{line}");
    }
}

#[test]
fn right_programs_have_no_findings() {
    for program in ["transfers", "groups", "vsip", "synchronisation", "assembly"] {
        let folder = build(program, "-O2");
        let output = TREE.run(
            "MOCL3_CHECK=memory,dma,races,uninitialised ./program",
            folder.path(),
        );
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {errors}");
        for kind in findings::Kind::ALL {
            assert!(
                !errors.contains(&format!("{kind}: ")),
                "{program}: {errors}"
            );
        }
    }
}

#[test]
fn what_is_not_checked_is_said() {
    let folder = build("groups", "-O2");
    for (variables, expected) in [
        (
            "MOCL3_CHECK=barriers,api",
            "code of hthreads is not checked for: barriers",
        ),
        ("MOCL3_CHECK=speed", "there is no check `speed`"),
        (
            "MOCL3_CHECK=dma MOCL3_RECORD=r",
            "is not checked in runs with simulated time",
        ),
    ] {
        let output = TREE.run(&format!("{variables} ./program"), folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        assert_eq!(errors.matches(expected).count(), 1, "{errors}");
    }
}
