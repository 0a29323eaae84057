//! Settings of launches that the recording says nothing about: the program runs again with them, and its
//! launches are predicted. Kernels that are executed in spite of that take as long as before.

use super::any_local_size::works_with_any_local_size;
use super::finding::Finding;
use crate::profile::format::{size, time};
use crate::profile::{KernelProfile, Profile};
use crate::record_run::Arguments;
use anyhow::Result;
use device_sim::timing::launch_timing::Activity;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Local sizes to try, by number of dimensions.
const LOCAL_SIZES: [&[&[u64]]; 3] = [
    &[&[16], &[32], &[64], &[128], &[256], &[512]],
    &[&[16, 1], &[16, 4], &[16, 16], &[64, 1], &[64, 4], &[256, 1]],
    &[
        &[16, 1, 1],
        &[16, 4, 1],
        &[16, 4, 4],
        &[64, 1, 1],
        &[64, 4, 1],
    ],
];

/// Parts of SM for the stack to try.
const STACK_PLACEMENTS: [&str; 4] = ["0", ".2", ".6", "1"];

/// Sums over the predicted launches of a kernel.
#[derive(Default)]
struct Predicted {
    launches: u64,
    failed: u64,
    cycles: u64,
}

/// What a kernel takes with a setting, in the place of what it takes without.
struct Trial {
    setting: String,
    saved_ns: i64,
}

/// Runs the program with other local sizes and stack placements; the findings, in no order.
///
/// # Errors
/// As `Arguments::predict_again`.
pub fn findings(program: &Arguments, profile: &Profile) -> Result<Vec<Finding>> {
    let trials = Trials {
        program,
        before: predict(program, &[])?,
        profile,
    };
    let mut findings = trials.local_sizes()?;
    findings.extend(trials.stack_placements()?);
    Ok(findings)
}

struct Trials<'a> {
    program: &'a Arguments,
    /// By name of the kernel, without a setting.
    before: BTreeMap<String, Predicted>,
    profile: &'a Profile,
}

impl Trials<'_> {
    fn local_sizes(&self) -> Result<Vec<Finding>> {
        let kernels = self.profile.kernels.iter().filter(|k| self.is_alone(k));
        let mut candidates: Vec<_> = kernels
            .map(|kernel| (kernel, local_sizes(kernel).into_iter(), Vec::new()))
            .collect();
        loop {
            let mut sizes = BTreeMap::new();
            for (kernel, left, _) in &mut candidates {
                if let Some(local) = left.next() {
                    sizes.insert(kernel.name.clone(), local);
                }
            }
            if sizes.is_empty() {
                break;
            }
            let of_kernel = |(name, local): (&String, &Vec<u64>)| {
                let local: Vec<String> = local.iter().map(u64::to_string).collect();
                format!("{name}={}", local.join("x"))
            };
            let list: Vec<String> = sizes.iter().map(of_kernel).collect();
            let variable = ("MOCL3_LOCAL_SIZE", OsString::from(list.join(",")));
            let after = predict(self.program, &[variable])?;
            for (kernel, _, trials) in &mut candidates {
                if let Some(local) = sizes.get(&kernel.name) {
                    trials.extend(self.trial(kernel, &after, size(local)));
                }
            }
        }
        let of_kernel = |(kernel, _, trials): (&KernelProfile, _, Vec<Trial>)| {
            let best = trials.iter().max_by_key(|trial| trial.saved_ns)?;
            Some(Finding {
                change: "local_size".to_owned(),
                title: format!("use work-groups of {}", best.setting),
                remedy: "give this local size to clEnqueueNDRangeKernel; the kernel uses neither local memory nor \
                         barriers nor local identifiers"
                    .to_owned(),
                ..finding(kernel, &trials, best)
            })
        };
        Ok(candidates.into_iter().filter_map(of_kernel).collect())
    }

    fn stack_placements(&self) -> Result<Vec<Finding>> {
        let kernels = || self.profile.kernels.iter().filter(|k| self.is_alone(k));
        let mut trials: Vec<Vec<Trial>> = kernels().map(|_| Vec::new()).collect();
        if kernels().all(|kernel| kernel.stack == 0) {
            return Ok(Vec::new());
        }
        for placement in STACK_PLACEMENTS {
            let after = predict(self.program, &[("HT_MEM_LAYOUT_POS", placement.into())])?;
            for (kernel, trials) in kernels().zip(&mut trials) {
                trials.extend(self.trial(kernel, &after, placement.to_owned()));
            }
        }
        let of_kernel = |(kernel, trials): (&KernelProfile, &Vec<Trial>)| {
            let best = trials.iter().max_by_key(|trial| trial.saved_ns)?;
            Some(Finding {
                change: "stack_placement".to_owned(),
                title: "place the stack elsewhere".to_owned(),
                remedy: format!(
                    "set HT_MEM_LAYOUT_POS={}: the part of SM that holds the stack",
                    best.setting
                ),
                ..finding(kernel, trials, best)
            })
        };
        Ok(kernels().zip(&trials).filter_map(of_kernel).collect())
    }

    /// Whether all launches of the kernel's name are in this profile: settings are by name.
    fn is_alone(&self, kernel: &KernelProfile) -> bool {
        let kernels = self.profile.kernels.iter();
        kernels.filter(|other| other.name == kernel.name).count() == 1
    }

    /// The trial of a kernel; none if the program did not make the same launches.
    fn trial(
        &self,
        kernel: &KernelProfile,
        after: &BTreeMap<String, Predicted>,
        setting: String,
    ) -> Option<Trial> {
        let (before, after) = (self.before.get(&kernel.name)?, after.get(&kernel.name)?);
        let is_same = (before.launches, 0) == (after.launches, after.failed);
        let is_comparable = is_same && before.cycles > 0;
        is_comparable.then(|| {
            let part = 1.0 - after.cycles as f64 / before.cycles as f64;
            Trial {
                setting,
                saved_ns: (kernel.time_ns as f64 * part) as i64,
            }
        })
    }
}

/// A finding on a kernel, whose best trial is this one.
fn finding(kernel: &KernelProfile, trials: &[Trial], best: &Trial) -> Finding {
    let tried: Vec<String> = trials
        .iter()
        .map(|trial| {
            let after = kernel.time_ns.saturating_add_signed(-trial.saved_ns);
            format!("{} with {}", time(after), trial.setting)
        })
        .collect();
    Finding {
        kernel: Some(kernel.name.clone()),
        label: kernel.label(),
        evidence: format!("predicted: {}", tried.join(", ")),
        ..Finding::of_times(kernel.time_ns, best.saved_ns.max(0) as u64)
    }
}

/// The predicted launches of the program with these variables, by name of the kernel.
fn predict(
    program: &Arguments,
    variables: &[(&str, OsString)],
) -> Result<BTreeMap<String, Predicted>> {
    let mut kernels = BTreeMap::<String, Predicted>::new();
    program.predict_again(variables)?.commands(|_, command| {
        if let Some(name) = &command.kernel {
            let sums = kernels.entry(name.to_string()).or_default();
            sums.launches += 1;
            sums.failed += u64::from(command.status < 0);
            let report = command.report.as_ref();
            sums.cycles += report.map_or(0, |report| report.timing.end.0);
        }
    })?;
    Ok(kernels)
}

/// Other local sizes with which the kernel may be launched.
fn local_sizes(kernel: &KernelProfile) -> Vec<Vec<u64>> {
    let Some(global) = &kernel.global_size else {
        return Vec::new();
    };
    let source = kernel.source.as_deref().unwrap_or_default();
    let is_free = kernel.local_memory == 0
        && kernel.array_cycles[Activity::Barrier].0 == 0
        && works_with_any_local_size(source, &kernel.name);
    let of_dimensions = global.len().checked_sub(1);
    let sizes = of_dimensions.and_then(|place| LOCAL_SIZES.get(place));
    let Some(sizes) = sizes.filter(|_| is_free) else {
        return Vec::new();
    };
    let divides = |local: &[u64]| global.iter().zip(local).all(|(all, one)| all % one == 0);
    let fitting = sizes.iter().filter(|local| divides(local));
    let others = fitting.filter(|local| ***local != kernel.local_size[..]);
    others.map(|local| local.to_vec()).collect()
}
