//! Values that were never written, in device code that is checked (`MOCL3_CHECK=uninitialised`).

use crate::checks::paragraphs;
use crate::tree::{TREE, build_texts};

/// Statements of a kernel, each in a block of its own, with what is found there and the column; empty if nothing is.
const STATEMENTS: &[(&str, &str)] = &[
    (
        "double s; for (long i = 0; i < n; i++) s += in[i]; out[0] = s;",
        "memory gets a value of variable `s` (stack, 8 bytes)|61",
    ),
    (
        "double s = 0; for (long i = 0; i < n; i++) s += in[i]; out[0] = s;",
        "",
    ),
    (
        "long which; if (n > 100) which = 1; if (which > 3) out[1] = 2;",
        "a condition depends on a value of variable `which` (stack, 8 bytes)|49",
    ),
    (
        "long which; if (n > 1) which = 1; if (n > 1 && which > 3) out[1] = 2;",
        "",
    ),
    (
        "long table[8]; table[0] = 1; out[2] = in[table[n]];",
        "an address depends on a value of variable `table` (stack, 64 bytes)|41",
    ),
    (
        "long table[8]; for (int i = 0; i < 8; i++) table[i] = 1; out[2] = in[table[n]];",
        "",
    ),
    (
        "lvector double v; v = v + 1.0; lanes[0] = v;",
        "memory gets a value of variable `v` (stack, 128 bytes)|43",
    ),
    // One lane decides: the others are not written, and not used.
    (
        "lvector double v; ((double *)&v)[0] = n; if (((double *)&v)[0] > 1) out[3] = 1;",
        "",
    ),
    (
        "lvector double w; ((double *)&w)[0] = n; if (((double *)&w)[1] > 1) out[3] = 1;",
        "a condition depends on a value of variable `w` (stack, 128 bytes)|66",
    ),
    (
        "int bits; bits = bits & ~7 | n & 7; if (bits & 1) out[4] = 1;",
        "",
    ),
    (
        "int flags; flags = flags & ~7 | n & 7; if (flags & 8) out[4] = 1;",
        "a condition depends on a value of variable `flags` (stack, 4 bytes)|52",
    ),
    // Copies are no uses.
    (
        "struct pair p, q; p.first = 3; q = p; *pairs = q; out[5] = q.first;",
        "",
    ),
    (
        "struct bits one; one.low = n; *(struct bits *)pairs = one;",
        "",
    ),
    // What other functions write, or may.
    (
        "long filled[4]; fill(filled, 4); if (filled[n] > 1) out[6] = 1;",
        "",
    ),
    ("struct pair p; p.first = 3; out[7] = get(&p);", ""),
    // Lanes that are not enabled keep what they have.
    (
        "lvector double v; mov_to_vlr(1); v = 4.0; mov_to_vlr(0xffff); if (((double *)&v)[0] > 9) out[8] = 1;",
        "",
    ),
    (
        "lvector double masked; mov_to_vlr(1); masked = 4.0; mov_to_vlr(0xffff); if (((double *)&masked)[1] > 9) out[8] = 1;",
        "a condition depends on a value of variable `masked` (stack, 128 bytes)|102",
    ),
];

const BEFORE: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"
struct pair { long first, second; };
struct bits { unsigned low : 3, high : 5; short other; };
__attribute__((noinline)) void fill(long *to, long n) { for (long i = 0; i < n; i++) to[i] = i; }
static long get(const struct pair *p) { return p->first; }
__global__ void uses(long n, double *in, double *out)
{
    lvector double *lanes = vector_malloc(256);
    struct pair *pairs = scalar_malloc(sizeof *pairs);
";

const PROGRAM: &str = "#include \"hthread_host.h\"

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    double *in = hthread_malloc(0, 800, HT_MEM_RW), *out = hthread_malloc(0, 800, HT_MEM_RW);
    uint64_t arguments[] = {3, (uint64_t)in, (uint64_t)out};
    int group = hthread_group_create(0, 1, \"uses\", 1, 2, arguments);
    int result = hthread_group_wait(group);
    hthread_dev_close(0);
    return result;
}
";

#[test]
fn uses_of_variables_that_were_never_written_are_found() {
    let blocks = STATEMENTS
        .iter()
        .map(|(statement, _)| format!("{{ {statement} }}\n"));
    let kernel = format!("{BEFORE}{}}}\n", blocks.collect::<String>());
    for optimisation in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        build_texts(
            folder.path(),
            &kernel,
            PROGRAM,
            &format!("-g {optimisation}"),
        );
        let output = TREE.run("MOCL3_CHECK=uninitialised ./program", folder.path());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        let mut found = paragraphs(&errors).into_iter();
        for (number, (statement, expected)) in STATEMENTS.iter().enumerate() {
            let Some((message, column)) = expected.split_once('|') else {
                continue;
            };
            let line = BEFORE.lines().count() + 1 + number;
            let column: usize = column.parse().unwrap();
            let indent = " ".repeat(line.to_string().len() + 4);
            let expected = format!(
                "uninitialised: {message} that was never written\n  kernel `uses`, kernel.c:{line}:{column}\n    \
                 {line} | {{ {statement} }}\n{indent} | {}^\n  thread: 0 of group 0, cluster 0",
                " ".repeat(column - 1)
            );
            assert_eq!(found.next(), Some(expected), "{optimisation}: {errors}");
        }
        assert_eq!(found.next(), None, "{optimisation}");
    }
}
