//! Code in assembly that is checked (`MOCL3_CHECK`).

use crate::checks::paragraphs;
use crate::tree::{TREE, build_texts};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// What a kernel does, in order.
struct Case {
    /// The instruction of a function `access`, whose argument is in AR0, AR8 and R10; none without one.
    instruction: &'static str,
    /// Statements of C, on one line.
    statements: &'static str,
    /// The finding, with `{s}` for the line of the instruction, `{here}` for that of the statements, and
    /// addresses without digits; empty if there is none.
    expected: &'static str,
}

const CASES: &[Case] = &[
    Case {
        instruction: "SLDW *AR8, R10",
        statements: "access(a + 7); access(on_stack); access(in_ddr + 15); access(in); access(&in_gsm);",
        expected: "",
    },
    Case {
        instruction: "SLDW *AR8, R10",
        statements: "access(b + 8);",
        expected: "unknown-address: read of 8 bytes at 0x in SM, where no buffer is\n  {at}",
    },
    Case {
        instruction: "SLDDW *AR8, R11:R10",
        statements: "access(a + 7);",
        expected: "out-of-bounds: read of 16 bytes, which begins 8 bytes before the end of the buffer \
                   (SM, 64 bytes), taken at kernel.c:{a}\n  {at}",
    },
    Case {
        instruction: "SSTH R10, *AR8",
        statements: "access((char *)in + 800);",
        expected: "unknown-address: write of 4 bytes at 0x, which is in no buffer or variable of cluster 0\n  {at}",
    },
    Case {
        instruction: "SLDW *+AR8[2], R10",
        statements: "scalar_free(b); access(b);",
        expected: "unknown-address: read of 8 bytes at 0x, in a buffer in SM that was freed at kernel.c:{here}\n  {at}",
    },
    Case {
        instruction: "SLDW *AR8, R10",
        statements: "access(0);",
        expected: "null-pointer: read of 8 bytes through a null pointer\n  {at}",
    },
    Case {
        instruction: "SSTW R10, *AR8",
        statements: "access(host);",
        expected: "unknown-address: write of 8 bytes at 0x, which is in no buffer or variable of cluster 0\n  {at}",
    },
    Case {
        instruction: "VLDW *AR0, VR0",
        statements: "access(v + 1); access(v + 2);",
        expected: "unknown-address: read of 128 bytes at 0x in AM, where no buffer is\n  {at}",
    },
    Case {
        instruction: "VSTW VR0, *AR0",
        statements: "mov_to_vlr(0x00ff); access((long *)v + 24); mov_to_vlr(0xffff);",
        expected: "",
    },
    Case {
        instruction: "VSTDW VR1:VR0, *AR0",
        statements: "access(v + 1);",
        expected: "out-of-bounds: write of 256 bytes, which begins 128 bytes before the end of the buffer \
                   (AM, 256 bytes), taken at kernel.c:{v}\n  {at}",
    },
    Case {
        instruction: "VLDH *AR0, VR0",
        statements: "access((char *)v + 192);",
        expected: "",
    },
    Case {
        instruction: "VLDW *AR0, VR0",
        statements: "channel = dma_p2p(in, 1, 128, 0, v, 1, 128, 0, 0, 0); access(v); access(v + 1);",
        expected: "dma: read of 128 bytes before the transfer that writes it has been waited for\n  {at}\n  \
                   the copy: kernel.c:{here}:11\n    {here} | {statements}\n       |           ^",
    },
    Case {
        instruction: "SSTW R10, *AR8",
        statements: "access(in + 16); access(in + 15);",
        expected: "dma: write of 8 bytes before the transfer that reads it has been waited for\n  {at}\n  \
                   the copy: kernel.c:{before}:11\n    {before} | {statements before}\n       |           ^",
    },
    Case {
        instruction: "VLDW *AR0, VR0",
        statements: "dma_wait(channel); access(v);",
        expected: "",
    },
    Case {
        instruction: "SADDA -32, AR9, AR9\n\t  SNOP 1\n\t  SSTW R10, *+AR9[3]\n\t  SSTW R10, *-AR9[1]\n\t  SADDA 32, AR9, AR9\n\t  SNOP 1",
        statements: "access(0);",
        expected: "",
    },
    Case {
        instruction: "",
        statements: "__asm__ __volatile__(\"SMVAGA %0, AR8\\n\\tSNOP 1\\n\\tSSTW %0, *AR8\" : : \"r\"(b + 8));",
        expected: "unknown-address: write of 8 bytes at 0x in SM, where no buffer is\n  \
                   kernel `wrong`, kernel.c:{asm}\n    {asm} | SSTW R10, *AR8\n  thread: 0 of group 0, cluster 0",
    },
    Case {
        instruction: "",
        statements: "frees(a); in[0] = a[1];",
        expected: "unknown-address: read of 8 bytes at 0x, in a buffer in SM that was freed at accesses.s:6\n  \
                   kernel `wrong`, kernel.c:{here}:19\n    {here} | {statements}\n       |                   ^\n  \
                   thread: 0 of group 0, cluster 0",
    },
];

/// A function that frees a buffer in SM, and the cases' functions.
const FIRST_FUNCTION: &str = "\t.global frees
frees:
\t  SADDA -16, AR9, AR9
\t  SNOP 1
\t  SSTW R63, *AR9
\t| SBR scalar_free
\t  SMOVI .Lfreed, R63
\t  SNOP 5
.Lfreed:
\t  SLDW *AR9, R63
\t  SNOP 6
\t  SBR R63
\t  SADDA 16, AR9, AR9
\t  SNOP 5
";

const BEFORE: &str = "#include <compiler/m3000.h>
#include \"hthread_device.h\"

long in_ddr[16];
__gsm__ long in_gsm;
void frees(void *buffer);

__global__ void wrong(long *in, long *host)
{
    long on_stack[1] = {4};
    long *a = scalar_malloc(64);
    long *b = scalar_malloc(64);
    lvector long *v = vector_malloc(256);
    unsigned int channel;
    v[0] = 0;
";

const PROGRAM: &str = "#include \"hthread_host.h\"
#include <stdlib.h>

int main(int count, char **arguments)
{
    static long host[4];
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    long *memory = hthread_malloc(0, 800, HT_MEM_RW);
    uint64_t words[] = {(uint64_t)memory, count > 1 ? atoi(arguments[1]) : (uint64_t)host};
    for (int i = 0; i < 3; i++)
        hthread_barrier_create(0);
    int group = hthread_group_create(0, count, count > 1 ? \"ordered\" : \"wrong\", 0, 2, words);
    hthread_group_wait(group);
    hthread_dev_close(0);
    return 0;
}
";

/// Assembles `accesses.s` in a folder.
fn assemble(folder: &Path, text: &str) {
    fs::write(folder.join("accesses.s"), text).unwrap();
    TREE.succeed("MT-3000-gcc -c accesses.s", folder);
}

/// Text with addresses that have no digits.
fn without_addresses(text: &str) -> String {
    let mut parts = text.split("0x");
    let mut result = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        result.push_str("0x");
        result.push_str(part.trim_start_matches(|one: char| one.is_ascii_hexdigit()));
    }
    result
}

#[test]
fn wrong_accesses_of_assembly_are_found_at_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let mut functions = FIRST_FUNCTION.to_owned();
    let mut declared = BEFORE.to_owned();
    let mut statements = String::new();
    let mut expected = Vec::new();
    let line_of = |text: &str, part| 1 + text.lines().position(|one| one.contains(part)).unwrap();
    let first = declared.lines().count() + 1;
    for (number, case) in CASES.iter().enumerate() {
        let name = format!("access{number}");
        let called = case.statements.replace("access(", &format!("{name}("));
        let before = statements.lines().last().unwrap_or_default().to_owned();
        let _ = writeln!(statements, "{called}");
        let s = functions.lines().count() + 5;
        let Case { instruction, .. } = case;
        let _ = write!(
            functions,
            "\t.global {name}\n{name}:\n\t  SMVAGA R10, AR0\n\t| SMVAGA R10, AR8\n\t| SMOV R10, R20\n\t  SNOP 1\n\t  \
             {instruction}\n\t  SBR R63\n\t  SNOP 6\n"
        );
        let s = s + 2;
        let here = first + number;
        let at = format!(
            "kernel `wrong`, function `{name}`, accesses.s:{s}\n    {s} | {instruction}\n  \
             thread: 0 of group 0, cluster 0"
        );
        if !case.expected.is_empty() {
            let text = case.expected.replace("{at}", &at);
            let text = text.replace("{statements before}", &before);
            let text = text.replace("{statements}", &called);
            let text = text.replace("{asm}", &(here + 2).to_string());
            let text = text.replace("{before}", &(here - 1).to_string());
            let text = text.replace("{a}", &line_of(BEFORE, "*a =").to_string());
            let text = text.replace("{v}", &line_of(BEFORE, "*v =").to_string());
            expected.push(text.replace("{here}", &here.to_string()));
        }
    }
    // Declarations stand on the line that has one in `BEFORE`, so that lines stay.
    let names = (0..CASES.len()).map(|number| format!("void access{number}(void *at); "));
    let names: String = names.collect();
    declared = declared.replace("void frees", &format!("{names}void frees"));
    assemble(folder.path(), &functions);
    build_texts(
        folder.path(),
        &format!("{declared}{statements}}}\n"),
        PROGRAM,
        "-g -O2",
    );
    for threads in [1, 2] {
        let run = format!("MOCL3_HOST_THREADS={threads} MOCL3_CHECK=memory,dma ./program");
        let output = TREE.run(&run, folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let found: Vec<String> = paragraphs(&without_addresses(&errors));
        assert_eq!(found, expected, "{errors}");
    }
}

/// Statements of two threads, and the finding of each; empty if they are ordered. `id` is the thread's number.
const ORDERS: &[(&str, &str)] = &[
    (
        "store(words, id);",
        "write of 8 bytes at byte 0 of the buffer (DDR, 800 bytes) conflicts with a write by thread 0 of the group\n  \
         kernel `ordered`, function `store`, accesses.s:4\n    4 | SSTW R12, *AR8\n  thread: 1 of group 0, cluster 0",
    ),
    ("store(words + id, id);", ""),
    (
        "if (id) words[2] = 4; else put(words + 2);",
        "conflicts with a read by thread 0",
    ),
    (
        "store(words + id, id); group_barrier(0); put(words + 1 - id);",
        "",
    ),
    ("store(words + id, id); meet(); put(words + 1 - id);", ""),
    (
        "if (id) { words[9] = 1; ready = 1; } else { await(&ready); put(words + 9); }",
        "",
    ),
    (
        "if (id) { store(words + 9, 1); store((long *)&ready, 1); } else { while (!ready) ; words[9] = 2; }",
        "",
    ),
];

/// Functions in assembly: void store(long *to, long x), void put(long *from), void meet(void), void await(volatile long *flag).
const FUNCTIONS: &str = "\t.global store, put, meet, await
store:\t  SMVAGA R10, AR8
\t  SNOP 1
\t  SSTW R12, *AR8
\t  SBR R63
\t  SNOP 6
put:\t  SMVAGA R10, AR8
\t  SNOP 1
\t  SLDW *AR8, R10
\t  SBR R63
\t  SNOP 6
meet:\t  SBARRIER 2
\t  SBR R63
\t  SNOP 6
await:\t  SMVAGA R10, AR8
\t  SNOP 1
.Lawait:
\t  SLDW *AR8, R0
\t  SNOP 6
\t  [!R0] SBR .Lawait
\t  SNOP 6
\t  SBR R63
\t  SNOP 6
";

const ORDERED: &str = "#include \"hthread_device.h\"
volatile long ready;
void store(long *to, long x);
void put(const long *from);
void meet(void);
void await(const volatile long *flag);
__global__ void ordered(long *words, long which)
{
    int id = get_thread_id();
    group_barrier(1);
    switch (which) {
";

#[test]
fn accesses_of_assembly_without_an_order_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let case = |(number, (line, _)): (usize, &(&str, &str))| {
        format!("case {number}: {{ {line} }} break;\n")
    };
    let cases: String = ORDERS.iter().enumerate().map(case).collect();
    assemble(folder.path(), FUNCTIONS);
    build_texts(
        folder.path(),
        &format!("{ORDERED}{cases}}}\n}}\n"),
        PROGRAM,
        "-g -O1",
    );
    for (number, (line, expected)) in ORDERS.iter().enumerate() {
        let mut shown = Vec::new();
        for threads in [1, 2] {
            let run = format!("MOCL3_HOST_THREADS={threads} MOCL3_CHECK=races ./program {number}");
            let output = TREE.run(&run, folder.path());
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{line}: {errors}");
            let found = paragraphs(&errors);
            assert_eq!(
                found.len(),
                usize::from(!expected.is_empty()),
                "{line}: {errors}"
            );
            assert!(
                found.iter().all(|one| one.contains(expected)),
                "{line}: {errors}"
            );
            shown.push(found);
        }
        assert_eq!(shown[0], shown[1], "{line}");
    }
}
