//! Programs in assembly.

use crate::bench::Group;
use crate::programs::build;
use crate::timing::{cycles, record};
use crate::tree::{TREE, repository};
use device_sim::machine::Machine;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::Activity;
use recording::Process;
use std::fs;

#[test]
fn c_and_assembly_call_each_other() {
    Group::named("assembly").expect_no_failures();
}

/// The reports of a kernel's launches.
fn reports<'p>(process: &'p Process, kernel: &str) -> Vec<&'p LaunchReport> {
    let all = process.commands.iter();
    let launches = all.filter(|command| command.kernel.as_deref() == Some(kernel));
    launches
        .map(|command| command.report.as_deref().unwrap())
        .collect()
}

/// The micro-kernel of m = 6 and n = 3 takes 12 cycles for two steps, and 14 + 6 k + 12 in all (GEMM paper on
/// FT-M7032).
#[test]
fn cycles_are_those_of_the_code_as_written() {
    let folder = build("assembly", "-O2");
    let (_, process) = record(folder.path(), 2, 0);
    let launches = reports(&process, "only_multiply");
    let computed: Vec<u64> = launches
        .iter()
        .map(|report| cycles(report, Activity::Compute)[0])
        .collect();
    let [nothing, again, less, more] = computed[..] else {
        panic!("{computed:?}");
    };
    assert_eq!(nothing, again);
    // A function that only returns takes 7.
    assert_eq!(less - nothing + 7, 14 + 6 * 2 + 12);
    assert_eq!(more - nothing + 7, 14 + 6 * 512 + 12);
    // 18 products with 16 lanes a step.
    let flops = |report: &LaunchReport| report.totals.double_flops;
    assert_eq!(flops(launches[3]) - flops(launches[2]), 510 * 18 * 16 * 2);
}

/// A kernel in assembly: 28 cycles in each thread, and a line of DDR, by line of the source.
#[test]
fn cycles_are_of_the_lines_of_the_source() {
    let folder = build("assembly", "-O2");
    let (_, process) = record(folder.path(), 2, 0);
    let report = reports(&process, "add_id")[0];
    let of_lines = |activity: Activity| -> u64 {
        let lines = report.lines.iter();
        lines.map(|line| line.cycles[activity].0).sum()
    };
    assert_eq!(of_lines(Activity::Compute), 24 * 28);
    assert_eq!(cycles(report, Activity::Compute), [28; 24]);
    assert!(
        report
            .lines
            .iter()
            .all(|line| line.file.ends_with("assembly.s"))
    );
    let memory = Machine::mt3000().memory;
    let miss = memory.ddr.latency.value - memory.l1d.latency.value;
    let waits = report
        .lines
        .iter()
        .filter(|line| line.cycles[Activity::Memory].0 > 0);
    let waits: Vec<u64> = waits.map(|line| line.cycles[Activity::Memory].0).collect();
    assert_eq!(waits.len(), 1);
    assert!(waits[0] >= 24 * miss, "{waits:?}");
}

#[test]
fn call_stacks_have_functions_in_assembly() {
    let folder = build("errors", "'-O2 -g'");
    let output = TREE.run("./program wild_word", folder.path());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let stack: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "[STACK] dump DSP stack")
        .collect();
    let [_, first, second] = stack[..] else {
        panic!("{text}");
    };
    assert!(
        first.starts_with("  #0 loads at ") && first.ends_with("/errors.s:30"),
        "{text}"
    );
    assert!(second.starts_with("  #1 wild_word at "), "{text}");
    assert!(second.contains("errors.c:"), "{text}");
}

#[test]
fn wrong_assembly_is_refused_in_the_form_of_clang() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let fail = |line: &str| {
        let output = TREE.run(line, here);
        assert_eq!(output.status.code(), Some(1), "{line}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    fs::write(here.join("f.s"), "f:\tSADD R10, R12\n\t SBR .Lnowhere\n").unwrap();
    assert_eq!(
        fail("MT-3000-gcc -c f.s"),
        "f.s:1:4: error: 'SADD' has 3 operands, not 2\nf:\tSADD R10, R12\n  \t^\n\
         f.s:2:7: error: label '.Lnowhere' is not defined\n\t SBR .Lnowhere\n\t     ^\n\
         2 errors generated.\n"
    );
    fs::write(here.join("g.s"), "\t.global g\ng:\tSBR missing\n\tSNOP 6\n").unwrap();
    assert_eq!(
        fail("MT-3000-gcc -c g.s && MT-3000-ld g.o -o g.out"),
        "MT-3000-ld: error: g.o: undefined reference to `missing'\n"
    );
    fs::write(
        here.join("c.c"),
        "typedef struct { long x[4]; } S; void g(S); void missing(const char *f, ...) {}\n\
         void k(long *x) { S s = {{*x}}; g(s); }\n",
    )
    .unwrap();
    assert_eq!(
        fail("MT-3000-gcc g.s c.c -o g.out"),
        "MT-3000-gcc: error: g.s:2: `missing' cannot be called: it is no function, or its result or an argument \
         is neither a number nor a pointer\n"
    );
    fs::write(here.join("g.s"), "\t.global g\ng:\tSBR R63\n\tSNOP 6\n").unwrap();
    assert_eq!(
        fail("MT-3000-gcc g.s c.c -o g.out"),
        "MT-3000-gcc: error: in function `k': call of `g', which is in assembly: argument 1 is neither a number \
         nor a pointer\n"
    );
}

#[test]
fn code_is_shown_with_the_lines_that_it_is_from() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = "\t.global f\nf:\tSMOV R10, R20 ; a copy\n\t| [!R0] SADD 1, R12, R12\n\tSBR R63\n\tSNOP 6\n";
    fs::write(here.join("f.s"), text).unwrap();
    TREE.succeed("MT-3000-as f.s -o f.o && MT-3000-ld f.o -o f.out", here);
    let shown = TREE.succeed("MT-3000-objdump -d f.out", here);
    assert_eq!(
        shown,
        "\nf.out:     file format mt3000-assembly\n\nDisassembly of f.s:\n\n8000000000000000 <f>:\n\
         8000000000000000:\t  SMOV R10, R20\n                 \t| [!R0] SADD 1, R12, R12\n\
         8000000000000001:\t  SBR R63\n8000000000000002:\t  SNOP 6\n\n"
    );
    let lines = TREE.succeed("MT-3000-addr2line -f -e f.out 0x8000000000000001 5", here);
    assert_eq!(lines, "f\nf.s:4\n??\n??:0\n");
    // What is shown without addresses can be assembled again.
    // A reader that has left is no error.
    let line = "(sleep 0.2; MT-3000-objdump -d f.out 2> errors) | true; test ! -s errors";
    TREE.succeed(line, here);
    let line = "m3cc-objdump -d f.o | sed -n 's/^[0-9a-f ]*:*\\t//p' > g.s && m3cc-as g.s -o g.o";
    TREE.succeed(line, here);
    for (line, message) in [
        ("MT-3000-as", "usage: MT-3000-as"),
        ("MT-3000-objdump f.o", "usage: MT-3000-objdump -d"),
        ("MT-3000-objdump -d f.s", "file not recognized"),
        ("MT-3000-addr2line -e f.o xyz", "xyz: not an address"),
    ] {
        let output = TREE.run(line, here);
        assert_eq!(output.status.code(), Some(1), "{line}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{line}: {text}");
    }
}

#[test]
fn files_are_preprocessed() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("return.h"), "#define RETURN SBR R63\n").unwrap();
    let text = "#include \"return.h\"\n\t.global f\nf:\tRETURN\n#ifdef WRONG\n\tSADD R1\n#endif\n\tSNOP LEFT\n";
    fs::write(here.join("f.S"), text).unwrap();
    TREE.succeed("MT-3000-gcc -DLEFT=6 -c f.S", here);
    let shown = TREE.succeed("MT-3000-objdump -d f.o", here);
    assert!(
        shown.contains("  SBR R63\n") && shown.contains("  SNOP 6\n"),
        "{shown}"
    );
    let output = TREE.run("MT-3000-gcc -DLEFT=6 -D WRONG -c f.S", here);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("f.S:5:2: error: 'SADD' has 3 operands, not 1\n"),
        "{errors}"
    );
    let output = TREE.run("MT-3000-gcc -c f.S -include missing.h", here);
    assert_eq!(output.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("error: 'missing.h' file not found"),
        "{errors}"
    );
}

#[test]
fn the_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    let example = repository("examples/hthreads-assembly");
    TREE.succeed(
        &format!("cp {}/* . && make", example.display()),
        folder.path(),
    );
    let printed = TREE.succeed("./axpy 3", folder.path());
    assert_eq!(printed, "3 threads, 196608 elements, 0 wrong\n");
}

/// Statements in functions that have the same name, in files that have the same name.
#[test]
fn statements_in_c_belong_to_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (name, factor) in [("one", 2), ("other", 3)] {
        fs::create_dir(here.join(name)).unwrap();
        let text = format!(
            "static long scaled(long x) {{ __asm__(\"SSHFLL {factor}, %0, %0\" : \"+r\"(x)); return x; }}\n\
             long {name}(long x) {{ return scaled(x); }}\n"
        );
        fs::write(here.join(name).join("k.c"), text).unwrap();
        TREE.succeed(&format!("cd {name} && MT-3000-gcc -c k.c"), here);
    }
    TREE.succeed("MT-3000-ld one/k.o other/k.o -o k.out", here);
    let shown = TREE.succeed("MT-3000-objdump -d k.out", here);
    assert!(
        shown.contains("SSHFLL 2, R10, R10") && shown.contains("SSHFLL 3, R10, R10"),
        "{shown}"
    );
}
