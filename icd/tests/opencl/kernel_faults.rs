//! Faults in kernels and Ctrl-C: what is printed, and that the signal then has the program's effect.

use crate::process::compile;
use crate::session::vendors;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

/// How a process ends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Signal(i32),
    Code(i32),
}

/// What the program's own handler exits with.
const HANDLED: End = End::Code(42);

const CRASHED: &str = "MOCL3: kernel `";

/// The end of a process with the platform under test, and its standard error.
fn end_of(command: &mut Command) -> (End, String) {
    let output = command.env("OCL_ICD_VENDORS", vendors()).output().unwrap();
    let end = match output.status.signal() {
        Some(signal) => End::Signal(signal),
        None => End::Code(output.status.code().unwrap()),
    };
    (end, String::from_utf8(output.stderr).unwrap())
}

/// Runs `kernel_faults HANDLER FAULT`: how it must end, and what the paragraph must contain; none
/// must be printed if that is empty.
#[track_caller]
fn check(handler: &str, fault: &str, expected: End, parts: &[&str]) {
    for lanes in ["0", "8"] {
        let mut command = Command::new(compile("kernel_faults"));
        command.args([handler, fault]).env("MOCL3_LANES", lanes);
        let (end, errors) = end_of(&mut command);
        assert_eq!(end, expected, "{handler} {fault}: {errors}");
        let count = errors.matches(CRASHED).count();
        assert_eq!(count, usize::from(!parts.is_empty()), "{errors}");
        for part in parts {
            assert!(errors.contains(part), "{handler} {fault}: {errors}");
        }
    }
}

#[test]
fn a_fault_in_a_kernel_is_explained_before_the_process_ends() {
    let size = "of global size (64), local size (8).";
    for (fault, signal, parts) in [
        (
            "after",
            libc::SIGSEGV,
            [
                "kernel `store` crashed (SIGSEGV: ",
                "in work-group (2) ",
                ", 24 bytes after the end of argument 0 `data` (4096 bytes).",
            ],
        ),
        (
            "before",
            libc::SIGSEGV,
            [
                "kernel `store` crashed (SIGSEGV: ",
                "in work-group (2) ",
                ", 12 bytes before the start of argument 0 `data` (4096 bytes).",
            ],
        ),
        (
            "null",
            libc::SIGSEGV,
            [
                "kernel `store_to_null` crashed (SIGSEGV: ",
                "in work-group (2) ",
                "address 0xc, 12 bytes after NULL, the value of argument 1 `empty`.",
            ],
        ),
        (
            "bus",
            libc::SIGBUS,
            [
                "kernel `store` crashed (SIGBUS: ",
                "in work-group (2) ",
                ", 16 bytes after the start of argument 0 `data` (4096 bytes).",
            ],
        ),
        (
            "trap",
            libc::SIGILL,
            [
                "kernel `trap` crashed (SIGILL: ",
                "in work-group (",
                "run `mocl3 check -- PROGRAM ARGUMENTS`",
            ],
        ),
        (
            "stop",
            libc::SIGTRAP,
            [
                "kernel `stop` crashed (SIGTRAP: ",
                "in work-group (",
                "run `mocl3 check -- PROGRAM ARGUMENTS`",
            ],
        ),
        (
            "arithmetic",
            libc::SIGFPE,
            [
                "kernel `divide` crashed (SIGFPE: an arithmetic exception) ",
                "in work-group (",
                "run `mocl3 check -- PROGRAM ARGUMENTS`",
            ],
        ),
    ] {
        check(
            "none",
            fault,
            End::Signal(signal),
            &[&parts[..], &[size]].concat(),
        );
    }
}

#[test]
fn guard_pages_stop_accesses_beyond_the_ends() {
    let end = End::Signal(libc::SIGSEGV);
    // At most a page's rest and a margin of a page are between the end and a guard, before the start
    // a quarter of the size and a margin.
    for (size, before) in [
        (4096, 12_288),
        (5000, 12_288),
        (100_000, 24_576),
        (300_000, 24_576),
        (5_000_000, 24_576),
    ] {
        let memory = format!("of argument 0 `data` ({size} bytes).");
        for (bytes, place) in [
            (8192, "8192 bytes after the end".to_owned()),
            (-before, format!("{before} bytes before the start")),
        ] {
            let parts = ["kernel `store` crashed", &place, &memory];
            check("none", &format!("beyond {size} {bytes}"), end, &parts);
        }
    }
    let local = "8192 bytes after the end of the work-group's local memory (400 bytes).";
    check(
        "none",
        "local",
        end,
        &["kernel `store_to_local` crashed", local],
    );
    let private = [
        "kernel `store_to_private` crashed",
        " after the end of the work-group's private memory (",
    ];
    check("none", "private", end, &private);
}

#[test]
fn the_place_in_the_source_is_found() {
    let place = "MOCL3: the place in the source is program.cl:";
    for (fault, signal, at) in [
        (
            "after",
            libc::SIGSEGV,
            "1:109\n  1 | ... void store(global int *data, ",
        ),
        ("read", libc::SIGSEGV, "2:"),
        ("null", libc::SIGSEGV, "3:"),
        ("trap", libc::SIGILL, "4:"),
        ("local", libc::SIGSEGV, "5:"),
        ("private", libc::SIGSEGV, "6:"),
        (
            "call",
            libc::SIGSEGV,
            "7:49, in function `put`\n  7 | void put(",
        ),
        // The host function that copies is called by the kernel.
        ("copy", libc::SIGSEGV, "10:"),
        ("binary", libc::SIGSEGV, "1:109"),
        ("stop", libc::SIGTRAP, "11:"),
    ] {
        check(
            "none",
            fault,
            End::Signal(signal),
            &[&format!("{place}{at}")],
        );
    }
}

#[test]
fn the_place_is_found_in_programs_that_are_linked() {
    // Both sources have the same name.
    let place = "MOCL3: the place in the source is program-2.cl:4:10, in function `far_put`\n  \
                 4 |   *place = VALUE;\n    |          ^\n";
    for fault in ["linked", "library", "linked binary"] {
        check("none", fault, End::Signal(libc::SIGSEGV), &[place]);
    }
}

#[test]
fn the_paragraph_names_reads_and_writes() {
    let end = End::Signal(libc::SIGSEGV);
    let read = [
        "kernel `load` crashed",
        ". It read address 0x",
        ", 28 bytes after the end",
    ];
    check("none", "read", end, &read);
    check("none", "after", end, &[". It wrote to address 0x"]);
    check("none", "null", end, &[". It wrote to address 0xc, "]);
}

#[test]
fn the_programs_handler_gets_the_fault_as_it_asked() {
    for handler in ["early", "no-defer", "reset"] {
        for fault in ["after", "before", "bus"] {
            check(
                handler,
                fault,
                HANDLED,
                &["kernel `store` crashed", "own handler"],
            );
        }
    }
    check(
        "early",
        "trap",
        HANDLED,
        &["kernel `trap` crashed", "own handler"],
    );
    check(
        "early",
        "stop",
        HANDLED,
        &["kernel `stop` crashed", "own handler"],
    );
    let arithmetic = [
        "kernel `divide` crashed (SIGFPE",
        "the place in the source is program.cl:12:",
        "own handler",
    ];
    check("early", "arithmetic", HANDLED, &arithmetic);
    check("number", "after", HANDLED, &["kernel `store` crashed"]);
    check("late", "after", HANDLED, &[]);
    let chained = ["own handler", "24 bytes after the end of argument 0"];
    check("chained", "after", End::Signal(libc::SIGSEGV), &chained);
}

#[test]
fn faults_outside_kernels_are_the_programs() {
    for fault in ["host", "sent"] {
        check("none", fault, End::Signal(libc::SIGSEGV), &[]);
        check("number", fault, HANDLED, &[]);
    }
    for handler in ["early", "no-defer", "reset", "late"] {
        check(handler, "host", HANDLED, &[]);
    }
    check("chained", "host", End::Signal(libc::SIGSEGV), &[]);
}

/// The program as a library.
fn library() -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join("kernel_faults.so");
    let compiled = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(&library)
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/programs/kernel_faults.c"
        ))
        .arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/include"))
        .args(["-lOpenCL", "-lpthread"])
        .status()
        .unwrap();
    assert!(compiled.success());
    library
}

#[test]
fn pythons_faulthandler_prints_its_trace_as_well() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("not tested: there is no python3");
        return;
    }
    let library = library();
    for enabled in ["before", "after"] {
        let (first, second) = match enabled {
            "before" => ("faulthandler.enable()", "library.prepare(b'none')"),
            _ => ("library.prepare(b'none')", "faulthandler.enable()"),
        };
        let script = format!(
            "import ctypes, faulthandler\nlibrary = ctypes.CDLL({:?})\n{first}\n{second}\n\
             library.cause(b'after')\n",
            library.display().to_string()
        );
        let (end, errors) = end_of(Command::new("python3").args(["-c", &script]));
        assert_eq!(end, End::Signal(libc::SIGSEGV), "{errors}");
        for part in [
            "MOCL3: kernel `store` crashed (SIGSEGV",
            "Fatal Python error: Segmentation fault",
        ] {
            assert_eq!(errors.matches(part).count(), 1, "{enabled}: {errors}");
        }
    }
}

#[test]
fn ctrl_c_names_the_launch_that_runs() {
    let program = compile("interrupted_kernel");
    let (end, errors) = end_of(&mut Command::new(&program));
    assert_eq!(end, End::Signal(libc::SIGINT), "{errors}");
    let sentence = "MOCL3: interrupted while kernel `turn` runs: launch 2 of the process, \
                    global size (6, 4), local size (3, 2).\n";
    assert_eq!(errors, sentence);
    let (end, errors) = end_of(Command::new(&program).arg("handler"));
    assert_eq!((end, errors.as_str()), (HANDLED, ""));
}
