//! Before/after tests of the compiler's passes: `tests/passes/<pass>/<behaviour>.ll` holds
//! IR and, after a dividing line, what the pass makes of it. A file is a test; there is no
//! list of them. `cargo xtask passes --update` writes what passes make now.

use kernel_compiler::pass_runner::{self, DIVIDER, PASSES};
use libtest_mimic::{Arguments, Failed, Trial};
use similar::TextDiff;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Set to anything, expectations are written instead of compared.
const UPDATE: &str = "UPDATE_EXPECT";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the tests are there");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().expect("an entry has a name");
    stem.to_string_lossy().into_owned()
}

fn check(pass: &str, file: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(file)?;
    let (before, expected) = text.split_once(DIVIDER).unwrap_or((&text, ""));
    if !before.starts_with("; ") {
        return Err("the file does not begin with a comment that says what it shows".into());
    }
    let made = pass_runner::run(pass, before)?;
    if env::var_os(UPDATE).is_some() {
        let before = before.trim_end();
        return Ok(fs::write(file, format!("{before}\n\n{DIVIDER}{made}"))?);
    }
    if made == expected {
        return Ok(());
    }
    let diff = TextDiff::from_lines(expected, &made);
    let diff = diff.unified_diff().header("expected", "made").to_string();
    Err(format!("{diff}\nif this is right: cargo xtask passes --update").into())
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut tested = BTreeSet::new();
    for pass in entries(&folder()) {
        let pass_name = name(&pass);
        tested.insert(pass_name.clone());
        for file in entries(&pass) {
            let pass = pass_name.clone();
            let trial = format!("{pass}/{}", name(&file));
            trials.push(Trial::test(trial, move || check(&pass, &file)));
        }
    }
    trials.push(Trial::test("every_pass_is_tested", move || {
        let all: BTreeSet<String> = PASSES.iter().map(|pass| pass.name.to_owned()).collect();
        if all == tested {
            return Ok(());
        }
        Err(format!("passes {all:?}, folders {tested:?}").into())
    }));
    libtest_mimic::run(&arguments, trials).exit();
}
