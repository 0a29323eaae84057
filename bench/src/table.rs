//! The report: medians, spreads, ratios.

use crate::cases::Category;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::Path;

/// A whole run.
#[derive(Serialize, Deserialize)]
pub struct Report {
    /// Names; ratios are to the first.
    pub platforms: Vec<String>,
    /// The cases.
    pub rows: Vec<Row>,
}

/// One case.
#[derive(Serialize, Deserialize)]
pub struct Row {
    /// Its name.
    pub case: String,
    /// What is timed.
    pub what: String,
    /// What it belongs to.
    pub category: Category,
    /// By platform.
    pub samples: Vec<Samples>,
}

/// What the processes on one platform found out.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Samples {
    /// A median from each.
    pub nanoseconds: Vec<f64>,
    /// Why one of them failed; then there are no others.
    pub failure: Option<String>,
}

/// The middle one; none of no samples.
pub fn median(samples: &[f64]) -> Option<f64> {
    quantile(samples, 0.5)
}

/// The sample that this share of the others is below.
fn quantile(samples: &[f64], share: f64) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    sorted.get((last as f64 * share).round() as usize).copied()
}

impl Samples {
    /// The median; none if a process failed.
    pub fn median(&self) -> Option<f64> {
        match self.failure {
            None => median(&self.nanoseconds),
            Some(_) => None,
        }
    }

    /// Half of what is between the quartiles, as a share of the median.
    pub fn spread(&self) -> Option<f64> {
        let low = quantile(&self.nanoseconds, 0.25)?;
        let high = quantile(&self.nanoseconds, 0.75)?;
        Some((high - low) / 2.0 / self.median()?)
    }

    fn show(&self) -> String {
        match (self.median(), self.spread()) {
            (Some(median), Some(spread)) => format!("{} ±{:.0}%", time(median), spread * 100.0),
            _ => "failed".to_owned(),
        }
    }
}

impl Row {
    fn median(&self, platform: usize) -> Option<f64> {
        self.samples.get(platform).and_then(Samples::median)
    }

    /// How many times the first platform's time another one takes.
    pub fn ratio(&self, platform: usize) -> Option<f64> {
        Some(self.median(platform)? / self.median(0)?)
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e4 => format!("{:.2} us", t / 1e3),
        t if t < 1e7 => format!("{:.3} ms", t / 1e6),
        t => format!("{:.1} ms", t / 1e6),
    }
}

/// A row while the run goes on.
pub fn line(row: &Row) -> String {
    let mut text = format!("{:<24}", row.case);
    for (index, samples) in row.samples.iter().enumerate() {
        let ratio = match row.ratio(index) {
            Some(ratio) if index > 0 => format!("{ratio:.2}x"),
            _ => String::new(),
        };
        let _ = write!(text, "{:>16}{ratio:>8}", samples.show());
    }
    text
}

impl Report {
    /// A former run.
    ///
    /// # Errors
    /// There is no such file, or it is none that `--json` wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        serde_json::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Case, platform and message of each failure.
    pub fn failures(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        self.rows.iter().flat_map(|row| {
            let with_names = self.platforms.iter().zip(&row.samples);
            with_names.filter_map(|(name, samples)| {
                let failure = samples.failure.as_deref()?;
                Some((row.case.as_str(), name.as_str(), failure))
            })
        })
    }

    /// How much longer, as a share, a case takes than in a former run.
    fn change(&self, row: &Row, platform: usize, former: &Self) -> Option<f64> {
        let name = &self.platforms[platform];
        let then = former.rows.iter().find(|then| then.case == row.case)?;
        let place = former.platforms.iter().position(|then| then == name)?;
        Some(row.median(platform)? / then.median(place)? - 1.0)
    }

    /// The table in Markdown; behind each ratio, the change since the former run.
    pub fn render(&self, former: Option<&Self>) -> String {
        let mut text = format!("| case | {} | what |\n", self.platforms.join(" | "));
        let _ = writeln!(text, "|{}", " --- |".repeat(self.platforms.len() + 2));
        for row in &self.rows {
            let _ = write!(text, "| {} |", row.case);
            for (index, samples) in row.samples.iter().enumerate() {
                let _ = write!(text, " {}", samples.show());
                if let (Some(ratio), 1..) = (row.ratio(index), index) {
                    let _ = write!(text, " ({ratio:.2}x)");
                }
                if let Some(change) = former.and_then(|then| self.change(row, index, then)) {
                    let _ = write!(text, " [{:+.0}%]", change * 100.0);
                }
                text.push_str(" |");
            }
            let _ = writeln!(text, " {} |", row.what);
        }
        text + &self.render_failures()
    }

    /// A paragraph for each failure.
    pub fn render_failures(&self) -> String {
        let line =
            |(case, platform, message)| format!("\n{case} failed on {platform}: {message}\n");
        self.failures().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(nanoseconds: &[f64]) -> Samples {
        Samples {
            nanoseconds: nanoseconds.to_vec(),
            failure: None,
        }
    }

    fn failed(message: &str) -> Samples {
        Samples {
            nanoseconds: vec![1.0],
            failure: Some(message.to_owned()),
        }
    }

    fn report(samples: &[Samples]) -> Report {
        Report {
            platforms: ["a", "b", "c"].map(str::to_owned)[..samples.len()].to_vec(),
            rows: vec![Row {
                case: "case".to_owned(),
                what: "time".to_owned(),
                category: Category::Kernel,
                samples: samples.to_vec(),
            }],
        }
    }

    #[test]
    fn ratios_are_to_the_first_platform() {
        let report = report(&[
            samples(&[3e3, 1e3, 2e3]),
            samples(&[6e3]),
            failed("it crashed"),
        ]);
        let text = report.render(None);
        assert!(
            text.contains("| case | 2.00 us ±25% | 6.00 us ±0% (3.00x) | failed | time |"),
            "{text}"
        );
        assert!(text.contains("case failed on c: it crashed"), "{text}");
    }

    #[test]
    fn changes_are_to_the_same_platform_of_the_former_run() {
        let then = report(&[samples(&[4e3]), samples(&[6e3])]);
        let mut now = report(&[samples(&[3e3]), samples(&[3e3])]);
        now.platforms.reverse();
        let text = now.render(Some(&then));
        assert!(
            text.contains("3.00 us ±0% [-50%] | 3.00 us ±0% (1.00x) [-25%]"),
            "{text}"
        );
    }
}
