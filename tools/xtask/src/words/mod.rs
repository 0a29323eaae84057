//! `cargo xtask words`: finds phrases that the project does not use, because the field has a term
//! for them or plain English is shorter. `tools/xtask/words.toml` lists them.

mod text;

use crate::{command, platform};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fmt::{Display, Formatter};
use std::process::Command;
use text::{Phrase, Word};

/// The contents of `words.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    /// Files of other authors, and files that list the phrases, relative to the project's folder.
    skipped: Vec<String>,
    phrase: Vec<Replacement>,
}

/// A phrase that is not used, and its replacement.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    /// Alternatives, separated by `|`. A word that ends in `*` matches all words with that prefix.
    words: String,
    instead: String,
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

/// Prints the hits, all or those below `folder`.
///
/// # Errors
/// There are hits, or a file cannot be read.
pub fn run(folder: Option<&str>) -> Result<()> {
    let mut hits = find(&read()?)?;
    if let Some(folder) = folder {
        hits.retain(|hit| is_in(&hit.file, folder.trim_end_matches('/')));
    }
    for hit in &hits {
        println!("{hit}");
    }
    if !hits.is_empty() {
        bail!("{} phrases of words.toml", hits.len());
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
    Ok(hits)
}

#[cfg(test)]
mod tests {
    use super::{find, read};

    #[test]
    fn phrases_that_are_out_are_not_used() {
        let hits = find(&read().unwrap()).unwrap();
        let lines: Vec<String> = hits.iter().map(ToString::to_string).collect();
        assert!(lines.is_empty(), "\n{}", lines.join("\n"));
    }
}
