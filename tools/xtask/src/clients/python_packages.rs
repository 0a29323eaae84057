//! Python packages that use OpenCL: their test suites, self-tests, and example scripts.

use super::pytest::{self, Exception};
use super::{Client, examples, text, text_and_success};
use crate::platform::{Platform, target};
use crate::python;
use anyhow::{Context, Result, bail};
use std::process::Command;

/// The packages of their common Python environment.
const ENVIRONMENT: &[&str] = &[
    "lightgbm==4.7.0",
    "mako==1.4.3",
    "numpy==2.4.6",
    "openmm==8.6.1",
    "pyclesperanto==0.25.1",
    "pyfai==2026.9.0",
    "pyopencl==2026.1.4",
    "pytest==9.2.0",
    "pyvkfft==2025.1.1",
    "sasmodels==1.1.0",
    "scipy==1.17.1",
    "silx==3.1.3",
    "tinygrad==0.14.0",
];

/// A test-suite that is installed with its package.
pub struct Suite {
    /// The package's name.
    pub package: &'static str,
    /// Modules with tests.
    modules: &'static [&'static str],
    /// Tests that fail.
    pub failing: &'static [Exception],
    /// The number of skipped tests, and the reason.
    pub skipped: Option<(usize, &'static str)>,
}

/// The suites.
pub const SUITES: &[Suite] = &[PYFAI, SILX];

const PYFAI: Suite = Suite {
    package: "pyFAI",
    modules: &["pyFAI.opencl.test"],
    failing: &[],
    skipped: Some((8, NETWORK)),
};

const NETWORK: &str = "they fetch pictures from a server of the ESRF";

const SILX: Suite = Suite {
    package: "silx",
    modules: &[
        "silx.opencl.codec.test.test_byte_offset",
        "silx.opencl.sift.test.test_algebra",
        "silx.opencl.sift.test.test_gaussian",
        "silx.opencl.sift.test.test_keypoints::TestFeature",
        "silx.opencl.sift.test.test_reductions",
        "silx.opencl.test.test_addition",
        "silx.opencl.test.test_array_utils",
        "silx.opencl.test.test_doubleword",
        "silx.opencl.test.test_kahan",
        "silx.opencl.test.test_sparse",
        "silx.opencl.test.test_stats",
    ],
    failing: &[Exception {
        test: "::TestFeature::test_keypoints",
        says: "",
        reason: "on devices that are no CPUs it takes a kernel (descriptor_gpu2) that clears \
                 a histogram in local memory and lets other work-items add to it with no \
                 barrier between; passes with MOCL3_DEVICE_TYPE=cpu, as on PoCL",
    }],
    skipped: Some((1, "a large one is not run by default")),
};

/// The suites and programs.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "pyFAI's tests",
        from: "pyFAI 2026.9.0 from PyPI",
        command: "pytest --pyargs pyFAI.opencl.test",
        right: "every test (azimuthal integration, sorting, sparse matrices, preprocessing) passes",
        packages: &[],
        short: false,
        run: |platform| suite(platform, &PYFAI),
    },
    Client {
        name: "silx's tests",
        from: "silx 3.1.3 from PyPI",
        command: "pytest --pyargs silx.opencl.test.test_addition … (11 modules)",
        right: "every test (codecs, SIFT's parts, compensated sums, statistics) passes. The other \
                modules need pictures from servers",
        packages: &[],
        short: false,
        run: |platform| suite(platform, &SILX),
    },
    Client {
        name: "OpenMM's self-test",
        from: "OpenMM 8.6.1 from PyPI",
        command: "MOCL3_DEVICE_TYPE=gpu python -m openmm.testInstallation",
        right: "forces on a protein in water are those of OpenMM's two CPU platforms; it takes \
                no accelerators",
        packages: &[],
        short: false,
        run: openmm,
    },
    Client {
        name: "sasmodels' self-test",
        from: "sasmodels 1.1.0 from PyPI",
        command: "SAS_OPENCL=0:0 python -m sasmodels.model_test opencl sphere cylinder …",
        right: "models of small-angle scattering give the values their authors noted",
        packages: &[],
        short: false,
        run: sasmodels,
    },
    Client {
        name: "pyvkfft's accuracy test",
        from: "pyvkfft 2025.1.1 (VkFFT) from PyPI",
        command: "MOCL3_DEVICE_TYPE=gpu pyvkfft-test --systematic --backend pyopencl --ndim 1 \
                  --range 2 24",
        right: "transforms of all lengths, also by Bluestein's algorithm, are SciPy's within its \
                limits; it takes GPUs only",
        packages: &[],
        short: false,
        run: vkfft,
    },
    Client {
        name: "LightGBM",
        from: "examples/lightgbm, LightGBM 4.7.0 (Boost.Compute) from PyPI",
        command: "python train.py",
        right: "trees grown from histograms on the device predict what those of the CPU do",
        packages: &[],
        short: false,
        run: |platform| script(platform, "lightgbm/train.py"),
    },
    Client {
        name: "tinygrad",
        from: "examples/tinygrad, tinygrad 0.14.0 from PyPI",
        command: "DEV=CL python learn.py",
        right: "products, convolutions, sorts and reductions are NumPy's, and a network learns",
        packages: &[],
        short: false,
        run: |platform| script(platform, "tinygrad/learn.py"),
    },
    Client {
        name: "pyclesperanto",
        from: "examples/pyclesperanto, pyclesperanto 0.25.1 (CLIc) from PyPI",
        command: "python filters.py",
        right: "filters, projections and connected components are SciPy's",
        packages: &[],
        short: false,
        run: |platform| script(platform, "pyclesperanto/filters.py"),
    },
];

/// `python` of the environment.
fn interpreter(platform: &Platform) -> Result<Command> {
    let mut python = python::client(platform, "packages", ENVIRONMENT)?;
    python
        // Limits the packages' CPU code, whose spinning threads would compete with the device.
        .env("OMP_NUM_THREADS", "1")
        .env("OPENBLAS_NUM_THREADS", "1")
        .env("QT_QPA_PLATFORM", "offscreen");
    Ok(python)
}

fn suite(platform: &Platform, suite: &Suite) -> Result<String> {
    // pytest must not find the project's files.
    let folder = target().join("pytest");
    std::fs::create_dir_all(&folder)?;
    let mut python = interpreter(platform)?;
    python.current_dir(folder);
    python
        .args(["-m", "pytest", "--pyargs"])
        .args(suite.modules);
    let summary = pytest::run(&mut python)?;
    if platform.is_ours() {
        pytest::check("fails", &summary.failed, suite.failing, &["."])
            .with_context(|| summary.tail.clone())?;
        let expected = suite.skipped.map_or(0, |(count, _)| count);
        if summary.skips() != expected {
            bail!("not {expected} skipped: {}", summary.tail);
        }
    }
    Ok(summary.counts)
}

/// Runs a script of the examples folder, which fails if a result is wrong.
fn script(platform: &Platform, name: &str) -> Result<String> {
    let mut python = interpreter(platform)?;
    python.env("DEV", "CL").env("CACHELEVEL", "0");
    let text = text(python.arg(examples::folder().join(name)))?;
    print!("{text}");
    Ok(String::new())
}

fn openmm(platform: &Platform) -> Result<String> {
    let mut python = interpreter(platform)?;
    python.env("MOCL3_DEVICE_TYPE", "gpu");
    let text = text(python.args(["-m", "openmm.testInstallation"]))?;
    let compared = text.contains("Reference vs. OpenCL: ");
    if !compared || !text.contains("All differences are within tolerance.") {
        bail!("OpenMM says:\n{text}");
    }
    Ok(String::new())
}

fn sasmodels(platform: &Platform) -> Result<String> {
    let mut python = interpreter(platform)?;
    python
        .env("SAS_OPENCL", "0:0")
        .args(["-m", "sasmodels.model_test", "opencl"])
        .args(MODELS);
    let text = text(&mut python)?;
    if text.contains("opencl is not available") {
        bail!("sasmodels finds no OpenCL");
    }
    let ran = text.lines().find_map(tests_ran);
    match ran {
        Some(ran) if ran >= MODELS.len() && text.contains("\nOK") => Ok(format!("{ran} tests")),
        _ => bail!("sasmodels says:\n{}", super::tail(&text)),
    }
}

/// Models of shapes, gels, crystals and interactions.
const MODELS: &[&str] = &[
    "sphere",
    "cylinder",
    "core_shell_sphere",
    "ellipsoid",
    "barbell",
    "parallelepiped",
    "gel_fit",
    "power_law",
    "hardsphere",
];

/// The number in unittest's `Ran 104 tests in 149.7s`.
fn tests_ran(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["Ran", count, "tests" | "test", ..] => count.parse().ok(),
        _ => None,
    }
}

fn vkfft(platform: &Platform) -> Result<String> {
    let environment = python::environment("packages", ENVIRONMENT)?;
    let mut python = interpreter(platform)?;
    python
        .env("MOCL3_DEVICE_TYPE", "gpu")
        .arg(environment.join("bin/pyvkfft-test"))
        .args(["--systematic", "--backend", "pyopencl", "--nproc", "1"])
        .args(["--ndim", "1", "--range", "2", "24"]);
    let (text, succeeded) = text_and_success(&mut python)?;
    let transforms = text.lines().filter(|line| line.contains(" C2C ")).count();
    if !succeeded || transforms < 20 || !text.contains("\nOK") {
        bail!("pyvkfft-test says:\n{}", super::tail(&text));
    }
    Ok(format!("{transforms} transforms"))
}

#[cfg(test)]
mod tests {
    use super::tests_ran;

    #[test]
    fn unittests_count_is_read() {
        assert_eq!(tests_ran("Ran 104 tests in 149.666s"), Some(104));
        assert_eq!(tests_ran("Random tests"), None);
    }
}
