//! Findings: changes of kernels, ordered by what they save.

use super::advice::{evidence, words};
use crate::profile::format::{count, time};
use crate::profile::{KernelProfile, Profile};
use device_sim::machine::Identity;
use device_sim::timing::launch_timing::Activity;
use serde::Serialize;
use std::cmp::Reverse;

/// Version of the JSON's keys.
const FORMAT: u32 = 1;

/// Source lines of a finding.
const LINES: usize = 3;

/// Lines with a smaller part of an activity are left out, percent.
const LEAST_OF_ACTIVITY: f64 = 10.0;

/// All findings of a run.
#[derive(Debug, Serialize)]
pub struct Advice {
    /// Version of the keys.
    pub format: u32,
    /// The host programs with their arguments.
    pub programs: Vec<Vec<String>>,
    /// The machine's name.
    pub machine: String,
    /// The machine's base, and what was changed.
    #[serde(flatten)]
    pub identity: Identity,
    /// Simulated time of all kernels, ns.
    pub kernels_ns: u64,
    /// Ordered by decreasing `saved_ns`.
    pub findings: Vec<Finding>,
    /// Kernels without a finding: label, and what bounds it.
    pub without_finding: Vec<(String, String)>,
}

/// A change of a kernel that would save time.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The kernel's name.
    pub kernel: String,
    /// The kernel with its local size, as `mocl3 stat` prints it.
    pub label: String,
    /// The key of the change.
    pub change: String,
    /// The change in a few words.
    pub title: String,
    /// Simulated time of the kernel's launches, ns.
    pub time_ns: u64,
    /// What the change would save of it, ns.
    pub saved_ns: u64,
    /// The same in percent.
    pub saved_percent: f64,
    /// The counters that show it.
    pub evidence: String,
    /// How to make the change.
    pub remedy: String,
    /// The source lines concerned.
    pub lines: Vec<Line>,
}

/// A source line of a finding.
#[derive(Debug, Serialize)]
pub struct Line {
    /// The file; `program.cl` is the program's source.
    pub file: String,
    /// The line's number, from 1.
    pub line: u32,
    /// Its part of the activity's cycles, percent.
    pub percent: f64,
    /// The line's text; `None` if the recording lacks it.
    pub text: Option<String>,
}

impl Advice {
    /// The advice for a profile, without what saves less than `least` percent of a kernel's time.
    pub fn new(profile: &Profile, least: f64) -> Self {
        let mut findings = Vec::new();
        let mut without_finding = Vec::new();
        for kernel in &profile.kernels {
            let mut own = of_kernel(kernel);
            own.retain(|finding| finding.saved_ns > 0 && finding.saved_percent >= least);
            if own.is_empty() {
                without_finding.push((kernel.label(), kernel.bound.sentence.clone()));
            }
            findings.extend(own);
        }
        findings.sort_by_key(|finding| Reverse(finding.saved_ns));
        Self {
            format: FORMAT,
            programs: profile.programs.clone(),
            machine: profile.machine.name.clone(),
            identity: profile.machine.identity.clone(),
            kernels_ns: profile.kernels.iter().map(|kernel| kernel.time_ns).sum(),
            findings,
            without_finding,
        }
    }
}

fn of_kernel(kernel: &KernelProfile) -> Vec<Finding> {
    let saved_ns = |cycles: u64| match kernel.cycles {
        0 => 0,
        all => (u128::from(kernel.time_ns) * u128::from(cycles) / u128::from(all)) as u64,
    };
    let finding = |change: &str, title: &str, saved_ns: u64| Finding {
        kernel: kernel.name.clone(),
        label: kernel.label(),
        change: change.to_owned(),
        title: title.to_owned(),
        time_ns: kernel.time_ns,
        saved_ns,
        saved_percent: 100.0 * saved_ns as f64 / kernel.time_ns.max(1) as f64,
        evidence: String::new(),
        remedy: String::new(),
        lines: Vec::new(),
    };
    let changes = kernel.saved.iter().map(|(change, cycles)| {
        let words = words(*change);
        let key = serde_json::to_value(change).unwrap_or_default();
        Finding {
            evidence: evidence(*change, kernel),
            remedy: words.remedy.to_owned(),
            lines: lines(kernel, words.activity),
            ..finding(
                key.as_str().unwrap_or_default(),
                words.title,
                saved_ns(*cycles),
            )
        }
    });
    let mut findings: Vec<Finding> = changes.collect();
    let timed = kernel.launches - kernel.untimed;
    if timed > 1 {
        let overhead = saved_ns(kernel.overhead_cycles);
        findings.push(Finding {
            evidence: format!(
                "{} launches of {} on average, of which {} start and end them",
                count(timed),
                time(kernel.time_ns / timed),
                time(overhead / timed)
            ),
            remedy: "let one launch do the work of several: loop over the steps in the kernel where they \
                     are independent, or fuse kernels that follow one another"
                .to_owned(),
            ..finding(
                "fewer_launches",
                "launch less often",
                overhead / timed * (timed - 1),
            )
        });
    }
    findings
}

/// The lines with most cycles of an activity.
fn lines(kernel: &KernelProfile, activity: Activity) -> Vec<Line> {
    let all: u64 = kernel.lines.iter().map(|l| l.activities[activity].0).sum();
    let mut lines: Vec<Line> = kernel
        .lines
        .iter()
        .map(|line| Line {
            file: line.file.clone(),
            line: line.line,
            percent: 100.0 * line.activities[activity].0 as f64 / all.max(1) as f64,
            text: line.text.clone(),
        })
        .filter(|line| line.percent >= LEAST_OF_ACTIVITY)
        .collect();
    lines.sort_by(|one, other| other.percent.total_cmp(&one.percent));
    lines.truncate(LINES);
    lines
}
