//! `cargo xtask words`: finds phrases that the project does not use, because the field has a term
//! for them or plain English is shorter. `tools/xtask/words.toml` lists them.

mod text;

use crate::{command, platform};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::{Display, Formatter};
use std::process::Command;
use text::{Phrase, Word};

/// The contents of `words.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// Files and folders, relative to the project's folder, whose phrases are not replaced yet.
    unfinished: Vec<String>,
    /// Files of other authors, and files that list the phrases.
    skipped: Vec<String>,
    phrase: Vec<Replacement>,
    #[serde(default)]
    quoted: Vec<Quotation>,
}

/// A phrase that is not used, and its replacement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    /// Alternatives, separated by `|`. A word that ends in `*` matches all words with that prefix.
    words: String,
    instead: String,
}

/// A file that quotes a phrase of another author.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Quotation {
    file: String,
    words: String,
    #[serde(rename = "from")]
    _from: String,
}

/// A phrase in a file.
struct Hit {
    file: String,
    /// The line, from 1.
    line: usize,
    words: String,
    instead: String,
}

impl Display for Hit {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        let (file, line) = (&self.file, self.line);
        write!(
            formatter,
            "{file}:{line}: `{}`: {}",
            self.words, self.instead
        )
    }
}

/// Prints every hit below `folder`; without a folder, the number of hits in each.
///
/// # Errors
/// There are hits outside the folders that are listed as unfinished, or a file cannot be read.
pub fn run(folder: Option<&str>) -> Result<()> {
    let list = read()?;
    let hits = find(&list)?;
    if let Some(folder) = folder {
        let folder = folder.trim_end_matches('/');
        for hit in hits.iter().filter(|hit| is_in(&hit.file, folder)) {
            println!("{hit}");
        }
    } else {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for hit in &hits {
            let folder = hit.file.rsplit_once('/').map_or(".", |(folder, _)| folder);
            *counts.entry(folder).or_default() += 1;
        }
        for (folder, count) in counts {
            println!("{count:6} {folder}");
        }
        println!("{:6} in all", hits.len());
    }
    let wrong = disagreements(&list, &hits);
    if !wrong.is_empty() {
        bail!("words.toml and the files disagree:\n{}", wrong.join("\n"));
    }
    Ok(())
}

fn read() -> Result<List> {
    let file = platform::root().join("tools/xtask/words.toml");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    toml::from_str(&text).with_context(|| file.display().to_string())
}

/// Whether a file is a path of the list, or in a folder of it.
fn is_in(file: &str, path: &str) -> bool {
    file.strip_prefix(path)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The phrases in all files under version control.
fn find(list: &List) -> Result<Vec<Hit>> {
    let phrases: Vec<(Phrase, &Replacement)> = list
        .phrase
        .iter()
        .flat_map(|replacement| {
            let alternatives = replacement.words.split('|');
            alternatives.map(move |words| (Phrase::parse(words), replacement))
        })
        .collect();
    let root = platform::root();
    let mut query = Command::new("git");
    let files = command::output(query.arg("ls-files").current_dir(&root))?;
    let mut hits = Vec::new();
    for file in String::from_utf8_lossy(&files.stdout).lines() {
        if list.skipped.iter().any(|path| is_in(file, path)) {
            continue;
        }
        // Skips files that are deleted but not committed, and binary files.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else {
            continue;
        };
        let words: Vec<Word> = text::words(&text);
        for position in 0..words.len() {
            for (phrase, replacement) in &phrases {
                if phrase.matches(&words[position..]) {
                    hits.push(Hit {
                        file: file.to_owned(),
                        line: words[position].line,
                        words: phrase.to_string(),
                        instead: replacement.instead.clone(),
                    });
                }
            }
        }
    }
    hits.retain(|hit| {
        let quotes =
            |quotation: &Quotation| quotation.file == hit.file && quotation.words == hit.words;
        !list.quoted.iter().any(quotes)
    });
    Ok(hits)
}

/// Hits in files that are finished, and unfinished paths without hits, one line each.
fn disagreements(list: &List, hits: &[Hit]) -> Vec<String> {
    let mut lines = Vec::new();
    for hit in hits {
        if !list.unfinished.iter().any(|path| is_in(&hit.file, path)) {
            lines.push(hit.to_string());
        }
    }
    for path in &list.unfinished {
        if !hits.iter().any(|hit| is_in(&hit.file, path)) {
            lines.push(format!("{path} is finished: take it off the list"));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{disagreements, find, read};

    #[test]
    fn phrases_that_are_out_are_not_used() {
        let list = read().unwrap();
        let lines = disagreements(&list, &find(&list).unwrap());
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
