//! The workspace's crates with their root files.

use crate::platform;
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// A library or a program.
pub struct CrateRoot {
    /// The package's name; the name of a program is appended if the package has a library.
    pub name: String,
    /// `lib.rs` or `main.rs`.
    pub file: PathBuf,
}

/// All libraries and programs of the workspace.
///
/// # Errors
/// A manifest cannot be read.
pub fn roots() -> Result<Vec<CrateRoot>> {
    let mut roots = Vec::new();
    for folder in members()? {
        let manifest = manifest(&folder)?;
        let package = manifest["package"]["name"]
            .as_str()
            .context("a package has a name")?;
        let source = folder.join("src");
        let mut candidates = vec![
            (package.to_owned(), source.join("lib.rs")),
            (format!("{package}/main"), source.join("main.rs")),
        ];
        if let Ok(programs) = std::fs::read_dir(source.join("bin")) {
            for program in programs {
                let path = program?.path();
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                let name = format!("{package}/{stem}");
                let file = if path.is_dir() {
                    path.join("main.rs")
                } else {
                    path
                };
                candidates.push((name, file));
            }
        }
        candidates.retain(|(_, file)| file.is_file());
        if let [(name, _)] = candidates.as_mut_slice() {
            package.clone_into(name);
        }
        let root = |(name, file)| CrateRoot { name, file };
        roots.extend(candidates.into_iter().map(root));
    }
    Ok(roots)
}

/// The folders of the workspace's members.
///
/// # Errors
/// The workspace's manifest cannot be read.
pub fn members() -> Result<Vec<PathBuf>> {
    let root = platform::root();
    let workspace = manifest(&root)?;
    let members = workspace["workspace"]["members"]
        .as_array()
        .context("a workspace has members")?;
    let folder = |member: &toml::Value| member.as_str().map(|path| root.join(path));
    Ok(members.iter().filter_map(folder).collect())
}

fn manifest(folder: &Path) -> Result<toml::Table> {
    let file = folder.join("Cargo.toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    toml::from_str(&text).with_context(|| file.display().to_string())
}
