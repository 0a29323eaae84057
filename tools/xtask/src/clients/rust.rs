//! Examples of the crates by which Rust programs use OpenCL.

use super::{Client, text};
use crate::command;
use crate::platform::{self, Platform};
use anyhow::{Result, bail};
use std::process::Command;

/// The clients.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "opencl3's example",
        from: "opencl3 0.12.4 from crates.io",
        command: "MOCL3_DEVICE_TYPE=gpu basic",
        right: "300 x + y, of which it prints the first and the last element, is right; it requests \
                a GPU",
        packages: &[],
        short: false,
        run: opencl3,
    },
    Client {
        name: "ocl's examples",
        from: "ocl 0.19.7 from crates.io",
        command: "basics, trivial, timed, threads",
        right: "basics prints products of its inputs, trivial tens, timed checks its own \
                results, and each of twenty threads on four devices counts to 3000, or less by a \
                thousand or two: its three launches are in queues of their own, unordered",
        packages: &[],
        short: false,
        run: ocl,
    },
];

/// Builds examples of a crate (`name@version`) in a separate folder.
fn examples(package: &str, names: &[&str]) -> Result<()> {
    let mut cargo = platform::cargo();
    cargo
        .args(["install", "--quiet", package, "--root"])
        .arg(root());
    for name in names {
        cargo.args(["--example", name]);
    }
    // A separate target folder, not the project's.
    cargo.env("CARGO_TARGET_DIR", platform::target().join("crates"));
    command::run(&mut cargo)
}

fn root() -> std::path::PathBuf {
    platform::target().join("crates/installed")
}

fn example(name: &str) -> Command {
    Command::new(root().join("bin").join(name))
}

fn opencl3(platform: &Platform) -> Result<String> {
    examples("opencl3@0.12.4", &["basic"])?;
    let mut basic = example("basic");
    let text = text(platform.point(&mut basic).env("MOCL3_DEVICE_TYPE", "gpu"))?;
    if !text.contains("results front: 301\nresults back: 1300\n") {
        bail!("basic prints:\n{text}");
    }
    Ok(String::new())
}

fn ocl(platform: &Platform) -> Result<String> {
    let names = ["basics", "trivial", "timed", "threads"];
    examples("ocl@0.19.7", &names)?;
    for name in names {
        let text = text(platform.point(&mut example(name)))?;
        let right = match name {
            "basics" => products(&text) == Some(20),
            "trivial" => text.contains("is now '10'!"),
            "timed" => text.contains("All result values are correct."),
            _ => counts(&text) >= 5,
        };
        if !right {
            bail!("{name} prints:\n{}", super::tail(&text));
        }
    }
    Ok(format!("{} examples", names.len()))
}

/// The number of lines `source[0]: a, coeff: b, result[0]: c` if all are right.
fn products(text: &str) -> Option<usize> {
    let mut count = 0;
    for line in text.lines().filter(|line| line.starts_with("source[")) {
        let numbers: Vec<f64> = line
            .split(',')
            .filter_map(|part| part.rsplit(':').next()?.trim().parse().ok())
            .collect();
        let [source, coefficient, result] = numbers[..] else {
            return None;
        };
        // The source is printed with three digits after the point.
        if (source * coefficient - result).abs() > 0.0006 * coefficient {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// The number of threads that ended at 3000, or where one or two of their unordered launches were lost;
/// 0 if a thread ended elsewhere.
fn counts(text: &str) -> usize {
    let results = text.split("Results:").nth(1).unwrap_or_default();
    let ends = |what: &str| results.matches(what).count();
    let right = ["}=1000,", "}=2000,", "}=3000,"].map(ends).iter().sum();
    if ends("}=") == right { right } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{counts, products};

    #[test]
    fn products_are_checked() {
        let line = "source[1]: 2.000, \t coeff: 3.5, \tresult[1]: 7.0\n";
        assert_eq!(products(&format!("x\n{line}{line}")), Some(2));
        assert_eq!(
            products("source[1]: 2.000, \t coeff: 3.5, \tresult[1]: 7.1\n"),
            None
        );
    }

    #[test]
    fn counts_are_checked() {
        assert_eq!(counts("Results: \n{0:[D0.I0]}=3000, {1:[D0.I1]}=2000, "), 2);
        assert_eq!(counts("Results: \n{0:[D0.I0]}=3000, {1:[D0.I1]}=2999, "), 0);
    }
}
