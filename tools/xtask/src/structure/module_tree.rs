//! The tree of a crate's modules, from its `mod` declarations, and the resolution of paths in it.
//!
//! Names that macros define are unknown: a path to one resolves to the last module in it.

use super::names::{self, Segments};
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use syn::{Item, Visibility};

/// A module's position in its tree; the crate's root is 0.
pub type ModuleId = usize;

/// The meaning of a name in a module.
enum Binding {
    Item,
    Module(ModuleId),
    Import(Segments),
}

/// A module, without items that are compiled for tests only.
pub struct Module {
    /// The path below the crate, for example `queue::event`; the root is `crate`.
    pub path: String,
    /// The file, and the module of the whole file, which encloses inline modules.
    pub file: PathBuf,
    pub file_module: ModuleId,
    pub items: Vec<Item>,
    parent: Option<ModuleId>,
    names: HashMap<String, Vec<Binding>>,
    globs: Vec<Segments>,
}

/// The target of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// An item that this module defines.
    Item(ModuleId),
    Module(ModuleId),
    /// Another crate's item.
    External,
    /// A local variable, a generic parameter, a name that a macro defines.
    Unknown,
}

/// Whether a path names a module or an item of the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Preference {
    Item,
    Module,
}

/// The enclosing look-ups. One that leads back to itself finds nothing.
struct Pending<'a> {
    module: ModuleId,
    name: &'a str,
    outer: Option<&'a Pending<'a>>,
}

impl Pending<'_> {
    fn contains(&self, module: ModuleId, name: &str) -> bool {
        self.module == module && self.name == name
            || self.outer.is_some_and(|outer| outer.contains(module, name))
    }
}

/// All modules of a crate.
pub struct ModuleTree {
    pub modules: Vec<Module>,
}

impl ModuleTree {
    /// Reads a crate from its root file.
    ///
    /// # Errors
    /// A file cannot be read or parsed.
    pub fn read(root: &Path) -> Result<Self> {
        let mut tree = Self {
            modules: Vec::new(),
        };
        let folder = root.parent().context("a file is in a folder")?;
        tree.add_file("crate".to_owned(), root, folder, None)?;
        Ok(tree)
    }

    /// The innermost module that is a file and contains `module`.
    pub fn file_module(&self, module: ModuleId) -> ModuleId {
        self.modules[module].file_module
    }

    /// Resolves a path in a module.
    pub fn resolve(&self, from: ModuleId, path: &[String], prefer: Preference) -> Resolution {
        self.resolve_within(from, path, prefer, None)
    }

    fn resolve_within(
        &self,
        from: ModuleId,
        path: &[String],
        prefer: Preference,
        outer: Option<&Pending<'_>>,
    ) -> Resolution {
        let mut module = from;
        let mut rest = path;
        let mut rooted = false;
        while let Some((first, others)) = rest.split_first() {
            module = match first.as_str() {
                "crate" => 0,
                "self" => module,
                "super" => self.modules[module].parent.unwrap_or(0),
                _ => break,
            };
            rooted = true;
            rest = others;
        }
        while let Some((name, others)) = rest.split_first() {
            let wanted = if others.is_empty() {
                prefer
            } else {
                Preference::Module
            };
            match self.lookup(module, name, wanted, outer) {
                Resolution::Module(inner) => module = inner,
                found @ (Resolution::Item(_) | Resolution::External) => return found,
                Resolution::Unknown if rooted => return Resolution::Item(module),
                Resolution::Unknown => return Resolution::Unknown,
            }
            rooted = true;
            rest = others;
        }
        Resolution::Module(module)
    }

    fn lookup(
        &self,
        module: ModuleId,
        name: &str,
        prefer: Preference,
        outer: Option<&Pending<'_>>,
    ) -> Resolution {
        if outer.is_some_and(|outer| outer.contains(module, name)) {
            return Resolution::Unknown;
        }
        let pending = Some(&Pending {
            module,
            name,
            outer,
        });
        let bindings = self.modules[module].names.get(name);
        let bindings = || bindings.into_iter().flatten();
        let defined = bindings().find_map(|binding| match (binding, prefer) {
            (Binding::Item, Preference::Item) => Some(Resolution::Item(module)),
            (Binding::Module(inner), Preference::Module) => Some(Resolution::Module(*inner)),
            _ => None,
        });
        if let Some(resolution) = defined {
            return resolution;
        }
        let mut other = None;
        for binding in bindings() {
            let resolution = match binding {
                Binding::Item => Resolution::Item(module),
                Binding::Module(inner) => Resolution::Module(*inner),
                Binding::Import(path) => match self.resolve_within(module, path, prefer, pending) {
                    Resolution::Unknown => Resolution::External,
                    known => known,
                },
            };
            match (resolution, prefer) {
                (Resolution::Item(_), Preference::Item)
                | (Resolution::Module(_), Preference::Module) => return resolution,
                _ => other = other.or(Some(resolution)),
            }
        }
        if let Some(resolution) = other {
            return resolution;
        }
        for glob in &self.modules[module].globs {
            let inner = self.resolve_within(module, glob, Preference::Module, pending);
            if let Resolution::Module(inner) = inner
                && inner != module
            {
                match self.lookup(inner, name, prefer, pending) {
                    Resolution::Unknown => (),
                    resolution => return resolution,
                }
            }
        }
        Resolution::Unknown
    }

    /// Adds the module of a file. The files of its children are in the folder `children`.
    fn add_file(
        &mut self,
        path: String,
        file: &Path,
        children: &Path,
        parent: Option<ModuleId>,
    ) -> Result<ModuleId> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        let id = self.modules.len();
        self.add(path, file, children, parent, id, parsed.items)
    }

    fn add(
        &mut self,
        path: String,
        file: &Path,
        children: &Path,
        parent: Option<ModuleId>,
        file_module: ModuleId,
        items: Vec<Item>,
    ) -> Result<ModuleId> {
        let id = self.modules.len();
        self.modules.push(Module {
            path,
            file: file.to_owned(),
            file_module,
            items: Vec::new(),
            parent,
            names: HashMap::new(),
            globs: Vec::new(),
        });
        for item in items {
            if names::for_tests(names::attributes(&item)) {
                continue;
            }
            match item {
                Item::Mod(declaration) => self.add_child(id, declaration, file, children)?,
                item => {
                    self.bind(id, &item);
                    self.modules[id].items.push(item);
                }
            }
        }
        Ok(id)
    }

    fn add_child(
        &mut self,
        parent: ModuleId,
        declaration: syn::ItemMod,
        file: &Path,
        children: &Path,
    ) -> Result<()> {
        let name = declaration.ident.to_string();
        let path = match self.modules[parent].path.as_str() {
            "crate" => name.clone(),
            outer => format!("{outer}::{name}"),
        };
        let file_module = self.modules[parent].file_module;
        let child = match declaration.content {
            Some((_, items)) => {
                let inner = children.join(&name);
                self.add(path, file, &inner, Some(parent), file_module, items)?
            }
            None => match file_of(&declaration.attrs, &name, file, children) {
                Some((child, inner)) => self.add_file(path, &child, &inner, Some(parent))?,
                // A build script writes this file.
                None => return Ok(()),
            },
        };
        let names = &mut self.modules[parent].names;
        names.entry(name).or_default().push(Binding::Module(child));
        Ok(())
    }

    fn bind(&mut self, module: ModuleId, item: &Item) {
        let module = &mut self.modules[module];
        if let Some(name) = names::defined(item) {
            module.names.entry(name).or_default().push(Binding::Item);
        }
        let Item::Use(declaration) = item else {
            return;
        };
        if declaration.leading_colon.is_some() {
            return;
        }
        for import in names::imports(&declaration.tree) {
            match import.name {
                Some(name) => {
                    let bindings = module.names.entry(name).or_default();
                    bindings.push(Binding::Import(import.path));
                }
                None => module.globs.push(import.path),
            }
        }
    }
}

/// Whether a `use` declaration re-exports names.
pub fn is_reexport(declaration: &syn::ItemUse) -> bool {
    !matches!(declaration.vis, Visibility::Inherited)
}

/// The file of `mod name;` in `file`, and the folder of its children's files.
fn file_of(
    attributes: &[syn::Attribute],
    name: &str,
    file: &Path,
    children: &Path,
) -> Option<(PathBuf, PathBuf)> {
    for attribute in attributes {
        if attribute.path().is_ident("path")
            && let syn::Meta::NameValue(pair) = &attribute.meta
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(path) = &literal.lit
        {
            let child = file.parent()?.join(path.value());
            let inner = child.parent()?.to_owned();
            return child.is_file().then_some((child, inner));
        }
    }
    let inner = children.join(name);
    [children.join(format!("{name}.rs")), inner.join("mod.rs")]
        .into_iter()
        .find(|file| file.is_file())
        .map(|file| (file, inner))
}
