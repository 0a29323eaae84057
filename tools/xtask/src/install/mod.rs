//! `cargo xtask install` and `uninstall`. A manifest below the prefix lists the installed files and
//! the created folders; uninstalling removes exactly these.

pub mod files;
pub mod layout;

use crate::{command, packages};
use anyhow::{Context, Result, bail};
use files::Installed;
use layout::Layout;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The default prefix.
pub const PREFIX: &str = "/usr/local";

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder below which files are installed. All programs find an installation in /usr or
    /// /usr/local. The variable DESTDIR names a folder that stands in for /.
    #[arg(long, default_value = PREFIX)]
    prefix: PathBuf,
}

impl Arguments {
    fn layout(&self) -> Result<Layout> {
        let root = std::env::var_os("DESTDIR").filter(|root| !root.is_empty());
        Layout::new(&self.prefix, root.map(PathBuf::from))
    }
}

/// Builds and installs, and prints what else a user has to do.
///
/// # Errors
/// The files cannot be built or written, or another program's file exists at a path.
pub fn install(arguments: &Arguments) -> Result<()> {
    let layout = arguments.layout()?;
    packages::install(packages::NEEDED)?;
    files::build()?;
    put(&files::all(&layout)?, &layout)?;
    let prefix = layout.prefix().display();
    println!(
        "installed below {prefix}; `{}` says what",
        layout.manifest().display()
    );
    if layout.is_for_all() {
        println!("every OpenCL program finds it; `mocl3 doctor` tries");
    } else {
        println!(
            "programs find it in a shell with these lines (or, once they are in ~/.profile, in all):\n{}",
            exports(&layout)
        );
    }
    Ok(())
}

/// Shell commands with which programs find an installation below a private prefix.
pub fn exports(layout: &Layout) -> String {
    format!(
        "export OCL_ICD_VENDORS={}/\nexport PATH={}:\"$PATH\"",
        command::quoted(&layout.vendors()),
        command::quoted(&layout.programs())
    )
}

/// Removes the files that `install` with the same prefix installed.
///
/// # Errors
/// There is no manifest, it is not one of ours, or files cannot be removed.
pub fn uninstall(arguments: &Arguments) -> Result<()> {
    let layout = arguments.layout()?;
    let removed = remove(&layout)?;
    println!("removed {removed} files from {}", layout.prefix().display());
    Ok(())
}

/// Writes files, the manifest first: an incomplete installation can be removed.
///
/// # Errors
/// A file cannot be written, or exists and is not listed in a manifest.
pub fn put(files: &[Installed], layout: &Layout) -> Result<()> {
    let manifest = layout.manifest();
    let before = match fs::read_to_string(layout.staged(&manifest)) {
        Ok(text) => entries(&text, layout)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error).with_context(|| unreadable(&manifest)),
    };
    let now: Vec<&Path> = files
        .iter()
        .map(|file| file.path.as_path())
        .chain([manifest.as_path()])
        .collect();
    for path in &now {
        let ours = before.iter().any(|(known, _)| known == path);
        if !ours && layout.staged(path).symlink_metadata().is_ok() {
            bail!(
                "{} is there and was not installed by this; remove it, or choose another prefix",
                layout.staged(path).display()
            );
        }
    }
    let mut folders: Vec<PathBuf> = before
        .iter()
        .filter(|(_, is_folder)| *is_folder)
        .map(|(folder, _)| folder.clone())
        .collect();
    for path in &now {
        for folder in path.ancestors().skip(1) {
            if layout.has(folder) && !layout.staged(folder).exists() {
                folders.push(folder.to_owned());
            }
        }
    }
    folders.sort();
    folders.dedup();
    let mut text = String::new();
    // Files of the previous version that this one lacks are removed last.
    let mut stale = Vec::new();
    for (path, is_folder) in &before {
        if !is_folder && !now.contains(&path.as_path()) {
            stale.push(path);
        }
    }
    for path in now
        .iter()
        .copied()
        .chain(stale.iter().map(|path| path.as_path()))
    {
        text += &format!("{}\n", path.display());
    }
    for folder in &folders {
        text += &format!("{}/\n", folder.display());
    }
    write_below(&manifest, layout, |target| Ok(fs::write(target, &text)?))?;
    stage(files, layout)?;
    for path in stale {
        remove_file(&layout.staged(path))?;
    }
    Ok(())
}

/// Writes files without a manifest: a package has its own.
///
/// # Errors
/// A file cannot be written.
pub fn stage(files: &[Installed], layout: &Layout) -> Result<()> {
    for file in files {
        write_below(&file.path, layout, |target| file.write(target))?;
    }
    Ok(())
}

/// Creates the folder of a file, and writes the file.
fn write_below(path: &Path, layout: &Layout, write: impl Fn(&Path) -> Result<()>) -> Result<()> {
    let target = layout.staged(path);
    let folder = target.parent().context("a file is in a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    write(&target).with_context(|| format!("{} cannot be written", target.display()))
}

/// Removes the files that the manifest lists; returns their number.
///
/// # Errors
/// Those of [`uninstall`].
pub fn remove(layout: &Layout) -> Result<usize> {
    let manifest = layout.manifest();
    let text = match fs::read_to_string(layout.staged(&manifest)) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "nothing is installed below {}: there is no {}",
            layout.prefix().display(),
            layout.staged(&manifest).display()
        ),
        Err(error) => return Err(error).with_context(|| unreadable(&manifest)),
    };
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for (path, is_folder) in entries(&text, layout)? {
        if is_folder {
            folders.push(path);
        } else if path != manifest {
            files.push(path);
        }
    }
    let mut removed = 0;
    // The manifest last: an incomplete removal can be repeated.
    for path in files.iter().chain([&manifest]) {
        removed += usize::from(remove_file(&layout.staged(path))?);
    }
    // Inner folders first. Folders with other files remain.
    folders.sort();
    for folder in folders.iter().rev() {
        match fs::remove_dir(layout.staged(folder)) {
            Err(error)
                if !matches!(
                    error.kind(),
                    ErrorKind::NotFound | ErrorKind::DirectoryNotEmpty
                ) =>
            {
                return Err(error)
                    .with_context(|| format!("{} cannot be removed", folder.display()));
            }
            _ => {}
        }
    }
    Ok(removed)
}

/// Removes a file; returns whether it existed.
fn remove_file(path: &Path) -> Result<bool> {
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| format!("{} cannot be removed", path.display())),
    }
}

/// A manifest's paths, and whether each is a folder that installing created.
fn entries(text: &str, layout: &Layout) -> Result<Vec<(PathBuf, bool)>> {
    text.lines()
        .map(|line| {
            let path = PathBuf::from(line.strip_suffix('/').unwrap_or(line));
            if !layout.has(&path) {
                bail!(
                    "{} lists {line}, which is not below the prefix; nothing was changed",
                    layout.manifest().display()
                );
            }
            Ok((path, line.ends_with('/')))
        })
        .collect()
}

fn unreadable(manifest: &Path) -> String {
    format!("{} cannot be read", manifest.display())
}

#[cfg(test)]
mod tests;
