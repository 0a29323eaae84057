//! PyOpenCL's test suite, from its source distribution on PyPI. [`FAILING`] and [`SKIPPED`] give
//! the reasons why some tests cannot pass. A test that fails or is skipped without being listed is
//! an error, and so is a listed one that passes.

use super::Client;
use super::pytest::{self, Exception};
use crate::platform::Platform;
use crate::python;
use anyhow::{Context, Result};

/// The version of the tests to which the tables apply.
const SOURCE: &str = "pyopencl==2026.1.4";
const ENVIRONMENT: &[&str] = &[
    SOURCE,
    "mako==1.4.3",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "scipy",
];

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

/// A test that is left out under checks: with shadows, its arrays of 2 GB on four devices need more memory
/// than a host of 24 GB has (docs/checking.md, "Cost").
const TOO_LARGE_FOR_CHECKS: &str = "test_zeros_large_array";

/// The clients: the suite on one device and on all.
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

/// Runs `files` of the suite, on the devices that `devices` names, or on all.
fn suite(platform: &Platform, files: &[&str], devices: Option<&str>) -> Result<String> {
    let environment = python::environment("pyopencl-tests", ENVIRONMENT)?;
    let source = python::source(&environment, SOURCE)?;
    let mut python = python::client(platform, "pyopencl-tests", ENVIRONMENT)?;
    python.current_dir(source.join("test"));
    if let Some(devices) = devices {
        python.env("PYOPENCL_TEST", devices);
    }
    // Each skipped test in a line of its own.
    python
        .args(["-m", "pytest", "--no-fold-skipped"])
        .args(files);
    if matches!(platform, Platform::Checked(_)) {
        python.args(["-k", &format!("not {TOO_LARGE_FOR_CHECKS}")]);
    }
    let summary = pytest::run(&mut python)?;
    if platform.is_ours() {
        pytest::check("fails", &summary.failed, FAILING, files)
            .and_then(|()| pytest::check("is skipped", &summary.skipped, SKIPPED, files))
            .with_context(|| summary.tail.clone())?;
    }
    Ok(summary.counts)
}
