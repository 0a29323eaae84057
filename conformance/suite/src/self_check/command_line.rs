//! `conformance self-check`.

use super::{EXPECTATIONS, Expectation, Extent, Judgement, cases_to_run, expectation, failing};
use crate::case::Case;
use crate::cases;
use crate::interrupt;
use crate::runner::Plan;
use anyhow::{Result, ensure};
use harness::platform::Identity;
use harness::session::{Session, Settings};
use std::time::{Duration, Instant};

/// The arguments of the self-check.
#[derive(clap::Args)]
pub struct Arguments {
    /// Run only the cases that must notice a defect, and some of those that must not.
    #[arg(long)]
    short: bool,
    /// Check only this defect; can be repeated.
    #[arg(long)]
    defect: Vec<String>,
    /// Print the names of all failed cases as well.
    #[arg(long)]
    names: bool,
    /// Print the defects with their descriptions, and run nothing.
    #[arg(long)]
    list: bool,
    /// Maximum number of concurrent processes; the number of processors by default.
    #[arg(long)]
    jobs: Option<usize>,
    /// Time limit of a case, seconds.
    #[arg(long, default_value_t = 60)]
    limit: u64,
}

impl Arguments {
    fn expectations(&self) -> Result<Vec<&'static Expectation>> {
        if self.defect.is_empty() {
            return Ok(EXPECTATIONS.iter().collect());
        }
        self.defect.iter().map(|name| expectation(name)).collect()
    }

    /// Runs the cases and prints a table. Returns whether all results were right.
    ///
    /// # Errors
    /// The library has no defects, or cases cannot be run or fail without a defect.
    pub fn run(&self, processors: usize) -> Result<bool> {
        let expectations = self.expectations()?;
        if self.list {
            for expectation in expectations {
                let defect = expectation.defect;
                println!("{:28} {}", defect.name(), defect.what());
            }
            return Ok(true);
        }
        let settings = Settings {
            platform: "MOCL3".into(),
            seed: 1,
            ..Settings::default()
        };
        let version = Identity::query(&Session::open(&settings)?.device)?.version;
        ensure!(
            version.contains("with defects"),
            "{version} can have no defects; `cargo xtask conformance self-check` builds a library \
             that can"
        );
        let plan = Plan {
            settings,
            repeat: 1,
            jobs: self.jobs.unwrap_or(processors),
            limit: Duration::from_secs(self.limit),
            executable: std::env::current_exe()?,
            shown_as: String::new(),
            variables: Vec::new(),
            failures_are_shown: false,
        };
        let extent = if self.short {
            Extent::Short
        } else {
            Extent::Full
        };
        interrupt::watch()?;
        self.check_without_defects(&plan, &expectations, extent)?;
        println!("{:28} {:>12} {:>8}", "defect", "cases failed", "expected");
        let mut right = 0;
        for expectation in &expectations {
            let start = Instant::now();
            let cases = cases_to_run(expectation, extent);
            let failing = failing(&plan, Some(expectation.defect), &cases)?;
            let judgement = Judgement::new(expectation, &cases, &failing, extent == Extent::Full);
            right += usize::from(judgement.is_right());
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{:28} {judgement} ({seconds:.1} s)",
                expectation.defect.name()
            );
            if self.names {
                println!("    {}", failing.join(" "));
            }
        }
        println!(
            "{right} of {} defects were noticed as they must be",
            expectations.len()
        );
        Ok(right == expectations.len())
    }

    /// Cases that must fail with a defect must pass without one.
    fn check_without_defects(
        &self,
        plan: &Plan,
        expectations: &[&Expectation],
        extent: Extent,
    ) -> Result<()> {
        let wanted: Vec<&str> = expectations
            .iter()
            .flat_map(|expectation| cases_to_run(expectation, extent))
            .map(|case| case.name)
            .collect();
        let cases: Vec<&'static Case> = cases::all()
            .filter(|case| wanted.contains(&case.name))
            .collect();
        let failing = failing(plan, None, &cases)?;
        ensure!(
            failing.is_empty(),
            "without a defect these fail: {}",
            failing.join(", ")
        );
        println!("without a defect all {} cases pass", cases.len());
        Ok(())
    }
}
