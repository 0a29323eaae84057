//! `cargo xtask bench`: the harness of `tools/bench/` over MOCL3 and other platforms.

use crate::{arguments, command, packages, platform, python};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the library of a platform comes from.
#[derive(Debug, PartialEq)]
enum Source {
    /// This project.
    Built,
    /// The package of Debian 12.
    Debian,
    /// A package of a later suite of Debian, by its `.icd` file. It is installed into a root file
    /// system of its own.
    LaterDebian(&'static str),
    /// Packages of PyPI.
    PyPi,
}

/// A platform that is measured.
struct Peer {
    name: &'static str,
    source: Source,
    /// Whether it is measured unless `--platform` names others.
    by_default: bool,
    /// Variables of its processes.
    variables: &'static [(&'static str, &'static str)],
}

/// PoCL's variable for the library of builtins, which determines the processor that it compiles for.
const POCL_AVX2: &[(&str, &str)] = &[("POCL_KERNELLIB_NAME", "avx2")];

/// The platforms; ratios are to the first one that is measured.
const PEERS: [Peer; 9] = [
    peer("MOCL3", Source::Built),
    peer("PoCL", Source::Debian),
    peer("Intel", Source::PyPi),
    Peer {
        by_default: false,
        ..peer("PoCL-forky", Source::LaterDebian("pocl.icd"))
    },
    Peer {
        by_default: false,
        variables: &[("RUSTICL_ENABLE", "llvmpipe")],
        ..peer("rusticl", Source::LaterDebian("rusticl.icd"))
    },
    Peer {
        by_default: false,
        variables: &[("MOCL3_HOST_CPU", "x86-64-v3")],
        ..peer("MOCL3-AVX2", Source::Built)
    },
    Peer {
        by_default: false,
        variables: POCL_AVX2,
        ..peer("PoCL-AVX2", Source::Debian)
    },
    Peer {
        by_default: false,
        variables: &[("CL_CONFIG_CPU_TARGET_ARCH", "core-avx2")],
        ..peer("Intel-AVX2", Source::PyPi)
    },
    Peer {
        by_default: false,
        variables: POCL_AVX2,
        ..peer("PoCL-forky-AVX2", Source::LaterDebian("pocl.icd"))
    },
];

const fn peer(name: &'static str, source: Source) -> Peer {
    Peer {
        name,
        source,
        by_default: true,
        variables: &[],
    }
}

/// The later suite of Debian, and its packages.
const SUITE: &str = "forky";
const SUITE_PACKAGES: &str = "ocl-icd-libopencl1,pocl-opencl-icd,mesa-opencl-icd";

/// Builds MOCL3, installs the other platforms, and runs the harness.
///
/// # Errors
/// A platform is not known or cannot be installed, or the harness failed.
pub fn run(arguments: &[String]) -> Result<()> {
    packages::install(packages::NEEDED)?;
    command::run(platform::cargo().args(["build", "--release", "--package", "bench"]))?;
    let mut harness = Command::new(platform::library_folder().join("bench"));
    if !arguments::prints_only(arguments) {
        for peer in chosen(arguments::value(arguments, "--platform"))? {
            harness.arg(argument(peer)?);
        }
    }
    command::run(harness.args(arguments))
}

/// The platforms of a list of names, separated by commas, or else those by default.
fn chosen(names: Option<&str>) -> Result<Vec<&'static Peer>> {
    let Some(names) = names else {
        return Ok(PEERS.iter().filter(|peer| peer.by_default).collect());
    };
    let names: Vec<&str> = names.split(',').collect();
    for name in &names {
        if !PEERS.iter().any(|peer| peer.name == *name) {
            let known: Vec<&str> = PEERS.iter().map(|peer| peer.name).collect();
            bail!(
                "no platform is called {name}; there are {}",
                known.join(", ")
            );
        }
    }
    let is_named = |peer: &&Peer| names.contains(&peer.name);
    Ok(PEERS.iter().filter(is_named).collect())
}

/// Builds or installs a platform; returns its argument of the harness.
fn argument(peer: &Peer) -> Result<String> {
    let library = match peer.source {
        Source::Debian => {
            packages::install(packages::FOR_COMPARISON)?;
            PathBuf::from("libpocl.so.2")
        }
        Source::PyPi => {
            let packages = ["intel-opencl-rt", "intel-cmplr-lib-rt"];
            find(&python::environment("intel", &packages)?, "libintelocl.so")?
        }
        Source::Built => {
            platform::build()?;
            platform::library_folder().join("libmocl3.so")
        }
        Source::LaterDebian(icd) => {
            let icd = Path::new("/etc/OpenCL/vendors").join(icd);
            let vendors = format!("{}:{}", root_file_system()?.display(), icd.display());
            return Ok(with_variables(peer, &vendors));
        }
    };
    let folder = platform::target().join("bench-vendors").join(peer.name);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join("platform.icd"),
        format!("{}\n", library.display()),
    )?;
    Ok(with_variables(peer, &folder.display().to_string()))
}

fn with_variables(peer: &Peer, vendors: &str) -> String {
    let variables = peer.variables.iter();
    let variables: String = variables
        .map(|(name, value)| format!(",{name}={value}"))
        .collect();
    format!("{}={vendors}{variables}", peer.name)
}

/// Installs the later suite with its OpenCL platforms into a folder, once.
fn root_file_system() -> Result<PathBuf> {
    packages::install(packages::FOR_LATER_SUITES)?;
    let root = platform::target().join("bench-roots").join(SUITE);
    if root.join("etc/OpenCL/vendors").exists() {
        return Ok(root);
    }
    let started = root.with_extension("part");
    if started.exists() {
        std::fs::remove_dir_all(&started)?;
    }
    std::fs::create_dir_all(&started)?;
    eprintln!("installing Debian {SUITE} into {}", root.display());
    // Mirrors that are behind have lists that count as expired.
    let options = r#"Acquire::Check-Valid-Until "false""#;
    command::run(
        Command::new("mmdebstrap")
            .args(["--variant=apt", "--aptopt", options])
            .args(["--include", SUITE_PACKAGES, SUITE])
            .arg(&started)
            .arg("http://deb.debian.org/debian"),
    )?;
    std::fs::rename(&started, &root)?;
    Ok(root)
}

/// A file of that name in a folder or its subfolders.
fn find(folder: &Path, name: &str) -> Result<PathBuf> {
    let mut pending = vec![folder.to_owned()];
    while let Some(folder) = pending.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                pending.push(entry.path());
            } else if entry.file_name() == name {
                return Ok(entry.path());
            }
        }
    }
    bail!("{} holds no {name}", folder.display())
}

#[cfg(test)]
mod tests {
    use super::{PEERS, chosen, with_variables};

    #[test]
    fn platforms_are_chosen_by_name_in_the_order_of_the_table() {
        let names = |names| {
            let peers = chosen(names).map_err(|error| error.to_string())?;
            Ok::<Vec<&str>, String>(peers.iter().map(|peer| peer.name).collect())
        };
        assert_eq!(names(None).unwrap(), ["MOCL3", "PoCL", "Intel"]);
        assert_eq!(names(Some("rusticl,MOCL3")).unwrap(), ["MOCL3", "rusticl"]);
        let error = names(Some("MOCL3,Pocl")).unwrap_err();
        assert!(
            error.contains("Pocl") && error.contains("PoCL-forky"),
            "{error}"
        );
    }

    #[test]
    fn variables_follow_the_folder() {
        let rusticl = PEERS.iter().find(|peer| peer.name == "rusticl").unwrap();
        assert_eq!(
            with_variables(rusticl, "/root:/x.icd"),
            "rusticl=/root:/x.icd,RUSTICL_ENABLE=llvmpipe"
        );
    }

    #[test]
    fn platforms_for_avx2_are_others_with_a_variable() {
        let limited = |name: &'static str| name.strip_suffix("-AVX2");
        let bases: Vec<&str> = PEERS.iter().filter_map(|peer| limited(peer.name)).collect();
        assert_eq!(bases, ["MOCL3", "PoCL", "Intel", "PoCL-forky"]);
        for peer in PEERS.iter().filter(|peer| limited(peer.name).is_some()) {
            let base = PEERS.iter().find(|of| Some(of.name) == limited(peer.name));
            let base = base.expect(peer.name);
            assert_eq!(base.source, peer.source, "{}", peer.name);
            assert!(base.variables.is_empty() && peer.variables.len() == 1);
            assert!(!peer.by_default, "{}", peer.name);
        }
    }
}
