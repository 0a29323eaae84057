//! `MOCL3_DUMP`: a folder into which each kernel that is compiled gets a folder of its
//! own, with a file for each stage (`stage`). Any number of threads and processes may
//! share the folder.

use crate::inspect::stage::{Observer, Stage};
use crate::kernel::interface::KernelInterface;
use crate::kernel::specialisation::Specialisation;
use crate::unit::{Origin, text_of};
use environment::{DUMP, DUMP_KERNEL, files};
use once_cell::sync::Lazy;
use std::fmt::Write;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

/// Longest part of a kernel's name in a folder's name, bytes; file systems allow 255.
const LONGEST_NAME: usize = 120;

/// The dump that the environment requests; read once.
static REQUESTED: Lazy<Option<Dump>> = Lazy::new(|| {
    let folder = DUMP.get()?;
    let kernel = DUMP_KERNEL
        .get()
        .map(|name| name.to_string_lossy().into_owned());
    Dump::new(folder.into(), kernel)
        .inspect_err(|error| log::error!("{DUMP}: {error}; no kernel is shown"))
        .ok()
});

/// Whether any kernel may be shown, so that where programs come from must be kept.
pub fn is_on() -> bool {
    REQUESTED.is_some()
}

/// A new folder for a kernel that is about to be compiled, if it is to be shown.
pub fn folder(kernel: &KernelInterface, specialisation: &Specialisation) -> Option<KernelFolder> {
    let dump = REQUESTED.as_ref()?;
    if !dump.shows(&kernel.name) {
        return None;
    }
    dump.folder(&kernel.name, specialisation)
        .inspect_err(|error| log::warn!("{DUMP}: {}: {error}", dump.path.display()))
        .ok()
}

/// Shows a program that does not build, if all kernels are to be shown: it has none.
pub fn failed_build(origins: &[Arc<Origin>], log: &str) {
    let Some(dump) = REQUESTED.as_ref().filter(|dump| dump.kernel.is_none()) else {
        return;
    };
    match dump.next_folder("build-failed") {
        Ok(folder) => {
            folder.write_origins(origins);
            folder.write("build-log.txt", log);
        }
        Err(error) => log::warn!("{DUMP}: {}: {error}", dump.path.display()),
    }
}

/// Where kernels are shown, and which.
struct Dump {
    folder: files::Folder,
    /// What the user calls it.
    path: PathBuf,
    kernel: Option<String>,
}

impl Dump {
    fn new(path: PathBuf, kernel: Option<String>) -> io::Result<Self> {
        let folder = files::Folder::open(&path, 0o777)
            .map_err(|error| io::Error::new(error.kind(), format!("{path:?}: {error}")))?;
        Ok(Self {
            folder,
            path,
            kernel,
        })
    }

    fn shows(&self, kernel: &str) -> bool {
        self.kernel.as_deref().is_none_or(|only| only == kernel)
    }

    fn folder(&self, kernel: &str, specialisation: &Specialisation) -> io::Result<KernelFolder> {
        let size = match specialisation.local_size {
            Some([x, y, z]) => format!("{x}x{y}x{z}"),
            None => "any-size".into(),
        };
        let kernel = &kernel[..kernel.floor_char_boundary(LONGEST_NAME)];
        self.next_folder(&format!("{kernel}-{size}"))
    }

    /// Makes `<next number>-<name>`.
    fn next_folder(&self, name: &str) -> io::Result<KernelFolder> {
        // Numbers are given one at a time: the lock is on the folder itself, shared with
        // other processes, and ends with the file.
        let _lock = self.folder.lock()?;
        let numbers = self.folder.entries()?.into_iter().map(|entry| {
            let name = entry.name.to_str()?;
            name.split_once('-')?.0.parse().ok()
        });
        let last: u64 = numbers.flatten().max().unwrap_or(0);
        let name = format!("{:04}-{name}", last.saturating_add(1));
        Ok(KernelFolder {
            files: self.folder.create_folder(name.as_ref(), 0o755)?,
            path: self.path.join(name),
        })
    }
}

/// The folder of a kernel that is being compiled. Failures to write are logged and do not end the
/// compilation.
pub struct KernelFolder {
    files: files::Folder,
    path: PathBuf,
}

impl KernelFolder {
    /// Writes what the kernel's program was made of.
    pub fn write_origins(&self, origins: &[Arc<Origin>]) {
        for (number, origin) in origins.iter().enumerate() {
            // Several programs may have been linked.
            let name = |step: Stage| match number {
                0 => step.file_name(),
                _ => {
                    let name = step.file_name();
                    let (stem, extension) = name.split_once('.').expect("it has an extension");
                    format!("{stem}-{}.{extension}", number + 1)
                }
            };
            self.write(&name(Stage::Source), &origin.source);
            self.write(&name(Stage::Options), &options(origin));
            if let Some(bitcode) = &origin.bitcode {
                self.write(&name(Stage::FrontEnd), &text_of(bitcode));
            }
        }
    }

    fn write(&self, name: &str, text: &str) {
        let written = self
            .files
            .append(name.as_ref(), 0o644)
            .and_then(|mut file| {
                // It may be shown again.
                file.set_len(0)?;
                file.write_all(text.as_bytes())
            });
        if let Err(error) = written {
            log::warn!("{DUMP}: {}: {error}", self.path.join(name).display());
        }
    }
}

/// clang's arguments, and the headers that came with the program.
fn options(origin: &Origin) -> String {
    let mut text = format!("program: {}\noptimise: {}\n", origin.name, origin.optimise);
    text.push_str("clang -cc1:\n");
    for argument in &origin.clang_arguments {
        writeln!(text, "  {argument}").expect("a String takes all");
    }
    for header in &origin.headers {
        write!(text, "\nheader {}:\n{}\n", header.name, header.source).expect("as above");
    }
    text
}

impl Observer for KernelFolder {
    fn wants(&self, _step: Stage) -> bool {
        true
    }

    fn see(&mut self, step: Stage, text: &str) {
        self.write(&step.file_name(), text);
    }
}
