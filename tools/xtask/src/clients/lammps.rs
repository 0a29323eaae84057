//! LAMMPS, molecular dynamics, with its package GPU on OpenCL: an MPI program, on simulated nodes.

use super::{Client, text};
use crate::command;
use crate::platform::{self, Platform};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Debian's source, and its SHA-256.
const SOURCE: &str =
    "http://deb.debian.org/debian/pool/main/l/lammps/lammps_20220106.git7586adbb6a+ds1.orig.tar.xz";
const SHA256: &str = "65146c615ad24d8b8bc64f4e05e86226a7f1fdb45c0b5ea9416562b9f3863082";

/// Nodes, with a rank each.
const NODES: &str = "4";

/// Compiles library and program for SimGrid. SMPI's macros replace `malloc`, which C's headers declare;
/// the OpenCL headers declare functions of OpenCL 3.0, which LAMMPS calls without asking the platform.
const BUILD: &str = r#"
set -e
cd lib/gpu
sed -e 's/mpic++/smpicxx -fPIC -DSMPI_NO_OVERRIDE_MALLOC -DCL_TARGET_OPENCL_VERSION=120/' \
    -e 's/-O3/-O1/; s/_SINGLE_DOUBLE/_DOUBLE_DOUBLE/' \
    -e 's/^OCL_TUNE.*/OCL_TUNE = -DUCL_NO_EXIT/' Makefile.linux_opencl > Makefile.smpi
make -j"$(nproc)" -f Makefile.smpi all
cp Makefile.lammps.opencl Makefile.lammps
cd ../../src
mkdir -p MAKE/MINE
sed -e 's/mpicxx/smpicxx/; s/-g -O3/-O1 -fPIC -DSMPI_NO_OVERRIDE_MALLOC/' MAKE/Makefile.mpi \
    > MAKE/MINE/Makefile.smpi
make yes-gpu
make -j"$(nproc)" smpi
"#;

/// The client.
pub const CLIENTS: &[Client] = &[Client {
    name: "LAMMPS on four nodes",
    from: "Debian's source of lammps, compiled with SimGrid's smpicxx",
    command: "mocl3 mpi -n 4 -- ./lmp_smpi -sf gpu -pk gpu 1 -in in.melt",
    right: "the energies and pressures of 20 steps of a melt equal those of LAMMPS on the host, to the \
            8 digits that it prints",
    packages: &["curl", "libsimgrid-dev", "xz-utils"],
    short: false,
    run,
}];

/// LAMMPS' benchmark `bench/in.lj` with 1,000 atoms and 20 steps.
const INPUT: &str = "\
units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 5 0 5 0 10
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo 5
run 20
";

fn run(platform: &Platform) -> Result<String> {
    if let Platform::Installed(_) = platform {
        bail!("mocl3 mpi runs it on MOCL3 only");
    }
    command::run(platform::cargo().args(["build", "--release", "--package", "mocl3"]))?;
    let folder = platform::target().join("clients/lammps");
    std::fs::create_dir_all(&folder)?;
    let program = program(&folder)?;
    std::fs::write(folder.join("in.melt"), INPUT)?;
    let steps = |options: &[&str]| -> Result<Vec<String>> {
        let mut command = Command::new(platform::library_folder().join("mocl3"));
        command
            .args(["mpi", "-n", NODES, "--"])
            .arg(&program)
            .args(options)
            .args(["-log", "none", "-in", "in.melt"])
            .current_dir(&folder);
        let text = match options.is_empty() {
            // Without OpenCL `mocl3 mpi` fails.
            true => super::text_and_success(platform.point(&mut command))?.0,
            false => text(platform.point(&mut command))?,
        };
        Ok(table(&text))
    };
    let (host, device) = (steps(&[])?, steps(&["-sf", "gpu", "-pk", "gpu", "1"])?);
    if host.len() != 5 || device != host {
        bail!("the host has {host:#?}, the device {device:#?}");
    }
    Ok(format!("{} lines of energies are right", device.len()))
}

/// The lines of numbers after the heading of the table of steps, up to the time of the run.
fn table(text: &str) -> Vec<String> {
    text.lines()
        .skip_while(|line| !line.starts_with("Step "))
        .skip(1)
        .take_while(|line| !line.starts_with("Loop time"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect()
}

/// The program, which is fetched and compiled once.
fn program(folder: &Path) -> Result<PathBuf> {
    let root = folder.join("lammps");
    let program = root.join("src/lmp_smpi");
    if program.exists() {
        return Ok(program);
    }
    let archive = folder.join("lammps.tar.xz");
    command::run(
        Command::new("curl")
            .args(["-sSfL", "-o"])
            .arg(&archive)
            .arg(SOURCE),
    )?;
    let sum = command::output(Command::new("sha256sum").arg(&archive))?;
    if !String::from_utf8_lossy(&sum.stdout).starts_with(SHA256) {
        bail!("{SOURCE} is not the file that is expected");
    }
    std::fs::create_dir_all(&root)?;
    let mut unpack = Command::new("tar");
    unpack.args(["--strip-components=1", "-xf"]).arg(&archive);
    command::run(unpack.arg("-C").arg(&root))?;
    let mut build = Command::new("sh");
    build.args(["-c", BUILD]).current_dir(&root);
    let output = command::output(&mut build)?;
    if !program.exists() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last = errors.lines().last().unwrap_or_default().to_owned();
        return Err(anyhow::anyhow!(last)).context("LAMMPS cannot be compiled");
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn the_table_is_found_in_the_output() {
        let text =
            "LAMMPS\nStep Temp E_pair\n   0   1.44  -6.7\n   5   1.37  -6.6\nLoop time of 1\n";
        assert_eq!(table(text), ["0 1.44 -6.7", "5 1.37 -6.6"]);
    }
}
