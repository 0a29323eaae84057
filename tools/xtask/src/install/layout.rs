//! The paths of installed files.

use anyhow::{Result, bail};
use std::path::{Component, Path, PathBuf};

/// Prefixes whose programs use the system's loader, which looks for platforms in
/// [`SYSTEM_VENDORS`] whatever the prefix.
const SYSTEM_PREFIXES: &[&str] = &["/usr", "/usr/local"];

const SYSTEM_VENDORS: &str = "/etc/OpenCL/vendors";

/// A prefix, and the folder that is `/` while a package is built.
pub struct Layout {
    prefix: PathBuf,
    root: Option<PathBuf>,
}

impl Layout {
    /// `prefix` may be relative to the working folder; `root` is make's `DESTDIR`.
    ///
    /// # Errors
    /// A prefix with `..`, or one that no `.icd` file can name.
    pub fn new(prefix: &Path, root: Option<PathBuf>) -> Result<Self> {
        let prefix = std::path::absolute(prefix)?;
        if prefix.components().any(|part| part == Component::ParentDir) {
            bail!("the prefix {} has `..` in it", prefix.display());
        }
        if prefix.to_str().is_none_or(|text| text.contains('\n')) {
            bail!("no .icd file can name a library below {}", prefix.display());
        }
        // "/usr/" is "/usr".
        let prefix = prefix.components().collect();
        Ok(Self { prefix, root })
    }

    /// Whether every program finds the platform without a variable.
    pub fn is_for_all(&self) -> bool {
        SYSTEM_PREFIXES
            .iter()
            .any(|one| self.prefix == Path::new(one))
    }

    pub fn prefix(&self) -> &Path {
        &self.prefix
    }

    pub fn programs(&self) -> PathBuf {
        self.prefix.join("bin")
    }

    /// The library. It has its own folder, since it is loaded by its path and programs must not
    /// link to it.
    pub fn library(&self) -> PathBuf {
        self.prefix.join("lib/mocl3/libmocl3.so")
    }

    /// The folder for the loader's `.icd` file.
    pub fn vendors(&self) -> PathBuf {
        if self.is_for_all() {
            return SYSTEM_VENDORS.into();
        }
        // `mocl3 doctor` looks for it here, next to its own folder.
        self.prefix.join("etc/OpenCL/vendors")
    }

    pub fn icd(&self) -> PathBuf {
        self.vendors().join("mocl3.icd")
    }

    /// The folder of headers, next to the loader's own.
    pub fn headers(&self) -> PathBuf {
        self.prefix.join("include")
    }

    pub fn documentation(&self) -> PathBuf {
        self.prefix.join("share/doc/mocl3")
    }

    /// The folder of what is neither programs nor documentation.
    pub fn data(&self) -> PathBuf {
        self.prefix.join("share/mocl3")
    }

    /// The folder of machine files.
    pub fn machines(&self) -> PathBuf {
        self.data().join("machines")
    }

    /// The folder of manual pages.
    pub fn manual(&self) -> PathBuf {
        self.prefix.join("share/man/man1")
    }

    /// The folder in which bash's package of completions looks.
    pub fn bash_completions(&self) -> PathBuf {
        self.prefix.join("share/bash-completion/completions")
    }

    /// The folder in which zsh looks: Debian's zsh has one of its own for packages.
    pub fn zsh_completions(&self) -> PathBuf {
        let folder = match self.prefix == Path::new("/usr") {
            true => "share/zsh/vendor-completions",
            false => "share/zsh/site-functions",
        };
        self.prefix.join(folder)
    }

    /// The folder in which fish looks.
    pub fn fish_completions(&self) -> PathBuf {
        self.prefix.join("share/fish/vendor_completions.d")
    }

    /// The list of what was installed.
    pub fn manifest(&self) -> PathBuf {
        self.data().join("manifest")
    }

    /// The path to which a file is written that programs will find at `path`.
    pub fn staged(&self, path: &Path) -> PathBuf {
        match &self.root {
            Some(root) => root.join(path.strip_prefix("/").unwrap_or(path)),
            None => path.to_owned(),
        }
    }

    /// Whether installing with this layout can have put something at `path`.
    pub fn has(&self, path: &Path) -> bool {
        let plain = path
            .components()
            .all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
        // Installing creates missing parent folders.
        let is_parent = self.icd().starts_with(path) || self.prefix.starts_with(path);
        plain && path.is_absolute() && (path.starts_with(&self.prefix) || is_parent)
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use std::path::Path;

    fn layout(prefix: &str, root: Option<&str>) -> Layout {
        Layout::new(Path::new(prefix), root.map(Into::into)).unwrap()
    }

    #[test]
    fn the_icd_file_is_where_the_systems_loader_looks_or_below_a_private_prefix() {
        for (prefix, icd) in [
            ("/usr", "/etc/OpenCL/vendors/mocl3.icd"),
            ("/usr/local/", "/etc/OpenCL/vendors/mocl3.icd"),
            ("/home/a/b", "/home/a/b/etc/OpenCL/vendors/mocl3.icd"),
        ] {
            assert_eq!(layout(prefix, None).icd(), Path::new(icd));
        }
    }

    #[test]
    fn a_root_changes_where_files_are_written_and_not_their_names() {
        let layout = layout("/usr", Some("/tmp/root"));
        assert_eq!(layout.library(), Path::new("/usr/lib/mocl3/libmocl3.so"));
        assert_eq!(
            layout.staged(&layout.icd()),
            Path::new("/tmp/root/etc/OpenCL/vendors/mocl3.icd")
        );
    }

    #[test]
    fn paths_from_elsewhere_are_not_ours() {
        let layout = layout("/opt/m", None);
        assert!(layout.has(Path::new("/opt/m/bin/mocl3")));
        for foreign in ["/opt/other", "/opt/m/../x", "bin/mocl3", "/etc/passwd"] {
            assert!(!layout.has(Path::new(foreign)), "{foreign}");
        }
        assert!(Layout::new(Path::new("/opt/../etc"), None).is_err());
    }
}
