//! A platform that is measured: each sample in a process of its own.

use crate::case::{Case, Category};
use crate::timing::{Measurement, Mode};
use anyhow::{Context, Error, Result, bail, ensure};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What a process prints.
pub type Outcome = Result<Measurement, String>;

/// A platform: its name, where its `.icd` file is, and environment variables.
#[derive(Clone)]
pub struct Platform {
    /// The platform's name in the report.
    pub name: String,
    /// The root file system that its processes have, if not this one.
    pub root: Option<PathBuf>,
    /// The value of `OCL_ICD_VENDORS`.
    pub vendors: PathBuf,
    /// Names and values of additional environment variables of its processes.
    pub variables: Vec<(String, String)>,
}

impl Platform {
    /// Parses `NAME=FOLDER` or `NAME=ROOT:FOLDER` with any number of `,VARIABLE=VALUE` after it.
    /// Values may contain commas: a part without `=` continues the value before it.
    ///
    /// # Errors
    /// The text has another form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts = text.split(',');
        let (name, folder) = parts
            .next()
            .and_then(|part| part.split_once('='))
            .ok_or("expected NAME=FOLDER")?;
        let mut variables: Vec<(String, String)> = Vec::new();
        for part in parts {
            match (part.split_once('='), variables.last_mut()) {
                (Some((name, value)), _) => variables.push((name.to_owned(), value.to_owned())),
                (None, Some((_, value))) => *value += &format!(",{part}"),
                (None, None) => return Err("expected NAME=FOLDER,VARIABLE=VALUE".to_owned()),
            }
        }
        let (root, vendors) = match folder.split_once(':') {
            Some((root, vendors)) => (Some(root.into()), vendors),
            None => (None, folder),
        };
        Ok(Self {
            name: name.to_owned(),
            root,
            vendors: vendors.into(),
            variables,
        })
    }

    /// The samples of a new process, with the `caches` that earlier processes filled, or with empty
    /// ones if the case needs them.
    ///
    /// # Errors
    /// The process failed, crashed or took too long.
    pub fn measure(&self, case: &Case, mode: Mode, caches: &Path) -> Result<Measurement> {
        match case.category {
            Category::ColdBuild | Category::Growth => self.run(case, mode, TempDir::new()?.path()),
            _ => self.run(case, mode, caches),
        }
    }

    fn run(&self, case: &Case, mode: Mode, caches: &Path) -> Result<Measurement> {
        let program = std::env::current_exe()?;
        let (mut command, caches) = match &self.root {
            None => (Command::new(program), caches),
            Some(root) => (within(root, &program, caches)?, Path::new(CACHES)),
        };
        command.args(["--measure", case.name]);
        match mode {
            Mode::Full { warm_up } => command
                .arg("--warm-up")
                .arg(warm_up.as_millis().to_string()),
            Mode::Quick => command.arg("--quick"),
        };
        let output = command
            .env("OCL_ICD_VENDORS", &self.vendors)
            .env("POCL_CACHE_DIR", caches)
            .env("XDG_CACHE_HOME", caches)
            .env("HOME", caches)
            // The users' default; tests set it otherwise.
            .env_remove("MOCL3_CACHE")
            .env_remove("MOCL3_CACHE_DIR")
            .env_remove("MOCL3_CACHE_SIZE")
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .output()
            .with_context(|| match &self.root {
                None => format!("cannot start {}", command.get_program().display()),
                Some(_) => format!("cannot start {BUBBLEWRAP} (Debian's package bubblewrap)"),
            })?;
        // Bubblewrap ends with the program's signal as shells do.
        let of_code = output.status.code().filter(|code| *code > 128);
        let of_code = of_code
            .filter(|_| self.root.is_some())
            .map(|code| code - 128);
        if let Some(signal) = output.status.signal().or(of_code) {
            bail!("{}", of_signal(signal));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let Some(last) = text.lines().last() else {
            let errors = String::from_utf8_lossy(&output.stderr);
            let error = errors.lines().last().unwrap_or("no error either");
            bail!("nothing was printed: {error}");
        };
        let outcome: Outcome =
            serde_json::from_str(last).with_context(|| format!("not a measurement: {last}"))?;
        outcome.map_err(Error::msg)
    }
}

/// The folder of the caches in another root file system.
const CACHES: &str = "/mnt/caches";

/// The program that runs another one in a root file system. It needs no rights for that.
const BUBBLEWRAP: &str = "bwrap";

/// Starts a program in another root file system.
///
/// # Errors
/// There is no such root.
fn within(root: &Path, program: &Path, caches: &Path) -> Result<Command> {
    const PROGRAM: &str = "/mnt/bench";
    ensure!(
        root.is_dir(),
        "the root file system {} is missing; `cargo xtask bench` installs its own",
        root.display()
    );
    let mut command = Command::new(BUBBLEWRAP);
    command
        .arg("--bind")
        .args([root, Path::new("/")])
        .args(["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"])
        .args(["--ro-bind", "/sys", "/sys", "--tmpfs", "/mnt", "--bind"])
        .args([caches, Path::new(CACHES)])
        .arg("--ro-bind")
        .args([program, Path::new(PROGRAM)])
        .args(["--die-with-parent", "--", PROGRAM]);
    Ok(command)
}

/// Time limit of a process, seconds.
const LIMIT: u32 = 60;

/// Has a signal end this process at its time limit, even if the platform hangs.
pub fn limit_this_process() {
    // SAFETY: no handler is installed, so that nothing but the default action happens.
    unsafe { libc::alarm(LIMIT) };
}

fn of_signal(signal: i32) -> String {
    match signal {
        libc::SIGALRM => format!("took more than {LIMIT} s"),
        signal => format!("crashed with signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Platform;
    use std::path::Path;

    #[test]
    fn platforms_have_names_folders_and_variables() {
        let platform = Platform::parse("Timed=/a/b,MOCL3_RECORD=/tmp/r,X=").unwrap();
        assert_eq!(platform.name, "Timed");
        assert_eq!(platform.root, None);
        assert_eq!(platform.vendors.to_str(), Some("/a/b"));
        let variables = [("MOCL3_RECORD", "/tmp/r"), ("X", "")];
        assert!(
            platform
                .variables
                .iter()
                .map(|(n, v)| (&**n, &**v))
                .eq(variables)
        );
        let platform = Platform::parse("Checked=/a,MOCL3_CHECK=memory,barriers,X=1").unwrap();
        assert_eq!(platform.variables[0].1, "memory,barriers");
        assert_eq!(platform.variables[1].0, "X");
        let platform = Platform::parse("Other=/root:/etc/x.icd").unwrap();
        assert_eq!(platform.root.as_deref(), Some(Path::new("/root")));
        assert_eq!(platform.vendors.to_str(), Some("/etc/x.icd"));
        for wrong in ["Timed", "Timed=/a,X"] {
            assert!(Platform::parse(wrong).is_err(), "{wrong}");
        }
    }
}
