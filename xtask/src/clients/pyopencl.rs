//! PyOpenCL's own test-suite, from its source distribution on PyPI. [`FAILING`] and
//! [`SKIPPED`] tell why some of its tests cannot pass; a test that fails or is skipped
//! without being there is an error, and so is one there that passes.

use super::{Client, text_and_success};
use crate::platform::Platform;
use crate::python;
use anyhow::{Context, Result, bail};

/// The version whose tests the tables are of.
const SOURCE: &str = "pyopencl==2026.1.4";
const ENVIRONMENT: &[&str] = &[
    SOURCE,
    "mako==1.4.3",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "scipy",
];

/// A test that does not pass.
pub struct Exception {
    /// File and function, as pytest writes them.
    pub test: &'static str,
    /// What pytest says besides has this in it.
    pub says: &'static str,
    /// Why it does not pass.
    pub reason: &'static str,
}

impl Exception {
    fn is(&self, found: &Found) -> bool {
        self.test == found.test && found.message.contains(self.says)
    }
}

/// Tests that fail.
pub const FAILING: &[Exception] = &[
    Exception {
        test: "test_array.py::test_xdg_cache_home",
        says: "",
        reason: "it expects PyOpenCL to write a cache of its own below XDG_CACHE_HOME, which \
                 this version does not do; fails on PoCL too",
    },
    Exception {
        test: "test_wrapper.py::test_get_info",
        says: "",
        reason: "its last lines read `img.image`, an attribute PyOpenCL has removed; it leaves \
                 these lines out by name on PoCL and Intel's runtime",
    },
];

/// Tests that are skipped.
pub const SKIPPED: &[Exception] = &[
    Exception {
        test: "test_array.py::test_arrays_with_svm_allocators",
        says: "SVM",
        reason: SHARED_VIRTUAL_MEMORY,
    },
    Exception {
        test: "test_clmath.py::test_complex_bessel",
        says: "'pyfmmlib'",
        reason: "compares with the Fortran library pyfmmlib; with SciPy it runs, and passes",
    },
    Exception {
        test: "test_clmath.py::test_hankel_01_complex",
        says: "'pyfmmlib'",
        reason: "compares with the Fortran library pyfmmlib; with SciPy it runs, and passes",
    },
    Exception {
        test: "test_enqueue_copy.py::test_enqueue_copy_buffer_p2p_amd",
        says: "AMD-specific",
        reason: "an extension of AMD's",
    },
    Exception {
        test: "test_wrapper.py::test_spirv",
        says: "OpenCL 2.1",
        reason: "programs in SPIR-V are of OpenCL 2.1",
    },
    Exception {
        test: "test_wrapper.py::test_coarse_grain_svm",
        says: "SVM",
        reason: SHARED_VIRTUAL_MEMORY,
    },
    Exception {
        test: "test_wrapper.py::test_fine_grain_svm",
        says: "SVM",
        reason: SHARED_VIRTUAL_MEMORY,
    },
    Exception {
        test: "test_wrapper.py::test_zero_size_svm_allocations",
        says: "SVM",
        reason: SHARED_VIRTUAL_MEMORY,
    },
];

const SHARED_VIRTUAL_MEMORY: &str = "shared virtual memory is of OpenCL 2.0";

/// The suite, on one device and on all.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "PyOpenCL's tests, a part",
        from: "pyopencl's source distribution on PyPI",
        command: "PYOPENCL_TEST=0:0 pytest test_wrapper.py test_enqueue_copy.py \
                  test_arrays_in_structs.py test_clrandom.py",
        right: "every test passes but those below",
        packages: &[],
        short: true,
        run: |platform| {
            suite(
                platform,
                &[
                    "test_wrapper.py",
                    "test_enqueue_copy.py",
                    "test_arrays_in_structs.py",
                    "test_clrandom.py",
                ],
                Some("0:0"),
            )
        },
    },
    Client {
        name: "PyOpenCL's tests, all",
        from: "pyopencl's source distribution on PyPI",
        command: "pytest .",
        right: "every test passes on each of the four devices but those below",
        packages: &[],
        short: false,
        run: |platform| suite(platform, &["."], None),
    },
];

/// A test that did not pass, as pytest tells it.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    test: String,
    message: String,
}

/// What pytest said of each test, by its short summary.
#[derive(Default)]
struct Summary {
    failed: Vec<Found>,
    skipped: Vec<Found>,
    /// The last line, but for the time.
    counts: String,
}

/// Reads what `pytest -q -rsfE --no-fold-skipped` prints.
fn summary(text: &str) -> Summary {
    let mut summary = Summary::default();
    for line in text.lines() {
        if let Some(rest) = line
            .strip_prefix("FAILED ")
            .or_else(|| line.strip_prefix("ERROR "))
        {
            summary.failed.push(found(rest));
        } else if let Some(rest) = line.strip_prefix("SKIPPED ") {
            summary.skipped.push(found(rest));
        } else if let Some((counts, _time)) = line.split_once(" in ")
            && counts.contains(" passed")
        {
            counts
                .trim_matches(['=', ' '])
                .clone_into(&mut summary.counts);
        }
    }
    summary
}

/// Reads `file::test[parameters] - message`, of which the test alone is always there.
fn found(text: &str) -> Found {
    let (name, message) = text.split_once(" - ").unwrap_or((text, ""));
    // Parameters name the device, and may have spaces.
    let test = name.split('[').next().unwrap_or(name).trim();
    Found {
        test: test.to_owned(),
        message: message.to_owned(),
    }
}

/// What differs from the table: tests found that it lacks, and tests in it, of the files
/// that ran, that were not found.
fn surprises(found: &[Found], table: &[Exception], files: &[&str]) -> (Vec<String>, Vec<String>) {
    let ran = |entry: &&Exception| {
        files
            .iter()
            .any(|file| *file == "." || entry.test.starts_with(&format!("{file}::")))
    };
    let mut unlisted: Vec<String> = found
        .iter()
        .filter(|found| !table.iter().any(|entry| entry.is(found)))
        .map(|found| format!("{} {}", found.test, found.message))
        .collect();
    unlisted.sort_unstable();
    unlisted.dedup();
    let absent = table
        .iter()
        .filter(ran)
        .filter(|entry| !found.iter().any(|found| entry.is(found)))
        .map(|entry| entry.test.to_owned())
        .collect();
    (unlisted, absent)
}

/// Runs `files` of the suite, on the devices that `devices` names, or on all.
fn suite(platform: &Platform, files: &[&str], devices: Option<&str>) -> Result<String> {
    let environment = python::environment("pyopencl-tests", ENVIRONMENT)?;
    let source = python::source(&environment, SOURCE)?;
    let mut python = python::client(platform, "pyopencl-tests", ENVIRONMENT)?;
    python
        .current_dir(source.join("test"))
        .args([
            "-m",
            "pytest",
            "-q",
            "-rsfE",
            "--no-fold-skipped",
            "--tb=short",
        ])
        .args(["-p", "no:cacheprovider", "-W", "ignore"])
        .args(files);
    if let Some(devices) = devices {
        python.env("PYOPENCL_TEST", devices);
    }
    let (text, _) = text_and_success(&mut python)?;
    let summary = summary(&text);
    if summary.counts.is_empty() {
        bail!("pytest did not come to its end:\n{}", super::tail(&text));
    }
    if matches!(platform, Platform::Ours) {
        check("fails", &summary.failed, FAILING, files)
            .and_then(|()| check("is skipped", &summary.skipped, SKIPPED, files))
            .with_context(|| format!("{}\n{}", summary.counts, super::tail(&text)))?;
    }
    Ok(summary.counts)
}

fn check(does: &str, found: &[Found], table: &[Exception], files: &[&str]) -> Result<()> {
    let (unlisted, absent) = surprises(found, table, files);
    if !unlisted.is_empty() {
        bail!("no table lists that it {does}: {}", unlisted.join(", "));
    }
    if !absent.is_empty() {
        bail!(
            "a table lists that it {does}, but it does not: {}",
            absent.join(", ")
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Exception, Found, summary, surprises};

    const OUTPUT: &str = "\
..s.F
=========================== short test summary info ============================
SKIPPED test_clmath.py::test_bessel[<factory for <Device 'A 0' on 'M'>>] - Skipped: no SciPy
FAILED test_wrapper.py::test_get_info[<factory for <Device 'A 0' on 'M'>>]
FAILED test_array.py::test_new - assert 1 == 2
8 failed, 1160 passed, 49 skipped, 80 warnings in 630.08s (0:10:30)
";
    const TABLE: &[Exception] = &[
        Exception {
            test: "test_wrapper.py::test_get_info",
            says: "",
            reason: "",
        },
        Exception {
            test: "test_array.py::test_cache",
            says: "disk",
            reason: "",
        },
    ];

    fn found(test: &str, message: &str) -> Found {
        Found {
            test: test.to_owned(),
            message: message.to_owned(),
        }
    }

    #[test]
    fn pytests_summary_is_read() {
        let summary = summary(OUTPUT);
        assert_eq!(
            summary.failed,
            [
                found("test_wrapper.py::test_get_info", ""),
                found("test_array.py::test_new", "assert 1 == 2")
            ]
        );
        assert_eq!(
            summary.skipped,
            [found("test_clmath.py::test_bessel", "Skipped: no SciPy")]
        );
        assert_eq!(
            summary.counts,
            "8 failed, 1160 passed, 49 skipped, 80 warnings"
        );
    }

    #[test]
    fn unexpected_failures_and_passes_are_found() {
        let failed = [found("test_wrapper.py::test_get_info", "")];
        let (unlisted, absent) = surprises(&failed, TABLE, &["."]);
        assert!(unlisted.is_empty());
        assert_eq!(absent, ["test_array.py::test_cache"]);

        let (unlisted, absent) = surprises(&failed, TABLE, &["test_wrapper.py"]);
        assert!(unlisted.is_empty() && absent.is_empty());

        let other_cause = [found("test_array.py::test_cache", "assert 1 == 2")];
        let (unlisted, absent) = surprises(&other_cause, TABLE, &["test_array.py"]);
        assert_eq!(unlisted, ["test_array.py::test_cache assert 1 == 2"]);
        assert_eq!(absent, ["test_array.py::test_cache"]);
    }
}
