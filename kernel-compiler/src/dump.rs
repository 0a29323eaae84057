//! `MOCL3_DUMP`: a folder into which each kernel that is compiled gets a folder of its
//! own, with a file for each step (`steps`). Any number of threads and processes may
//! share the folder.

use crate::Origin;
use crate::interface::KernelInterface;
use crate::specialisation::Specialisation;
use crate::steps::{Observer, Step};
use once_cell::sync::Lazy;
use std::fmt::Write;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The folder.
const FOLDER: &str = "MOCL3_DUMP";
/// The one kernel to show.
const KERNEL: &str = "MOCL3_DUMP_KERNEL";

/// Longest part of a kernel's name in a folder's name, bytes; file systems allow 255.
const LONGEST_NAME: usize = 120;

/// What the environment asks for; read once.
static ASKED_FOR: Lazy<Option<Dump>> = Lazy::new(|| {
    let folder = std::env::var_os(FOLDER).filter(|folder| !folder.is_empty())?;
    let kernel = std::env::var(KERNEL).ok().filter(|name| !name.is_empty());
    Dump::new(folder.into(), kernel)
        .inspect_err(|error| log::error!("{FOLDER}: {error}; no kernel is shown"))
        .ok()
});

/// Whether any kernel may be shown, so that where programs come from must be kept.
pub fn is_on() -> bool {
    ASKED_FOR.is_some()
}

/// A new folder for a kernel that is about to be compiled, if it is to be shown.
pub fn folder(kernel: &KernelInterface, specialisation: &Specialisation) -> Option<KernelFolder> {
    let dump = ASKED_FOR.as_ref()?;
    if !dump.shows(&kernel.name) {
        return None;
    }
    dump.folder(&kernel.name, specialisation)
        .inspect_err(|error| log::warn!("{FOLDER}: {}: {error}", dump.folder.display()))
        .ok()
}

/// Shows a program that does not build, if all kernels are to be shown: it has none.
pub fn failed_build(origins: &[Arc<Origin>], log: &str) {
    let Some(dump) = ASKED_FOR.as_ref().filter(|dump| dump.kernel.is_none()) else {
        return;
    };
    match dump.next_folder("build-failed") {
        Ok(folder) => {
            folder.write_origins(origins);
            folder.write("build-log.txt", log);
        }
        Err(error) => log::warn!("{FOLDER}: {}: {error}", dump.folder.display()),
    }
}

/// Where kernels are shown, and which.
struct Dump {
    /// Absolute: the program may change its working directory.
    folder: PathBuf,
    kernel: Option<String>,
}

impl Dump {
    fn new(folder: PathBuf, kernel: Option<String>) -> io::Result<Self> {
        let at = |error: io::Error| io::Error::new(error.kind(), format!("{folder:?}: {error}"));
        fs::create_dir_all(&folder).map_err(at)?;
        let folder = fs::canonicalize(&folder).map_err(at)?;
        Ok(Self { folder, kernel })
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
        let lock = File::open(&self.folder)?;
        lock.lock()?;
        let mut last = 0u64;
        for entry in fs::read_dir(&self.folder)? {
            let name = entry?.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.split_once('-')?.0.parse().ok());
            last = last.max(number.unwrap_or(0));
        }
        let number = last.saturating_add(1);
        let path = self.folder.join(format!("{number:04}-{name}"));
        fs::create_dir(&path)?;
        Ok(KernelFolder(path))
    }
}

/// The folder of a kernel that is being compiled. What cannot be written is logged and
/// does not disturb anybody.
pub struct KernelFolder(PathBuf);

impl KernelFolder {
    /// Writes what the kernel's program was made of.
    pub fn write_origins(&self, origins: &[Arc<Origin>]) {
        for (number, origin) in origins.iter().enumerate() {
            // Several programs may have been linked.
            let name = |step: Step| match number {
                0 => step.file_name(),
                _ => {
                    let name = step.file_name();
                    let (stem, extension) = name.split_once('.').expect("it has an extension");
                    format!("{stem}-{}.{extension}", number + 1)
                }
            };
            self.write(&name(Step::Source), &origin.source);
            self.write(&name(Step::Options), &options(origin));
            if let Some(bitcode) = &origin.bitcode {
                self.write(&name(Step::FrontEnd), &crate::text_of(bitcode));
            }
        }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        if let Err(error) = fs::write(&path, text) {
            log::warn!("{FOLDER}: {}: {error}", path.display());
        }
    }
}

/// What clang was told, and the headers that came with the program.
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
    fn wants(&self, _step: Step) -> bool {
        true
    }

    fn see(&mut self, step: Step, text: &str) {
        self.write(&step.file_name(), text);
    }
}
