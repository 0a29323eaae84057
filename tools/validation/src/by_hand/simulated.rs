//! The numbers of `mocl3 stat --json`.

use super::row::{Numbers, ROUNDING, Row, Wait};
use crate::conditions::profile;
use anyhow::{Context, Result};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;

/// The activities of which a line's cycles are waits.
const WAITS: [&str; 4] = ["memory", "dma_wait", "lock_wait", "barrier"];

/// The activities of an array that runs code.
const BUSY: [&str; 6] = [
    "compute",
    "scratchpad",
    "memory",
    "dma_wait",
    "lock_wait",
    "barrier",
];

/// The profiles of both sizes of all kernels.
pub struct Profiles([Value; 2]);

impl Profiles {
    /// The profiles of the launches with the smaller and the larger number.
    pub fn of(profiles: [Value; 2]) -> Self {
        Self(profiles)
    }

    /// Runs the commands that launch the kernels with the smaller and the larger number under
    /// `mocl3 stat`.
    ///
    /// # Errors
    /// `mocl3`'s.
    pub fn new(mocl3: &Path, commands: &[Vec<OsString>; 2]) -> Result<Self> {
        let profile = |command: &Vec<OsString>| profile(mocl3, &[], command);
        Ok(Self([profile(&commands[0])?, profile(&commands[1])?]))
    }

    /// The busy cycles of an array for each of what a kernel counts.
    ///
    /// # Errors
    /// A profile lacks the kernel.
    pub fn cycles(&self, row: &Row) -> Result<f64> {
        Ok(self.numbers(row)?.cycles.unwrap_or_default())
    }

    /// The numbers for each of what a kernel counts.
    ///
    /// # Errors
    /// A profile lacks the kernel.
    pub fn numbers(&self, row: &Row) -> Result<Numbers> {
        let [small, large] = &self.0;
        let [small, large] = [kernel(small, row)?, kernel(large, row)?];
        let counted = f64::from(row.sizes[1] - row.sizes[0]);
        let each = |value: &dyn Fn(&Value) -> f64| (value(large) - value(small)) / counted;
        let is_one_array = row.groups == 1;
        let cycles = each(&|kernel| match is_one_array {
            true => BUSY
                .iter()
                .map(|activity| number(&kernel["array_cycles"][activity]))
                .sum(),
            false => number(&kernel["cycles"]),
        });
        let instructions = each(&|kernel| number(&kernel["vector_instructions"]));
        let lanes = each(&|kernel| number(&kernel["lane_instructions"])) / instructions;
        let mut waits: Vec<Wait> = Vec::new();
        for wait in &row.by_hand.waits {
            let at_line = |kernel: &Value| line_cycles(kernel, wait.activity, wait.line);
            waits.push(Wait {
                cycles: each(&at_line),
                ..wait.clone()
            });
        }
        for activity in WAITS.into_iter().filter(|_| is_one_array) {
            let all = each(&|kernel| number(&kernel["array_cycles"][activity]));
            let known = waits.iter().filter(|wait| wait.activity == activity);
            let rest = all - known.map(|wait| wait.cycles).sum::<f64>();
            if rest.abs() >= ROUNDING {
                waits.push(Wait {
                    activity,
                    line: "other lines",
                    cycles: rest,
                });
            }
        }
        Ok(Numbers {
            cycles: row.by_hand.cycles.map(|_| cycles),
            bytes: each(&|kernel| number(&kernel["bandwidth"]["ddr"]["total"])),
            lanes: (instructions > 0.0).then_some(lanes),
            waits,
        })
    }
}

/// A kernel's profile.
fn kernel<'a>(profile: &'a Value, row: &Row) -> Result<&'a Value> {
    let kernels = profile["kernels"].as_array().context("no kernels")?;
    let is_it =
        |kernel: &&Value| kernel["name"] == row.kernel && kernel["local_size"][0] == row.items;
    let found = kernels.iter().find(is_it);
    found.with_context(|| format!("mocl3 stat shows no {}", row.kernel))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}

/// The cycles of an activity at the lines whose text contains `text`.
fn line_cycles(kernel: &Value, activity: &str, text: &str) -> f64 {
    let lines = kernel["lines"].as_array().into_iter().flatten();
    let is_it = |line: &&Value| {
        line["text"]
            .as_str()
            .is_some_and(|line| line.contains(text))
    };
    lines
        .filter(is_it)
        .map(|line| number(&line["activities"][activity]))
        .sum()
}
