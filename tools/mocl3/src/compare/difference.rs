//! The differences between two profiles. `mocl3 compare --json` prints these structures, which
//! docs/profiling.md describes.

use super::counters::{Change, changes, percent};
use super::pairs::{Pair, pairs};
use crate::profile::{ACTIVITIES, KernelProfile, LineProfile, Profile};
use device_sim::machine::Identity;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the JSON's keys.
const FORMAT: u32 = 1;

/// Source lines of a kernel with the largest changes at most.
const LINES: usize = 5;

/// The comparison of two recordings. Arrays of two have the value before and the one after.
#[derive(Debug, Serialize)]
pub struct Comparison {
    /// Version of the keys.
    pub format: u32,
    /// What is compared.
    pub recordings: [Recording; 2],
    /// Percent by which a time may grow.
    pub threshold_percent: f64,
    /// Simulated nanoseconds from end to end.
    pub elapsed_ns: [u64; 2],
    /// Simulated nanoseconds of all kernels.
    pub kernels_ns: [u64; 2],
    /// Simulated nanoseconds of all other commands.
    pub transfers_ns: [u64; 2],
    /// The kernels, the longest first.
    pub kernels: Vec<KernelDifference>,
    /// What regressed: the label of a kernel, or `ALL_KERNELS`.
    pub regressions: Vec<String>,
}

/// What is compared.
#[derive(Debug, Serialize)]
pub struct Recording {
    /// The folder.
    pub folder: String,
    /// The host programs with their arguments.
    pub programs: Vec<Vec<String>>,
    /// The machine's name.
    pub machine: String,
    /// What the machine is based on, and which of its numbers were set.
    #[serde(flatten)]
    pub identity: Identity,
}

/// The name of all kernels among the regressions.
pub const ALL_KERNELS: &str = "all kernels";

/// A kernel before and after.
#[derive(Debug, Serialize)]
pub struct KernelDifference {
    /// The kernel's name.
    pub name: String,
    /// Name and local sizes, as tables show them.
    pub label: String,
    /// Local sizes; null where the recording lacks the kernel.
    pub local_size: [Option<Vec<u64>>; 2],
    /// Global sizes; null where launches differ.
    pub global_size: [Option<Vec<u64>>; 2],
    /// Numbers of launches.
    pub launches: [u64; 2],
    /// Numbers of failed launches.
    pub failed: [u64; 2],
    /// Simulated nanoseconds of all launches.
    pub time_ns: [u64; 2],
    /// Simulated nanoseconds of a launch, on average.
    pub launch_ns: [f64; 2],
    /// The change of `launch_ns` in percent; null if a recording lacks the kernel.
    pub change_percent: Option<f64>,
    /// Whether it regressed.
    pub regressed: bool,
    /// Whether the program's source differs; null if a recording lacks it.
    pub source_differs: Option<bool>,
    /// The change of a launch's time by activity, averaged over the arrays; the sum is the change.
    pub activities: Vec<ActivityDifference>,
    /// The counters that differ, of a launch.
    pub counters: Vec<Change>,
    /// The source lines whose time changed most.
    pub lines: Vec<LineDifference>,
}

/// The time of an activity.
#[derive(Debug, Serialize)]
pub struct ActivityDifference {
    /// Its key in `shares`.
    pub activity: &'static str,
    /// Nanoseconds of a launch, averaged over the arrays.
    pub before_ns: f64,
    /// The same in the other recording.
    pub after_ns: f64,
}

/// The time of a source line, which is identified by its text.
#[derive(Debug, Serialize)]
pub struct LineDifference {
    /// The file.
    pub file: String,
    /// Its number, in the later recording that has it.
    pub line: u32,
    /// Its text; null if the recording lacks the source.
    pub text: Option<String>,
    /// Nanoseconds of a launch, averaged over the arrays.
    pub before_ns: f64,
    /// The same in the other recording.
    pub after_ns: f64,
}

impl ActivityDifference {
    /// The change, ns.
    pub fn change(&self) -> f64 {
        self.after_ns - self.before_ns
    }
}

impl LineDifference {
    /// The change, ns.
    pub fn change(&self) -> f64 {
        self.after_ns - self.before_ns
    }
}

impl Comparison {
    /// Compares two profiles, of the recordings in `folders`.
    pub fn new(profiles: [&Profile; 2], folders: [String; 2], threshold_percent: f64) -> Self {
        let [before, after] = profiles;
        let kernels: Vec<KernelDifference> = pairs(&before.kernels, &after.kernels)
            .iter()
            .map(|pair| KernelDifference::new(pair, threshold_percent))
            .collect();
        let kernels_ns = profiles.map(Profile::kernel_time);
        let regressed = kernels.iter().filter(|kernel| kernel.regressed);
        let mut regressions: Vec<String> = regressed.map(|kernel| kernel.label.clone()).collect();
        let all = percent(kernels_ns[0] as f64, kernels_ns[1] as f64);
        if all.is_some_and(|change| change > threshold_percent) {
            regressions.push(ALL_KERNELS.to_owned());
        }
        let [first, second] = folders;
        Self {
            format: FORMAT,
            recordings: [Recording::new(before, first), Recording::new(after, second)],
            threshold_percent,
            elapsed_ns: profiles.map(|profile| profile.simulated.elapsed_ns),
            kernels_ns,
            transfers_ns: profiles.map(|profile| {
                let times = profile.transfers.iter().map(|transfer| transfer.time_ns);
                times.sum()
            }),
            kernels,
            regressions,
        }
    }
}

impl Recording {
    fn new(profile: &Profile, folder: String) -> Self {
        Self {
            folder,
            programs: profile.programs.clone(),
            machine: profile.machine.name.clone(),
            identity: profile.machine.identity.clone(),
        }
    }
}

/// The launches of a kernel that have times.
fn timed(kernel: &KernelProfile) -> f64 {
    (kernel.launches - kernel.untimed).max(1) as f64
}

impl KernelDifference {
    fn new(pair: &Pair<'_>, threshold: f64) -> Self {
        let [before, after] = *pair;
        let of = |value: fn(&KernelProfile) -> u64| pair.map(|kernel| kernel.map_or(0, value));
        let launch_ns = pair.map(|one| one.map_or(0.0, |one| one.time_ns as f64 / timed(one)));
        let both = before.zip(after);
        let change_percent = both.and_then(|_| percent(launch_ns[0], launch_ns[1]));
        let failed = of(|kernel| kernel.failed);
        let is_slower = change_percent.is_some_and(|change| change > threshold);
        let mut labels: Vec<String> = pair.iter().flatten().map(|one| one.label()).collect();
        labels.dedup();
        Self {
            name: before
                .or(after)
                .map_or_else(String::new, |one| one.name.clone()),
            label: labels.join(" → "),
            local_size: pair.map(|one| one.map(|one| one.local_size.clone())),
            global_size: pair.map(|one| one.and_then(|one| one.global_size.clone())),
            launches: of(|kernel| kernel.launches),
            failed,
            time_ns: of(|kernel| kernel.time_ns),
            launch_ns,
            change_percent,
            regressed: is_slower || (both.is_some() && failed[1] > failed[0]),
            source_differs: both.and_then(|(before, after)| {
                let sources = before.source.as_ref().zip(after.source.as_ref());
                sources.map(|(before, after)| before != after)
            }),
            activities: both.map_or_else(Vec::new, activities),
            counters: both.map_or_else(Vec::new, |(before, after)| changes(before, after)),
            lines: both.map_or_else(Vec::new, lines),
        }
    }
}

/// Nanoseconds of a launch and array that some cycles of all arrays and launches are.
fn each_ns(cycles: u64, kernel: &KernelProfile) -> f64 {
    let arrays = f64::from(kernel.arrays.max(1));
    cycles as f64 * 1e9 / kernel.clock as f64 / arrays / timed(kernel)
}

fn activities((before, after): (&KernelProfile, &KernelProfile)) -> Vec<ActivityDifference> {
    let mut all: Vec<ActivityDifference> = ACTIVITIES
        .iter()
        .map(|&(activity, key, _)| ActivityDifference {
            activity: key,
            before_ns: each_ns(before.array_cycles[activity].0, before),
            after_ns: each_ns(after.array_cycles[activity].0, after),
        })
        .collect();
    all.sort_by(|one, other| other.change().abs().total_cmp(&one.change().abs()));
    all
}

fn lines((before, after): (&KernelProfile, &KernelProfile)) -> Vec<LineDifference> {
    let mut all: BTreeMap<(String, String), LineDifference> = BTreeMap::new();
    for (place, kernel) in [before, after].into_iter().enumerate() {
        for line in &kernel.lines {
            let time = each_ns(line.cycles, kernel);
            let entry = all.entry(identity(line)).or_insert_with(|| LineDifference {
                file: line.file.clone(),
                line: line.line,
                text: line.text.clone(),
                before_ns: 0.0,
                after_ns: 0.0,
            });
            entry.line = line.line;
            match place {
                0 => entry.before_ns += time,
                _ => entry.after_ns += time,
            }
        }
    }
    let mut all: Vec<LineDifference> = all.into_values().collect();
    all.retain(|line| line.change().abs() > 1e-3);
    all.sort_by(|one, other| other.change().abs().total_cmp(&one.change().abs()));
    all.truncate(LINES);
    all
}

/// File and text of a line; its number may change with others.
fn identity(line: &LineProfile) -> (String, String) {
    let text = match &line.text {
        Some(text) => text.trim().to_owned(),
        None => line.line.to_string(),
    };
    (line.file.clone(), text)
}
