//! Clients whose kernels and calls are checked (`--checks`). `tools/xtask/client-findings.toml` lists
//! the findings that are errors of the clients, each with its reason. A client fails with any other
//! finding, and if a listed one does not occur. A few clients have wrong results because of their
//! errors.

use super::{Client, Outcome};
use crate::platform::{Checks, Platform, root};
use anyhow::{Context, Result, bail};
use findings::suppression::Suppressions;
use findings::{Finding, log, text};
use serde::Deserialize;

/// All checks.
const ALL: &str = "all";

/// The contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    #[serde(default)]
    pub finding: Vec<Known>,
    #[serde(default)]
    pub wrong: Vec<Wrong>,
}

/// Findings that are errors of clients.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    /// Names of the clients that have them.
    pub clients: Vec<String>,
    /// Suppressions that cover them, one a line.
    pub findings: String,
    /// What the error is.
    pub reason: String,
}

/// A client whose result is wrong under checks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    pub client: String,
    /// A part of the text with which it fails.
    pub says: String,
    /// Why.
    pub reason: String,
}

impl Known {
    fn is_of(&self, client: &Client) -> bool {
        self.clients.iter().any(|name| name == client.name)
    }

    /// The suppressions.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        let lines = self.findings.lines().map(str::trim);
        lines.filter(|line| !line.is_empty())
    }
}

impl List {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or is not as it should be.
    pub fn read() -> Result<Self> {
        let file = root().join("tools/xtask/client-findings.toml");
        let text = std::fs::read_to_string(&file);
        let list = text.map(|text| toml::from_str(&text));
        list.with_context(|| file.display().to_string())?
            .with_context(|| file.display().to_string())
    }

    /// Splits off the findings that are no errors of the client; also returns the suppressions of
    /// the client that cover none.
    fn compare(&self, client: &Client, found: &[Finding]) -> Result<(Vec<Finding>, Vec<&str>)> {
        let mut others = found.to_vec();
        let mut absent = Vec::new();
        for known in self.finding.iter().filter(|known| known.is_of(client)) {
            for line in known.lines() {
                let suppression: Suppressions = line.parse()?;
                others.retain(|finding| !suppression.cover(finding));
                if !found.iter().any(|finding| suppression.cover(finding)) {
                    absent.push(line);
                }
            }
        }
        Ok((others, absent))
    }
}

/// Runs a client under checks.
///
/// # Errors
/// The list or the findings cannot be read.
pub fn run_checked(client: &'static Client, checks: &[String]) -> Result<Outcome> {
    let list = List::read()?;
    let all = checks.iter().any(|check| check == ALL);
    let folder = tempfile::tempdir()?;
    let platform = Platform::Checked(Checks {
        list: checks.join(","),
        findings: folder.path().to_owned(),
    });
    let mut outcome = Outcome::new(client, &platform);
    let found = log::read_folder(folder.path())?;
    let (others, absent) = list.compare(client, &found)?;
    for finding in &others {
        println!("{}", text::paragraph(finding));
        println!("  {}", text::times(finding.count));
    }
    println!("checks of {}: {}", client.name, text::summary(&found));
    // Fewer checks do not have all findings.
    let absent = if all { absent } else { Vec::new() };
    let wrong = list.wrong.iter().find(|one| one.client == client.name);
    let result = match wrong {
        Some(wrong) if all => expected_failure(outcome.result, &wrong.says),
        _ => outcome.result,
    };
    outcome.result = result.and_then(|counted| judged(&others, &absent, counted));
    outcome.print(&platform);
    Ok(outcome)
}

/// The result of a client that has to fail with a text.
fn expected_failure(result: Result<String>, says: &str) -> Result<String> {
    match result {
        Err(error) if format!("{error:#}").contains(says) => Ok(format!("{says}, as expected")),
        Err(error) => Err(error),
        Ok(_) => bail!("it is right, but is listed to fail with `{says}`"),
    }
}

/// Fails if there are findings that the list does not have, or if it has some that are not there.
fn judged(others: &[Finding], absent: &[&str], counted: String) -> Result<String> {
    if !others.is_empty() {
        bail!("{} findings are not listed", others.len());
    }
    if !absent.is_empty() {
        bail!("listed findings do not occur: {}", absent.join("; "));
    }
    Ok(counted)
}

#[cfg(test)]
mod tests {
    use super::{Known, List, Suppressions, expected_failure, judged};
    use crate::clients::all;
    use findings::{Finding, Kind};

    fn found(kernel: &str) -> Finding {
        Finding {
            kernel: kernel.to_owned(),
            ..Finding::new(Kind::OutOfBounds, "read of 4 bytes".to_owned())
        }
    }

    #[test]
    fn the_list_names_clients_and_has_suppressions_with_reasons() {
        let list = List::read().unwrap();
        let clients = list.finding.iter().flat_map(|known| &known.clients);
        for name in clients.chain(list.wrong.iter().map(|one| &one.client)) {
            assert!(all().any(|client| client.name == name), "{name}");
        }
        for known in &list.finding {
            assert!(known.lines().count() > 0 && !known.reason.is_empty());
            for line in known.lines() {
                line.parse::<Suppressions>().unwrap();
            }
        }
    }

    #[test]
    fn findings_are_compared_with_the_list_of_their_client() {
        let mut clients = all();
        let (client, other) = (clients.next().unwrap(), clients.next().unwrap());
        let list = List {
            finding: vec![Known {
                clients: vec![client.name.to_owned()],
                findings: "\nout-of-bounds kernel=a\nout-of-bounds kernel=b\n".to_owned(),
                reason: String::new(),
            }],
            wrong: Vec::new(),
        };
        let compared = |client, kernels: &[&str]| {
            let found: Vec<Finding> = kernels.iter().map(|kernel| found(kernel)).collect();
            let (others, absent) = list.compare(client, &found).unwrap();
            let others: Vec<String> = others.into_iter().map(|one| one.kernel).collect();
            (others.join(","), absent.join(","))
        };
        let none = String::new;
        assert_eq!(compared(client, &["a", "b"]), (none(), none()));
        assert_eq!(compared(client, &["a", "b", "c"]), ("c".to_owned(), none()));
        let absent = "out-of-bounds kernel=b".to_owned();
        assert_eq!(compared(client, &["a"]), (none(), absent));
        assert_eq!(compared(other, &["a"]), ("a".to_owned(), none()));
    }

    #[test]
    fn a_listed_failure_has_to_occur() {
        let failed = |text: &str| Err(anyhow::anyhow!(text.to_owned()));
        assert!(expected_failure(failed("1 wrong"), "1 wrong").is_ok());
        assert!(expected_failure(failed("2 wrong"), "1 wrong").is_err());
        assert!(expected_failure(Ok(String::new()), "1 wrong").is_err());
    }

    #[test]
    fn both_differences_are_failures() {
        assert!(judged(&[], &[], String::new()).is_ok());
        assert!(judged(&[found("a")], &[], String::new()).is_err());
        assert!(judged(&[], &["*"], String::new()).is_err());
    }
}
