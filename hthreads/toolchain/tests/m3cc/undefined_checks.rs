//! Values that were never written, in device code that is checked (`MOCL3_CHECK=uninitialised`).

use crate::checks::paragraphs;
use crate::tree::{TREE, build_texts};

/// Statements of a kernel, each in a block of its own, with what is found there and the column, or the function of whose
/// first condition it is; empty if nothing is. `{here}` is the number of the line.
const STATEMENTS: &[(&str, &str)] = &[
    (
        "double s; for (long i = 0; i < n; i++) s += in[i]; out[0] = s;",
        "memory gets a value of variable `s` (stack, 8 bytes) that was never written|61",
    ),
    (
        "double s = 0; for (long i = 0; i < n; i++) s += in[i]; out[0] = s;",
        "",
    ),
    (
        "long which; if (n > 100) which = 1; if (which > 3) out[1] = 2;",
        "a condition depends on a value of variable `which` (stack, 8 bytes) that was never written|49",
    ),
    (
        "long which; if (n > 1) which = 1; if (n > 1 && which > 3) out[1] = 2;",
        "",
    ),
    (
        "long table[8]; table[0] = 1; out[2] = in[table[n]];",
        "an address depends on a value of variable `table` (stack, 64 bytes) that was never written|41",
    ),
    (
        "long table[8]; for (int i = 0; i < 8; i++) table[i] = 1; out[2] = in[table[n]];",
        "",
    ),
    (
        "lvector double v; v = v + 1.0; if (((double *)&v)[1] > n) n = 3;",
        "a condition depends on a value of variable `v` (stack, 128 bytes) that was never written|56",
    ),
    // One lane decides: the others are not written, and not used.
    (
        "lvector double v; ((double *)&v)[0] = n; if (((double *)&v)[0] > 1) out[3] = 1;",
        "",
    ),
    (
        "lvector double w; ((double *)&w)[0] = n; if (((double *)&w)[1] > 1) out[3] = 1;",
        "a condition depends on a value of variable `w` (stack, 128 bytes) that was never written|66",
    ),
    (
        "int bits; bits = bits & ~7 | n & 7; if (bits & 1) out[4] = 1;",
        "",
    ),
    (
        "int flags; flags = flags & ~7 | n & 7; if (flags & 8) out[4] = 1;",
        "a condition depends on a value of variable `flags` (stack, 4 bytes) that was never written|52",
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
        "a condition depends on a value of variable `masked` (stack, 128 bytes) that was never written|102",
    ),
    (
        "double *b = scalar_malloc(64); out[9] = b[n] + 1; scalar_free(b);",
        "memory gets a value of the buffer (SM, 64 bytes), taken at kernel.c:{here}, that was never written|41",
    ),
    (
        "double *b = scalar_malloc(64); b[3] = n; out[9] = b[n] + 1; scalar_free(b);",
        "",
    ),
    // Freed memory has no value when it is taken again.
    (
        "double *b = scalar_malloc(24); memset(b, 0, 24); scalar_free(b); b = scalar_malloc(24); if (b[2] > n) n = 3;",
        "a condition depends on a value of the buffer (SM, 24 bytes), taken at kernel.c:{here}, that was never written|100",
    ),
    (
        "long *b = hbm_malloc(64); out[9] = in[b[1]]; hbm_free(b);",
        "an address depends on a value of the buffer (HBSM, 64 bytes), taken at kernel.c:{here}, that was never written|38",
    ),
    (
        "long *b = malloc(72); b[0] = 2; if (b[0] > n) n = 3; if (b[8] > n) n = 3; free(b);",
        "a condition depends on a value of the buffer (heap, 72 bytes), taken at kernel.c:{here}, that was never written|65",
    ),
    ("long *b = calloc(8, 8); if (b[1] > n) n = 3; free(b);", ""),
    (
        "long *b = malloc(16); b[0] = 1; b = realloc(b, 88); if (b[0] > n) n = 3; if (b[1] > n) n = 3; free(b);",
        "a condition depends on a value of the buffer (heap, 88 bytes), taken at kernel.c:{here}, that was never written|85",
    ),
    // The buffer whose value is undefined is named.
    (
        "double *a = scalar_malloc(8), *b = scalar_malloc(16); *a = n; out[9] = a[0] + b[0]; scalar_free(a); scalar_free(b);",
        "memory gets a value of the buffer (SM, 16 bytes), taken at kernel.c:{here}, that was never written|72",
    ),
    // Loads through pointers that a function gets.
    (
        "double *b = scalar_malloc(40); out[9] = is_positive(b); scalar_free(b);",
        "a condition depends on a value of the buffer (SM, 40 bytes), taken at kernel.c:{here}, that was never written|is_positive",
    ),
    // What transfers write, and padding between rows.
    (
        "double *v = vector_malloc(128); dma_wait(dma_p2p(in, 2, 8, 0, v, 2, 8, 8, 0, 0)); if (v[0] + v[2] > n) n = 3;",
        "",
    ),
    (
        "double *v = vector_malloc(128); dma_wait(dma_p2p(in, 2, 8, 0, v, 2, 8, 8, 0, 0)); if (v[1] > n) n = 3;",
        "a condition depends on a value of the buffer (AM, 128 bytes), taken at kernel.c:{here}, that was never written|94",
    ),
    (
        "double *v = vector_malloc(384); vector_store(v, out, 384); vector_free(v);",
        "a transfer stores 384 bytes of the buffer (AM, 384 bytes), taken at kernel.c:{here}, that were never written|35",
    ),
    (
        "double *v = vector_malloc(384); v[47] = 1; vector_store(v, out, 384); vector_free(v);",
        "",
    ),
    (
        "long *b = scalar_malloc(8), *h = hbm_malloc(8); scalar_store(b, h, 8); scalar_load(h, b, 8); if (*b > n) n = 3;",
        "a condition depends on a value of the buffer (SM, 8 bytes), taken at kernel.c:{here}, that was never written|103",
    ),
    // Lanes without a value are computed with others.
    (
        "lvector double *v = vector_malloc(256); ((double *)v)[0] = n; v[1] = v[0] * 2.0 + 1.0; vector_store(v + 1, out, 128); vector_free(v);",
        "",
    ),
    (
        "lvector double *v = vector_malloc(640); ((double *)v)[0] = n; v[1] = v[0] + 1.0; if (((double *)v)[17] > n) n = 3;",
        "a condition depends on a value of the buffer (AM, 640 bytes), taken at kernel.c:{here}, that was never written|106",
    ),
    (
        "lvector int *v = vector_malloc(256); ((int *)v)[0] = n; v[1] = v[0] / (v[0] | 1); out[9] = ((int *)v)[32]; vector_free(v);",
        "",
    ),
    // Copies are no uses, but have no value either.
    (
        "struct pair *b = scalar_malloc(32); b->first = 1; b[1] = b[0]; *(struct pair *)out = b[1]; out[9] = b[1].first; scalar_free(b);",
        "",
    ),
    (
        "struct pair *b = scalar_malloc(48); b->first = 1; b[1] = b[0]; if (b[1].second > n) n = 3; scalar_free(b);",
        "a condition depends on a value of the buffer (SM, 48 bytes), taken at kernel.c:{here}, that was never written|82",
    ),
    // What other functions write, or may.
    (
        "char *b = scalar_malloc(16); strcpy(b, \"ab\"); if (b[1] > n) n = 3; scalar_free(b);",
        "",
    ),
    (
        "long *b = scalar_malloc(32); fill(b, 4); if (b[n] > 1) n = 3; scalar_free(b);",
        "",
    ),
    (
        "long *b = scalar_malloc(32); fill_with(b, 2, n, n); if (b[1] > n) n = 3; scalar_free(b);",
        "",
    ),
    (
        "double own, *b = scalar_malloc(8), *to = n > 2 ? &own : b; *to = n; if (own > 9) n = 3; scalar_free(b);",
        "",
    ),
];

const BEFORE: &str = "#include <compiler/m3000.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include \"hthread_device.h\"
struct pair { long first, second; };
struct bits { unsigned low : 3, high : 5; short other; };
__attribute__((noinline)) void fill(long *to, long n) { for (long i = 0; i < n; i++) to[i] = i; }
static long get(const struct pair *p) { return p->first; }
static long is_positive(const double *b) { if (*b > 0) return 1; return 0; }
void fill_with(long *to, int n, ...)
{
    va_list values;
    va_start(values, n);
    for (int i = 0; i < n; i++) to[i] = va_arg(values, long);
    va_end(values);
}
__global__ void uses(long n, double *in, double *out)
{
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
            if let Some((message, place)) = expected.split_once('|') {
                let line = BEFORE.lines().count() + 1 + number;
                let message = message.replace("{here}", &line.to_string());
                let expected = paragraph(&message, line, statement, place);
                assert_eq!(found.next(), Some(expected), "{optimisation}: {errors}");
            }
        }
        assert_eq!(found.next(), None, "{optimisation}");
    }
}

/// What is written of a finding at a statement in a line, or in a function.
fn paragraph(message: &str, line: usize, statement: &str, place: &str) -> String {
    let (function, line, text, column) = match place.parse::<usize>() {
        Ok(column) => (String::new(), line, format!("{{ {statement} }}"), column),
        Err(_) => {
            let is_there = |text: &&str| text.contains(&format!("{place}("));
            let (number, text) = (1..)
                .zip(BEFORE.lines())
                .find(|(_, text)| is_there(text))
                .unwrap();
            let column = text.find(" > ").unwrap() + 2;
            (
                format!(" function `{place}`,"),
                number,
                text.to_owned(),
                column,
            )
        }
    };
    let indent = " ".repeat(line.to_string().len() + 4);
    format!(
        "uninitialised: {message}\n  kernel `uses`,{function} kernel.c:{line}:{column}\n    {line} | {text}\n{indent} | {}^\n  \
         thread: 0 of group 0, cluster 0",
        " ".repeat(column - 1)
    )
}
