//! The OpenCL tests of Piglit, Mesa's test suite for drivers of many vendors.

use super::pytest::{Exception, Found, check};
use super::{Client, text};
use crate::platform::{Platform, target};
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The client.
pub const CLIENTS: &[Client] = &[Client {
    name: "Piglit's tests",
    from: "Debian piglit",
    command: "piglit run -x execute@bswap -x execute@clz-opt cl results",
    right: "every test passes on each of the four devices but those below; of the two left out, \
            kernels write beyond the ends of their buffers",
    packages: &["piglit"],
    short: false,
    run,
}];

/// Tests that fail.
pub const FAILING: &[Exception] = &[
    Exception {
        test: "api/clcreateprogramwithbinary",
        says: "fail",
        reason: "it makes a kernel of a program that is not built yet (5.7.1: \
                 CL_INVALID_PROGRAM_EXECUTABLE). The same on PoCL",
    },
    Exception {
        test: "api/clgetdeviceids",
        says: "crash",
        reason: "it has room for one device and requests all four",
    },
    Exception {
        test: "api/clgetextensionfunctionaddressforplatform",
        says: "fail",
        reason: "it wants NULL for a platform that is NULL; the loader answers for its own \
                 functions before it looks at the platform. The same on PoCL",
    },
    Exception {
        test: "api/clgetkernelarginfo",
        says: "fail",
        reason: "it wants CL_KERNEL_ARG_INFO_NOT_AVAILABLE without -cl-kernel-arg-info; here \
                 it is always there",
    },
    Exception {
        test: "program/build/include-directories",
        says: "fail",
        reason: "Debian's package lacks the header that it includes",
    },
    Exception {
        test: "program/execute/amdgcn-f32-inline-immediates/add integer 64",
        says: "fail",
        reason: "it wants a denormal number to become 0; devices here keep them \
                 (CL_FP_DENORM)",
    },
];

/// Tests that are skipped.
pub const SKIPPED: &[Exception] = &[
    Exception {
        test: "interop/egl_khr_cl_event2",
        says: "skip",
        reason: "it needs EGL",
    },
    Exception {
        test: "program/check predefined preprocessor macros/\
               cl_version_2_0 must be defined for opencl 2.0 and later",
        says: "skip",
        reason: OPENCL_2,
    },
    Exception {
        test: "program/execute/amdgcn-callee-saved-registers",
        says: "skip",
        reason: AMD,
    },
    Exception {
        test: "program/execute/call-clobbers-amdgcn",
        says: "skip",
        reason: AMD,
    },
    Exception {
        test: "program/execute/load-hi16-generic",
        says: "skip",
        reason: OPENCL_2,
    },
    Exception {
        test: "program/execute/load-lo16-generic",
        says: "skip",
        reason: OPENCL_2,
    },
    Exception {
        test: "program/execute/program-tester-check-local-size-test-should-skip/\
               this test should skip",
        says: "skip",
        reason: "as it says",
    },
    Exception {
        test: "program/execute/store-hi16-generic",
        says: "skip",
        reason: OPENCL_2,
    },
];

const OPENCL_2: &str = "of OpenCL 2.0";
const AMD: &str = "for AMD's devices only";

fn run(platform: &Platform) -> Result<String> {
    let results = target().join("piglit-results");
    let mut piglit = Command::new("piglit");
    piglit
        .args(["run", "--overwrite", "--log-level", "quiet"])
        .args(["-x", "execute@bswap", "-x", "execute@clz-opt", "cl"])
        .arg(&results);
    text(platform.point(&mut piglit))?;
    let mut summary = Command::new("piglit");
    let text = text(summary.args(["summary", "console"]).arg(&results))?;
    let passed = passed(&text);
    if passed < 4000 {
        bail!("only {passed} tests passed:\n{}", super::tail(&text));
    }
    let (skipped, failed): (Vec<Found>, Vec<Found>) = others(&text)
        .into_iter()
        .partition(|found| found.message == "skip");
    if platform.is_ours() {
        check("fails", &failed, FAILING, &["."])
            .and_then(|()| check("is skipped", &skipped, SKIPPED, &["."]))
            .context("other than expected")?;
    }
    let (failed, skipped) = (failed.len(), skipped.len());
    Ok(format!(
        "{failed} failed, {passed} passed, {skipped} skipped"
    ))
}

/// The number of lines `test: pass`.
fn passed(text: &str) -> usize {
    let tests = text.lines().take_while(|line| *line != "summary:");
    tests.filter(|line| line.ends_with(": pass")).count()
}

/// The tests with another result, with that result.
fn others(text: &str) -> Vec<Found> {
    text.lines()
        .take_while(|line| *line != "summary:")
        .filter_map(|line| {
            let (test, result) = line.rsplit_once(": ")?;
            (result != "pass").then(|| Found {
                test: test.to_owned(),
                message: result.to_owned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{others, passed};

    #[test]
    fn the_console_summary_is_read() {
        let text = "\
api/clgetdeviceids: crash
program/execute/x: pass
program/execute/y/add: 64: fail
summary:
       name: results
       pass:        4093
";
        assert_eq!(passed(text), 1);
        let others: Vec<(String, String)> = others(text)
            .into_iter()
            .map(|found| (found.test, found.message))
            .collect();
        let expected = [
            ("api/clgetdeviceids", "crash"),
            ("program/execute/y/add: 64", "fail"),
        ];
        assert_eq!(others, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }
}
