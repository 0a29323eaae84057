//! Waits belong to the source lines that wait (docs/machine-model.md, "Cycles by activity").

use super::recordings::recorded;
use crate::process::compile;
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::Activity;
use device_sim::units::Cycles;

/// The cycles of all arrays in an activity that belong to lines.
fn of_arrays(report: &LaunchReport, activity: Activity) -> u64 {
    let arrays = report.timing.arrays.iter();
    let all: Cycles = arrays.map(|array| array.cycles[activity]).sum();
    match activity {
        Activity::Memory => (all - report.timing.code_fetch).0,
        Activity::Launch | Activity::Idle => 0,
        _ => all.0,
    }
}

#[test]
fn lines_have_the_cycles_of_each_activity() {
    let process = recorded(&compile("waits"), &[]);
    for command in &process.commands {
        let report = command.report.as_ref().unwrap();
        for activity in Activity::ALL {
            let lines = report.lines.iter();
            let sum: u64 = lines.map(|line| line.cycles[activity].0).sum();
            let all = of_arrays(report, activity);
            let rounded = all.saturating_sub(report.lines.len() as u64);
            // The control core loads arguments from SM, which is no line's.
            let is_of_arguments = activity == Activity::Scratchpad && sum == 0;
            assert!(
                is_of_arguments || (rounded..=all).contains(&sum),
                "{activity:?}: {sum} of {all}"
            );
        }
    }
}

/// Comments of `programs/waits.c` name the waits of their lines.
#[test]
fn waits_are_at_the_lines_that_wait() {
    let process = recorded(&compile("waits"), &[]);
    let source = &process.programs[0].files[0].text;
    let waits = [
        ("lock_wait", Activity::LockWait),
        ("dma_wait", Activity::DmaWait),
        ("barrier", Activity::Barrier),
        ("memory", Activity::Memory),
    ];
    let mut found = 0;
    for line in process
        .commands
        .iter()
        .flat_map(|command| &command.report.as_ref().unwrap().lines)
    {
        let text = source.lines().nth(line.line as usize - 1).unwrap();
        let comment = text.split("/*").nth(1).unwrap_or_default();
        for (name, activity) in waits {
            let spent = line.cycles[activity] > Cycles::ZERO;
            assert_eq!(spent, comment.contains(name), "{name}: {text}");
            found += u32::from(spent);
        }
    }
    assert_eq!(found, 14, "each wait is found");
}
