//! The installed files, which are also those of the Debian package.

use super::layout::Layout;
use crate::command;
use crate::defective;
use crate::platform;
use anyhow::{Context, Result};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The origin of a file's content.
pub enum Content {
    /// A program or library, installed without its debug information.
    Program(PathBuf),
    File(PathBuf),
    Text(String),
}

/// A file, and the path at which programs will find it.
pub struct Installed {
    pub content: Content,
    pub path: PathBuf,
}

/// Programs: cargo's name, and the installed name.
const PROGRAMS: &[(&str, &str)] = &[
    ("mocl3", "mocl3"),
    ("mocl3-compile", "mocl3-compile"),
    ("conformance", "mocl3-conformance"),
    ("m3cc", "m3cc"),
    ("m3cc-link", "m3cc-link"),
];

/// Programs with manual pages and completions, which their subcommand `manual` writes.
const DOCUMENTED: &[&str] = &["mocl3", "conformance"];

/// Libraries in the folder of the platform's: the layer for SimGrid, CBLAS, and that of hthreads programs.
const LIBRARIES: &[&str] = &[
    "libmocl3_smpi.so",
    "libmocl3_cblas.so",
    "libhthread_host.so",
];

/// C headers: where they are in the project, and in the folder `include` of the installation. `cblas.h` has a
/// folder of its own, since other packages have a header of that name.
const HEADERS: &[(&str, &str)] = &[
    ("icd/include/CL/cl_mocl3.h", "CL/cl_mocl3.h"),
    ("cblas/include/cblas.h", "mocl3/cblas.h"),
];

/// Commands for gdb, relative to the folder of `mocl3`'s crate; `mocl3 debug` has them within.
const DEBUGGER: &[&str] = &["gdb/mocl3.py"];

const TEXTS: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
];

/// The folders of documentation. The assets in icd/Cargo.toml list the same ones.
const PAGES: &[&str] = &["docs", "docs/compiler", "docs/generated", "docs/how-to"];

/// Builds the installed files.
///
/// # Errors
/// cargo's.
pub fn build() -> Result<()> {
    platform::build()?;
    // Not with one command: that would unify the features of the dependencies of all packages, and
    // compile the library's crates again.
    for packages in [&["mocl3", "m3cc", "hthread-host"][..], &["conformance"]] {
        let packages = packages.iter().flat_map(|package| ["--package", package]);
        let mut cargo = platform::cargo();
        cargo.args(["build", "--release"]);
        command::run(cargo.args(packages))?;
    }
    write_manual()?;
    defective::check_without_defects(&platform::library_folder().join("libmocl3.so"))
}

/// The folder of the manual pages and completions.
fn manual() -> PathBuf {
    platform::library_folder().join("manual")
}

fn write_manual() -> Result<()> {
    if manual().exists() {
        fs::remove_dir_all(manual())?;
    }
    for program in DOCUMENTED {
        let mut program = Command::new(platform::library_folder().join(program));
        command::run(program.arg("manual").arg(manual()))?;
    }
    Ok(())
}

/// Manual pages and completions.
fn manual_files(layout: &Layout) -> Result<Vec<Installed>> {
    let mut files = Vec::new();
    for (folder, target) in [
        ("man", layout.manual()),
        ("bash", layout.bash_completions()),
        ("zsh", layout.zsh_completions()),
        ("fish", layout.fish_completions()),
    ] {
        let folder = manual().join(folder);
        let entries = fs::read_dir(&folder)
            .with_context(|| format!("{} cannot be read", folder.display()))?;
        for entry in entries {
            let from = entry?.path();
            let path = target.join(from.file_name().unwrap_or_default());
            let content = Content::File(from);
            files.push(Installed { content, path });
        }
    }
    Ok(files)
}

/// All installed files.
///
/// # Errors
/// The documentation or the manual cannot be read.
pub fn all(layout: &Layout) -> Result<Vec<Installed>> {
    let built = platform::library_folder();
    let root = platform::root();
    let library = layout.library();
    let icd = format!("{}\n", library.display());
    let mut files = vec![
        Installed {
            content: Content::Program(built.join("libmocl3.so")),
            path: library.clone(),
        },
        Installed {
            content: Content::Text(icd),
            path: layout.icd(),
        },
    ];
    files.extend(LIBRARIES.iter().map(|name| Installed {
        content: Content::Program(built.join(name)),
        path: library.with_file_name(name),
    }));
    files.extend(PROGRAMS.iter().map(|(name, installed)| Installed {
        content: Content::Program(built.join(name)),
        path: layout.programs().join(installed),
    }));
    files.extend(HEADERS.iter().map(|(header, installed)| Installed {
        content: Content::File(root.join(header)),
        path: layout.headers().join(installed),
    }));
    files.extend(DEBUGGER.iter().map(|script| Installed {
        content: Content::File(root.join("tools/mocl3").join(script)),
        path: layout.data().join(script),
    }));
    files.extend(machines()?.into_iter().map(|from| Installed {
        path: layout.machines().join(from.file_name().unwrap_or_default()),
        content: Content::File(from),
    }));
    files.extend(manual_files(layout)?);
    let mut texts: Vec<PathBuf> = TEXTS.iter().map(Into::into).collect();
    for folder in PAGES {
        texts.extend(pages(&root, Path::new(folder))?);
    }
    files.extend(texts.into_iter().map(|text| Installed {
        content: Content::File(root.join(&text)),
        path: layout.documentation().join(text),
    }));
    Ok(files)
}

/// The machine files. The library has them within; these are for reading and copying.
///
/// # Errors
/// The folder cannot be read.
pub fn machines() -> Result<Vec<PathBuf>> {
    let folder = platform::root().join("device-sim/machines");
    let entries =
        fs::read_dir(&folder).with_context(|| format!("{} cannot be read", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    paths.collect()
}

/// The pages of a folder, relative to `root`; not those of its subfolders.
fn pages(root: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(root.join(folder))
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut pages = Vec::new();
    for entry in entries {
        let name = PathBuf::from(entry?.file_name());
        if name.extension().is_some_and(|extension| extension == "md") {
            pages.push(folder.join(name));
        }
    }
    Ok(pages)
}

impl Installed {
    /// Writes the file to `target`, whose folder exists. An existing file is replaced, not
    /// modified: a program that has it open keeps the old one.
    ///
    /// # Errors
    /// The content cannot be read, or the file not be written.
    pub fn write(&self, target: &Path) -> Result<()> {
        let mut fresh = target.to_owned().into_os_string();
        fresh.push(".new");
        let fresh = PathBuf::from(fresh);
        let mode = match &self.content {
            Content::Program(from) => {
                let mut strip = Command::new("strip");
                strip.arg("--strip-unneeded").arg("-o").args([&fresh, from]);
                command::run(&mut strip)?;
                0o755
            }
            Content::File(from) => {
                fs::copy(from, &fresh)
                    .with_context(|| format!("{} cannot be copied", from.display()))?;
                0o644
            }
            Content::Text(text) => {
                fs::write(&fresh, text)
                    .with_context(|| format!("{} cannot be written", fresh.display()))?;
                0o644
            }
        };
        fs::set_permissions(&fresh, fs::Permissions::from_mode(mode))?;
        fs::rename(&fresh, target)
            .with_context(|| format!("{} cannot be written", target.display()))
    }
}
