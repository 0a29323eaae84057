//! C programs that use CBLAS, on the library under test and the platform that cargo built, or that of
//! `OCL_ICD_VENDORS`.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder with the library: that of the test, or the one above.
fn library_folder() -> PathBuf {
    let test = env::current_exe().unwrap();
    let folders = test.ancestors().skip(1).take(2);
    let libraries = folders.filter_map(|folder| {
        let library = folder.join("libmocl3_cblas.so").metadata().ok()?;
        Some((library.modified().ok()?, folder.to_owned()))
    });
    libraries.max().expect("a built library").1
}

/// What the loader finds platforms by.
fn platforms() -> OsString {
    env::var_os("OCL_ICD_VENDORS").unwrap_or_else(|| {
        let test = env::current_exe().unwrap();
        // ocl-icd accepts a library's path in place of a folder of .icd files.
        harness::built::library(&test).unwrap().into()
    })
}

/// A program of `tests/programs`, compiled into a folder of its own.
struct Program(tempfile::TempDir);

impl Program {
    fn new(name: &str, options: &[&str]) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
        compiler.arg(folder.path().join("program"));
        compiler.arg(root.join("tests/programs").join(name).with_extension("c"));
        compiler.arg("-I").arg(root.join("include")).args(options);
        compiler.arg("-L").arg(library_folder());
        compiler.args(["-lmocl3_cblas", "-lpthread", "-lm"]);
        assert!(compiler.status().unwrap().success());
        Self(folder)
    }

    fn command(&self, argument: &str) -> Command {
        let mut folders = vec![library_folder()];
        folders.extend(env::split_paths(
            &env::var_os("LD_LIBRARY_PATH").unwrap_or_default(),
        ));
        let mut program = Command::new(self.0.path().join("program"));
        program.arg(argument);
        program.env("OCL_ICD_VENDORS", platforms());
        program.env("LD_LIBRARY_PATH", env::join_paths(folders).unwrap());
        program
    }

    /// Runs it; its exit status, and both its outputs.
    fn run(&self, argument: &str) -> (Option<i32>, String, String) {
        outcome(self.command(argument).output().unwrap())
    }

    fn succeeds(&self) {
        let (status, text, errors) = self.run("");
        println!("{text}");
        assert_eq!(status, Some(0), "{text}{errors}");
    }
}

fn outcome(output: Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn all_routines_have_the_results_of_loops() {
    Program::new("check", &[]).succeeds();
}

#[test]
fn arrays_of_a_call_may_overlap() {
    Program::new("overlap", &[]).succeeds();
}

#[test]
fn threads_may_call_at_the_same_time() {
    Program::new("threads", &[]).succeeds();
}

/// The messages are those of the reference: Debian's libblas3 3.11.0 prints them, with blanks behind the names.
#[test]
fn wrong_arguments_end_the_program_as_in_the_reference() {
    let calls = [
        (1, "dgemm", "Illegal layout setting, 0\n"),
        (9, "dgemm", ""),
        (11, "dgemm", ""),
        (2, "dgemm", "Illegal TransA setting, 7\n"),
        (3, "sgemv", ""),
        (9, "sgemv", ""),
        (6, "dgbmv", ""),
        (6, "dger", ""),
        (3, "dsymm", "Illegal Uplo setting, 9\n"),
        (7, "dtrsm", ""),
        (3, "dsyrk", "Illegal Trans setting, 5\n"),
        (8, "dsyr2k", ""),
        (4, "stbsv", "Illegal Diag setting, 3\n"),
        (8, "dspr2", ""),
        (2, "dtrmm", "Illegal Side setting, 1\n"),
        (10, "dsyr2", ""),
    ];
    let program = Program::new("wrong", &[]);
    for (call, (number, routine, setting)) in calls.into_iter().enumerate() {
        let (status, text, errors) = program.run(&call.to_string());
        let line = format!("Parameter {number} to routine cblas_{routine} was incorrect\n");
        assert_eq!(errors, line + setting, "call {call}");
        assert_eq!((status, text.as_str()), (Some(255), ""), "call {call}");
    }
}

#[test]
fn a_program_may_report_wrong_arguments_itself() {
    let (status, text, errors) = Program::new("wrong", &["-DOWN_XERBLA"]).run("0");
    let expected = "own: 1 cblas_dgemm Illegal layout setting, %d\n";
    assert_eq!((status, text.as_str()), (Some(0), expected), "{errors}");
}

#[test]
fn without_a_device_a_call_ends_the_program_with_a_line() {
    let empty = tempfile::tempdir().unwrap();
    let program = Program::new("overlap", &[]);
    let mut command = program.command("");
    command.env("OCL_ICD_VENDORS", empty.path());
    let (status, text, errors) = outcome(command.output().unwrap());
    assert_eq!((status, text.as_str()), (Some(1), ""));
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let begin = "cblas_dswap: clGetDeviceIDs has no device with the built-in kernel dgemm on 0 platforms; set";
    assert!(errors.starts_with(begin), "{errors}");
}

/// Equal launches share a time if asked to, and if they have one: in a recording.
#[test]
fn equal_launches_are_executed_once_if_asked_to() {
    let program = Program::new("repeated", &[]);
    let recording = tempfile::tempdir().unwrap();
    let run = |variables: &[(&str, &Path)]| {
        let mut command = program.command("");
        let (status, text, errors) = outcome(command.envs(variables.to_vec()).output().unwrap());
        assert_eq!(status, Some(0), "{errors}");
        (text, errors.matches("results are not computed").count())
    };
    let (shares, records) = (
        ("MOCL3_SHARE_LAUNCHES", Path::new("1")),
        ("MOCL3_RECORD", recording.path()),
    );
    let right = ("64\n128\n192\n256\n".to_owned(), 0);
    assert_eq!(run(&[records]), right);
    assert_eq!(run(&[shares]), right);
    assert_eq!(run(&[shares, records]), ("64\n64\n64\n64\n".to_owned(), 1));
}
