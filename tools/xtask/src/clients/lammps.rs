//! LAMMPS, molecular dynamics, with its package GPU on OpenCL: an MPI program, on simulated nodes and under
//! an ordinary MPI library.

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

/// An MPI library that LAMMPS is compiled for.
struct Library {
    /// The folder of its source and objects.
    folder: &'static str,
    /// The end of the program's name.
    name: &'static str,
    compiler: &'static str,
    /// Options that differ: SMPI's macros replace `malloc`, which C's headers declare.
    options: &'static str,
}

const SIMGRID: Library = Library {
    folder: "lammps",
    name: "smpi",
    compiler: "smpicxx",
    options: "-fPIC -DSMPI_NO_OVERRIDE_MALLOC",
};

const MPICH: Library = Library {
    folder: "lammps-mpich",
    name: "mpich",
    compiler: "mpicxx.mpich",
    options: "-fPIC",
};

/// Compiles library and program. The OpenCL headers declare functions of OpenCL 3.0, which LAMMPS calls
/// without asking the platform.
const BUILD: &str = r#"
set -e
cd lib/gpu
sed -e "s/mpic++/$COMPILER $OPTIONS -DCL_TARGET_OPENCL_VERSION=120/" \
    -e 's/-O3/-O1/; s/_SINGLE_DOUBLE/_DOUBLE_DOUBLE/' \
    -e 's/^OCL_TUNE.*/OCL_TUNE = -DUCL_NO_EXIT/' Makefile.linux_opencl > "Makefile.$NAME"
make -j"$(nproc)" -f "Makefile.$NAME" all
cp Makefile.lammps.opencl Makefile.lammps
cd ../../src
mkdir -p MAKE/MINE
sed -e "s/mpicxx/$COMPILER/; s/-g -O3/-O1 $OPTIONS/" MAKE/Makefile.mpi > "MAKE/MINE/Makefile.$NAME"
make yes-gpu
make -j"$(nproc)" "$NAME"
"#;

/// The client.
pub const CLIENTS: &[Client] = &[
    Client {
        name: "LAMMPS on four nodes",
        from: "Debian's source of lammps, compiled with SimGrid's smpicxx",
        command: "mocl3 mpi -n 4 -- ./lmp_smpi -sf gpu -pk gpu 1 -in in.melt",
        right: "the energies and pressures of 20 steps of a melt equal those of LAMMPS on the host, to \
                the 8 digits that it prints",
        packages: &["curl", "libsimgrid-dev", "xz-utils"],
        short: false,
        run: on_simulated_nodes,
    },
    Client {
        name: "LAMMPS under MPICH",
        from: "Debian's source of lammps, compiled with MPICH's mpicxx",
        command: "MOCL3_RANKS=cluster mpirun.mpich -n 4 ./lmp_mpich -sf gpu -pk gpu 1 -in in.melt",
        right: "with MOCL3_RANKS=cluster and node, the same lines as those of LAMMPS on the host under \
                MPICH, and, if that is built, of LAMMPS on four simulated nodes",
        packages: &["curl", "mpich", "xz-utils"],
        short: false,
        run: under_mpich,
    },
];

/// The file of `INPUT`.
pub const INPUT_FILE: &str = "in.melt";

/// LAMMPS' benchmark `bench/in.lj` with x by y by z cells of four atoms, in a number of steps, of which it
/// prints some. The atoms have no numbers: for those LAMMPS calls MPI_Scan, in which each rank of SimGrid 3.32
/// sends a message to all later ones and looks through all of its messages for each that arrives.
pub const INPUT: &str = "\
units lj
atom_style atomic
atom_modify id no
lattice fcc 0.8442
region box block 0 $x 0 $y 0 $z
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
thermo ${every}
run ${steps}
";

/// The arguments for a melt of this number of cells in each dimension and this number of steps, of which LAMMPS
/// prints one of `every`.
pub fn melt(cells: [u32; 3], steps: u32, every: u32) -> Vec<String> {
    let [x, y, z] = cells;
    let variables = [
        ("x", x),
        ("y", y),
        ("z", z),
        ("steps", steps),
        ("every", every),
    ];
    let arguments = ["-log", "none", "-in", INPUT_FILE].map(str::to_owned);
    let variables = variables.into_iter();
    let variables =
        variables.flat_map(|(name, value)| ["-var".into(), name.into(), value.to_string()]);
    arguments.into_iter().chain(variables).collect()
}

/// The arguments of the clients: 1,000 atoms, and five lines of 20 steps.
fn small_melt() -> Vec<String> {
    melt([5, 5, 10], 20, 5)
}

/// Options with which LAMMPS computes forces by OpenCL, on one device of each rank's node.
pub const ON_DEVICES: [&str; 5] = ["-sf", "gpu", "-pk", "gpu", "1"];

fn on_simulated_nodes(platform: &Platform) -> Result<String> {
    let folder = folder(platform)?;
    let program = program(&folder, &SIMGRID)?;
    let host = simulated_steps(platform, &program, &[])?;
    let device = simulated_steps(platform, &program, &ON_DEVICES)?;
    compare(("the host", &host), ("the device", &device))
}

fn under_mpich(platform: &Platform) -> Result<String> {
    let folder = folder(platform)?;
    let program = program(&folder, &MPICH)?;
    let steps = |ranks: &str, options: &[&str]| -> Result<Vec<String>> {
        let mut command = Command::new("mpirun.mpich");
        command
            .args(["-n", NODES])
            .arg(&program)
            .args(options)
            .args(small_melt())
            .env("MOCL3_RANKS", ranks)
            .current_dir(&folder);
        Ok(table(&text(platform.point(&mut command))?))
    };
    let host = steps("node", &[])?;
    for ranks in ["cluster", "node"] {
        compare(
            ("the host", &host),
            (&format!("MOCL3_RANKS={ranks}"), &steps(ranks, &ON_DEVICES)?),
        )?;
    }
    let built = folder.join(SIMGRID.program());
    if built.exists() {
        let simulated = simulated_steps(platform, &built, &ON_DEVICES)?;
        compare(("MPICH", &host), ("SimGrid", &simulated))?;
    }
    Ok(format!("{} lines of energies are right", host.len()))
}

/// The folder of the input and of the programs, after MOCL3 has been built.
fn folder(platform: &Platform) -> Result<PathBuf> {
    if let Platform::Installed(_) = platform {
        bail!("mocl3 mpi and MOCL3_RANKS are of MOCL3 only");
    }
    command::run(platform::cargo().args(["build", "--release", "--package", "mocl3"]))?;
    let folder = cache();
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(INPUT_FILE), INPUT)?;
    Ok(folder)
}

/// Where LAMMPS is compiled, once for each MPI library.
fn cache() -> PathBuf {
    platform::target().join("clients/lammps")
}

/// The program for SimGrid, if the client has compiled it.
///
/// # Errors
/// It has not.
pub fn built() -> Result<PathBuf> {
    let program = cache().join(SIMGRID.program());
    if !program.exists() {
        bail!(
            "{} is missing; `cargo xtask clients --filter 'LAMMPS on'` fetches and compiles it",
            program.display()
        );
    }
    Ok(program)
}

/// The lines that LAMMPS prints of its steps on simulated nodes.
fn simulated_steps(platform: &Platform, program: &Path, options: &[&str]) -> Result<Vec<String>> {
    let mut command = Command::new(platform::library_folder().join("mocl3"));
    command
        .args(["mpi", "-n", NODES, "--"])
        .arg(program)
        .args(options)
        .args(small_melt())
        .current_dir(cache());
    let text = match options.is_empty() {
        // Without OpenCL `mocl3 mpi` fails.
        true => super::text_and_success(platform.point(&mut command))?.0,
        false => text(platform.point(&mut command))?,
    };
    Ok(table(&text))
}

/// Compares lines of steps, digit for digit.
fn compare(one: (&str, &[String]), other: (&str, &[String])) -> Result<String> {
    if one.1.len() != 5 || one.1 != other.1 {
        bail!("{} has {:#?}, {} {:#?}", one.0, one.1, other.0, other.1);
    }
    Ok(format!("{} lines of energies are right", one.1.len()))
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

impl Library {
    /// The program, in the folder of all.
    fn program(&self) -> PathBuf {
        Path::new(self.folder).join(format!("src/lmp_{}", self.name))
    }
}

/// The program for an MPI library, which is fetched and compiled once.
fn program(folder: &Path, library: &Library) -> Result<PathBuf> {
    let root = folder.join(library.folder);
    let program = folder.join(library.program());
    if program.exists() {
        return Ok(program);
    }
    let archive = folder.join("lammps.tar.xz");
    if !archive.exists() {
        let mut fetch = Command::new("curl");
        fetch.args(["-sSfL", "-o"]).arg(&archive).arg(SOURCE);
        command::run(&mut fetch)?;
    }
    let sum = command::output(Command::new("sha256sum").arg(&archive))?;
    if !String::from_utf8_lossy(&sum.stdout).starts_with(SHA256) {
        std::fs::remove_file(&archive)?;
        bail!("{SOURCE} is not the file that is expected");
    }
    std::fs::create_dir_all(&root)?;
    let mut unpack = Command::new("tar");
    unpack.args(["--strip-components=1", "-xf"]).arg(&archive);
    command::run(unpack.arg("-C").arg(&root))?;
    let mut build = Command::new("sh");
    build
        .args(["-c", BUILD])
        .env("COMPILER", library.compiler)
        .env("OPTIONS", library.options)
        .env("NAME", library.name)
        .current_dir(&root);
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
