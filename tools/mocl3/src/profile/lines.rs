//! Cycles of each source line.

use super::shares::{self, serialize_cycles};
use device_sim::timing::launch_timing::CyclesByActivity;
use device_sim::timing::line_cycles::LineCycles;
use recording::Process;
use serde::Serialize;
use std::collections::HashMap;

/// A source line with its cycles.
#[derive(Clone, Debug, Serialize)]
pub struct LineProfile {
    /// The file; `program.cl` is the program's source.
    pub file: String,
    /// The line's number, from 1.
    pub line: u32,
    /// Cycles, summed over the arrays.
    pub cycles: u64,
    /// The same by activity.
    #[serde(serialize_with = "serialize_cycles")]
    pub activities: CyclesByActivity,
    /// Percentage of the cycles of all the kernel's lines.
    pub percent: f64,
    /// The line's text; `None` if the recording lacks it.
    pub text: Option<String>,
}

/// Cycles of lines, summed over launches. Sources are compared by their texts, so that a kernel
/// that is built twice has each line once.
#[derive(Default)]
pub struct Lines<'a>(HashMap<(String, u32, Option<&'a str>), CyclesByActivity>);

impl<'a> Lines<'a> {
    /// Adds the lines of a number of launches with the same report.
    pub fn add(
        &mut self,
        lines: &[LineCycles],
        times: u64,
        process: &'a Process,
        program: Option<u64>,
    ) {
        let program = process
            .programs
            .iter()
            .find(|known| Some(known.number) == program);
        for line in lines {
            let file = program.and_then(|program| {
                let mut files = program.files.iter();
                files.find(|file| file.name == line.file)
            });
            let place = usize::try_from(line.line).unwrap_or(0).checked_sub(1);
            let text = file
                .zip(place)
                .and_then(|(file, place)| file.text.lines().nth(place));
            let entry = self.0.entry((line.file.clone(), line.line, text));
            *entry.or_default() += shares::times(&line.cycles, times);
        }
    }

    /// The lines, ordered by decreasing cycles.
    pub fn profiles(self) -> Vec<LineProfile> {
        let sum: u64 = self.0.values().map(|cycles| cycles.total().0).sum();
        let mut lines: Vec<_> = self.0.into_iter().collect();
        lines.sort_by(|(line, cycles), (other, cycles_of_other)| {
            let order = cycles_of_other.total().cmp(&cycles.total());
            order.then(line.cmp(other))
        });
        let profiles = lines.into_iter().map(|((file, line, text), activities)| {
            let cycles = activities.total().0;
            LineProfile {
                file,
                line,
                cycles,
                activities,
                percent: cycles as f64 * 100.0 / sum.max(1) as f64,
                text: text.map(str::to_owned),
            }
        });
        profiles.collect()
    }
}
