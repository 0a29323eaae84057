//! The documentation's links and paths exist.

use crate::{command, platform};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// Folders with pages, relative to the project's folder.
const FOLDERS: &[&str] = &[
    "",
    "docs",
    "docs/compiler",
    "docs/generated",
    "docs/how-to",
    "regress",
];

/// All pages in Markdown.
fn pages() -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for folder in FOLDERS {
        for entry in fs::read_dir(platform::root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// The lines of a page outside fenced blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The anchor that GitHub generates for a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        '-' | '_' => Some(c),
        _ if c.is_alphanumeric() => Some(c.to_ascii_lowercase()),
        _ => None,
    });
    kept.collect()
}

fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).filter_map(|line| line.strip_prefix('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#')))
        .collect()
}

/// The targets of a page's links.
fn links(page: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for line in prose(page) {
        for rest in line.split("](").skip(1) {
            targets.extend(rest.split(')').next());
        }
    }
    targets
}

/// The text between backquotes.
fn code(page: &str) -> impl Iterator<Item = &str> {
    prose(page).flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Whether a piece of code is a path from the project's folder.
fn is_path(code: &str, top: &BTreeSet<String>) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let first = code.split('/').next().unwrap_or_default();
    code.contains('/') && top.contains(first) && code.chars().all(is_plain)
}

/// A path without its `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut broken = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        for link in links(&page) {
            if link.starts_with("http") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => path.clone(),
                file => normal(&path.parent().unwrap().join(file)),
            };
            let text = fs::read_to_string(&target).unwrap_or_default();
            if !target.exists() || !heading.is_empty() && !anchors(&text).contains(heading) {
                broken.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn paths_name_files() {
    let root = platform::root();
    let entries = fs::read_dir(&root).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let top: BTreeSet<String> = names.filter(|name| name != "target").collect();
    let mut missing = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        for code in code(&page).filter(|code| is_path(code, &top)) {
            if !root.join(code).exists() {
                missing.push(format!("{}: {code}", path.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Paths of the repository's files, relative to the project's folder.
fn repository_files() -> Vec<String> {
    let mut git = Command::new("git");
    let query = git.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let files = command::output(query.current_dir(platform::root())).unwrap();
    let files = String::from_utf8_lossy(&files.stdout);
    files.lines().map(str::to_owned).collect()
}

/// Whether a piece of code is the name of a source file without its folder.
fn is_file_name(code: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    [".rs", ".cpp"]
        .iter()
        .filter_map(|extension| code.strip_suffix(extension))
        .any(|stem| !stem.is_empty() && stem.chars().all(is_plain))
}

#[test]
fn file_names_are_those_of_files() {
    let files = repository_files();
    let named: BTreeSet<&str> = files
        .iter()
        .filter_map(|path| path.rsplit('/').next())
        .collect();
    let mut missing = Vec::new();
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        let unknown = code(&page).filter(|code| is_file_name(code) && !named.contains(code));
        missing.extend(unknown.map(|code| format!("{}: {code}", path.display())));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The pages in `docs/` that a text names.
fn pages_named(text: &str) -> impl Iterator<Item = &str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    text.match_indices("docs/").filter_map(move |(start, _)| {
        let length = text[start..]
            .find(|c| !is_plain(c))
            .unwrap_or(text.len() - start);
        let path = text[start..start + length].trim_end_matches('.');
        path.ends_with(".md").then_some(path)
    })
}

#[test]
fn sources_name_pages_that_exist() {
    let root = platform::root();
    // It invents a page.
    let tests = "tools/xtask/src/install/tests.rs";
    let mut missing = Vec::new();
    for path in repository_files() {
        let is_source = [".rs", ".cl", ".h", ".cpp", ".toml"]
            .iter()
            .any(|end| path.ends_with(end));
        if !is_source || path == tests {
            continue;
        }
        let text = fs::read_to_string(root.join(&path)).unwrap_or_default();
        let unknown = pages_named(&text).filter(|page| !root.join(page).exists());
        missing.extend(unknown.map(|page| format!("{path}: {page}")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// The names in parentheses after a file of Rust (`` `a.rs` (`f`, `g`) ``), with the file. Lines of
/// the page are joined by one space.
fn names_after_files(page: &str) -> Vec<(&str, &str)> {
    let mut names = Vec::new();
    for (extension, separator) in page.match_indices(".rs` (") {
        let inside = &page[extension + separator.len()..];
        let inside = inside.split(')').next().unwrap_or_default();
        let file = page[..extension + 3].rsplit('`').next().unwrap_or_default();
        names.extend(code(inside).map(|name| (file, name)));
    }
    names
}

#[test]
fn named_items_are_in_their_files() {
    let root = platform::root();
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let page: Vec<&str> = page.split_whitespace().collect();
    let page = page.join(" ");
    let names = names_after_files(&page);
    assert!(!names.is_empty());
    for (file, name) in names {
        let text = fs::read_to_string(root.join(file)).unwrap();
        let defined = ["fn", "struct"]
            .iter()
            .any(|keyword| text.contains(&format!("{keyword} {name}")));
        assert!(defined, "ARCHITECTURE.md: {file} does not define {name}");
    }
}

/// Every crate of the workspace is described.
#[test]
fn the_architecture_has_all_crates() {
    let root = platform::root();
    let manifest: toml::Table = fs::read_to_string(root.join("Cargo.toml"))
        .unwrap()
        .parse()
        .unwrap();
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let named: BTreeSet<&str> = code(&page).collect();
    for member in manifest["workspace"]["members"].as_array().unwrap() {
        let member = member.as_str().unwrap();
        let folder = member.split('/').next().unwrap();
        assert!(
            named.contains(member) || named.contains(format!("{folder}/*").as_str()),
            "ARCHITECTURE.md lacks {member}"
        );
    }
}

/// Every paper that pages and machine file name has an entry.
#[test]
fn papers_are_in_the_bibliography() {
    let bibliography = fs::read_to_string(platform::root().join("docs/bibliography.md")).unwrap();
    let anchors = anchors(&bibliography);
    for paper in ["MOCL3 paper", "Lu et al. 2022", "GEMM papers"] {
        assert!(anchors.contains(&anchor(paper)), "{paper}");
    }
}

#[test]
fn anchors_are_those_of_github() {
    assert_eq!(anchor(" `float` and 2.0: `a_b`"), "float-and-20-a_b");
    assert_eq!(
        links("[a](b.md#c) [d](e)\n```\n[f](g)\n```"),
        ["b.md#c", "e"]
    );
}
