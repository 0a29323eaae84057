//! Files with findings. Each process writes `<pid>.findings.jsonl` into a folder, one JSON object
//! per line: a finding when it occurs first, and the number of a known one, from 0, when it occurs
//! again. So the findings of a process that is killed are there, too.

use crate::{Finding, merged};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const SUFFIX: &str = ".findings.jsonl";

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Finding(Box<Finding>),
    Again { number: usize, count: u64 },
}

/// The folder cannot be read.
#[derive(Debug, Error)]
#[error("cannot read findings in {}", path.display())]
pub struct ReadError {
    path: PathBuf,
    source: io::Error,
}

/// Writes the findings of a process.
#[derive(Debug)]
pub struct Writer {
    file: File,
    known: Vec<Finding>,
}

impl Writer {
    /// For this process. The folder is created if it is missing.
    ///
    /// # Errors
    /// The folder or file cannot be created.
    pub fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}{SUFFIX}", std::process::id()));
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self {
            file,
            known: Vec::new(),
        })
    }

    /// Adds a finding.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, finding: &Finding) -> io::Result<()> {
        let number = self.known.iter().position(|known| known.is_like(finding));
        let line = match number {
            Some(number) => Line::Again {
                number,
                count: finding.count,
            },
            None => {
                self.known.push(finding.clone());
                Line::Finding(Box::new(finding.clone()))
            }
        };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

/// The findings of all processes that wrote into a folder, alike ones merged. A last line that is
/// not whole is left out.
///
/// # Errors
/// The folder or a file in it cannot be read.
pub fn read_folder(folder: &Path) -> Result<Vec<Finding>, ReadError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| ReadError { path, source }
    };
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(failed(folder))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.to_string_lossy().ends_with(SUFFIX))
        .collect();
    paths.sort();
    let mut findings = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        let mut of_process: Vec<Finding> = Vec::new();
        for line in text.lines() {
            match serde_json::from_str(line) {
                Ok(Line::Finding(finding)) => of_process.push(*finding),
                Ok(Line::Again { number, count }) => {
                    if let Some(known) = of_process.get_mut(number) {
                        known.count += count;
                    }
                }
                Err(_) => break,
            }
        }
        findings.extend(of_process);
    }
    Ok(merged(findings))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Kind;
    use crate::tests::example;

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut other = example();
        other.kind = Kind::Misaligned;
        let mut writer = Writer::new(folder.path()).unwrap();
        for finding in [&example(), &other, &example()] {
            writer.add(finding).unwrap();
        }
        let cut = folder.path().join("1.findings.jsonl");
        fs::write(cut, "{\"finding\":{\"kind\"").unwrap();
        let read = read_folder(folder.path()).unwrap();
        let mut first = example();
        first.count = 4;
        assert_eq!(read, [first, other]);
    }
}
