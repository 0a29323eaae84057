//! The toolchain's command lines.

use crate::tree::TREE;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The standard error of a command line that must fail.
fn fail(line: &str, folder: &Path) -> String {
    let output = TREE.run(line, folder);
    assert!(!output.status.success(), "{line}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const MAIN: &str = "#include \"hthread_device.h\"\n\
    extern int helper(int);\n\
    __global__ void k(int *x) { *x = helper(get_thread_id()); }\n";

/// LLVM takes longer to load than the linker to run.
#[test]
fn tools_without_a_compiler_do_not_load_llvm() {
    let loads_llvm = |program: &str| {
        let program = fs::read(program).unwrap();
        program.windows(7).any(|bytes| bytes == b"libLLVM")
    };
    assert!(!loads_llvm(env!("CARGO_BIN_EXE_m3cc-link")));
    assert!(loads_llvm(env!("CARGO_BIN_EXE_m3cc")));
    let folder = folder(&[]);
    let version = TREE.succeed("MT-3000-ld --version", folder.path());
    assert_eq!(version, TREE.succeed("m3cc --version", folder.path()));
}

#[test]
fn several_files_and_archives_become_one_image() {
    let folder = folder(&[
        ("k.c", MAIN),
        (
            "helper.c",
            "int other(int);\nint helper(int x) { return other(x) + SHIFT; }\n",
        ),
        ("other.c", "int other(int x) { return 2 * x; }\n"),
        (
            "unused.c",
            "int unused(void) { return missing(); }\nint missing(void);\n",
        ),
    ]);
    let here = folder.path();
    TREE.succeed(
        "MT-3000-gcc -c -O2 -DSHIFT=3 -Wno-implicit-function-declaration \
        k.c helper.c other.c unused.c",
        here,
    );
    TREE.succeed(
        "MT-3000-ar -rc libh.a unused.o helper.o && MT-3000-ar r libh.a other.o",
        here,
    );
    assert_eq!(
        TREE.succeed("MT-3000-ar t libh.a", here),
        "unused.o\nhelper.o\nother.o\n"
    );
    TREE.succeed(
        "MT-3000-ld -o k.out k.o -L. -lh && MT-3000-makedat -J k.out",
        here,
    );
    let image = fs::read_to_string(here.join("k.dat")).unwrap();
    for line in [
        "\n$5  \n",
        "\nhelper  -0x",
        "\nk  -0x",
        "\nother  -0x",
        "<.mocl3.bitcode>",
    ] {
        assert!(image.contains(line), "{line}");
    }
    assert!(!image.contains("unused"));
    // In one step, by the paper's name.
    TREE.succeed(
        "m3cc -O2 -DSHIFT=3 k.c helper.c -L. -lh -o k2.out && m3cc-makedat k2.out",
        here,
    );
    assert_eq!(fs::read(here.join("k2.dat")).unwrap(), image.as_bytes());
    fs::remove_file(here.join("helper.o")).unwrap();
    TREE.succeed("MT-3000-ar x libh.a helper.o && test -s helper.o", here);
}

/// As Makefiles for the machine name them, with libvm in a folder of its own.
#[test]
fn libraries_are_found_by_their_names() {
    let folder = folder(&[(
        "k.c",
        "#include <compiler/m3000.h>\n#include <math.h>\n#include <vector_math.h>\n#include \"hthread_device.h\"\n\
         __global__ void k(lvector double *x, double y) { *x = vm_sqrtd16(*x) * sqrt(y); hthread_printf(\"%g\", y); }\n",
    )]);
    let root = "root=$(dirname $(command -v MT-3000-gcc))/../..";
    let compile = "MT-3000-gcc -c -O2 -I$root/hthreads/include -I$root/libvm/include -I$root/dsp_compiler/include k.c";
    let link = "MT-3000-ld k.o -L$root/hthreads/lib -L$root/libvm/lib -L$root/dsp_compiler/lib --gc-sections \
                -T$root/hthreads/lib/dsp.lds -lhthread_device -lvm -lm -lc -o k.out";
    TREE.succeed(
        &format!("{root} && {compile} && {link} && MT-3000-makedat -J k.out"),
        folder.path(),
    );
    assert!(folder.path().join("k.dat").exists());
}

#[test]
fn errors_are_those_of_clang() {
    let folder = folder(&[
        ("wrong.c", "void f(void) {\n  undeclared = 1;\n}\n"),
        ("vector.c", "lvector char v;\n"),
        (
            "asm.c",
            "void f(double x) {\n  __asm__(\"SNOP 1\\n\\tSMOV R1\");\n  __asm__(\"SMOV %0, R1\" : : \"x\"(x));\n  \
             __asm__(\"VMOV %0, VR1\" : : \"v\"(x));\n}\n",
        ),
        (
            "old.c",
            "long *f(long x) { return x; }\nint g(void) { return h(); }\n",
        ),
    ]);
    let here = folder.path();
    let text = fail("MT-3000-gcc -c wrong.c", here);
    assert!(
        text.starts_with("wrong.c:2:3: error: use of undeclared identifier 'undeclared'\n"),
        "{text}"
    );
    assert!(
        text.contains("    2 |   undeclared = 1;\n      |   ^"),
        "{text}"
    );
    let text = fail("MT-3000-gcc -c vector.c", here);
    assert!(
        text.contains("vector.c:1:1: error: 'lvector' is followed by double"),
        "{text}"
    );
    let text = fail("MT-3000-gcc -g -c asm.c", here);
    assert!(
        text.contains("asm.c:3:2: error: 'SMOV' has 2 operands, not 1")
            && text.contains("asm.c:3:3: error: assembly: operands of 'x' are not supported")
            && text.contains("asm.c:4:3: error: assembly: operand 0 is no vector of 1024 bits"),
        "{text}"
    );
    let text = fail("MT-3000-gcc -c asm.c", here);
    assert!(
        text.contains("asm.c: assembly in function 'f':2:2: error: 'SMOV' has 2 operands, not 1"),
        "{text}"
    );
    // What GCC 8 warned of.
    let output = TREE.run("MT-3000-gcc -c old.c", here);
    assert!(output.status.success());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        text.contains("old.c:1:26: warning:") && text.contains("old.c:2:22: warning:"),
        "{text}"
    );
}

#[test]
fn functions_may_be_defined_behind_their_calls() {
    let folder = folder(&[
        (
            "k.c",
            "typedef float real;\n\
             static int before(int x) { return x; }\n\
             long k(void) { early(1, 2); before(3); return late(4); }\n\
             int known(real x);\n\
             int other(void) { return known(5) + late(6); }\n\
             __attribute__((section(\".global\"))) void early(real a, char b) {}\n\
             long late(real x) { return x; }\n\
             int known(real x) { return x; }\n\
             struct pair { int a, b; } pair = {1, 2}, *none = 0;\n",
        ),
        ("undefined.c", "int f(void) { return missing(1); }\n"),
    ]);
    let here = folder.path();
    let output = TREE.run("MT-3000-gcc -c k.c", here);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    for (place, name) in [("k.c:3:16", "early"), ("k.c:3:47", "late")] {
        let warning = format!("{place}: warning: function '{name}' is called before");
        assert!(text.contains(&warning), "{warning}\n{text}");
    }
    assert_eq!(text.matches("warning: ").count(), 2, "{text}");
    let output = TREE.run("MT-3000-gcc -c undefined.c", here);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success() && text.contains("undeclared function"),
        "{text}"
    );
}

/// The intrinsic for the other type may be meant. Bits of the same kind are taken without a warning.
#[test]
fn numbers_taken_as_integers_by_intrinsics_are_warned_of() {
    let folder = folder(&[(
        "k.c",
        "#include \"compiler/m3000.h\"\n\
         lvector double f(lvector long m, lvector unsigned long u, lvector double a) {\n\
             lvector long n = vec_eq(m, u);\n\
             return vec_mula(n, a, a); }\n",
    )]);
    let output = TREE.run("MT-3000-gcc -c k.c", folder.path());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    for argument in [2, 3] {
        let warning = format!(
            "k.c:4:8: warning: the bits of argument {argument} are taken as an 'lvector long'"
        );
        assert!(text.contains(&warning), "{warning}\n{text}");
    }
    assert_eq!(text.matches("warning: ").count(), 2, "{text}");
}

#[test]
fn c_is_written_in_the_assembly_language_of_llvm() {
    let folder = folder(&[("k.c", MAIN)]);
    let here = folder.path();
    TREE.succeed("MT-3000-gcc -S -emit-llvm -O2 k.c", here);
    let text = fs::read_to_string(here.join("k.ll")).unwrap();
    assert!(
        text.contains("define dso_local void @k(ptr") && text.contains(" @get_thread_id()"),
        "{text}"
    );
    TREE.succeed("MT-3000-gcc -S -emit-llvm k.c -o other.ll", here);
    assert!(here.join("other.ll").exists() && !here.join("k.o").exists());
    TREE.succeed("MT-3000-gcc -c other.ll && test -s other.o", here);
}

/// Makefiles compile to assembly and assemble that, in one step or in two.
#[test]
fn what_is_compiled_to_assembly_is_assembled() {
    let folder = folder(&[
        ("k.c", MAIN),
        (
            "h.c",
            "int helper(int x) { __asm__ volatile(\"SNOP 1\"); return x; }\n",
        ),
        (
            "Makefile",
            "%.s: %.c\n\tMT-3000-gcc -S -O2 $< -o $@\n%.o: %.s\n\tMT-3000-as $< -o $@\n",
        ),
    ]);
    let here = folder.path();
    let image = "MT-3000-ld k.o h.o -o k.out && MT-3000-makedat k.out && cat k.dat";
    let direct = TREE.succeed(&format!("MT-3000-gcc -c -O2 k.c h.c && {image}"), here);
    let functions = |image: &str| {
        let lines = image.lines().skip_while(|line| !line.starts_with('$'));
        let names = lines.take_while(|line| !line.starts_with('@'));
        names.map(str::to_owned).collect::<Vec<String>>()
    };
    TREE.succeed("rm k.o h.o && MT-3000-gcc -S -O2 k.c && make -sr h.o", here);
    let text = fs::read_to_string(here.join("k.s")).unwrap();
    assert!(
        text.starts_with("; m3cc wrote this file in the assembly language of LLVM")
            && text.contains("define dso_local void @k(ptr"),
        "{text}"
    );
    let assembled = TREE.succeed(&format!("MT-3000-gcc -c k.s && {image}"), here);
    assert_eq!(functions(&assembled), functions(&direct));
    assert!(functions(&direct).len() > 2, "{direct}");
}

#[test]
fn files_are_only_preprocessed() {
    let folder = folder(&[
        (
            "k.c",
            "#include \"scale.h\"\nlong scaled(lvector long *x) { x[0] = x[0] * SCALE; return 0; }\n",
        ),
        ("scale.h", "#define SCALE 3\n"),
        ("f.S", "#include \"scale.h\"\n\tSNOP SCALE\n"),
    ]);
    let here = folder.path();
    let text = TREE.succeed("MT-3000-gcc -E -O2 k.c", here);
    assert!(
        text.contains("# 1 \"k.c\"") && text.contains("x[0] = x[0] * 3;"),
        "{text}"
    );
    assert_eq!(TREE.succeed("MT-3000-gcc -E -P f.S", here).trim(), "SNOP 3");
    let line = "MT-3000-gcc -E -P -iquote . -idirafter . -imacros scale.h -nostdlib -static f.S";
    assert_eq!(TREE.succeed(line, here).trim(), "SNOP 3");
    // What has been preprocessed can be compiled.
    TREE.succeed("MT-3000-gcc -E k.c -o k.i && MT-3000-gcc -c -O2 k.i", here);
    assert!(here.join("k.o").exists());
    let macros = TREE.succeed("m3cc -E -dM -DMORE=5 k.c", here);
    assert!(
        macros.contains("#define SCALE 3\n") && macros.contains("#define MORE 5\n"),
        "{macros}"
    );
}

#[test]
fn dependencies_are_rules_for_make() {
    let folder = folder(&[
        ("k.c", MAIN),
        (
            "h.c",
            "#include \"hthread_device.h\"\n#include \"more.h\"\nint helper(int x) { return x; }\n",
        ),
        ("more.h", "#include <stdint.h>\n"),
    ]);
    let here = folder.path();
    TREE.succeed("MT-3000-gcc -MMD -MP -c k.c h.c", here);
    let read = |name: &str| fs::read_to_string(here.join(name)).unwrap();
    assert_eq!(read("k.d"), "k.o: k.c\n");
    assert_eq!(read("h.d"), "h.o: h.c more.h\nmore.h:\n");
    TREE.succeed("MT-3000-gcc -MD -MF rules -MT all -c h.c -o x.o", here);
    assert_eq!(read("rules"), "all: h.c more.h\n");
    let rules = TREE.succeed("MT-3000-gcc -MM h.c k.c", here);
    assert_eq!(rules, "h.o: h.c more.h\nk.o: k.c\n");
    assert!(!here.join("h.o.d").exists());
    assert_eq!(TREE.succeed("MT-3000-gcc -MM h.c -MF all.d", here), "");
    assert_eq!(read("all.d"), "h.o: h.c more.h\n");
    // A Makefile that includes them has no rule for the toolchain's headers.
    let makefile = "h.o: h.c\n\tMT-3000-gcc -MMD -c h.c\n-include h.d\n";
    fs::write(here.join("Makefile"), makefile).unwrap();
    // Times of files may be the same for some milliseconds.
    let line = "make -B && touch -d '2 minutes ago' h.c more.h && touch -d '1 minute ago' h.o && make -q && \
                touch more.h && ! make -q";
    TREE.succeed(line, here);
}

#[test]
fn wrong_command_lines_and_links_are_refused() {
    let folder = folder(&[
        ("k.c", MAIN),
        ("a.c", "int helper(int x) { return x; }\nint twice;\n"),
        ("b.c", "int helper(int x) { return x; }\nint twice;\n"),
        (
            "large.c",
            "__attribute__((section(\".gsm\"))) char big[6 << 20], more[8];\n",
        ),
        ("f.s", ""),
        ("text.o", "text"),
        ("wrong.ll", "define wrong"),
    ]);
    let here = folder.path();
    TREE.succeed("MT-3000-gcc -c k.c a.c b.c large.c", here);
    for (line, message) in [
        (
            "MT-3000-ld k.o -o k.out",
            "k.o: undefined reference to `helper'",
        ),
        (
            "MT-3000-ld k.o a.o b.o -o k.out",
            "b.o: multiple definition of `helper'; a.o: first",
        ),
        (
            "MT-3000-ld large.o -o l.out",
            "`.gsm' will not fit: 6291464 bytes, GSM has 6291456",
        ),
        (
            "MT-3000-ld missing.o",
            "cannot find missing.o: No such file or directory",
        ),
        ("MT-3000-ld k.o -lmissing", "cannot find -lmissing"),
        (
            "MT-3000-ld k.o -Tmissing.lds",
            "cannot open linker script file missing.lds",
        ),
        ("MT-3000-ld text.o", "text.o: file not recognized"),
        ("MT-3000-ld", "no input files"),
        ("MT-3000-ld --wrong k.o", "unrecognized option '--wrong'"),
        ("MT-3000-gcc", "no input files"),
        ("MT-3000-gcc -c missing.c", "missing.c"),
        ("MT-3000-gcc -c none.s", "none.s: No such file or directory"),
        ("MT-3000-gcc -S f.s", "f.s: '-S' takes C files"),
        (
            "MT-3000-gcc -S k.c a.c -o x.s",
            "cannot specify '-o' with '-S' with multiple files",
        ),
        ("MT-3000-gcc -c wrong.ll", "wrong.ll: error: "),
        ("MT-3000-gcc -c -emit-llvm k.c", "'-emit-llvm' needs '-S'"),
        ("MT-3000-gcc -E f.s", "f.s: file is not preprocessed"),
        ("MT-3000-gcc -E", "no input files"),
        ("MT-3000-gcc -MD -c k.c -MF", "missing argument to '-MF'"),
        ("MT-3000-gcc -S -emit-llvm f.s", "f.s: '-S' takes C files"),
        (
            "MT-3000-gcc -c --wrong k.c",
            "unrecognized command-line option '--wrong'",
        ),
        (
            "MT-3000-gcc -c k.c a.c -o x.o",
            "cannot specify '-o' with '-c' with multiple files",
        ),
        ("MT-3000-gcc -c k.c -o", "missing argument to '-o'"),
        ("MT-3000-ar rk lib.a", "invalid option -- 'k'"),
        ("MT-3000-ar r", "usage: MT-3000-ar"),
        ("MT-3000-makedat", "usage: MT-3000-makedat"),
        ("MT-3000-makedat -J text.o", "text.o: file not recognized"),
    ] {
        let text = fail(line, here);
        assert!(text.contains(message), "{line}\n{text}");
    }
}
