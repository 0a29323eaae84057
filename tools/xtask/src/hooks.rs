//! Installs the project's git hooks (`.githooks`).

use crate::{command, platform};
use anyhow::Result;
use std::process::Command;

/// Makes git run the hooks in this clone. Does nothing for sources without a repository.
///
/// # Errors
/// git's.
pub fn install() -> Result<()> {
    if !platform::root().join(".git").exists() {
        return Ok(());
    }
    let mut git = Command::new("git");
    git.args(["config", "core.hooksPath", ".githooks"]);
    command::run(git.current_dir(platform::root()))
}

#[cfg(test)]
mod tests {
    use crate::platform;
    use std::process::{Command, Stdio};

    fn accepts(message: &str) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("message");
        std::fs::write(&file, message).unwrap();
        let mut hook = Command::new(platform::root().join(".githooks/commit-msg"));
        let status = hook.arg(&file).stderr(Stdio::null()).status().unwrap();
        status.success()
    }

    #[test]
    fn subjects_are_short_and_say_something() {
        assert!(accepts(
            "runtime: report transfers in bytes\n\nWhy.\n# comment"
        ));
        assert!(accepts(&"ä".repeat(72)));
        assert!(accepts("wipe caches"));
        for message in [
            "",
            "# comment\n",
            &"x".repeat(73),
            "wip",
            "WIP: x",
            "fixup! x",
        ] {
            assert!(!accepts(message), "{message}");
        }
    }
}
