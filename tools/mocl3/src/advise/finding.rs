//! Findings: changes of kernels, ordered by what they save.

use super::advice::{evidence, rank, words};
use crate::limits::{Limits, Reached};
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

/// Savings that differ by less are about the same, as a part of the greater one.
const CLOSE: f64 = 0.05;

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
    /// First those of single kernels, then the others, each ordered by decreasing `saved_ns`; of those on a
    /// kernel that save about as much, the lower `rank` comes first.
    pub findings: Vec<Finding>,
    /// What micro-benchmarks reach on the machine; `None` if it is not known.
    pub limits: Option<Limits>,
    /// What each kernel reaches of these limits.
    pub reached: Vec<Reached>,
    /// Kernels without a finding: label, and what bounds it.
    pub without_finding: Vec<(String, String)>,
}

/// A change of a kernel that would save time.
#[derive(Debug, Serialize)]
pub struct Finding {
    /// The kernel's name; `None` if the finding is on the order of commands.
    pub kernel: Option<String>,
    /// The kernel with its local size, as `mocl3 stat` prints it, two of them, or a cluster.
    pub label: String,
    /// The key of the change.
    pub change: String,
    /// The change in a few words.
    pub title: String,
    /// Simulated time of the launches, or from end to end for a cluster, ns.
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
    /// The place among findings on the kernel that save about as much.
    #[serde(skip)]
    pub rank: u32,
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
    /// The advice for a profile with these further findings, without what saves less than `least` percent
    /// of the time; with the machine's limits, if they are known.
    pub fn new(
        profile: &Profile,
        further: Vec<Finding>,
        least: f64,
        limits: Option<Limits>,
    ) -> Self {
        let is_worthwhile =
            |finding: &Finding| finding.saved_ns > 0 && finding.saved_percent >= least;
        let mut findings = further;
        findings.retain(is_worthwhile);
        let mut without_finding = Vec::new();
        for kernel in &profile.kernels {
            let mut own = of_kernel(kernel);
            own.retain(is_worthwhile);
            let is_named = |finding: &Finding| finding.label == kernel.label();
            if own.is_empty() && !findings.iter().any(is_named) {
                without_finding.push((kernel.label(), kernel.bound.sentence.clone()));
            }
            findings.extend(own);
        }
        findings.sort_by_key(|finding| (finding.kernel.is_none(), Reverse(finding.saved_ns)));
        order_by_rank(&mut findings);
        Self {
            format: FORMAT,
            programs: profile.programs.clone(),
            machine: profile.machine.name.clone(),
            identity: profile.machine.identity.clone(),
            kernels_ns: profile.kernels.iter().map(|kernel| kernel.time_ns).sum(),
            findings,
            reached: limits.as_ref().map_or_else(Vec::new, |limits| {
                let kernels = profile.kernels.iter();
                kernels.map(|kernel| limits.reached(kernel)).collect()
            }),
            limits,
            without_finding,
        }
    }
}

/// Exchanges findings on the same kernel that save about as much, so that the lower rank comes first.
fn order_by_rank(findings: &mut [Finding]) {
    for first in 0..findings.len() {
        for other in first + 1..findings.len() {
            let [one, two] = [&findings[first], &findings[other]];
            let is_close = two.saved_percent >= one.saved_percent * (1.0 - CLOSE);
            if one.label == two.label && is_close && two.rank < one.rank {
                findings.swap(first, other);
            }
        }
    }
}

impl Finding {
    /// A change that would save a part of a time; what it is has to be added.
    pub fn of_times(time_ns: u64, saved_ns: u64) -> Self {
        Self {
            kernel: None,
            label: String::new(),
            change: String::new(),
            title: String::new(),
            time_ns,
            saved_ns,
            saved_percent: 100.0 * saved_ns as f64 / time_ns.max(1) as f64,
            evidence: String::new(),
            remedy: String::new(),
            lines: Vec::new(),
            rank: 0,
        }
    }
}

fn of_kernel(kernel: &KernelProfile) -> Vec<Finding> {
    let saved_ns = |cycles: u64| match kernel.cycles {
        0 => 0,
        all => (u128::from(kernel.time_ns) * u128::from(cycles) / u128::from(all)) as u64,
    };
    let finding = |change: &str, title: &str, saved_ns: u64| Finding {
        kernel: Some(kernel.name.clone()),
        label: kernel.label(),
        change: change.to_owned(),
        title: title.to_owned(),
        ..Finding::of_times(kernel.time_ns, saved_ns)
    };
    let changes = kernel.saved.iter().map(|(change, cycles)| {
        let words = words(*change, kernel);
        let key = serde_json::to_value(change).unwrap_or_default();
        Finding {
            evidence: evidence(*change, kernel),
            remedy: words.remedy.to_owned(),
            lines: lines(kernel, words.activity),
            rank: rank(*change, kernel),
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
            remedy: match kernel.is_of_hthreads {
                true => "let one kernel do the work of several: loop over the steps in it, with group_barrier \
                         between those that depend on each other",
                false => "let one launch do the work of several: loop over the steps in the kernel where \
                          they are independent",
            }
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
