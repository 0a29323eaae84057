//! The cases, embedded at compile time.

use crate::header::Header;
use crate::kernel::KernelCase;
use crate::platform::Platform;
use crate::program;
use anyhow::{Context, Result};
use harness::sanitized::SANITIZED;
use std::sync::LazyLock;

/// Folder, name and text of each file.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The regression case of one fixed bug.
#[derive(Debug)]
pub struct Case {
    /// The folder of its file: `kernels` or `host`.
    pub folder: &'static str,
    /// The name of its file without the ending.
    pub name: &'static str,
    /// The text of its file.
    pub text: &'static str,
}

/// All cases.
pub fn all() -> &'static [Case] {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let case = |&(folder, name, text)| Case { folder, name, text };
        FILES.iter().map(case).collect()
    });
    &CASES
}

impl Case {
    /// The first sentence about the bug.
    ///
    /// # Errors
    /// The header is malformed.
    pub fn summary(&self) -> Result<String> {
        let header = Header::parse(self.text).context(self.name)?;
        let sentence = header.description.split_inclusive(". ").next();
        let sentence = sentence.unwrap_or_default().trim_end();
        Ok(sentence.strip_suffix('.').unwrap_or(sentence).to_owned())
    }

    /// Why the case cannot run on a platform of this version, if it cannot.
    ///
    /// # Errors
    /// The header is malformed, or no temporary file can be created.
    pub fn obstacle(&self, version: &str) -> Result<Option<String>> {
        let header = Header::parse(self.text).context(self.name)?;
        if let Some(platform) = header.optional("only on")?
            && !version.contains(platform)
        {
            return Ok(Some(format!(
                "OpenCL does not require what {platform} does"
            )));
        }
        if self.folder == "host" && SANITIZED {
            return Ok(Some("C programs are not instrumented".to_owned()));
        }
        if self.folder == "host" && !program::can_be_compiled()? {
            let text = "there is no `cc`, or it does not find OpenCL's headers and loader";
            return Ok(Some(text.to_owned()));
        }
        Ok(None)
    }

    /// Runs the case.
    ///
    /// # Errors
    /// It fails, or its header is malformed.
    pub fn run(&self, platform: &Platform<'_>) -> Result<()> {
        match self.folder {
            "kernels" => KernelCase::parse(self.text)?.run(platform),
            _ => program::run(self.text, platform),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn all_headers_can_be_read_and_names_are_unique() {
        let mut names = std::collections::HashSet::new();
        for case in all() {
            assert!(!case.summary().unwrap().is_empty());
            assert!(names.insert(case.name), "{}", case.name);
        }
        assert!(!names.is_empty());
    }
}
