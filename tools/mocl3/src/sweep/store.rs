//! The file of a sweep: a header and a line for each point that ran. Several processes append to it.

use super::goal::Goal;
use super::parameter::Point;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Version of the format.
const FORMAT: u32 = 1;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version of the format.
    pub format: u32,
    /// The program and its arguments, with places of parameters.
    pub program: Vec<String>,
    /// The machine on which points run that do not vary it, with its changes.
    pub machine: serde_json::Value,
}

/// What came of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The values of the parameters.
    pub point: Point,
    /// Why the point is bad; `None` if the program ran and exited with 0.
    pub failure: Option<Failure>,
    /// The values of all goals; none if the point is bad.
    pub goals: BTreeMap<Goal, f64>,
}

/// Why a point is bad.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Failure {
    /// The machine cannot have the number.
    Machine {
        /// The error.
        message: String,
    },
    /// The program failed: a build, or its own check of its results.
    Program {
        /// The exit code, or 128 and the signal.
        code: u8,
        /// The last line that it printed to standard error.
        message: String,
    },
    /// The program took too long on the host, and was ended.
    Timeout,
    /// The program used no device.
    NothingRecorded,
}

impl Failure {
    /// In words.
    pub fn sentence(&self) -> String {
        match self {
            Self::Machine { message } => message.clone(),
            Self::Program { code, message } if message.is_empty() => format!("exit code {code}"),
            Self::Program { code, message } => format!("exit code {code}: {message}"),
            Self::Timeout => "took too long".into(),
            Self::NothingRecorded => "used no device".into(),
        }
    }
}

/// The file.
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens the file, or creates it with this header.
    ///
    /// # Errors
    /// It cannot be read or written, or is that of another program or machine.
    pub fn open(path: &Path, program: &[String], machine: serde_json::Value) -> Result<Self> {
        let failed = || format!("cannot open {}", path.display());
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path);
        let mut store = Self {
            path: path.to_owned(),
            file: file.with_context(failed)?,
        };
        let header = Header {
            format: FORMAT,
            program: program.to_vec(),
            machine,
        };
        store.file.lock().with_context(failed)?;
        let outcome = store.begin(&header);
        store.file.unlock().with_context(failed)?;
        outcome?;
        Ok(store)
    }

    fn begin(&mut self, header: &Header) -> Result<()> {
        let text = self.text()?;
        let Some(first) = text.lines().next() else {
            return self.write(header);
        };
        let path = self.path.display();
        let known: Header =
            serde_json::from_str(first).with_context(|| format!("{path} is no file of a sweep"))?;
        if known.format != FORMAT {
            bail!("{path} has format {}, not {FORMAT}", known.format);
        }
        if known.program != header.program {
            bail!(
                "{path} has results of `{}`: name another file",
                known.program.join(" ")
            );
        }
        if known.machine != header.machine {
            bail!("{path} has results of another machine: name another file");
        }
        Ok(())
    }

    fn text(&mut self) -> Result<String> {
        let mut text = String::new();
        let path = self.path.display();
        self.file
            .seek(SeekFrom::Start(0))
            .and_then(|_| self.file.read_to_string(&mut text))
            .with_context(|| format!("cannot read {path}"))?;
        Ok(text)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        let path = self.path.display();
        self.file
            .write_all(text.as_bytes())
            .with_context(|| format!("cannot write {path}"))
    }

    /// Appends what came of a point.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, outcome: &Outcome) -> Result<()> {
        self.file.lock()?;
        let written = self.write(outcome);
        self.file.unlock()?;
        written
    }

    /// What came of all points: the last outcome of each, in the order in which they ran. A last line
    /// that a killed process left unfinished is no outcome.
    ///
    /// # Errors
    /// The file cannot be read, or has other lines.
    pub fn outcomes(&mut self) -> Result<Vec<Outcome>> {
        self.file.lock_shared()?;
        let text = self.text();
        self.file.unlock()?;
        let text = text?;
        let mut outcomes: Vec<Outcome> = Vec::new();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        for (place, line) in lines.iter().enumerate() {
            match serde_json::from_str::<Outcome>(line) {
                Ok(outcome) => {
                    outcomes.retain(|one| one.point != outcome.point);
                    outcomes.push(outcome);
                }
                Err(_) if place + 1 == lines.len() && !text.ends_with('\n') => {}
                Err(error) => {
                    let path = self.path.display();
                    bail!("{path}, line {}: no result of a sweep: {error}", place + 2);
                }
            }
        }
        Ok(outcomes)
    }
}
