//! The folders in which Makefiles for the machine expect the toolchain, the headers and the
//! libraries.

use crate::device_files::{HEADERS, HOST_HEADERS, SOURCES};
use crate::modules;
use anyhow::{Context, Result};
use device_linker::archive;
use kernel_compiler::device_c::{Source, compile};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The programs, with the names that the toolchain has for each.
const PROGRAMS: [(&str, &[&str]); 2] = [
    (
        "m3cc",
        &[
            "MT-3000-gcc",
            "MT-3000-as",
            "MT-3000-objdump",
            "MT-3000-addr2line",
            "m3cc",
            "m3cc-as",
            "m3cc-objdump",
            "m3cc-addr2line",
        ],
    ),
    (
        "m3cc-link",
        &[
            "MT-3000-ld",
            "MT-3000-ar",
            "MT-3000-makedat",
            "m3cc-ld",
            "m3cc-ar",
            "m3cc-makedat",
        ],
    ),
];

/// Libraries of the device: their paths, and their sources.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("hthreads/lib/libhthread_device.a", &["print.c"]),
    ("dsp_compiler/lib/slib3000.a", &["stdio.c"]),
    ("dsp_compiler/lib/libc.a", &["stdio.c"]),
    // Functions of mathematics are the host's.
    ("dsp_compiler/lib/libm.a", &[]),
    ("dsp_compiler/lib/libvm.a", &["vector_math.c"]),
    ("libvm/lib/libvm.a", &["vector_math.c"]),
    ("dsp_compiler/lib/vlib3000.a", &["vsip.c"]),
    ("dsp_compiler/lib/vlibvsip.a", &["vsip.c"]),
];

/// Linker scripts. Where sections are placed has no meaning here: only the names are looked for.
const SCRIPTS: &[&str] = &["hthreads/lib/dsp.lds", "hthreads/lib/dsp_sm.lds"];

/// The host library.
const HOST_LIBRARY: &str = "libhthread_host.so";

/// Writes the tree to a folder, which may exist. Without a host library, that next to this program is
/// used.
///
/// # Errors
/// Something cannot be written, or this program's own file or the host library is not found.
pub fn make(folder: &Path, library: Option<&Path>) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let folder = folder.canonicalize()?;
    let program = std::env::current_exe()?.canonicalize()?;
    for (file, names) in PROGRAMS {
        let program = program.with_file_name(file);
        let program = program.canonicalize();
        let program = program.with_context(|| format!("{file} is not next to m3cc"))?;
        for name in names {
            link(&program, &folder.join("dsp_compiler/bin").join(name))?;
        }
    }
    for (name, text) in HEADERS {
        let places: &[&str] = match *name {
            "hthread_device.h" => &["hthreads/include"],
            "vector_math.h" => &["dsp_compiler/include", "libvm/include"],
            _ => &["dsp_compiler/include"],
        };
        for place in places {
            write(&folder.join(place).join(name), text.as_bytes())?;
        }
    }
    for (name, text) in HOST_HEADERS {
        write(&folder.join("hthreads/include").join(name), text.as_bytes())?;
    }
    for script in SCRIPTS {
        write(
            &folder.join(script),
            b"/* m3cc places sections itself. */\n",
        )?;
    }
    for (library, sources) in LIBRARIES {
        let path = folder.join(library);
        create_parent(&path)?;
        archive::write(&path, &members(sources)?)?;
    }
    let library = match library {
        Some(library) => library.to_owned(),
        None => next_to(&program)?,
    };
    host_library(&folder.join("hthreads/lib"), &library)
}

/// The host library next to this program, or where it is installed.
fn next_to(program: &Path) -> Result<PathBuf> {
    let folder = program.parent().unwrap_or(Path::new("/"));
    let places = [folder.to_owned(), folder.join("../lib/mocl3")];
    let mut libraries = places.into_iter().map(|place| place.join(HOST_LIBRARY));
    libraries
        .find(|path| path.is_file())
        .with_context(|| format!("{HOST_LIBRARY} is not next to {}", program.display()))
}

/// The host library, and an archive of the usual name by which the linker finds it: a script with its
/// path, which programs keep.
fn host_library(folder: &Path, library: &Path) -> Result<()> {
    let found = library.canonicalize();
    let found = found.with_context(|| library.display().to_string())?;
    let linked = folder.join(HOST_LIBRARY);
    link(&found, &linked)?;
    let script = format!("INPUT({})\n", linked.display());
    write(&folder.join("libhthread_host.a"), script.as_bytes())
}

/// The members of a library, compiled.
fn members(sources: &[&str]) -> Result<Vec<archive::Member>> {
    let build = tempfile::tempdir()?;
    let sources = SOURCES.iter().filter(|(name, _)| sources.contains(name));
    sources
        .map(|(name, text)| {
            let path = build.path().join(name);
            write(&path, text.as_bytes())?;
            let (bitcode, _) = compile(&Source {
                path: &path.to_string_lossy(),
                arguments: &["-O2".to_owned()],
                headers: HEADERS,
            })?;
            Ok((name.replace(".c", ".o"), modules::object_file(bitcode)?))
        })
        .collect()
}

fn create_parent(path: &Path) -> Result<()> {
    let parent = path.parent().map(PathBuf::from).unwrap_or_default();
    fs::create_dir_all(&parent).with_context(|| parent.display().to_string())
}

fn write(path: &Path, contents: &[u8]) -> Result<()> {
    create_parent(path)?;
    fs::write(path, contents).with_context(|| path.display().to_string())
}

/// A symbolic link to `target`, in place of what is at `path`.
fn link(target: &Path, path: &Path) -> Result<()> {
    create_parent(path)?;
    let _ = fs::remove_file(path);
    symlink(target, path).with_context(|| path.display().to_string())
}
