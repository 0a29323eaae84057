//! The ends of processes: C programs of `tests/programs`, each of which must end by
//! itself, with success.

use crate::session::vendors;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A program of `tests/programs`, compiled at its first use.
pub fn compile(name: &str) -> PathBuf {
    static COMPILED: LazyLock<Mutex<HashMap<String, PathBuf>>> = LazyLock::new(Mutex::default);
    // Not locked during the compilation: others compile at the same time.
    if let Some(program) = COMPILED.lock().get(name) {
        return program.clone();
    }
    let program = compile_anew(name);
    COMPILED.lock().insert(name.to_owned(), program.clone());
    program
}

fn compile_anew(name: &str) -> PathBuf {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let (source, compiler) = match programs.join(format!("{name}.cpp")) {
        source if source.exists() => (source, "c++"),
        _ => (programs.join(format!("{name}.c")), "cc"),
    };
    // Tests that run at the same time may compile the same program. No file of it is ever open
    // for writing here: children that others start would inherit that, and it could not be run.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let own = tempfile::tempdir_in(folder).unwrap();
    let (unfinished, program) = (own.path().join(name), folder.join(name));
    let compiled = Command::new(compiler)
        .args(["-O1", "-Wall", "-o"])
        .arg(&unfinished)
        .arg(&source)
        .arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/include"))
        .args(["-lOpenCL", "-lpthread", "-lm"])
        .status()
        .unwrap();
    assert!(compiled.success());
    std::fs::rename(unfinished, &program).unwrap();
    program
}

/// Compiles a program of `examples` into the folder.
pub fn compile_example(name: &str, folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name)
        .with_extension("c");
    let program = folder.join(source.file_stem().unwrap());
    let compiled = Command::new("cc")
        .args(["-O1", "-Wall", "-o"])
        .args([&program, &source])
        .arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/include"))
        .args(["-lOpenCL", "-lm"])
        .status()
        .unwrap();
    assert!(compiled.success());
    program
}

/// Compiles and runs a program; what it prints.
fn run(name: &str) -> String {
    run_with(&compile(name), &[])
}

/// Runs a program that has been compiled, with these variables; what it prints.
pub fn run_with(program: &Path, variables: &[(&str, &str)]) -> String {
    run_with_arguments(program, &[], variables)
}

/// As `run_with`, with arguments.
pub fn run_with_arguments(
    program: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
) -> String {
    let name = program.display();
    let mut child = Command::new(program)
        .args(arguments)
        .env("OCL_ICD_VENDORS", vendors())
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{name} {arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let read = |mut stream: Box<dyn Read>| {
        let mut printed = String::new();
        stream.read_to_string(&mut printed).unwrap();
        printed
    };
    let errors = read(Box::new(child.stderr.take().unwrap()));
    assert!(status.success(), "{name} {arguments:?}: {status}\n{errors}");
    eprint!("{errors}");
    read(Box::new(child.stdout.take().unwrap()))
}

#[test]
fn exit_while_queues_are_busy() {
    run("exit_busy");
}

/// Ends processes that compile for the first time, `count` for each manner, at random times.
fn exit_while_programs_are_compiled(count: usize) {
    let program = compile("exit_compiling");
    let mut random = fastrand::Rng::with_seed(18);
    for what in ["asynchronous", "synchronous"] {
        for how in [
            "return",
            "thread",
            "main_thread_first",
            "quick_exit",
            "_exit",
        ] {
            for _ in 0..count {
                let microseconds = random.u32(..300_000).to_string();
                let arguments = [what, how, &microseconds];
                run_with_arguments(&program, &arguments, &[("MOCL3_CACHE", "0")]);
            }
        }
    }
    for _ in 0..count {
        let arguments = ["asynchronous", "callback", "0"];
        run_with_arguments(&program, &arguments, &[("MOCL3_CACHE", "0")]);
    }
}

#[test]
fn exit_while_programs_are_compiled_for_the_first_time() {
    exit_while_programs_are_compiled(3);
}

#[test]
#[ignore = "takes many minutes; for changes of how processes end, and of LLVM's version"]
fn a_thousand_exits_while_programs_are_compiled() {
    exit_while_programs_are_compiled(100);
}

#[test]
fn what_several_devices_need_alike_is_compiled_once() {
    let program = compile("several_devices");
    for how in ["contexts", "builds"] {
        for cache in ["0", "1"] {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path().to_str().unwrap();
            let variables = [
                ("MOCL3_CACHE", cache),
                ("MOCL3_CACHE_DIR", folder),
                ("MOCL3_LOG", "debug"),
            ];
            let log = run_with_arguments(&program, &[how], &variables);
            let count = |text: &str| log.matches(text).count();
            assert_eq!(count("compiles program"), 2, "{how} {cache}\n{log}");
            assert_eq!(count("links a program"), 2, "{how} {cache}\n{log}");
            for kernel in ["k0_0", "k0_1", "k0_2", "k1_0", "k1_1", "k1_2"] {
                let compiled = count(&format!("compiles kernel `{kernel}`"));
                assert_eq!(compiled, 1, "{kernel} {how} {cache}\n{log}");
            }
        }
    }
}

#[test]
fn exit_while_a_kernel_never_ends() {
    run("kernel_without_end");
}

#[test]
fn buffers_that_the_system_has_no_memory_for() {
    run("no_address_space");
}

#[test]
fn fork_after_use() {
    run("fork_after_use");
}

#[test]
fn release_after_main() {
    run("release_after_main");
}

#[test]
fn kernels_print_in_the_c_locale() {
    let place = tempfile::tempdir().unwrap();
    let definition = place.path().join("definition");
    let text =
        "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
    std::fs::write(&definition, text).unwrap();
    // It warns of the categories that are not defined.
    let made = Command::new("localedef")
        .args(["-c", "--no-archive", "-i"])
        .args([&definition, &place.path().join("comma")])
        .output()
        .unwrap();
    let folder = place.path().to_str().unwrap();
    assert!(place.path().join("comma/LC_NUMERIC").exists(), "{made:?}");
    assert_eq!(
        run_with(&compile("locale"), &[("LOCPATH", folder)]),
        "1,50\n1.50 2.500000e+00 1.25 0x1.8p+0 0.500000,0.500000\n1234567 nan -inf\n1,50\n"
    );
}

#[test]
fn kernels_print_on_standard_output() {
    assert_eq!(
        run("printf"),
        "before\n\
         1,2.5,-3 0.500000,10000000000.000000 x text  1.25|%|\n\
         1,-2,3,4 ff,10 -5,6 8,8,8,8,8,8,8,8 \
         200,200,200,200,200,200,200,200,200,200,200,200,200,200,200,200\n\
         1.000000,2.000000 3.000000,3.000000,3.000000,3.000000 1099511627776 44 0xff (nil)\n\
         no arguments\ncall 0\ncall 1\n\
         7%n\nafter\n0 -1\n"
    );
}

#[test]
fn callbacks_and_native_kernels_may_throw_or_end_their_thread() {
    // It logs each of them as an error.
    run_with(&compile("leaving"), &[("MOCL3_LOG", "off")]);
}
