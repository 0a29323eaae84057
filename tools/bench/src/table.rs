//! The report: medians, spreads, ratios.

use crate::case::{Case, Category};
use crate::cases;
use crate::statistics::{geometric_mean, median, quantile};
use crate::timing::{Measurement, Work};
use crate::variants;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;

/// A run of the benchmark.
#[derive(Serialize, Deserialize)]
pub struct Report {
    /// Names of the platforms; ratios are to the first or its variant (`variants.rs`).
    pub platforms: Vec<String>,
    /// The cases.
    pub rows: Vec<Row>,
}

/// The row of a case.
#[derive(Serialize, Deserialize)]
pub struct Row {
    /// The case's name.
    pub case: String,
    /// The operation that is timed.
    pub what: String,
    /// The category of the case.
    pub category: Category,
    /// The results by platform.
    pub samples: Vec<Samples>,
    /// The work done in that time.
    pub work: Option<Work>,
    /// The host's peak rate for that work, per second, as measured in each round.
    pub limits: Vec<f64>,
}

/// The measurements of the processes on one platform.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Samples {
    /// Durations from all processes, ns; of a case of `Category::Memory`, bytes.
    pub nanoseconds: Vec<f64>,
    /// The error of a process that failed; then there is no median.
    pub failure: Option<String>,
}

impl Samples {
    /// Whether it has all its samples, or will have none.
    pub fn has(&self, samples: usize) -> bool {
        self.nanoseconds.len() >= samples || self.failure.is_some()
    }

    /// The median, ns; `None` if a process failed.
    pub fn median(&self) -> Option<f64> {
        match self.failure {
            None => median(&self.nanoseconds),
            Some(_) => None,
        }
    }

    /// Half the interquartile range as a fraction of the median.
    pub fn spread(&self) -> Option<f64> {
        let low = quantile(&self.nanoseconds, 0.25)?;
        let high = quantile(&self.nanoseconds, 0.75)?;
        Some((high - low) / 2.0 / self.median()?)
    }

    fn show(&self, category: Category) -> String {
        match (self.median(), self.spread()) {
            (Some(median), Some(spread)) => {
                let median = match category {
                    Category::Memory => format!("{median:.0} B"),
                    _ => time(median),
                };
                format!("{median} ±{:.0}%", spread * 100.0)
            }
            _ => "failed".to_owned(),
        }
    }
}

impl Row {
    /// A row without samples.
    pub fn new(case: &Case, platforms: usize) -> Self {
        Self {
            case: case.name.to_owned(),
            what: case.what.to_owned(),
            category: case.category,
            samples: vec![Samples::default(); platforms],
            work: None,
            limits: Vec::new(),
        }
    }

    /// Adds the measurements of a process.
    pub fn add(&mut self, platform: usize, measured: Result<Measurement>) {
        let samples = &mut self.samples[platform];
        match measured {
            Ok(measurement) => {
                samples.nanoseconds.extend(measurement.samples);
                self.work = measurement.work;
            }
            Err(error) => samples.failure = Some(format!("{error:#}")),
        }
    }

    /// The median on a platform, ns, unless it failed.
    pub fn median(&self, platform: usize) -> Option<f64> {
        self.samples.get(platform).and_then(Samples::median)
    }

    /// A platform's time divided by that of the one that its ratios are to.
    pub fn ratio(&self, platform: usize, reference: usize) -> Option<f64> {
        Some(self.median(platform)? / self.median(reference)?)
    }

    /// The fraction of the host's peak rate that a platform reaches.
    fn share(&self, platform: usize) -> Option<f64> {
        let seconds = self.median(platform)? / 1e9;
        Some(self.work?.amount() / seconds / median(&self.limits)?)
    }

    fn show_limit(&self) -> Option<String> {
        let giga = median(&self.limits)? / 1e9;
        let unit = match self.work? {
            Work::Bytes(_) => "GB/s",
            Work::Float(_) => "GFLOP/s",
            Work::Double(_) => "GFLOP/s, double",
        };
        Some(format!("{giga:.0} {unit}"))
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e4 => format!("{:.2} us", t / 1e3),
        t if t < 1e7 => format!("{:.3} ms", t / 1e6),
        t => format!("{:.1} ms", t / 1e6),
    }
}

impl Report {
    /// Reads the results of an earlier run.
    ///
    /// # Errors
    /// There is no such file, or `--json` did not write it.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Joins the rows of several runs, in the order of the cases.
    ///
    /// # Errors
    /// Their platforms differ, or a case is in two of them.
    pub fn joined(parts: Vec<Self>) -> Result<Self> {
        let mut parts = parts.into_iter();
        let mut all = parts.next().context("no reports")?;
        for part in parts {
            ensure!(part.platforms == all.platforms, "the platforms differ");
            for row in part.rows {
                let twice = all.rows.iter().any(|other| other.case == row.case);
                ensure!(!twice, "{} is in two of the files", row.case);
                all.rows.push(row);
            }
        }
        let place = |row: &Row| cases::all().position(|case| case.name == row.case);
        all.rows.sort_by_key(|row| place(row).unwrap_or(usize::MAX));
        Ok(all)
    }

    /// A platform's time of a case divided by that of the one that its ratios are to.
    pub fn ratio(&self, row: &Row, platform: usize) -> Option<f64> {
        row.ratio(platform, variants::reference(&self.platforms, platform))
    }

    /// The line of a row that is printed during the run.
    pub fn line(&self, row: &Row) -> String {
        let mut text = format!("{:<24}", row.case);
        for (index, samples) in row.samples.iter().enumerate() {
            let ratio = match self.ratio(row, index) {
                Some(ratio) if index > 0 => format!("{ratio:.2}x"),
                _ => String::new(),
            };
            let _ = write!(text, "{:>16}{ratio:>8}", samples.show(row.category));
        }
        text
    }

    /// The case, platform and message of each failure.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.rows.iter().flat_map(|row| {
            let with_names = self.platforms.iter().zip(&row.samples);
            with_names.filter_map(|(name, samples)| {
                let failure = samples.failure.as_deref()?;
                Some((row.case.as_str(), name.as_str(), failure))
            })
        })
    }

    /// A case's time divided by that of the earlier run.
    fn change(&self, row: &Row, platform: usize, former: &Self) -> Option<f64> {
        let name = &self.platforms[platform];
        let then = former.rows.iter().find(|then| then.case == row.case)?;
        let place = former.platforms.iter().position(|then| then == name)?;
        Some(row.median(platform)? / then.median(place)?)
    }

    /// Tables and means in Markdown, with the changes since the earlier run in brackets.
    pub fn render(&self, former: Option<&Self>) -> String {
        let mut text = format!("| case | {} | what |\n", self.platforms.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(self.platforms.len() + 2));
        for row in &self.rows {
            let _ = write!(text, "| {} |", row.case);
            for (index, samples) in row.samples.iter().enumerate() {
                let _ = write!(text, " {}", samples.show(row.category));
                if let (Some(ratio), 1..) = (self.ratio(row, index), index) {
                    let _ = write!(text, " ({ratio:.2}x)");
                }
                if let Some(change) = former.and_then(|then| self.change(row, index, then)) {
                    let _ = write!(text, " [{:+.0}%]", (change - 1.0) * 100.0);
                }
                text.push_str(" |");
            }
            let _ = writeln!(text, " {} |", row.what);
        }
        text + &self.render_shares()
            + "\n"
            + &self.summary()
            + &former.map_or(String::new(), |former| self.render_changes(former))
            + &self.render_failures()
    }

    /// The rows that are compared with the host's peak rates.
    fn render_shares(&self) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let Some(limit) = row.show_limit() else {
                continue;
            };
            if text.is_empty() {
                let names = self.platforms.join(" | ");
                let _ = writeln!(text, "\n| share of the host's limit | {names} | limit |");
                let _ = writeln!(text, "|{}", " --- |".repeat(self.platforms.len() + 2));
            }
            let _ = write!(text, "| {} |", row.case);
            for platform in 0..self.platforms.len() {
                let _ = match row.share(platform) {
                    Some(share) => write!(text, " {:.0}% |", share * 100.0),
                    None => write!(text, " failed |"),
                };
            }
            let _ = writeln!(text, " {limit} |");
        }
        text
    }

    /// The mean change of each platform since the earlier run.
    fn render_changes(&self, former: &Self) -> String {
        let mut text = String::new();
        for (platform, name) in self.platforms.iter().enumerate() {
            let rows = self.rows.iter();
            let changes = rows.filter_map(|row| self.change(row, platform, former));
            if let Some(mean) = geometric_mean(changes) {
                let change = (mean - 1.0) * 100.0;
                let _ = writeln!(
                    text,
                    "- {name}, change of all times since then: {change:+.1}%"
                );
            }
        }
        text
    }

    /// A paragraph for each failure.
    pub fn render_failures(&self) -> String {
        let line =
            |(case, platform, message)| format!("\n{case} failed on {platform}: {message}\n");
        self.failures().map(line).collect()
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub fn samples(nanoseconds: &[f64]) -> Samples {
        Samples {
            nanoseconds: nanoseconds.to_vec(),
            failure: None,
        }
    }

    pub fn failed(message: &str) -> Samples {
        Samples {
            nanoseconds: vec![1.0],
            failure: Some(message.to_owned()),
        }
    }

    pub fn row(case: &str, category: Category, samples: &[Samples]) -> Row {
        Row {
            case: case.to_owned(),
            what: "time".to_owned(),
            category,
            samples: samples.to_vec(),
            work: None,
            limits: Vec::new(),
        }
    }

    pub fn report(platforms: &[&str], rows: Vec<Row>) -> Report {
        Report {
            platforms: platforms.iter().copied().map(str::to_owned).collect(),
            rows,
        }
    }

    #[test]
    fn ratios_are_to_the_first_platform() {
        let times = [
            samples(&[3e3, 1e3, 2e3]),
            samples(&[6e3]),
            failed("it crashed"),
        ];
        let report = report(
            &["a", "b", "c"],
            vec![row("case", Category::Kernel, &times)],
        );
        let text = report.render(None);
        assert!(
            text.contains("| case | 2.00 us ±25% | 6.00 us ±0% (3.00x) | failed | time |"),
            "{text}"
        );
        assert!(text.contains("case failed on c: it crashed"), "{text}");
        assert!(!text.contains("limit |"), "{text}");
    }

    #[test]
    fn memory_is_in_bytes() {
        let bytes = [samples(&[424.3])];
        let text = report(&["a"], vec![row("case", Category::Memory, &bytes)]).render(None);
        assert!(text.contains("| case | 424 B ±0% |"), "{text}");
    }

    #[test]
    fn changes_are_to_the_same_platform_of_the_former_run() {
        let of = |platforms: [&str; 2], times: [f64; 2]| {
            let times = times.map(|time| samples(&[time]));
            report(&platforms, vec![row("case", Category::Kernel, &times)])
        };
        let text = of(["b", "a"], [3e3, 3e3]).render(Some(&of(["a", "b"], [4e3, 6e3])));
        assert!(
            text.contains("3.00 us ±0% [-50%] | 3.00 us ±0% (1.00x) [-25%]"),
            "{text}"
        );
        assert!(
            text.contains("- b, change of all times since then: -50.0%"),
            "{text}"
        );
    }

    #[test]
    fn shares_are_of_what_the_host_does_in_a_second() {
        let mut row = row("case", Category::Kernel, &[samples(&[1e9]), failed("no")]);
        row.work = Some(Work::Float(3e9));
        row.limits = vec![9e9, 6e9, 1e9];
        let text = report(&["a", "b"], vec![row]).render(None);
        assert!(
            text.contains("| case | 50% | failed | 6 GFLOP/s |"),
            "{text}"
        );
    }

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let rows = vec![row(
            "case",
            Category::ColdBuild,
            &[samples(&[1e3]), failed("no")],
        )];
        let report = report(&["a", "b"], rows);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.json");
        std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
        assert_eq!(
            Report::read(&path).unwrap().render(None),
            report.render(None)
        );
        std::fs::write(&path, "[]").unwrap();
        assert!(Report::read(&path).is_err());
    }

    #[test]
    fn reports_of_different_cases_are_joined() {
        let of = |platforms: &[&str], case: &str| {
            report(
                platforms,
                vec![row(case, Category::Kernel, &[samples(&[1.0])])],
            )
        };
        let joined = Report::joined(vec![of(&["a"], "triad"), of(&["a"], "copy")]).unwrap();
        let cases: Vec<&str> = joined.rows.iter().map(|row| row.case.as_str()).collect();
        assert_eq!(cases, ["copy", "triad"]);
        assert!(Report::joined(vec![of(&["a"], "add"), of(&["b"], "copy")]).is_err());
        assert!(Report::joined(vec![of(&["a"], "add"), of(&["a"], "add")]).is_err());
        assert!(Report::joined(Vec::new()).is_err());
    }
}
