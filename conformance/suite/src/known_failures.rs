//! Known failures: `known-failures.toml` lists the cases that fail on other platforms, with
//! reasons.

use anyhow::{Context, Result};
use harness::platform::Identity;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The list of this project.
const OURS: &str = include_str!("../known-failures.toml");

/// The known failures of all platforms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    #[serde(default)]
    failure: Vec<KnownFailure>,
}

/// A case that fails on a platform because of that platform.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// Part of the platform's name or version, in any case.
    pub platform: String,
    /// The start of the driver's version, or a word of the platform's version.
    pub version: String,
    /// The case's name.
    pub case: String,
    /// The platform's behaviour, and the violated section of the specification.
    pub reason: String,
    /// Whether the case may pass as well, because its result is random.
    #[serde(default)]
    pub sometimes: bool,
}

impl KnownFailures {
    /// Reads the list from a file, or this project's own.
    ///
    /// # Errors
    /// The file cannot be read or is malformed.
    pub fn read(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else {
            return toml::from_str(OURS).context("known-failures.toml");
        };
        let name = || format!("the known failures in {}", file.display());
        let text = std::fs::read_to_string(file).with_context(name)?;
        toml::from_str(&text).with_context(name)
    }

    /// The known failures of one platform.
    pub fn on_platform(self, platform: &Identity) -> Vec<KnownFailure> {
        let mut failures = self.failure;
        failures.retain(|failure| failure.is_of(platform));
        failures
    }
}

impl KnownFailure {
    fn is_of(&self, platform: &Identity) -> bool {
        platform.is_called(&self.platform)
            && platform
                .version
                .split_whitespace()
                .chain([platform.driver.as_str()])
                .any(|version| is_version(version, &self.version))
    }
}

/// Whether `version` is `wanted` or one of its subversions.
fn is_version(version: &str, wanted: &str) -> bool {
    version
        .strip_prefix(wanted)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use std::collections::HashSet;

    #[test]
    fn the_list_names_cases_that_there_are_once_each_with_a_reason() {
        let mut names = HashSet::new();
        for failure in KnownFailures::read(None).unwrap().failure {
            let name = &failure.case;
            assert!(
                cases::all().any(|case| case.name == name),
                "there is no case {name}"
            );
            assert!(failure.reason.len() > 10, "{name} has no reason");
            assert!(
                names.insert((failure.platform, failure.version, failure.case.clone())),
                "{name} is there twice"
            );
        }
    }

    #[test]
    fn a_failure_is_of_its_platform_and_version_only() {
        let failure = |platform: &str, version: &str| KnownFailure {
            platform: platform.into(),
            version: version.into(),
            case: "a".into(),
            reason: "none".into(),
            sometimes: false,
        };
        let pocl = Identity {
            name: "Portable Computing Language".into(),
            version: "OpenCL 3.0 PoCL 3.1+debian  Linux, LLVM 15.0.6".into(),
            driver: "3.1+debian".into(),
        };
        assert!(failure("pocl", "3.1").is_of(&pocl));
        assert!(!failure("pocl", "3.1.1").is_of(&pocl));
        assert!(!failure("pocl", "1").is_of(&pocl));
        assert!(!failure("Intel", "3.1").is_of(&pocl));
        assert!(is_version("3.1.4", "3.1") && !is_version("3.10", "3.1"));
    }

    #[test]
    fn a_list_of_ones_own_is_read_and_a_wrong_one_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.toml");
        let entry = "[[failure]]\nplatform = 'p'\nversion = '1'\ncase = 'c'\nreason = 'r'\n";
        std::fs::write(&file, entry).unwrap();
        let read = KnownFailures::read(Some(&file)).unwrap();
        assert_eq!(read.failure[0].case, "c");
        std::fs::write(&file, entry.replace("case", "casus")).unwrap();
        let error = format!("{:#}", KnownFailures::read(Some(&file)).unwrap_err());
        assert!(
            error.contains("list.toml") && error.contains("casus"),
            "{error}"
        );
    }
}
