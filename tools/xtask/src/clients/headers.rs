//! Example programs with header-only C++ libraries, which generate their kernels.

use super::{Client, examples, text};
use crate::platform::Platform;
use anyhow::{Result, bail};
use std::process::Command;

/// The clients.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "ViennaCL's linear algebra",
        from: "examples/viennacl, with Debian's libviennacl-dev",
        command: "./linear_algebra",
        right: "products, triangular solves, sparse products, conjugate gradients and GMRES, in \
                single and double precision, are as near to plain loops as rounding allows",
        packages: &["libviennacl-dev"],
        short: false,
        run: |platform| run(platform, "viennacl/linear_algebra.cpp", ": right"),
    },
    Client {
        name: "Boost.Compute's algorithms",
        from: "examples/boost_compute, with Debian's libboost-dev",
        command: "./algorithms",
        right: "sorts, scans, reductions, searches and Mersenne's twister give what the \
                standard library gives",
        packages: &["libboost-dev"],
        short: false,
        run: |platform| run(platform, "boost_compute/algorithms.cpp", " right"),
    },
];

fn run(platform: &Platform, source: &str, right: &str) -> Result<String> {
    // Warnings are off, since the libraries' headers have some.
    let program = examples::compile("c++", source, &["-w"])?;
    let text = text(platform.point(&mut Command::new(program)))?;
    let count = text.lines().filter(|line| line.ends_with(right)).count();
    if count < 10 || !text.contains("\n0 wrong\n") {
        bail!("only {count} are right:\n{text}");
    }
    Ok(format!("{count} results are right"))
}
