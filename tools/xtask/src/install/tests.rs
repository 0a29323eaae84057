//! Installing and removing small files.

use super::files::{Content, Installed};
use super::layout::Layout;
use super::{put, remove};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn text(path: PathBuf, content: &str) -> Installed {
    let content = Content::Text(content.into());
    Installed { content, path }
}

/// A library, an `.icd` file and a page.
fn three(layout: &Layout, content: &str) -> Vec<Installed> {
    vec![
        text(layout.library(), content),
        text(layout.icd(), &layout.library().display().to_string()),
        text(layout.documentation().join("docs/page.md"), content),
    ]
}

/// Everything in a folder, folders included.
fn inside(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(inside(&path));
        }
        found.push(path);
    }
    found.sort();
    found
}

fn private() -> (TempDir, Layout) {
    let folder = tempfile::tempdir().unwrap();
    let layout = Layout::new(&folder.path().join("prefix"), None).unwrap();
    (folder, layout)
}

#[test]
fn removing_leaves_what_was_there_before_and_nothing_else() {
    let (folder, layout) = private();
    let others = layout.vendors().join("other.icd");
    fs::create_dir_all(layout.vendors()).unwrap();
    fs::write(&others, "libother.so").unwrap();
    let before = inside(folder.path());

    put(&three(&layout, "one"), &layout).unwrap();
    assert_eq!(
        fs::read_to_string(layout.icd()).unwrap(),
        layout.library().to_str().unwrap()
    );
    // Three files and the manifest.
    assert_eq!(remove(&layout).unwrap(), 4);
    assert_eq!(inside(folder.path()), before);
    let again = remove(&layout).unwrap_err().to_string();
    assert!(again.contains("nothing is installed"), "{again}");
}

#[test]
fn installing_again_replaces_and_removes_what_the_new_version_lacks() {
    let (folder, layout) = private();
    put(&three(&layout, "one"), &layout).unwrap();
    let mut files = three(&layout, "two");
    let dropped = files.pop().unwrap();
    put(&files, &layout).unwrap();
    assert_eq!(fs::read_to_string(layout.library()).unwrap(), "two");
    assert!(!dropped.path.exists());
    remove(&layout).unwrap();
    // This includes the folders that the first installation created, and the prefix.
    assert_eq!(inside(folder.path()), Vec::<PathBuf>::new());
}

#[test]
fn files_of_others_are_neither_replaced_nor_removed() {
    let (_folder, layout) = private();
    fs::create_dir_all(layout.vendors()).unwrap();
    fs::write(layout.icd(), "theirs").unwrap();
    let error = put(&three(&layout, "one"), &layout)
        .unwrap_err()
        .to_string();
    assert!(error.contains("mocl3.icd"), "{error}");
    assert_eq!(fs::read_to_string(layout.icd()).unwrap(), "theirs");
    assert!(!layout.library().exists());

    fs::remove_file(layout.icd()).unwrap();
    put(&three(&layout, "one"), &layout).unwrap();
    let own = layout.prefix().join("bin/own");
    fs::create_dir_all(layout.programs()).unwrap();
    fs::write(&own, "own").unwrap();
    remove(&layout).unwrap();
    assert!(own.exists());
}

#[test]
fn a_manifest_that_lists_foreign_files_removes_nothing() {
    let (folder, layout) = private();
    put(&three(&layout, "one"), &layout).unwrap();
    let foreign = folder.path().join("foreign");
    fs::write(&foreign, "").unwrap();
    let mut manifest = fs::read_to_string(layout.manifest()).unwrap();
    manifest += &format!("{}\n", foreign.display());
    fs::write(layout.manifest(), manifest).unwrap();
    assert!(remove(&layout).is_err());
    assert!(foreign.exists() && layout.library().exists());
}

#[test]
fn below_a_root_the_icd_file_names_what_will_be() {
    let root = tempfile::tempdir().unwrap();
    let layout = Layout::new(Path::new("/usr/local"), Some(root.path().to_owned())).unwrap();
    put(&three(&layout, "one"), &layout).unwrap();
    let icd = root.path().join("etc/OpenCL/vendors/mocl3.icd");
    assert_eq!(
        fs::read_to_string(&icd).unwrap(),
        "/usr/local/lib/mocl3/libmocl3.so"
    );
    let mode = fs::metadata(&icd).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
    remove(&layout).unwrap();
    assert_eq!(inside(root.path()), Vec::<PathBuf>::new());
}
