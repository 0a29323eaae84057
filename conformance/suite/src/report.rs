//! Reports: a text table, JSON, and JUnit XML for CI systems.

use crate::case::{Category, Origin};
use crate::case_report::Report;
use crate::known_failures::KnownFailures;
use crate::process::Outcome;
use anyhow::Result;
use harness::platform::Identity;
use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// A run of the suite.
#[derive(Serialize)]
pub struct Run {
    /// The platform's identity.
    pub platform: Identity,
    /// The device's name.
    pub device: String,
    /// Build options of all programs, in addition to their own.
    pub options: String,
    /// The environment variables that configure platforms, `NAME=value`.
    pub variables: Vec<String>,
    /// The seed of the first runs.
    pub seed: u64,
    /// Maximum number of concurrent processes.
    pub jobs: usize,
    /// Duration of the run, seconds.
    pub seconds: f64,
    /// Number of cases that an interruption left out.
    pub not_run: usize,
    /// The reports of the cases.
    pub cases: Vec<Report>,
}

/// Numbers of cases by result.
#[derive(Default)]
struct Counts {
    passed: usize,
    failed: usize,
    known: usize,
    skipped: usize,
    seconds: f64,
}

impl Counts {
    fn count<'a>(reports: impl Iterator<Item = &'a Report>) -> Self {
        let mut counts = Self::default();
        for report in reports {
            match (&report.outcome, &report.known_failure) {
                (Outcome::Passed, _) => counts.passed += 1,
                (Outcome::Failed(_), None) => counts.failed += 1,
                (Outcome::Failed(_), Some(_)) => counts.known += 1,
                (Outcome::Skipped(_), _) => counts.skipped += 1,
            }
            counts.seconds += report.seconds;
        }
        counts
    }

    fn all(&self) -> usize {
        self.passed + self.failed + self.known + self.skipped
    }
}

impl Run {
    /// Adds the known failures of this platform.
    pub fn with(mut self, known: KnownFailures) -> Self {
        for failure in known.on_platform(&self.platform) {
            let report = self.cases.iter_mut().find(|case| case.name == failure.case);
            if let Some(report) = report {
                report.known_failure = Some(failure);
            }
        }
        self
    }

    /// Whether all known failures failed, and no other case did.
    pub fn is_as_expected(&self) -> bool {
        Counts::count(self.cases.iter()).failed == 0
            && self.passed_although_known().next().is_none()
    }

    /// Known failures that passed. With additional options they may pass, because the list is for
    /// runs without options.
    fn passed_although_known(&self) -> impl Iterator<Item = &Report> {
        let counts = self.options.is_empty();
        self.cases.iter().filter(move |report| {
            let known = report.known_failure.as_ref();
            counts && report.outcome == Outcome::Passed && known.is_some_and(|it| !it.sometimes)
        })
    }

    /// The failures, and the table by category.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for report in &self.cases {
            match (&report.outcome, &report.known_failure) {
                (Outcome::Passed, _) => {}
                (Outcome::Skipped(reason), _) => {
                    let _ = writeln!(text, "skipped {}: {reason}", report.name);
                }
                (Outcome::Failed(_), Some(known)) => {
                    let _ = writeln!(text, "known failure {}: {}", report.name, known.reason);
                }
                (Outcome::Failed(reason), None) => text.push_str(&failure(report, reason)),
            }
        }
        for report in self.passed_although_known() {
            let _ = writeln!(
                text,
                "PASSED although it is a known failure: {}",
                report.name
            );
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", self.platform);
        let _ = writeln!(text, "{}", self.device);
        if !self.options.is_empty() {
            let _ = writeln!(text, "built with {}", self.options);
        }
        if !self.variables.is_empty() {
            let _ = writeln!(text, "with {}", self.variables.join(" "));
        }
        text.push('\n');
        text.push_str(&self.table());
        let of_125 = |report: &&Report| report.origin == Origin::Pocl16;
        let counts = Counts::count(self.cases.iter().filter(of_125));
        if counts.all() > 0 {
            let (passed, all) = (counts.passed, counts.all());
            let _ = writeln!(text, "of PoCL 1.6's 125 cases: {passed} of {all} passed");
        }
        let processes = match self.jobs {
            1 => "1 process".to_owned(),
            jobs => format!("{jobs} processes"),
        };
        let _ = writeln!(text, "{:.1} s with {processes} at a time", self.seconds);
        if self.not_run > 0 {
            let all = self.cases.len() + self.not_run;
            let _ = writeln!(
                text,
                "INTERRUPTED: {} of {all} cases did not run",
                self.not_run
            );
        }
        text
    }

    /// A row for each category with cases. The time is the sum over its cases.
    fn table(&self) -> String {
        let any_known = self.cases.iter().any(|case| case.known_failure.is_some());
        let mut text = String::new();
        let mut row = |cells: [&str; 6]| {
            let [name, passed, failed, known, skipped, time] = cells;
            let known = match any_known {
                true => format!(" {known:>14}"),
                false => String::new(),
            };
            let _ = writeln!(
                text,
                "{name:20} {passed:>7} {failed:>7}{known} {skipped:>7} {time:>10}"
            );
        };
        row([
            "category",
            "passed",
            "failed",
            "known failures",
            "skipped",
            "time",
        ]);
        let mut counted = |name: &str, counts: &Counts| {
            let [passed, failed, known, skipped] =
                [counts.passed, counts.failed, counts.known, counts.skipped]
                    .map(|count| count.to_string());
            let time = format!("{:.1} s", counts.seconds);
            row([name, &passed, &failed, &known, &skipped, &time]);
        };
        for category in Category::ALL {
            let of_it = |report: &&Report| report.category == category;
            let counts = Counts::count(self.cases.iter().filter(of_it));
            if counts.all() > 0 {
                counted(category.name(), &counts);
            }
        }
        counted("all", &Counts::count(self.cases.iter()));
        text
    }

    /// The report as JSON.
    ///
    /// # Errors
    /// The report cannot be serialised.
    pub fn json(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// The report as JUnit XML, with a test suite for each category. Known failures count as
    /// skipped.
    ///
    /// # Errors
    /// The report cannot be serialised.
    pub fn junit(&self) -> Result<String> {
        let mut report = quick_junit::Report::new("conformance");
        report.set_time(Duration::from_secs_f64(self.seconds));
        for category in Category::ALL {
            let mut suite = TestSuite::new(category.name());
            let mut seconds = 0.0;
            for case in self.cases.iter().filter(|case| case.category == category) {
                let mut test = TestCase::new(case.name, junit_status(case));
                test.set_classname(format!("conformance.{}", category.argument()));
                test.set_time(Duration::from_secs_f64(case.seconds));
                seconds += case.seconds;
                suite.add_test_case(test);
            }
            if !suite.test_cases.is_empty() {
                suite.set_time(Duration::from_secs_f64(seconds));
                suite.add_property(("platform", self.platform.version.as_str()));
                suite.add_property(("driver", self.platform.driver.as_str()));
                suite.add_property(("options", self.options.as_str()));
                report.add_test_suite(suite);
            }
        }
        Ok(report.to_string()?)
    }
}

fn junit_status(case: &Report) -> TestCaseStatus {
    let skipped = |reason: &str| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(reason);
        status
    };
    match (&case.outcome, &case.known_failure) {
        (Outcome::Passed, _) => TestCaseStatus::success(),
        (Outcome::Skipped(reason), _) => skipped(reason),
        (Outcome::Failed(_), Some(known)) => skipped(&format!("known failure: {}", known.reason)),
        (Outcome::Failed(reason), None) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status
                .set_message(reason.lines().next().unwrap_or_default())
                .set_description(failure(case, reason));
            status
        }
    }
}

/// A failure, with all data needed to reproduce it.
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
            known_failure: None,
        };
        let (work_group, runtime) = (Category::WorkGroup, Category::Runtime);
        Run {
            platform: Identity {
                name: "a platform".into(),
                version: "OpenCL 1.2 P 4.5".into(),
                driver: "4.5".into(),
            },
            device: "a device".into(),
            options: String::new(),
            variables: Vec::new(),
            seed: 7,
            jobs: 2,
            seconds: 1.25,
            not_run: 0,
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
            "a platform (OpenCL 1.2 P 4.5)\n",
            "runtime                    1       0       0      0.5 s\n",
            "work-groups                0       1       1      1.0 s\n",
            "of PoCL 1.6's 125 cases: 1 of 2 passed\n",
            "1.2 s with 2 processes at a time\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(
            !text.contains("known") && !text.contains("INTERRUPTED"),
            "{text}"
        );
        assert!(!run().is_as_expected());
        let text = Run {
            not_run: 4,
            ..run()
        }
        .text();
        assert!(
            text.ends_with("INTERRUPTED: 4 of 7 cases did not run\n"),
            "{text}"
        );
    }

    /// Known failures of the platform for these cases.
    fn known(cases: &[&str], sometimes: bool) -> KnownFailures {
        let entry = |case: &&str| {
            format!(
                "[[failure]]\nplatform = 'A Platform'\nversion = '4.5'\ncase = '{case}'\n\
                 reason = 'it cannot count'\nsometimes = {sometimes}\n"
            )
        };
        toml::from_str(&cases.iter().map(entry).collect::<String>()).unwrap()
    }

    #[test]
    fn a_run_in_which_just_the_known_failures_fail_is_as_expected() {
        let run_b = run().with(known(&["b"], false));
        assert!(run_b.is_as_expected());
        let text = run_b.text();
        for expected in [
            "known failure b: it cannot count\n",
            "category              passed  failed known failures skipped       time\n",
            "work-groups                0       0              1       1      1.0 s\n",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        assert!(!text.contains("FAILED"), "{text}");
        let xml = run_b.junit().unwrap();
        assert!(xml.contains("failures=\"0\""), "{xml}");
        assert!(
            xml.contains("message=\"known failure: it cannot count\""),
            "{xml}"
        );
        let json: serde_json::Value = serde_json::from_str(&run_b.json().unwrap()).unwrap();
        assert_eq!(json["cases"][1]["outcome"], "failed");
        assert_eq!(
            json["cases"][1]["known_failure"]["reason"],
            "it cannot count"
        );
    }

    #[test]
    fn a_known_failure_that_passes_is_named() {
        let passes = run().with(known(&["a", "b"], false));
        assert!(!passes.is_as_expected());
        let text = passes.text();
        assert!(
            text.contains("PASSED although it is a known failure: a\n"),
            "{text}"
        );
        assert!(run().with(known(&["a", "b"], true)).is_as_expected());
        // The list is for runs without additional options.
        let options = "-cl-opt-disable".to_owned();
        assert!(Run { options, ..passes }.is_as_expected());
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
