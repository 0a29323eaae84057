//! Compares the sizes of files, functions and folders with their limits. Tests are not counted.

use super::crates::{self, CrateRoot};
use super::module_tree::ModuleTree;
use super::names;
use crate::platform;
use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::fmt::{Display, Formatter};
use std::path::{Path, PathBuf};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The kinds of limited sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    FileLines,
    FunctionLines,
    FolderFiles,
}

impl Measure {
    #[cfg(test)]
    pub const ALL: [Self; 3] = [Self::FileLines, Self::FunctionLines, Self::FolderFiles];

    fn limit(self) -> usize {
        match self {
            Self::FileLines => 500,
            Self::FunctionLines => 80,
            Self::FolderFiles => 25,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Self::FileLines => "lines without tests",
            Self::FunctionLines => "lines in one function",
            Self::FolderFiles => "files in one folder",
        }
    }
}

/// A file, function or folder beyond its limit.
pub struct Excess {
    pub measure: Measure,
    /// The path relative to the project's folder, with a function's name appended.
    pub path: String,
    /// The crate's name, as in [`CrateRoot::name`]; empty for folders outside crates.
    pub crate_name: String,
    size: usize,
}

impl Display for Excess {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let (size, unit, limit) = (self.size, self.measure.unit(), self.measure.limit());
        write!(formatter, "{}: {size} {unit}, limit {limit}", self.path)
    }
}

/// All files, functions and folders beyond their limits.
///
/// # Errors
/// A file or folder cannot be read, or a file not parsed.
pub fn excesses(roots: &[CrateRoot]) -> Result<Vec<Excess>> {
    let mut excesses = Vec::new();
    for root in roots {
        let tree = ModuleTree::read(&root.file)?;
        let files: BTreeSet<&PathBuf> = tree.modules.iter().map(|module| &module.file).collect();
        for file in files {
            rust_file(file, &root.name, &mut excesses)?;
        }
    }
    folder(&platform::root(), &owners(roots), &mut excesses)?;
    Ok(excesses)
}

/// The folders of crates with the crates' names.
fn owners(roots: &[CrateRoot]) -> Vec<(PathBuf, String)> {
    let folders = crates::members().unwrap_or_default();
    let owner = |folder: PathBuf| {
        let root = roots.iter().find(|root| root.file.starts_with(&folder))?;
        let package = root.name.split('/').next().unwrap_or_default();
        Some((folder, package.to_owned()))
    };
    folders.into_iter().filter_map(owner).collect()
}

fn add(excesses: &mut Vec<Excess>, measure: Measure, path: String, crate_name: &str, size: usize) {
    if size > measure.limit() {
        excesses.push(Excess {
            measure,
            path,
            crate_name: crate_name.to_owned(),
            size,
        });
    }
}

/// A path relative to the project's folder.
fn relative(path: &Path) -> String {
    let root = platform::root();
    path.strip_prefix(root)
        .unwrap_or(path)
        .display()
        .to_string()
}

/// Adds a Rust file and its functions if they are too long.
fn rust_file(file: &Path, crate_name: &str, excesses: &mut Vec<Excess>) -> Result<()> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
    let mut lines = text.lines().count();
    let mut functions = Functions::default();
    for item in &parsed.items {
        if names::for_tests(names::attributes(item)) {
            lines -= extent(item);
        } else {
            functions.visit_item(item);
        }
    }
    let path = relative(file);
    for (name, size) in functions.found {
        let path = format!("{path}::{name}");
        add(excesses, Measure::FunctionLines, path, crate_name, size);
    }
    add(excesses, Measure::FileLines, path, crate_name, lines);
    Ok(())
}

/// Number of lines of a syntax element.
fn extent(syntax: &impl Spanned) -> usize {
    let span = syntax.span();
    span.end().line - span.start().line + 1
}

/// The functions of a file with their numbers of lines.
#[derive(Default)]
struct Functions {
    found: Vec<(String, usize)>,
}

impl Functions {
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let lines = block.span().end().line - signature.span().start().line + 1;
        self.found.push((signature.ident.to_string(), lines));
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if !names::for_tests(&function.attrs) {
            self.add(&function.sig, &function.block);
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !names::for_tests(&function.attrs) {
            self.add(&function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !names::for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }
}

/// Adds a folder and its subfolders if they contain too many files.
fn folder(path: &Path, owners: &[(PathBuf, String)], excesses: &mut Vec<Excess>) -> Result<()> {
    let mut files = 0;
    for entry in std::fs::read_dir(path).with_context(|| path.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name();
        if !entry.file_type()?.is_dir() {
            files += 1;
        } else if name != "target" && !name.to_string_lossy().starts_with(['.', '_']) {
            folder(&entry.path(), owners, excesses)?;
        }
    }
    let owner = owners.iter().find(|(folder, _)| path.starts_with(folder));
    let crate_name = owner.map_or("", |(_, name)| name);
    add(
        excesses,
        Measure::FolderFiles,
        relative(path),
        crate_name,
        files,
    );
    Ok(())
}
