//! Predicts the launches of a program (`MOCL3_PREDICT`), and sums the predictions up by kernel.

use crate::profile::ACTIVITIES;
use crate::profile::format::time;
use crate::record_run::{self, Prediction, RunOptions};
use anyhow::{Result, bail};
use device_sim::timing::launch_report::LaunchReport;
use device_sim::timing::launch_timing::{Activity, CyclesByActivity};
use device_sim::units::{ClockRate, Cycles};
use mocl3_shared::table::Table;
use mocl3_shared::terminal::{STRONG, styled, wrapped};
use recording::Command;
use serde::Serialize;
use std::collections::BTreeMap;

/// The predictions of a program's launches.
#[derive(Debug, Serialize)]
pub struct Launches {
    /// By name of the kernel.
    pub kernels: Vec<KernelPrediction>,
    /// Whether launches were executed, too.
    pub is_compared: bool,
    /// Median over the compared kernels of `error_percent` without its sign.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_error_percent: Option<f64>,
    /// Median over the compared kernels of the host time of prediction divided by that of execution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_host_ratio: Option<f64>,
}

/// The launches of a kernel. Times are sums over the predicted ones.
#[derive(Debug, Serialize)]
pub struct KernelPrediction {
    /// Its name.
    pub name: String,
    /// Launches.
    pub launches: u64,
    /// Launches that were predicted.
    pub predicted: u64,
    /// Predicted simulated time.
    pub predicted_ns: u64,
    /// Simulated time, of launches that were executed, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub simulated_ns: Option<u64>,
    /// By how much the prediction exceeds the simulation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_percent: Option<f64>,
    /// Simulated time of the launches that could not be predicted.
    pub not_predicted_ns: u64,
    /// What the arrays spend most of their time on.
    pub bound: Activity,
    /// Cycles of the arrays.
    #[serde(skip)]
    cycles: CyclesByActivity,
    /// Host time of the predictions.
    pub host_prediction_ns: u64,
    /// Host time of the executions.
    pub host_execution_ns: u64,
}

impl Default for KernelPrediction {
    fn default() -> Self {
        Self {
            name: String::new(),
            launches: 0,
            predicted: 0,
            predicted_ns: 0,
            simulated_ns: None,
            error_percent: None,
            not_predicted_ns: 0,
            bound: Activity::Compute,
            cycles: CyclesByActivity::default(),
            host_prediction_ns: 0,
            host_execution_ns: 0,
        }
    }
}

/// Runs the program and sums its predictions up; the program's exit code.
///
/// # Errors
/// The program cannot be run, or launched no kernel.
pub fn run(
    program: &record_run::Arguments,
    is_compared: bool,
    output_is_taken: bool,
) -> Result<(Launches, u8)> {
    let prediction = match is_compared {
        true => Prediction::Compared,
        false => Prediction::Only,
    };
    let recorded = program.record(RunOptions {
        prediction,
        output_is_taken,
        ..RunOptions::default()
    })?;
    let mut kernels = BTreeMap::<String, KernelPrediction>::new();
    recorded.commands(|process, command| {
        if let (Some(name), Some(report)) = (&command.kernel, &command.report) {
            let clock = recorded.processes[process].header.clock_of(command.device);
            let kernel = kernels.entry(name.to_string()).or_default();
            kernel.add(ClockRate::new(clock), command, report);
        }
    })?;
    if kernels.is_empty() {
        bail!("the program launched no kernel");
    }
    let named = kernels.into_iter().map(|(name, kernel)| KernelPrediction {
        error_percent: kernel.error_percent(),
        bound: kernel.cycles.dominant(),
        name,
        ..kernel
    });
    Ok((
        Launches::new(named.collect(), is_compared),
        recorded.exit_code,
    ))
}

impl KernelPrediction {
    /// Adds a launch.
    fn add(&mut self, clock: ClockRate, command: &Command, report: &LaunchReport) {
        let time = |cycles| clock.complete_nanoseconds(cycles).0;
        let simulated = time(report.timing.end);
        self.launches += 1;
        for array in &report.timing.arrays {
            let mut cycles = array.cycles;
            cycles[Activity::Idle] = Cycles::ZERO;
            self.cycles += cycles;
        }
        let Some(predicted) = command.predicted else {
            self.not_predicted_ns += simulated;
            return;
        };
        self.predicted += 1;
        self.predicted_ns += time(Cycles(predicted.cycles));
        self.host_prediction_ns += predicted.host_time;
        if predicted.is_executed {
            *self.simulated_ns.get_or_insert(0) += simulated;
            let host = command.host_end.saturating_sub(command.host_begin);
            self.host_execution_ns += host.saturating_sub(predicted.host_time);
        }
    }

    fn error_percent(&self) -> Option<f64> {
        let simulated = self.simulated_ns.filter(|time| *time > 0)?;
        Some((self.predicted_ns as f64 / simulated as f64 - 1.0) * 100.0)
    }

    fn host_ratio(&self) -> Option<f64> {
        let is_compared = self.simulated_ns.is_some() && self.host_execution_ns > 0;
        is_compared.then(|| self.host_prediction_ns as f64 / self.host_execution_ns as f64)
    }
}

impl Launches {
    fn new(kernels: Vec<KernelPrediction>, is_compared: bool) -> Self {
        let errors = kernels.iter().filter_map(|kernel| kernel.error_percent);
        let ratios = kernels.iter().filter_map(KernelPrediction::host_ratio);
        Self {
            median_error_percent: median(errors.map(f64::abs).collect()),
            median_host_ratio: median(ratios.collect()),
            kernels,
            is_compared,
        }
    }

    /// As text, for a terminal with `width` columns.
    pub fn text(&self, width: Option<usize>) -> String {
        let mut heading = vec!["kernel", "launches", "predicted", "time", "mostly"];
        if self.is_compared {
            heading.extend(["simulated", "error", "host, predicted", "host, executed"]);
        }
        let mut table = Table::of_words(&heading, &[0, 4], 0);
        for kernel in &self.kernels {
            let sum = kernel.predicted_ns + kernel.not_predicted_ns;
            let mut cells = vec![
                kernel.name.clone(),
                kernel.launches.to_string(),
                kernel.predicted.to_string(),
                time(sum),
                ACTIVITIES[kernel.bound as usize].2.to_owned(),
            ];
            if self.is_compared {
                let simulated = kernel.simulated_ns.unwrap_or(0) + kernel.not_predicted_ns;
                let error = kernel.error_percent;
                cells.extend([
                    time(simulated),
                    error.map_or_else(String::new, |error| format!("{error:+.1} %")),
                    time(kernel.host_prediction_ns),
                    time(kernel.host_execution_ns),
                ]);
            }
            table.row(cells);
        }
        let mut text = table.text(width).trim_end().to_owned() + "\n";
        if let (Some(error), Some(ratio)) = (self.median_error_percent, self.median_host_ratio) {
            let sentence = format!(
                "Median error {}; a prediction takes {:.3} times the host time of an execution.",
                styled(STRONG, &format!("{error:.1} %")),
                ratio
            );
            text += &format!("\n{}\n", wrapped(&sentence, width, 0));
        }
        if self
            .kernels
            .iter()
            .any(|kernel| kernel.predicted < kernel.launches)
        {
            let sentence = "Launches that were not predicted were executed: their time depends on \
                 the contents of buffers.";
            text += &format!("\n{}\n", wrapped(sentence, width, 0));
        }
        text
    }
}

/// The median; none of no numbers.
fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => None,
        count if count % 2 == 1 => Some(numbers[middle]),
        _ => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}
