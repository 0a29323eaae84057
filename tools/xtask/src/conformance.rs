//! `cargo xtask conformance`, `random-kernels`, `stress` and `fuzz-api`: the program of
//! `conformance/` on MOCL3 as it was built last, or with a sanitizer, or on another
//! platform. Its options are its own.

use crate::arguments::{prints_only, value};
use crate::platform::{self, Platform};
use crate::sanitizer::Sanitizer;
use crate::{command, defective, packages};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use std::process::Command;

/// The arguments after the name of the task.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub struct Arguments {
    /// What `--help` after the task's name shows.
    #[arg(
        value_name = "OPTIONS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

/// The only option that xtask handles itself.
const SANITIZER: &str = "--sanitizer";

/// The variable with the command that started the program, which it prints to run a case again.
const SHOWN_AS: &str = "CONFORMANCE_SHOWN_AS";

/// Builds the program, and the library unless another platform is named. Then replaces this process
/// by the program with the words of `task` and the arguments, so that exit codes and Ctrl-C are its
/// own.
///
/// # Errors
/// Nothing could be built.
pub fn run(task: &[&str], arguments: Arguments) -> Result<()> {
    packages::install(packages::NEEDED)?;
    let (words, sanitizer) = take_sanitizer(arguments.words)?;
    // The loader finds other platforms on this machine.
    let other = value(&words, "--platform").is_some_and(|name| !name.eq_ignore_ascii_case("MOCL3"));
    let mut shown_as = "cargo xtask conformance".to_owned();
    let mut program = match sanitizer {
        Some(_) if other => bail!("{SANITIZER} is for MOCL3: without --platform"),
        Some(sanitizer) => {
            let folder = sanitizer.build()?;
            let mut program = Command::new(folder.join("conformance"));
            sanitizer.point(&mut program, &folder);
            shown_as.push_str(&format!(" {SANITIZER}={}", name(sanitizer)));
            program
        }
        None => {
            command::run(platform::cargo().args([
                "build",
                "--release",
                "--package",
                "conformance",
            ]))?;
            let mut program = Command::new(platform::library_folder().join("conformance"));
            if words.first().is_some_and(|word| word == defective::TASK) {
                if !prints_only(&words) {
                    // The loader takes a library's path for a folder with one .icd file.
                    program.env("OCL_ICD_VENDORS", defective::build()?);
                }
            } else if !other {
                if !prints_only(&words) {
                    platform::build()?;
                }
                Platform::Ours.point(&mut program);
            }
            program
        }
    };
    program.args(task).args(&words).env(SHOWN_AS, shown_as);
    if words.iter().any(|word| word == "--help" || word == "-h") {
        command::run(&mut program)?;
        println!(
            "\ncargo xtask has one more:\n      {SANITIZER} <SANITIZER>\n          Build program \
             and library with a sanitizer, and run them so [possible values: {}]",
            names().join(", ")
        );
        return Ok(());
    }
    Err(command::become_it(&mut program))
}

/// Splits the option of the sanitizer from the other words.
fn take_sanitizer(mut words: Vec<String>) -> Result<(Vec<String>, Option<Sanitizer>)> {
    let Some(place) = words
        .iter()
        .position(|word| word.split('=').next() == Some(SANITIZER))
    else {
        return Ok((words, None));
    };
    let word = words.remove(place);
    let name = match word.split_once('=') {
        Some((_, name)) => name.to_owned(),
        None if place < words.len() => words.remove(place),
        None => String::new(),
    };
    let sanitizer = Sanitizer::from_str(&name, false)
        .ok()
        .with_context(|| format!("{SANITIZER} takes one of: {}", names().join(", ")))?;
    Ok((words, Some(sanitizer)))
}

fn names() -> Vec<String> {
    Sanitizer::value_variants()
        .iter()
        .copied()
        .map(name)
        .collect()
}

fn name(sanitizer: Sanitizer) -> String {
    let value = sanitizer.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Sanitizer, take_sanitizer};

    fn taken(line: &str) -> Option<(String, Option<Sanitizer>)> {
        let words = line.split_whitespace().map(str::to_owned).collect();
        let (words, sanitizer) = take_sanitizer(words).ok()?;
        Some((words.join(" "), sanitizer))
    }

    #[test]
    fn the_sanitizer_is_not_passed_on() {
        let rest = |rest: &str, sanitizer| Some((rest.to_owned(), sanitizer));
        let thread = Some(Sanitizer::Thread);
        assert_eq!(taken("--seed 3"), rest("--seed 3", None));
        assert_eq!(
            taken("--seed 3 --sanitizer thread --list"),
            rest("--seed 3 --list", thread)
        );
        assert_eq!(taken("--sanitizer=thread"), rest("", thread));
        assert_eq!(
            taken("--sanitizer address"),
            rest("", Some(Sanitizer::Address))
        );
    }

    #[test]
    fn sanitizers_that_do_not_exist_are_refused() {
        for line in ["--sanitizer", "--sanitizer=", "--sanitizer memory --list"] {
            assert_eq!(taken(line), None, "{line}");
        }
    }
}
