//! CLBlast: its correctness tests, packaged by Debian, and an example program that uses its C
//! interface.

use super::{Client, examples, text, text_and_success};
use crate::platform::Platform;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// Routines whose tests fail, by the name that the test prints, with the reason.
pub const FAILING: &[(&str, &str)] = &[
    (
        "iHAMAX",
        "the index is written as four bytes, the test's reference writes two: the other two \
         are taken for an overflow. The same on Intel's runtime",
    ),
    ("HAXPYBATCHED", HALF_BATCHES),
    ("HGEMMBATCHED", HALF_BATCHES),
];

const HALF_BATCHES: &str = "CLBlast stores the batch's scalars as two-byte halves, and its kernel \
                            reads them as four-byte floats (`real_arg`), beyond the buffer's end \
                            too. The same on Intel's runtime; PoCL has no half precision";

/// Test programs of all three levels of BLAS that take a second or two each.
const SHORT: &[&str] = &[
    "xamax",
    "xaxpy",
    "xaxpybatched",
    "xdot",
    "xgemv",
    "xhemv",
    "xhad",
    "xger",
    "xscal",
    "xsyrk",
    "xtrsv",
    "xomatcopy",
];

/// The clients: the example program and the tests.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "CLBlast's C interface",
        from: "examples/clblast, with Debian's libclblast-dev",
        command: "./blas",
        right: "GEMM, GEMV, TRSM, AXPY and GEMM in batches, in half, single and double \
                precision, are as near to plain loops as rounding allows",
        packages: &["libclblast-dev"],
        short: true,
        run: program,
    },
    Client {
        name: "CLBlast's tests, a part",
        from: "Debian clblast-tests",
        command: "clblast_test_xaxpy, clblast_test_xgemv, … (12 programs)",
        right: "every routine in every precision agrees with the reference BLAS but those below",
        packages: PACKAGES,
        short: true,
        run: |platform| tests(platform, SHORT),
    },
    Client {
        name: "CLBlast's tests, all",
        from: "Debian clblast-tests",
        command: "all 50 programs clblast_test_*",
        right: "every routine in every precision agrees with the reference BLAS but those below",
        packages: PACKAGES,
        short: false,
        run: |platform| tests(platform, &installed()?),
    },
];

const PACKAGES: &[&str] = &["clblast-tests"];

fn program(platform: &Platform) -> Result<String> {
    let program = examples::compile("cc", "clblast/blas.c", &["-lclblast"])?;
    let text = text(platform.point(&mut Command::new(program)))?;
    Ok(text.lines().last().unwrap_or_default().to_owned())
}

/// The names of all test programs, without their common prefix.
fn installed() -> Result<Vec<&'static str>> {
    let mut names = Vec::new();
    for file in std::fs::read_dir("/usr/bin")? {
        let file = file?.file_name();
        if let Some(name) = file.to_string_lossy().strip_prefix(PREFIX) {
            names.push(&*name.to_owned().leak());
        }
    }
    names.sort_unstable();
    if names.len() < 50 {
        bail!("only {} test programs are installed", names.len());
    }
    Ok(names)
}

const PREFIX: &str = "clblast_test_";

/// A test program's result for a routine in one precision.
#[derive(Debug, PartialEq, Eq)]
struct Routine {
    name: String,
    passed: usize,
    failed: usize,
}

/// Parses the output of a test program.
fn routines(text: &str) -> Vec<Routine> {
    let mut routines: Vec<Routine> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("* Starting tests for the '") {
            routines.push(Routine {
                name: rest.split('\'').next().unwrap_or(rest).to_owned(),
                passed: 0,
                failed: 0,
            });
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if let ([count, "test(s)", what], Some(routine)) = (&words[..], routines.last_mut()) {
            let count = count.parse().unwrap_or(0);
            match *what {
                "passed" => routine.passed = count,
                "failed" => routine.failed = count,
                _ => {}
            }
        }
    }
    routines
}

fn tests(platform: &Platform, programs: &[&str]) -> Result<String> {
    let ours = platform.is_ours();
    let (mut passed, mut failed, mut wrong) = (0, 0, Vec::new());
    for program in programs {
        let mut test = Command::new(format!("{PREFIX}{program}"));
        let (text, _) = text_and_success(platform.point(&mut test))?;
        let routines = routines(&text);
        // On platforms without half precision, such as PoCL, that part has no counts.
        let counted: usize = routines.iter().map(|routine| routine.passed).sum();
        if counted == 0 {
            bail!("{program} has not tested anything:\n{}", super::tail(&text));
        }
        // All programs together take hours under checks.
        eprintln!("{PREFIX}{program} ended: {counted} tests passed");
        for routine in routines {
            passed += routine.passed;
            failed += routine.failed;
            let listed = FAILING.iter().any(|(name, _)| *name == routine.name);
            if routine.failed > 0 && !listed {
                wrong.push(format!("{} fails {} tests", routine.name, routine.failed));
            } else if ours && routine.failed == 0 && (listed || routine.passed == 0) {
                wrong.push(format!("{} passes {} tests", routine.name, routine.passed));
            }
        }
    }
    if !wrong.is_empty() {
        return Err(anyhow::anyhow!(wrong.join(", "))).context("other than expected");
    }
    Ok(format!("{passed} passed, {failed} failed as expected"))
}

#[cfg(test)]
mod tests {
    use super::{Routine, routines};

    #[test]
    fn the_counts_of_each_routine_are_read() {
        let text = "\
* Starting tests for the 'SAXPY' routine. Legend:
   : -> Test produced correct results
   ::::X:::
   Pass rate 100.0%: 36 passed / 0 skipped / 0 failed
* Completed all test-cases for this routine. Results:
   36 test(s) passed
   2 test(s) skipped
   1 test(s) failed
* Starting tests for the 'HAXPY' routine.
* All tests skipped: Unsupported precision
";
        assert_eq!(
            routines(text),
            [
                Routine {
                    name: "SAXPY".to_owned(),
                    passed: 36,
                    failed: 1
                },
                Routine {
                    name: "HAXPY".to_owned(),
                    passed: 0,
                    failed: 0
                }
            ]
        );
    }
}
