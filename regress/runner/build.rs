//! Embeds the files of all cases: the conformance suite is installed without this folder.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// The folders with cases and the endings of their files.
const FOLDERS: &[(&str, &str)] = &[("kernels", "cl"), ("host", "c")];

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let mut table = String::from("&[\n");
    for (folder, ending) in FOLDERS {
        let path = Path::new(&root).join(folder);
        println!("cargo::rerun-if-changed={}", path.display());
        let mut files: Vec<_> = fs::read_dir(path)?.collect::<io::Result<_>>()?;
        files.sort_by_key(fs::DirEntry::file_name);
        for file in files {
            let path = file.path();
            if path.extension().is_none_or(|found| found != *ending) {
                let text = format!("{} is not a case: no `.{ending}`", path.display());
                return Err(io::Error::other(text));
            }
            let stem = path.file_stem().unwrap_or_default().display();
            // Writing to a string does not fail.
            let _ = writeln!(
                table,
                "    (\"{folder}\", \"{stem}\", include_str!({path:?})),"
            );
        }
    }
    table.push(']');
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&out).join("files.rs"), table)
}
