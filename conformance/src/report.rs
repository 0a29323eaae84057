//! Reports: a table for people, JSON, and JUnit's XML for CI systems.

use crate::case::{Category, Origin};
use crate::process::Outcome;
use crate::runner::Report;
use anyhow::Result;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// A run of the suite.
#[derive(Serialize)]
pub struct Run {
    /// What the platform says of itself.
    pub platform: String,
    /// What the device says of itself.
    pub device: String,
    /// Build options besides each program's own.
    pub options: String,
    /// The first seed.
    pub seed: u64,
    /// By case.
    pub cases: Vec<Report>,
}

/// How many of some cases ended how.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
    seconds: f64,
}

impl Counts {
    fn of<'a>(reports: impl Iterator<Item = &'a Report>) -> Self {
        let mut counts = Self::default();
        for report in reports {
            match report.outcome {
                Outcome::Passed => counts.passed += 1,
                Outcome::Failed(_) => counts.failed += 1,
                Outcome::Skipped(_) => counts.skipped += 1,
            }
            counts.seconds += report.seconds;
        }
        counts
    }

    fn all(&self) -> usize {
        self.passed + self.failed + self.skipped
    }
}

impl Run {
    /// How many cases failed.
    pub fn failed(&self) -> usize {
        Counts::of(self.cases.iter()).failed
    }

    /// The table by category, after what was wrong.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for report in &self.cases {
            match &report.outcome {
                Outcome::Passed => {}
                Outcome::Skipped(reason) => {
                    let _ = writeln!(text, "skipped {}: {reason}", report.name);
                }
                Outcome::Failed(reason) => text.push_str(&failure(report, reason)),
            }
        }
        let _ = writeln!(text, "{}\n{}", self.platform, self.device);
        let _ = writeln!(
            text,
            "{:20} {:>7} {:>7} {:>7} {:>9}",
            "category", "passed", "failed", "skipped", "time"
        );
        let mut row = |name: &str, counts: &Counts| {
            let _ = writeln!(
                text,
                "{name:20} {:7} {:7} {:7} {:7.1} s",
                counts.passed, counts.failed, counts.skipped, counts.seconds
            );
        };
        for category in Category::ALL {
            let of_it = |report: &&Report| report.category == category;
            let counts = Counts::of(self.cases.iter().filter(of_it));
            if counts.all() > 0 {
                row(category.name(), &counts);
            }
        }
        row("all", &Counts::of(self.cases.iter()));
        let of_125 = |report: &&Report| report.origin == Origin::Pocl16;
        let counts = Counts::of(self.cases.iter().filter(of_125));
        if counts.all() > 0 {
            let (passed, all) = (counts.passed, counts.all());
            let _ = writeln!(text, "of PoCL 1.6's 125 cases: {passed} of {all} passed");
        }
        text
    }

    /// For programs.
    ///
    /// # Errors
    /// None that can be foreseen.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)?)
    }

    /// For CI systems: a suite for each category.
    ///
    /// # Errors
    /// None that can be foreseen.
    pub fn junit(&self) -> Result<String> {
        let mut report = quick_junit::Report::new("conformance");
        for category in Category::ALL {
            let mut suite = TestSuite::new(category.name());
            for case in self.cases.iter().filter(|case| case.category == category) {
                let status = match &case.outcome {
                    Outcome::Passed => TestCaseStatus::success(),
                    Outcome::Skipped(reason) => {
                        let mut status = TestCaseStatus::skipped();
                        status.set_message(reason.as_str());
                        status
                    }
                    Outcome::Failed(reason) => {
                        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                        status
                            .set_message(reason.lines().next().unwrap_or_default())
                            .set_description(failure(case, reason));
                        status
                    }
                };
                let mut test = TestCase::new(case.name, status);
                test.set_time(Duration::from_secs_f64(case.seconds));
                suite.add_test_case(test);
            }
            if !suite.test_cases.is_empty() {
                report.add_test_suite(suite);
            }
        }
        Ok(report.to_string()?)
    }
}

/// What was wrong with a case, with all that is needed to see it again.
fn failure(report: &Report, reason: &str) -> String {
    let mut text = format!("FAILED {}: {reason}\n", report.name);
    for line in report.source.lines() {
        let _ = writeln!(text, "    | {line}");
    }
    let _ = writeln!(text, "    run it: {}", report.command);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        let report = |name, category, origin, outcome| Report {
            name,
            category,
            origin,
            outcome,
            seconds: 0.5,
            seed: 7,
            source: "kernel void k() {}\n".into(),
            command: format!("conformance run {name}"),
        };
        let (work_group, runtime) = (Category::WorkGroup, Category::Runtime);
        Run {
            platform: "a platform".into(),
            device: "a device".into(),
            options: String::new(),
            seed: 7,
            cases: vec![
                report("a", runtime, Origin::Pocl16, Outcome::Passed),
                report(
                    "b",
                    work_group,
                    Origin::Pocl16,
                    Outcome::Failed("1, not 2".into()),
                ),
                report(
                    "c",
                    work_group,
                    Origin::Own,
                    Outcome::Skipped("images".into()),
                ),
            ],
        }
    }

    #[test]
    fn the_table_counts_by_category_and_shows_what_failed() {
        let text = run().text();
        for expected in [
            "FAILED b: 1, not 2\n    | kernel void k() {}\n    run it: conformance run b\n",
            "skipped c: images\n",
            "runtime                    1       0       0     0.5 s\n",
            "work-groups                0       1       1     1.0 s\n",
            "of PoCL 1.6's 125 cases: 1 of 2 passed\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert_eq!(run().failed(), 1);
    }

    #[test]
    fn json_and_junit_say_the_same() {
        let json: serde_json::Value = serde_json::from_str(&run().json().unwrap()).unwrap();
        assert_eq!(json["cases"][1]["outcome"], "failed");
        assert_eq!(json["cases"][1]["category"], "work-group");
        let xml = run().junit().unwrap();
        assert!(
            xml.contains("tests=\"3\"") && xml.contains("failures=\"1\""),
            "{xml}"
        );
        assert!(xml.contains("<skipped message=\"images\""), "{xml}");
    }
}
