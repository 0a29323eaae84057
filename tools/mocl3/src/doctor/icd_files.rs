//! Examines the `.icd` files, by which the loader finds platforms.

use super::findings::{Findings, quoted};
use super::loader::{FILENAMES, Kind, Loader};
use std::env::var_os;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const SYSTEM: &str = "/etc/OpenCL/vendors";

/// Files and libraries whose paths contain this are MOCL3's.
const OURS: &str = "mocl3";

const REGISTER: &str = "in MOCL3's folder, for this shell: eval \"$(cargo xtask env)\"; for all \
                        programs: cargo xtask install, as root, which writes \
                        /etc/OpenCL/vendors/mocl3.icd";

/// Advice for making the loader find our `.icd` file.
fn advice() -> String {
    let system = Path::new(SYSTEM).join("mocl3.icd").is_file();
    if let Some(variable) = set_variable().filter(|_| system) {
        return format!(
            "{SYSTEM} has MOCL3's .icd file, where the loader looks without the variable: \
             unset {variable}"
        );
    }
    match private_vendors() {
        Some(folder) => format!(
            "MOCL3 is installed with a prefix of its own, which the loader has to know: \
             export OCL_ICD_VENDORS={}/",
            quoted(&folder)
        ),
        None => match installed_library() {
            Some(library) => format!(
                "MOCL3 is installed, but its .icd file is gone; as root: \
                 mkdir -p {SYSTEM} && echo {} > {SYSTEM}/mocl3.icd",
                quoted(&library)
            ),
            None => REGISTER.into(),
        },
    }
}

/// The variable that keeps the loader from its own folder.
fn set_variable() -> Option<&'static str> {
    ["OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"]
        .into_iter()
        .find(|name| set(name).is_some())
}

/// A variable that is set and not empty.
fn set(name: &str) -> Option<PathBuf> {
    var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// The library that was installed with this program.
fn installed_library() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let library = program.parent()?.parent()?.join("lib/mocl3/libmocl3.so");
    library.is_file().then_some(library)
}

/// The folder of the `.icd` file if this program was installed below a private prefix
/// (tools/xtask/src/install/layout.rs).
fn private_vendors() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let prefix = program.parent()?.parent()?;
    let folder = prefix.join("etc/OpenCL/vendors");
    folder.join("mocl3.icd").is_file().then_some(folder)
}

/// Where the loader looks.
enum SearchPath {
    /// The loader reads the `.icd` files of a folder.
    Folder(PathBuf),
    /// The loader reads this file only.
    File(PathBuf),
    /// The loader takes the variable's value as the library's name.
    Library(PathBuf),
}

/// The search path, from the environment variables.
fn search_path(kind: Kind) -> SearchPath {
    let vendors = set("OCL_ICD_VENDORS");
    if kind == Kind::Khronos {
        return SearchPath::Folder(vendors.unwrap_or_else(|| SYSTEM.into()));
    }
    // libOpenCL(7) of ocl-icd describes this.
    let folder = set("OPENCL_VENDOR_PATH").unwrap_or_else(|| SYSTEM.into());
    match vendors {
        None => SearchPath::Folder(folder),
        Some(vendors) if vendors.is_dir() => SearchPath::Folder(vendors),
        Some(vendors) if has_extension(&vendors, "icd") => {
            let in_folder = folder.join(&vendors);
            let bare = vendors.components().count() == 1;
            SearchPath::File(if bare && in_folder.exists() {
                in_folder
            } else {
                vendors
            })
        }
        // The user may have meant a folder.
        Some(vendors) if !vendors.to_string_lossy().contains(".so") => SearchPath::Folder(vendors),
        Some(vendors) => SearchPath::Library(vendors),
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension() == Some(OsStr::new(extension))
}

/// The distinct named libraries that look like MOCL3's.
pub fn examine(loader: &Loader, findings: &mut Findings) -> Vec<PathBuf> {
    let before = findings.obstacles();
    let mut libraries = Vec::new();
    let mut looked_at = Vec::new();
    match search_path(loader.kind) {
        // A single library need not look like MOCL3's.
        SearchPath::Library(library) => return vec![library],
        SearchPath::File(file) => {
            libraries.extend(library_of(&file, loader, findings));
            looked_at.push(file);
        }
        SearchPath::Folder(folder) => {
            let own = loader.pyopencl_home.as_ref().map(|home| home.join(".libs"));
            for folder in [folder].into_iter().chain(own) {
                match fs::read_dir(&folder) {
                    Ok(entries) => {
                        let mut files: Vec<_> =
                            entries.flatten().map(|entry| entry.path()).collect();
                        files.sort();
                        for file in files {
                            libraries.extend(library_in(&file, loader, findings));
                        }
                    }
                    Err(error) => findings.note(format!(
                        "the loader looks for platforms in {}: {error}",
                        folder.display()
                    )),
                }
                looked_at.push(folder);
            }
        }
    }
    if loader.kind == Kind::Khronos {
        let names = var_os(FILENAMES).unwrap_or_default();
        libraries.extend(std::env::split_paths(&names).filter(|path| is_ours(path)));
    }
    // A problem with MOCL3's file is the finding.
    if libraries.is_empty() && findings.obstacles() == before {
        let places: Vec<String> = looked_at
            .iter()
            .map(|place| place.display().to_string())
            .collect();
        findings.bad(
            format!("no .icd file in {} names MOCL3", places.join(" or ")),
            advice(),
        );
    }
    libraries
}

fn is_ours(path: &Path) -> bool {
    path.to_string_lossy().contains(OURS)
}

/// MOCL3's library, if this entry of a folder names it.
fn library_in(file: &Path, loader: &Loader, findings: &mut Findings) -> Option<PathBuf> {
    if !has_extension(file, "icd") {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        if name.contains(OURS) && name.contains("icd") {
            findings.note(format!(
                "{}: the loader reads files only whose names end in .icd",
                file.display()
            ));
        }
        return None;
    }
    library_of(file, loader, findings).filter(|library| is_ours(library))
}

/// The library that a file names. Problems with other platforms' files are only notes.
fn library_of(file: &Path, loader: &Loader, findings: &mut Findings) -> Option<PathBuf> {
    let shown = file.display();
    let mut wrong = |what: String, advice: String| {
        if is_ours(file) {
            findings.bad(what, advice);
        } else {
            findings.note(what);
        }
    };
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            let advice = match error.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    "let all users read it: chmod a+r, and a+x for the folders above it"
                }
                std::io::ErrorKind::NotFound if file.is_symlink() => {
                    "it is a link to a file that is not there: link it to the right one"
                }
                std::io::ErrorKind::NotFound => "correct the variable, or unset it",
                _ => "replace it by a file with the absolute path of the platform's library",
            };
            wrong(format!("{shown}: {error}"), advice.into());
            return None;
        }
    };
    // Loaders use the file's content unchanged, except for a line feed at its end.
    let raw = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    let name = raw.trim_ascii();
    let name = name.strip_prefix("\u{feff}".as_bytes()).unwrap_or(name);
    let first = name.split(|byte| *byte == b'\n').next().unwrap_or(name);
    if first.is_empty() {
        let advice = "write the absolute path of the platform's library into it";
        wrong(format!("{shown} is empty"), advice.into());
        return None;
    }
    let named = PathBuf::from(OsStr::from_bytes(first.trim_ascii()));
    // The dynamic linker's name for the folder of the loading library.
    let library = match (named.strip_prefix("$ORIGIN"), loader.path.parent()) {
        (Ok(rest), Some(folder)) => folder.join(rest),
        _ => named.clone(),
    };
    if !is_ours(file) && !is_ours(&library) {
        findings.good(format!("{shown} names {}", named.display()));
        return Some(library);
    }
    let taken = |byte: &u8| b"\"'~$#".contains(byte);
    if library == named && first.first().is_some_and(taken) {
        findings.bad(
            format!("{shown} names {}", named.display()),
            "loaders take the text as it stands, and know no quotes, comments, ~ or variables: \
             write the absolute path of the library",
        );
        return None;
    }
    if raw != named.as_os_str().as_bytes() {
        findings.bad(
            format!(
                "{shown} has more in it than the name {}, which loaders take for a part of it: {}",
                named.display(),
                raw.escape_ascii()
            ),
            format!(
                "write the name only, without blanks or Windows' line ends: \
                 printf '%s\\n' {} > {}",
                quoted(&named),
                quoted(file)
            ),
        );
        return None;
    }
    findings.good(format!("{shown} names {}", named.display()));
    if library.is_relative() {
        findings.note(relative_path_note(first));
    }
    Some(library)
}

/// Where the dynamic linker looks for a library with this relative path.
fn relative_path_note(path: &[u8]) -> &'static str {
    if path.contains(&b'/') {
        "that is looked for below the folder in which a program happens to run; an absolute \
         path is found always"
    } else {
        "that is found by LD_LIBRARY_PATH or the system's folders only; an absolute path \
         is found always"
    }
}
