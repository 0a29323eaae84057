//! OpenCV's transparent API.

use super::{Client, examples, text};
use crate::platform::{Platform, root, target};
use crate::{command, python};
use anyhow::Result;
use std::path::PathBuf;
use std::process::Command;

const ENVIRONMENT: &[&str] = &["opencv-python-headless==5.0.0.93", "numpy==2.4.6"];

/// The client.
pub const CLIENTS: &[Client] = &[Client {
    name: "OpenCV's UMat",
    from: "examples/opencv, with opencv-python-headless 5.0.0.93 from PyPI",
    command: "OPENCV_OPENCL_DEVICE=:ACCELERATOR: python umat.py",
    right: "43 pipelines (filters, warps, colours, morphology, matching, optical flow, DFT, …) \
            agree with OpenCV's CPU path, and each of them launched kernels",
    packages: &[],
    short: true,
    run: umat,
}];

/// The library that counts kernels.
fn launches() -> Result<PathBuf> {
    let library = target().join("examples/liblaunches.so");
    command::run(
        Command::new("cc")
            .args(["-O2", "-Wall", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(examples::folder().join("opencv/launches.c"))
            .args(["-Wl,--no-as-needed", "-lOpenCL", "-ldl"]),
    )?;
    Ok(library)
}

fn umat(platform: &Platform) -> Result<String> {
    std::fs::create_dir_all(target().join("examples"))?;
    let device = if platform.is_ours() {
        ":ACCELERATOR:"
    } else {
        ":CPU:"
    };
    let mut python = python::client(platform, "opencv", ENVIRONMENT)?;
    python
        .arg(root().join("examples/opencv/umat.py"))
        .env("OPENCV_OPENCL_RUNTIME", launches()?)
        // Without this variable OpenCV uses GPUs only.
        .env("OPENCV_OPENCL_DEVICE", device)
        // Otherwise OpenCV falls back to the CPU without an error.
        .env("OPENCV_OPENCL_RAISE_ERROR", "1")
        .env("OPENCV_OPENCL_CACHE_ENABLE", "0");
    let text = text(&mut python)?;
    let last = text
        .lines()
        .find(|line| line.contains("agree with the CPU"));
    Ok(last.unwrap_or_default().to_owned())
}
