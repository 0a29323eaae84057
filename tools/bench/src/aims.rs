//! The aims of the benchmark, and the rows that miss them.

use crate::case::Category;
use crate::statistics::geometric_mean;
use crate::table::{Report, Row};
use crate::variants;
use std::fmt::Write;

/// Minimum speedup of the kernels over each other platform, as a geometric mean.
const GEOMETRIC_MEANS: [(&str, f64); 2] = [("PoCL", 10.0), ("Intel", 2.5)];

/// Minimum speed of each kernel, as a fraction of the fastest other platform's speed.
const EACH_KERNEL: f64 = 1.0;

/// Minimum speedup of launches, and of builds without caches, over the fastest other platform.
const OVERHEADS: f64 = 2.0;

/// Minimum speedup of a build with caches over the same build without.
const CACHES: f64 = 10.0;

/// The part of a case's name that marks a build with caches.
const AGAIN: &str = "-again";

/// A row that misses its aim.
struct Shortfall {
    case: String,
    reason: String,
}

impl Report {
    fn in_category(&self, category: Category) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.category == category)
    }

    /// The first platform and its variants.
    fn own(&self) -> impl Iterator<Item = usize> {
        (0..self.platforms.len()).filter(|&platform| variants::is_own(&self.platforms, platform))
    }

    /// The platforms whose ratios are to this one.
    fn others(&self, own: usize) -> impl Iterator<Item = usize> {
        (1..self.platforms.len()).filter(move |&platform| {
            !variants::is_own(&self.platforms, platform)
                && variants::reference(&self.platforms, platform) == own
        })
    }

    /// The fastest of the platforms that are compared with this one on a case, and its time divided
    /// by this one's.
    fn best_other(&self, row: &Row, own: usize) -> Option<(&str, f64)> {
        let others = self.others(own).filter_map(|platform| {
            let ratio = row.ratio(platform, own)?;
            Some((self.platforms[platform].as_str(), ratio))
        });
        others.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn shortfall(&self, row: &Row, own: usize) -> Option<Shortfall> {
        let short = |reason| {
            let case = row.case.clone();
            Some(Shortfall { case, reason })
        };
        let Some(ours) = row.median(own) else {
            return short(format!("failed on {}", self.platforms[own]));
        };
        let aim = match row.category {
            Category::Kernel => EACH_KERNEL,
            Category::Launch | Category::ColdBuild => OVERHEADS,
            Category::CachedBuild => {
                let cold = row.case.trim_end_matches(AGAIN);
                let cold = self
                    .rows
                    .iter()
                    .find(|other| other.case == cold)?
                    .median(own)?;
                let ratio = cold / ours;
                return match ratio < CACHES {
                    true => short(format!(
                        "{ratio:.2}x as fast as without caches, aim {CACHES}x"
                    )),
                    false => None,
                };
            }
            Category::Series | Category::Growth | Category::Memory | Category::Transfer => {
                return None;
            }
        };
        match self.best_other(row, own)? {
            (name, ratio) if ratio < aim => {
                short(format!("{ratio:.2}x the speed of {name}, aim {aim}x"))
            }
            _ => None,
        }
    }

    /// Geometric means, the smallest ratios, and all rows that miss their aims.
    pub fn summary(&self) -> String {
        let means = (1..self.platforms.len()).filter_map(|platform| self.mean(platform));
        let mut text: String = means.collect();
        text.extend(self.own().filter_map(|own| self.smallest(own)));
        let short: Vec<_> = self
            .own()
            .filter(|&own| own == 0 || self.others(own).next().is_some())
            .flat_map(|own| {
                self.rows
                    .iter()
                    .filter_map(move |row| self.shortfall(row, own))
            })
            .collect();
        if self.platforms.len() > 1 {
            let _ = writeln!(text, "- Rows that fall short: {}", short.len());
        }
        for Shortfall { case, reason } in short {
            let _ = writeln!(text, "  - {case}: {reason}");
        }
        text
    }

    /// A line with the geometric mean of the kernels' ratios to a platform.
    fn mean(&self, platform: usize) -> Option<String> {
        let ratios: Vec<f64> = self
            .in_category(Category::Kernel)
            .filter_map(|row| self.ratio(row, platform))
            .collect();
        let count = ratios.len();
        let mean = geometric_mean(ratios.into_iter())?;
        let base = variants::base(&self.platforms, platform);
        let aim = GEOMETRIC_MEANS.iter().find(|(of, _)| *of == base);
        let aim = aim.map_or(String::new(), |(_, aim)| match mean < *aim {
            true => format!(" (aim {aim:.2}x, **missed**)"),
            false => format!(" (aim {aim:.2}x, reached)"),
        });
        let name = &self.platforms[platform];
        Some(format!(
            "- Geometric mean of {count} kernels, times the speed of {name}: {mean:.2}x{aim}\n"
        ))
    }

    /// A line with the kernel that compares worst with the others.
    fn smallest(&self, own: usize) -> Option<String> {
        let (row, (name, ratio)) = self
            .in_category(Category::Kernel)
            .filter_map(|row| Some((row, self.best_other(row, own)?)))
            .min_by(|(_, a), (_, b)| a.1.total_cmp(&b.1))?;
        Some(format!(
            "- The smallest ratio to the fastest of the others: {}, {ratio:.2}x the speed of {name} \
             (aim {EACH_KERNEL:.2}x)\n",
            row.case
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{failed, report, row, samples};

    #[test]
    fn kernels_are_compared_with_the_fastest_of_the_others() {
        let report = report(
            &["MOCL3", "PoCL", "Intel"],
            vec![
                row(
                    "fast",
                    Category::Kernel,
                    &[samples(&[1e6]), samples(&[8e6]), samples(&[32e6])],
                ),
                row(
                    "slow",
                    Category::Kernel,
                    &[samples(&[2e6]), samples(&[4e6]), samples(&[1e6])],
                ),
                row(
                    "level",
                    Category::Kernel,
                    &[samples(&[1e6]), failed(""), samples(&[1e6])],
                ),
            ],
        );
        let text = report.summary();
        for expected in [
            "Geometric mean of 2 kernels, times the speed of PoCL: 4.00x (aim 10.00x, **missed**)",
            "Geometric mean of 3 kernels, times the speed of Intel: 2.52x (aim 2.50x, reached)",
            "smallest ratio to the fastest of the others: slow, 0.50x the speed of Intel",
            "Rows that fall short: 1\n  - slow: 0.50x the speed of Intel, aim 1x\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn each_variant_of_ours_is_compared_with_that_of_the_others() {
        let times = [1e6, 2e6, 3e6, 1e6].map(|time| samples(&[time]));
        let report = report(
            &["MOCL3", "MOCL3-AVX2", "Intel", "Intel-AVX2"],
            vec![row("case", Category::Kernel, &times)],
        );
        let text = report.summary();
        for expected in [
            "times the speed of Intel: 3.00x (aim 2.50x, reached)",
            "times the speed of Intel-AVX2: 0.50x (aim 2.50x, **missed**)",
            "case, 3.00x the speed of Intel (aim",
            "case, 0.50x the speed of Intel-AVX2 (aim",
            "Rows that fall short: 1\n  - case: 0.50x the speed of Intel-AVX2, aim 1x\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn what_fails_on_ours_falls_short() {
        let rows = vec![row(
            "case",
            Category::Kernel,
            &[failed("it crashed"), samples(&[1e6])],
        )];
        let text = report(&["MOCL3", "PoCL"], rows).summary();
        assert!(text.contains("  - case: failed on MOCL3\n"), "{text}");
        assert!(!text.contains("Geometric"), "{text}");
    }

    #[test]
    fn overheads_have_aims_of_their_own() {
        let rows = vec![
            row(
                "launch",
                Category::Launch,
                &[samples(&[6e3]), samples(&[1e4])],
            ),
            row(
                "build",
                Category::ColdBuild,
                &[samples(&[2e7]), samples(&[1e8])],
            ),
            row(
                "build-again",
                Category::CachedBuild,
                &[samples(&[5e6]), samples(&[1e8])],
            ),
            row(
                "series",
                Category::Series,
                &[samples(&[2e3]), samples(&[1e3])],
            ),
            row(
                "write",
                Category::Transfer,
                &[samples(&[2e3]), samples(&[1e3])],
            ),
        ];
        let text = report(&["MOCL3", "PoCL"], rows).summary();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "- Rows that fall short: 2",
                "  - launch: 1.67x the speed of PoCL, aim 2x",
                "  - build-again: 4.00x as fast as without caches, aim 10x",
            ]
        );
    }
}
