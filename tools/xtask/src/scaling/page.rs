//! Renders `docs/generated/scaling.md`.

use super::model::CostModel;
use super::programs::{COSTS, CostRun, Growth, PROGRAMS, Program};
use super::simulation::Run;
use std::fmt::Write as _;

const INTRODUCTION: &str = "\
# Scaling over simulated nodes

Written by `cargo xtask scaling --write`. [scaling.md](../scaling.md) describes the method.
";

/// The number of runs, the largest ones, that a model of costs is fitted to.
const FITTED: usize = 3;

/// The heading of the costs.
const COSTS_HEADING: &str = "## What simulation costs";

/// The page, which grows with the runs: its sections, with their headings.
#[derive(Default)]
pub struct Page(Vec<(String, String)>);

impl Page {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The whole page.
    pub fn text(&self) -> String {
        let mut text = INTRODUCTION.to_owned();
        for (heading, section) in &self.0 {
            let _ = write!(text, "\n{heading}\n{section}");
        }
        text
    }

    /// Adds the sections of an earlier page that this one does not have.
    pub fn keep(&mut self, before: &str) {
        let mut kept: Vec<(String, String)> = Vec::new();
        for line in before.lines() {
            match kept.last_mut() {
                _ if line.starts_with("##") => kept.push((line.to_owned(), String::new())),
                Some((_, section)) => {
                    section.push_str(line);
                    section.push('\n');
                }
                None => {}
            }
        }
        for (heading, section) in kept {
            if !self.0.iter().any(|(own, _)| *own == heading) {
                let section = section.trim_end().to_owned() + "\n";
                self.0.push((heading, section));
            }
        }
        let headings = headings();
        self.0.retain(|(heading, _)| headings.contains(heading));
        self.0
            .sort_by_key(|(heading, _)| headings.iter().position(|known| known == heading));
    }

    fn begin(&mut self, heading: String) {
        self.0.push((heading, String::new()));
    }

    /// Adds to the last section.
    fn add(&mut self, text: std::fmt::Arguments<'_>) {
        if let Some((_, section)) = self.0.last_mut() {
            // Writing to a string does not fail.
            let _ = section.write_fmt(text);
        }
    }

    /// Adds a program's runs, of which the first is on one node.
    pub fn add_scaling(&mut self, program: &Program, growth: Growth, runs: &[Run]) {
        let problem = match growth {
            Growth::Strong => program.problems[0],
            Growth::Weak => program.problems[1],
        };
        self.begin(scaling_heading(program, growth));
        self.add(format_args!(
            "\n{}.\n\n\
             | nodes | simulated time | parallel efficiency | kernels | transfers | MPI |\n\
             | --- | --- | --- | --- | --- | --- |\n",
            capital(problem),
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

    /// Begins the costs of simulation, unless they have begun.
    pub fn begin_costs(&mut self, processors: usize) {
        if self.0.iter().any(|(heading, _)| heading == COSTS_HEADING) {
            return;
        }
        self.begin(COSTS_HEADING.into());
        self.add(format_args!(
            "\nOn {processors} processors of a host; *model* rows are \
             extrapolated, not measured.\n"
        ));
    }

    /// Adds the costs of runs, and of more nodes by a model.
    pub fn add_costs(&mut self, cost: &CostRun, runs: &[Run], nodes: &[u32]) {
        self.begin(cost_heading(cost));
        self.add(format_args!(
            "\n| nodes | | processor time | wall time | memory |\n\
             | --- | --- | --- | --- | --- |\n"
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

/// The text with a capital at the start.
fn capital(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}

fn scaling_heading(program: &Program, growth: Growth) -> String {
    let name = match program.name {
        "lammps" => "LAMMPS".to_owned(),
        name => name.replace('_', " "),
    };
    let growth = match growth {
        Growth::Strong => "strong",
        Growth::Weak => "weak",
    };
    format!("## {name}, {growth} scaling")
}

fn cost_heading(cost: &CostRun) -> String {
    format!("### {}", capital(cost.what))
}

/// The headings of the whole page, in their order.
fn headings() -> Vec<String> {
    let growths = [Growth::Strong, Growth::Weak];
    let programs = PROGRAMS
        .iter()
        .flat_map(|program| growths.map(|growth| scaling_heading(program, growth)));
    programs
        .chain([COSTS_HEADING.to_owned()])
        .chain(COSTS.iter().map(cost_heading))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform;

    #[test]
    fn sections_that_are_not_measured_stay() {
        let path = platform::root().join("docs/generated/scaling.md");
        let before = std::fs::read_to_string(path).unwrap();
        let mut page = Page::new();
        page.keep(&before);
        assert_eq!(page.text(), before);
        let mut page = Page::new();
        page.begin_costs(2);
        page.begin(cost_heading(&COSTS[1]));
        page.add(format_args!("\nnew\n"));
        page.begin(scaling_heading(&PROGRAMS[1], Growth::Weak));
        page.add(format_args!("\nnew\n"));
        page.keep(&before);
        let text = page.text();
        assert_eq!(text.matches("\nnew\n").count(), 2);
        let known = headings();
        let mut found = text.lines().filter(|line| line.starts_with("##"));
        assert!(found.all(|line| known.iter().any(|heading| heading == line)));
        assert_eq!(before.matches("\n##").count(), text.matches("\n##").count());
        let place = |heading: &str| text.find(heading).unwrap();
        assert!(place("## summa, weak scaling") < place("## What simulation costs"));
        assert!(place("## What simulation costs") < place("### The same stencil"));
    }
}
