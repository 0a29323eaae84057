//! `cargo xtask tutorial`: runs the commands of docs/tutorial.md and README.md, and compares their
//! output with the page. Simulated times are the same on every host, so the output is as well.

use crate::platform::{self, Platform};
use crate::{command, packages};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Minimum speedup of the last kernel over the first.
const LEAST_SPEEDUP: f64 = 4.0;

/// The commands of the page that measure a kernel.
const STAT: &str = "mocl3 stat -- ";

/// Commands of the pages that are not run: building, installing, environment, folder.
const SET_UP: &[&str] = &["cargo ", "cd ", "eval "];

/// A fenced block of a page.
struct Block {
    language: String,
    lines: Vec<String>,
}

/// The fenced blocks of a page in Markdown.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(language), None) => {
                let language = language.to_owned();
                let lines = Vec::new();
                open = Some(Block { language, lines });
            }
            (None, Some(block)) => block.lines.push(line.to_owned()),
            (None, None) => {}
        }
    }
    blocks
}

/// Runs the commands of the README, and the tutorial in a copy of its folder.
///
/// # Errors
/// A command fails, the output differs from the page, or the speedup is too small.
pub fn run() -> Result<()> {
    packages::install(packages::NEEDED)?;
    platform::build()?;
    let packages = ["mocl3", "m3cc", "hthread-host"].map(|name| ["--package", name]);
    let mut build = platform::cargo();
    command::run(build.args(["build", "--release"]).args(packages.concat()))?;
    commands("README.md", &readme_folder()?)?;
    let copy = copy(&platform::root().join("examples/tutorial"))?;
    let measured = commands("docs/tutorial.md", &copy)?;
    speedup(&measured, &copy)
}

/// Runs the commands of a page in a folder, and compares what they print with what the page shows.
/// Returns the programs that it measures.
fn commands(page: &str, folder: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(platform::root().join(page))
        .with_context(|| format!("{page} cannot be read"))?;
    let mut printed = String::new();
    let mut measured = Vec::new();
    for block in &blocks(&text) {
        match block.language.as_str() {
            "sh" => {
                printed.clear();
                for line in &block.lines {
                    if SET_UP.iter().any(|prefix| line.starts_with(prefix)) {
                        continue;
                    }
                    printed += &shell(line, folder)?;
                    measured.extend(line.strip_prefix(STAT).map(str::to_owned));
                }
            }
            "text" => compare(page, &block.lines, &printed)?,
            _ => {}
        }
    }
    Ok(measured)
}

/// A folder in which the README's paths are valid, and what its commands write is no part of the
/// sources.
fn readme_folder() -> Result<PathBuf> {
    let folder = platform::target().join("readme");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    symlink(platform::root().join("examples"), folder.join("examples"))?;
    Ok(folder)
}

/// Copies the files of a folder to one in cargo's target folder.
fn copy(from: &Path) -> Result<PathBuf> {
    let to = platform::target().join("tutorial");
    fs::create_dir_all(&to)?;
    for entry in fs::read_dir(from).context("examples/tutorial cannot be read")? {
        let entry = entry?;
        fs::copy(entry.path(), to.join(entry.file_name()))?;
    }
    Ok(to)
}

/// Runs a line of shell with the built library and the built `mocl3`; returns its output.
fn shell(line: &str, folder: &Path) -> Result<String> {
    println!("$ {line}");
    let mut path = platform::library_folder().into_os_string();
    if let Some(before) = std::env::var_os("PATH") {
        path.push(":");
        path.push(before);
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder);
    shell.env("PATH", path);
    // The page has tables without a limit.
    shell.env_remove("COLUMNS");
    let output = command::output(Platform::Ours.point(&mut shell))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    print!("{text}");
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        bail!("`{line}` ended with {}", output.status);
    }
    Ok(text)
}

/// Each line that the page shows must have been printed.
fn compare(page: &str, shown: &[String], printed: &str) -> Result<()> {
    for line in shown {
        ensure!(
            printed.lines().any(|other| other == line),
            "{page} shows a line that is not printed:\n{line}"
        );
    }
    Ok(())
}

/// Compares the simulated cycles of the slowest kernel, the first one, with the fastest.
fn speedup(programs: &[String], folder: &Path) -> Result<()> {
    let mut cycles = Vec::new();
    for program in programs {
        let line = format!("mocl3 stat --json -o stat.json -- {program}");
        shell(&line, folder)?;
        let text = fs::read_to_string(folder.join("stat.json"))?;
        let report: serde_json::Value = serde_json::from_str(&text)?;
        let of_kernel = report["kernels"][0]["cycles"].as_f64();
        cycles.push(of_kernel.context("`mocl3 stat --json` shows no cycles")?);
    }
    let first = *cycles.first().context("the tutorial measures nothing")?;
    let best = cycles.iter().copied().fold(first, f64::min);
    println!(
        "{first} cycles, then {best}: {:.1} times as fast",
        first / best
    );
    ensure!(
        first / best >= LEAST_SPEEDUP,
        "the tutorial's kernel becomes less than {LEAST_SPEEDUP} times as fast"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_of_a_page_have_their_language_and_lines() {
        let blocks = blocks("a\n```sh\nls\n\ncd x\n```\nb\n```text\nc\n```\n");
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].language, "sh");
        assert_eq!(blocks[0].lines, ["ls", "", "cd x"]);
        assert_eq!(blocks[1].lines, ["c"]);
    }
}
