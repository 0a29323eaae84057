//! Renders pages with Debian's chromium.
#![allow(dead_code, reason = "not all tests need all")]

use assert_cmd::Command;
use std::path::Path;
use std::time::Duration;

/// The document after its scripts have run in a window of that width; they must not fail.
pub fn drawn(file: &Path, width: u32) -> String {
    let home = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--dump-dom",
        ])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=5000"])
        .arg(format!("--window-size={width},900"))
        .arg(format!("--user-data-dir={}", home.path().display()))
        .arg(format!("file://{}", file.display()))
        .env("HOME", home.path())
        .timeout(Duration::from_secs(120))
        .output()
        .expect("Debian's package chromium, which `cargo xtask test` installs");
    let document = String::from_utf8(output.stdout).unwrap();
    let messages = String::from_utf8_lossy(&output.stderr);
    let begin = document
        .find("<html")
        .unwrap_or_else(|| panic!("no document: {messages}"));
    let root = document[begin..].split('>').next().unwrap();
    assert!(root.contains("data-drawn=\"yes\""), "{root}");
    assert!(!root.contains("data-errors"), "{root}");
    document
}

/// Opening tags that contain `class="<class>`, or another attribute with that prefix.
pub fn tags<'a>(document: &'a str, attribute: &str) -> Vec<&'a str> {
    let tags = document.split('<').filter_map(|tag| tag.split_once('>'));
    let tags = tags.map(|(tag, _)| tag);
    tags.filter(|tag| tag.contains(&format!(" {attribute}")))
        .collect()
}

/// The value of a tag's attribute.
pub fn attribute<'a>(tag: &'a str, name: &str) -> &'a str {
    let (_, rest) = tag
        .split_once(&format!(" {name}=\""))
        .unwrap_or_else(|| panic!("{name}: {tag}"));
    rest.split('"').next().unwrap()
}

/// The value of a tag's attribute as a number.
pub fn number(tag: &str, name: &str) -> f64 {
    attribute(tag, name).parse().unwrap()
}
