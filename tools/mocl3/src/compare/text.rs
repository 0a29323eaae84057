//! Prints a comparison.

use super::counters::{Change, percent};
use super::difference::{ALL_KERNELS, Comparison, KernelDifference};
use crate::profile::ACTIVITIES;
use crate::profile::format::time;
use mocl3_shared::table::Table;
use mocl3_shared::terminal::{ERROR, GOOD, STRONG, styled, wrapped};

/// Kernels and activities whose times differ by less are not explained, percent of a launch.
const LEAST: f64 = 0.5;

/// Continuation lines are indented, columns.
const INDENT: usize = 4;

/// The comparison as text, for a terminal with `width` columns.
pub fn text(comparison: &Comparison, width: Option<usize>) -> String {
    let mut text = String::new();
    for (name, recording) in ["before", "after"].iter().zip(&comparison.recordings) {
        let program = recording.programs.first().map(|words| words.join(" "));
        let sentence = format!(
            "{name}: {}: {}; {}",
            recording.folder,
            program.unwrap_or_default(),
            recording.machine
        );
        text += &format!("{}\n", wrapped(&sentence, width, INDENT));
        for sentence in recording.identity.sentences() {
            text += &format!(
                "    {}\n",
                styled(STRONG, &wrapped(&sentence, width, INDENT))
            );
        }
    }
    text += &format!("\n{}\n", totals(comparison, width));
    text += &kernels(comparison, width);
    for kernel in &comparison.kernels {
        text += &explanation(kernel, width);
    }
    text + &verdict(comparison)
}

fn totals(comparison: &Comparison, width: Option<usize>) -> String {
    let mut table = Table::new(&["simulated time", "before", "after", "change"]);
    for (name, [before, after]) in [
        ("from end to end", comparison.elapsed_ns),
        ("kernels", comparison.kernels_ns),
        ("other commands", comparison.transfers_ns),
    ] {
        table.row(vec![
            name.to_owned(),
            time(before),
            time(after),
            signed(percent(before as f64, after as f64)),
        ]);
    }
    table.text(width).trim_end().to_owned() + "\n"
}

fn kernels(comparison: &Comparison, width: Option<usize>) -> String {
    let mut table = Table::new(&[
        "kernel (local size)",
        "launches",
        "",
        "a launch",
        "",
        "change",
    ]);
    for kernel in &comparison.kernels {
        let [before, after] = kernel.launch_ns.map(|launch| launch.round() as u64);
        let has = |place: usize| kernel.local_size[place].is_some();
        let cell = |place: usize, text: String| if has(place) { text } else { "-".into() };
        table.row(vec![
            kernel.label.clone(),
            cell(0, kernel.launches[0].to_string()),
            cell(1, kernel.launches[1].to_string()),
            cell(0, time(before)),
            cell(1, time(after)),
            match (has(0), has(1)) {
                (true, true) => signed(kernel.change_percent),
                (true, false) => "gone".into(),
                _ => "new".into(),
            },
        ]);
    }
    table.text(width)
}

/// Why a kernel's launches take more or less time.
fn explanation(kernel: &KernelDifference, width: Option<usize>) -> String {
    let launch = kernel.launch_ns[0].max(kernel.launch_ns[1]);
    let least = launch * LEAST / 100.0;
    let change = kernel.launch_ns[1] - kernel.launch_ns[0];
    let is_large = |change: f64| change.abs() >= least && change != 0.0;
    let Some(percent) = kernel.change_percent else {
        return String::new();
    };
    let large = kernel
        .activities
        .iter()
        .filter(|one| is_large(one.change()));
    let large: Vec<_> = large.collect();
    if large.is_empty() && !is_large(change) {
        return String::new();
    }
    let mut lines = vec![format!(
        "{}: {} a launch ({})",
        styled(STRONG, &kernel.label),
        signed_time(change),
        signed(Some(percent))
    )];
    if kernel.source_differs == Some(true) {
        lines.push("    the program's source differs".into());
    }
    for one in large {
        let name = ACTIVITIES.iter().find(|(_, key, _)| *key == one.activity);
        let Some(&(activity, _, name)) = name else {
            continue;
        };
        let explains = |change: &&Change| {
            let counter = change.counter();
            counter.is_some_and(|counter| counter.activities.contains(&activity))
        };
        let causes = kernel.counters.iter().filter(explains);
        let causes: Vec<String> = causes.map(Change::sentence).collect();
        let causes = match causes.is_empty() {
            true => String::new(),
            false => format!(": {}", causes.join(", ")),
        };
        lines.push(format!("    {name} {}{causes}", signed_time(one.change())));
    }
    for line in kernel.lines.iter().filter(|line| is_large(line.change())) {
        let text = line.text.as_deref().unwrap_or_default().trim();
        lines.push(format!(
            "    {}:{} {}  {text}",
            line.file,
            line.line,
            signed_time(line.change())
        ));
    }
    let lines: Vec<String> = lines
        .iter()
        .map(|line| wrapped(line, width, 2 * INDENT))
        .collect();
    format!("{}\n\n", lines.join("\n"))
}

fn verdict(comparison: &Comparison) -> String {
    let threshold = comparison.threshold_percent;
    if comparison.regressions.is_empty() {
        let text = format!("no kernel takes more time by more than {threshold} %");
        return format!("{}\n", styled(GOOD, &text));
    }
    let names: Vec<&str> = comparison.regressions.iter().map(String::as_str).collect();
    let only_all = names == [ALL_KERNELS];
    let verb = if names.len() == 1 && !only_all {
        "takes"
    } else {
        "take"
    };
    let text = format!(
        "regression: {} {verb} more time by more than {threshold} %, or fail",
        names.join(", ")
    );
    format!("{}\n", styled(ERROR, &text))
}

/// A change in percent with its sign.
fn signed(change: Option<f64>) -> String {
    match change {
        None => "-".into(),
        Some(change) if change.abs() < 0.05 => "0.0 %".into(),
        Some(change) => format!("{}{:.1} %", sign(change), change.abs()),
    }
}

fn signed_time(change: f64) -> String {
    format!("{}{}", sign(change), time(change.abs().round() as u64))
}

fn sign(change: f64) -> &'static str {
    if change < 0.0 { "−" } else { "+" }
}
