//! The table of medians and ratios.

use serde::Serialize;
use std::fmt::Write;

/// The samples of one case.
#[derive(Serialize)]
pub struct Row {
    /// Its name.
    pub case: &'static str,
    /// What is timed.
    pub what: &'static str,
    /// Nanoseconds, by platform.
    pub samples: Vec<Vec<f64>>,
}

/// The middle one; none of no samples.
pub fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        t if t < 1e4 => format!("{:.2} us", t / 1e3),
        t if t < 1e7 => format!("{:.3} ms", t / 1e6),
        t => format!("{:.1} ms", t / 1e6),
    }
}

/// Medians in Markdown; in brackets how many times the first platform's.
pub fn render(platforms: &[&str], rows: &[Row]) -> String {
    let mut text = format!("| case | {} |\n", platforms.join(" | "));
    let _ = writeln!(text, "|{}", " --- |".repeat(platforms.len() + 1));
    for row in rows {
        let _ = write!(text, "| {} ({}) |", row.case, row.what);
        let first = row.samples.first().and_then(|samples| median(samples));
        for (index, samples) in row.samples.iter().enumerate() {
            let _ = match (median(samples), first) {
                (None, _) => write!(text, " failed |"),
                (Some(t), Some(first)) if index > 0 => {
                    write!(text, " {} ({:.2}x) |", time(t), t / first)
                }
                (Some(t), _) => write!(text, " {} |", time(t)),
            };
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_to_the_first_platform() {
        let row = Row {
            case: "case",
            what: "time",
            samples: vec![vec![3e3, 1e3, 2e3], vec![6e3], vec![]],
        };
        let text = render(&["a", "b", "c"], &[row]);
        assert!(
            text.contains("| 2.00 us | 6.00 us (3.00x) | failed |"),
            "{text}"
        );
    }
}
