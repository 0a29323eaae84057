//! `mocl3 sweep` and `mocl3 tune`: run a program with many values of parameters, and say which are
//! best.

mod goal;
mod parameter;
mod plot;
mod run;
mod store;
mod table;
mod tune;

pub use tune::{EXAMPLES as TUNE_EXAMPLES, TuneArguments, run as run_tune};

use crate::json_option::{JsonOption, show};
use crate::progress::Progress;
use crate::record_run::{check_writable, write_file};
use anyhow::{Context, Result, anyhow, bail};
use goal::Goal;
use mocl3_shared::arguments::machine::MachineOptions;
use mocl3_shared::terminal::columns;
use parameter::{Parameter, Point, combinations, parts};
use run::Runner;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use store::{Outcome, Store};

/// Points at most.
const MOST_POINTS: usize = 1_000_000;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 sweep --store tiles.jsonl --vary option:TILE=8..64*2 -- ./program
  mocl3 sweep --store s.jsonl --vary machine:dma.channels=1..10 \\
      --goal time --goal ddr-bytes --svg front.svg -- ./program
  mocl3 sweep --store s.jsonl --vary arg:n=1..100 --part 3/8 -- ./program {n}";

/// What `mocl3 sweep` and `mocl3 tune` have in common.
#[derive(clap::Args)]
// Commands have `Arguments` of their own around these.
#[group(skip)]
pub struct Common {
    /// The file of results, which several processes may share; points that it has do not run again.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,
    /// A parameter: machine, option (-D), local (size), env or arg ({NAME} in the arguments), with
    /// values or a range; may be repeated.
    #[arg(long, value_name = "KIND:NAME=VALUES")]
    vary: Vec<Parameter>,
    /// What is to be small; may be repeated.
    #[arg(long, value_name = "GOAL", default_value = "time")]
    goal: Vec<Goal>,
    /// End a run after this time of the host; the point is bad.
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,
    /// Write the results into this file, as comma-separated values.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a plot into this file; with two goals it has the Pareto front.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    json: JsonOption,
    #[command(flatten)]
    machine: MachineOptions,
    /// The program, any that uses OpenCL, and its arguments. It fails at points whose results are
    /// wrong.
    #[arg(trailing_var_arg = true, value_name = "PROGRAM", required = true)]
    program: Vec<String>,
}

/// Arguments of `mocl3 sweep`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Run this part of the points only, from 1 on: of several processes each runs one.
    #[arg(long, value_name = "PART/PARTS", value_parser = part)]
    part: Option<(usize, usize)>,
    /// Run points again that the file has as bad.
    #[arg(long)]
    retry: bool,
    #[command(flatten)]
    common: Common,
}

/// Runs all points, and prints the results.
///
/// # Errors
/// The program cannot be started, or a file cannot be read or written.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let common = &arguments.common;
    let mut store = common.open()?;
    let points = combinations(&common.vary, MOST_POINTS)
        .with_context(|| format!("there are more than {MOST_POINTS} points"))?;
    let (part, parts) = arguments.part.unwrap_or((1, 1));
    let own: Vec<&Point> = points.iter().skip(part - 1).step_by(parts).collect();
    let runner = common.runner()?;
    let mut progress = Progress::new("running the points", own.len() as u64);
    for (number, point) in own.into_iter().enumerate() {
        progress.update(number as u64);
        // Another process may have run it meanwhile.
        let known = store.outcomes()?;
        let known = known.iter().find(|outcome| outcome.point == *point);
        if known.is_some_and(|known| !arguments.retry || known.failure.is_none()) {
            continue;
        }
        store.add(&runner.run(point)?)?;
    }
    drop(progress);
    let outcomes = store.outcomes()?;
    let outcomes: Vec<Outcome> = points
        .iter()
        .filter_map(|point| outcomes.iter().find(|one| one.point == *point).cloned())
        .collect();
    common.show(&outcomes)
}

impl Common {
    /// Checks what can be checked before the first run, and opens the file of results.
    fn open(&self) -> Result<Store> {
        let mut keys: Vec<String> = self.vary.iter().map(Parameter::key).collect();
        keys.sort();
        if let Some(twice) = keys.windows(2).find(|two| two[0] == two[1]) {
            bail!("{} is varied twice", twice[0]);
        }
        for parameter in &self.vary {
            let place = format!("{{{}}}", parameter.name);
            let is_used = || {
                self.program
                    .iter()
                    .skip(1)
                    .any(|word| word.contains(&place))
            };
            if parameter.kind == parameter::Kind::Arg && !is_used() {
                bail!("the program's arguments have no {place}");
            }
        }
        for file in self.csv.iter().chain(&self.svg) {
            check_writable(file)?;
        }
        let description = self.machine.description()?;
        let machine = serde_json::json!({
            "name": description.name(),
            "identity": description.identity(),
        });
        Store::open(&self.store, &self.program, machine)
    }

    fn runner(&self) -> Result<Runner<'_>> {
        let limit = self.timeout.map(Duration::try_from_secs_f64).transpose();
        Ok(Runner {
            program: &self.program,
            machine: &self.machine,
            limit: limit.map_err(|error| anyhow!("--timeout: {error}"))?,
        })
    }

    /// Prints the results and writes the files. The exit code is 1 if all points are bad.
    fn show(&self, outcomes: &[Outcome]) -> Result<ExitCode> {
        if let Some(path) = &self.csv {
            let csv = table::csv(outcomes, &self.goal)?;
            write_file(path, |file| file.write_all(&csv))?;
        }
        if let Some(path) = &self.svg {
            let svg = plot::plot(outcomes, &self.goal)?;
            write_file(path, |file| file.write_all(svg.as_bytes()))?;
        }
        let best = table::best(outcomes, &self.goal);
        let document = serde_json::json!({
            "format": 1,
            "program": self.program,
            "outcomes": outcomes,
            "best": best.iter().map(|&place| &outcomes[place].point).collect::<Vec<_>>(),
        });
        if self.json.write(&document)? {
            show(&table::table(outcomes, &self.goal, columns(&io::stdout())))?;
        }
        Ok(ExitCode::from(u8::from(best.is_empty())))
    }
}

/// `3/8`.
fn part(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "a part is 1/8 to 8/8, for example".to_owned();
    let (part, parts) = text.split_once('/').ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| wrong());
    let (part, parts) = (number(part)?, number(parts)?);
    match (1..=parts).contains(&part) {
        true => Ok((part, parts)),
        false => Err(wrong()),
    }
}

/// The values of a point as one of Optuna's trials has them: an index for each parameter.
fn point_of(parameters: &[Parameter], indices: &[usize]) -> Option<Point> {
    let mut point = Point::new();
    for (parameter, index) in parameters.iter().zip(indices) {
        point.insert(parameter.key(), parameter.values.get(*index)?.clone());
    }
    (parts(&point).count() == parameters.len()).then_some(point)
}
