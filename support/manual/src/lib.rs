//! Manual pages and shell completions of a command, generated from clap's definitions.

use clap::{Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// The version in the pages' footers.
const SOURCE: &str = concat!("MOCL3 ", env!("CARGO_PKG_VERSION"));

/// The shells with completions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CompletedShell {
    /// bash, with its package `bash-completion` or without
    Bash,
    /// zsh
    Zsh,
    /// fish
    Fish,
}

impl CompletedShell {
    const fn generator(self) -> Shell {
        match self {
            Self::Bash => Shell::Bash,
            Self::Zsh => Shell::Zsh,
            Self::Fish => Shell::Fish,
        }
    }

    /// The name under which the shell looks for the completions of `program`.
    pub fn file_name(self, program: &str) -> String {
        match self {
            Self::Bash => program.to_owned(),
            Self::Zsh => format!("_{program}"),
            Self::Fish => format!("{program}.fish"),
        }
    }

    /// The folder's name in what `write` writes.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Bash => "bash",
            Self::Zsh => "zsh",
            Self::Fish => "fish",
        }
    }
}

/// The completions of a command as a script of the shell.
pub fn completions(command: &Command, shell: CompletedShell) -> Vec<u8> {
    let mut script = Vec::new();
    let mut command = command.clone();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell.generator(), &mut command, name, &mut script);
    script
}

/// Writes the manual pages of a command and its subcommands to `man/` in `folder`, and its
/// completions to `bash/`, `zsh/` and `fish/`. `elsewhere` are subcommands with pages of their own.
///
/// # Errors
/// A file cannot be written.
pub fn write(command: &Command, elsewhere: &[&str], folder: &Path) -> io::Result<()> {
    let program = command.get_name();
    for shell in CompletedShell::value_variants() {
        let to = folder.join(shell.folder());
        fs::create_dir_all(&to)?;
        fs::write(
            to.join(shell.file_name(program)),
            completions(command, *shell),
        )?;
    }
    let to = folder.join("man");
    fs::create_dir_all(&to)?;
    let mut command = command.clone().disable_help_subcommand(true);
    command.build();
    pages(&command, elsewhere, &to)
}

fn pages(command: &Command, elsewhere: &[&str], folder: &Path) -> io::Result<()> {
    for task in command.get_subcommands() {
        if !task.is_hide_set() && !elsewhere.contains(&task.get_name()) {
            pages(task, elsewhere, folder)?;
        }
    }
    let man = Man::new(command.clone());
    fs::write(folder.join(man.get_filename()), page(command, &man)?)
}

/// A page. clap_mangen would leave out the empty date of the title, and join the lines of what
/// follows the options.
fn page(command: &Command, man: &Man) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let title = command.get_display_name().unwrap_or(command.get_name());
    writeln!(page, ".TH {title} 1 \"\" \"{SOURCE}\" \"User Commands\"")?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|task| !task.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    let after = command.get_after_help().map(ToString::to_string);
    for section in after.unwrap_or_default().split("\n\n") {
        let mut lines = section.lines();
        if let Some(heading) = lines.next() {
            writeln!(page, ".SH {}", heading.trim_end_matches(':').to_uppercase())?;
            writeln!(page, ".nf")?;
            for line in lines {
                writeln!(page, "{}", verbatim(line))?;
            }
            writeln!(page, ".fi")?;
        }
    }
    Ok(page)
}

/// A line that roff prints as it is.
fn verbatim(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-");
    // A request begins with a dot or an apostrophe.
    match text.starts_with(['.', '\'']) {
        true => format!("\\&{text}"),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    fn command() -> Command {
        let hidden = Command::new("inner").hide(true);
        let add = Command::new("add")
            .about("Add")
            .arg(Arg::new("all").long("all"));
        Command::new("tool")
            .about("A tool")
            .subcommands([add, Command::new("other"), hidden])
            .after_help("Examples:\n  tool add -x\n  .\\'")
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn every_subcommand_has_a_page_but_hidden_ones() {
        let folder = tempfile::tempdir().unwrap();
        write(&command(), &["other"], folder.path()).unwrap();
        assert_eq!(files(&folder.path().join("man")), ["tool-add.1", "tool.1"]);
        assert_eq!(files(&folder.path().join("zsh")), ["_tool"]);
        assert_eq!(files(&folder.path().join("fish")), ["tool.fish"]);
        let script = fs::read_to_string(folder.path().join("bash/tool")).unwrap();
        assert!(script.contains("--all"), "{script}");
    }

    #[test]
    fn examples_keep_their_lines() {
        let mut command = command();
        command.build();
        let man = Man::new(command.clone());
        let text = String::from_utf8(page(&command, &man).unwrap()).unwrap();
        let examples = ".SH EXAMPLES\n.nf\n  tool add \\-x\n  .\\e'\n.fi\n";
        assert!(text.ends_with(examples), "{text}");
        assert_eq!(verbatim(".x"), "\\&.x");
    }
}
