//! The definitions of the arguments are consistent, and docs/generated/command-line.md lists them.

use crate::Arguments;
use clap::{Arg, Command, CommandFactory};
use mocl3_shared::arguments::HELP_WIDTH;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The command, with what clap adds to it.
fn built() -> Command {
    let mut command = Arguments::command();
    command.build();
    command
}

/// The subcommands that users see.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|task| !task.is_hide_set() && task.get_name() != "help")
}

/// The commands that users see, which have options: `mocl3 stat`, `mocl3 machine list`.
fn tasks(command: &Command) -> Vec<(String, &Command)> {
    let mut all = Vec::new();
    for task in shown(command) {
        let name = task.get_name();
        all.push((name.to_owned(), task));
        all.extend(shown(task).map(|inner| (format!("{name} {}", inner.get_name()), inner)));
    }
    all
}

/// The options that users see, but for help and version.
fn options(task: &Command) -> impl Iterator<Item = &Arg> {
    let own = |arg: &&Arg| !["help", "version"].contains(&arg.get_id().as_str());
    task.get_opts()
        .chain(flags(task))
        .filter(own)
        .filter(|arg| !arg.is_hide_set())
}

fn flags(task: &Command) -> impl Iterator<Item = &Arg> {
    task.get_arguments()
        .filter(|arg| !arg.is_positional() && !arg.get_action().takes_values())
}

/// `-o, --output <FILE>`.
fn heading(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}, "));
    let long = arg.get_long().unwrap_or_default();
    let value = match arg.get_value_names() {
        Some([name, ..]) if arg.get_action().takes_values() => match arg.is_require_equals_set() {
            true => format!("[={name}]"),
            false => format!(" {name}"),
        },
        _ => String::new(),
    };
    format!("{}--{long}{value}", short.unwrap_or_default())
}

/// clap checks its definitions only in builds with debug assertions.
#[test]
fn the_arguments_are_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn help_fits_into_80_columns() {
    let mut command = built();
    let mut helps = vec![command.render_long_help(), command.render_help()];
    for task in command.get_subcommands_mut() {
        helps.extend([task.render_long_help(), task.render_help()]);
    }
    assert!(helps.len() > 8);
    for help in helps {
        for line in help.to_string().lines() {
            assert!(line.chars().count() <= HELP_WIDTH, "{line}");
        }
    }
}

#[test]
fn every_subcommand_has_examples() {
    for task in shown(&built()) {
        let help = task.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let example = format!("  mocl3 {} ", task.get_name());
        assert!(help.contains(example.trim_end()), "{}", task.get_name());
    }
}

/// A name of an option has one form.
#[test]
fn options_of_one_name_are_written_alike() {
    let command = built();
    let mut known: BTreeMap<&str, (Option<char>, Vec<String>)> = BTreeMap::new();
    for (name, task) in tasks(&command) {
        for arg in options(task) {
            let long = arg.get_long().expect("every option has a long name");
            let names = arg.get_value_names().unwrap_or_default();
            let names = match arg.get_action().takes_values() {
                true => names.iter().map(ToString::to_string).collect(),
                false => Vec::new(),
            };
            let form = (arg.get_short(), names);
            let before = known.entry(long).or_insert_with(|| form.clone());
            assert_eq!(*before, form, "--{long} of mocl3 {name}");
        }
    }
}

const INTRODUCTION: &str = "\
# Options of the commands

Written by `cargo xtask pages` from the definitions in `tools/mocl3/src`; a test compares them.
`mocl3 help COMMAND` has the values and examples of a command. Unknown options are refused with
exit code 2; `--` ends the options. All commands have `--help` and `--version`;
`mocl3 conformance --help` shows the options of the suite.

";

fn page() -> String {
    let mut page = INTRODUCTION.to_owned();
    let command = built();
    page += "| command | |\n| --- | --- |\n";
    let mut rows: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (task_name, task) in tasks(&command) {
        let name = format!("`mocl3 {task_name}`");
        let about = task.get_about().map(ToString::to_string);
        writeln!(page, "| {name} | {} |", about.unwrap_or_default()).unwrap();
        for arg in options(task) {
            let help = arg.get_help().map(ToString::to_string);
            let row = (heading(arg), help.unwrap_or_default());
            let names = rows.entry(row).or_default();
            names.push(format!("`{task_name}`"));
        }
    }
    page += "\n| option | of | meaning |\n| --- | --- | --- |\n";
    for ((option, help), names) in rows {
        let names = names.join(", ");
        writeln!(page, "| `{option}` | {names} | {help} |").unwrap();
    }
    page
}

/// With `MOCL3_WRITE_DOCS` in the environment (`cargo xtask pages`), it writes the page first.
#[test]
fn the_page_shows_the_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/generated/command-line.md");
    if std::env::var_os("MOCL3_WRITE_DOCS").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == page(),
        "docs/generated/command-line.md is not what the definitions say; run cargo xtask pages"
    );
}
