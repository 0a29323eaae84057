//! Renders `docs/generated/scaling.md`.

use super::model::CostModel;
use super::programs::{CostRun, Growth, Program};
use super::simulation::Run;
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Scaling over simulated nodes

Written by `cargo xtask scaling --write`. [scaling.md](../scaling.md) describes the method.
";

/// The number of runs, the largest ones, that a model of costs is fitted to.
const FITTED: usize = 3;

/// The page, which grows with the runs.
pub struct Page(String);

impl Page {
    pub fn new() -> Self {
        Self(INTRODUCTION.into())
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(text);
    }

    /// Adds a program's runs, of which the first is on one node.
    pub fn add_scaling(&mut self, program: &Program, growth: Growth, runs: &[Run]) {
        let (name, problem) = match growth {
            Growth::Strong => ("strong", program.problems[0]),
            Growth::Weak => ("weak", program.problems[1]),
        };
        self.add(format_args!(
            "\n## {}, {name} scaling\n\n{}{}.\n\n\
             | nodes | simulated time | parallel efficiency | kernels | transfers | MPI |\n\
             | --- | --- | --- | --- | --- | --- |\n",
            program.name.replace('_', " "),
            problem[..1].to_uppercase(),
            &problem[1..],
        ));
        let Some(one) = runs.first() else { return };
        for run in runs {
            let share = |part: f64| 100.0 * part / run.time;
            let ideal = match growth {
                Growth::Strong => one.time / f64::from(run.nodes),
                Growth::Weak => one.time * (program.work)(run.nodes),
            };
            self.add(format_args!(
                "| {} | {:.3} ms | {:.1} % | {:.1} % | {:.1} % | {:.1} % |\n",
                run.nodes,
                run.time / 1e6,
                100.0 * ideal / run.time,
                share(run.parts.kernels),
                share(run.parts.transfers),
                share(run.parts.mpi),
            ));
        }
    }

    /// Begins the costs of simulation.
    pub fn begin_costs(&mut self, processors: usize) {
        self.add(format_args!(
            "\n## What simulation costs\n\nOn {processors} processors of a host; *model* rows are \
             extrapolated, not measured.\n"
        ));
    }

    /// Adds the costs of runs, and of more nodes by a model.
    pub fn add_costs(&mut self, cost: &CostRun, runs: &[Run], nodes: &[u32]) {
        self.add(format_args!(
            "\n### {}{}\n\n| nodes | | processor time | wall time | memory |\n\
             | --- | --- | --- | --- | --- |\n",
            cost.what[..1].to_uppercase(),
            &cost.what[1..]
        ));
        for run in runs {
            let wall = format!("{:.1} s", run.wall_seconds);
            self.add_cost(run.nodes, "measured", (run.seconds, &wall), run.memory);
        }
        let largest = &runs[runs.len().saturating_sub(FITTED)..];
        let model = CostModel::of(largest);
        for nodes in nodes {
            let count = f64::from(*nodes);
            let times = (model.seconds(count), "");
            self.add_cost(*nodes, "model", times, model.memory(count));
        }
        self.add(format_args!(
            "\nModel for n nodes, fitted to the {FITTED} largest runs: {:.3} ms x n^{:.3}, {:.0} MB + {:.3} MB x n.\n",
            model.factor * 1e3,
            model.exponent,
            model.bytes / 1e6,
            model.bytes_per_node / 1e6
        ));
    }

    fn add_cost(&mut self, nodes: u32, how: &str, (seconds, wall): (f64, &str), memory: f64) {
        self.add(format_args!(
            "| {nodes} | {how} | {seconds:.1} s | {wall} | {:.2} GB |\n",
            memory / 1e9
        ));
    }
}
