//! `mocl3 tune`: Optuna chooses the points. It runs in Python, which requests points' goals on pipes;
//! the study is in Optuna's own journal, which several processes and hosts may share.

use super::store::Outcome;
use super::{Common, point_of};
use crate::json_option;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// Asks Optuna for trials.
const SCRIPT: &str = include_str!("tune.py");

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 tune --store t.jsonl --study t.journal --trials 50 \\
      --vary option:TILE=8..64*2 --vary local:*=64,128,256 -- ./program
  mocl3 tune --store t.jsonl --study t.journal --sampler NSGAIISampler \\
      --goal time --goal local-memory --svg front.svg \\
      --vary option:TILE=4..64+4 -- ./program";

/// Arguments of `mocl3 tune`.
#[derive(clap::Args)]
pub struct TuneArguments {
    /// The journal of Optuna's study; processes that name the same file share the study.
    #[arg(long, value_name = "FILE")]
    study: PathBuf,
    /// The number of trials of this process.
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    trials: u32,
    /// One of Optuna's samplers, by the name of its class.
    #[arg(long, value_name = "CLASS", default_value = "TPESampler")]
    sampler: String,
    /// The seed of the sampler, for studies of one process that can be repeated.
    #[arg(long, value_name = "NUMBER")]
    seed: Option<u32>,
    /// The Python that has Optuna.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    #[command(flatten)]
    common: Common,
}

/// What the script needs, on the first line.
#[derive(Serialize)]
struct Request<'a> {
    study: &'a str,
    sampler: &'a str,
    seed: Option<u32>,
    trials: u32,
    goals: Vec<&'static str>,
    parameters: Vec<Space>,
}

/// The values of a parameter.
#[derive(Serialize)]
struct Space {
    key: String,
    values: Vec<String>,
    is_range: bool,
}

/// What the script prints, one object in a line.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Answer {
    /// The values of a trial, by their places.
    Trial { indices: Vec<usize> },
    /// It cannot continue.
    Error { message: String },
}

/// What the trial came to: the goals, or none.
#[derive(Serialize)]
struct TrialResult {
    values: Option<Vec<f64>>,
}

/// Runs trials, and prints all results of the study's file.
///
/// # Errors
/// Python or Optuna is missing, the program cannot be started, or a file cannot be read or written.
pub fn run(arguments: &TuneArguments) -> Result<ExitCode> {
    let common = &arguments.common;
    if common.vary.is_empty() {
        bail!("name what to vary: --vary kind:name=values");
    }
    let mut store = common.open()?;
    let runner = common.runner()?;
    let study = arguments
        .study
        .to_str()
        .context("the study's name is no text")?;
    let mut python = Command::new(&arguments.python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| {
            let python = arguments.python.display();
            format!(
                "cannot run {python}: `mocl3 tune` needs Python with Optuna; `mocl3 sweep` does not"
            )
        })?;
    let mut to = python.stdin.take().context("no pipe to Python")?;
    let from = python.stdout.take().context("no pipe from Python")?;
    let request = Request {
        study,
        sampler: &arguments.sampler,
        seed: arguments.seed,
        trials: arguments.trials,
        goals: common.goal.iter().map(|goal| goal.name()).collect(),
        parameters: common
            .vary
            .iter()
            .map(|one| Space {
                key: one.key(),
                values: one.values.clone(),
                is_range: one.is_range,
            })
            .collect(),
    };
    send(&mut to, &request)?;
    for line in BufReader::new(from).lines() {
        let indices = match serde_json::from_str(&line?)? {
            Answer::Trial { indices } => indices,
            Answer::Error { message } => {
                python.wait()?;
                bail!("{message}");
            }
        };
        let point = point_of(&common.vary, &indices).context("Optuna chose no point")?;
        let known = store.outcomes()?;
        let known = known.into_iter().find(|outcome| outcome.point == point);
        let outcome: Outcome = match known {
            Some(outcome) => outcome,
            None => {
                let outcome = runner.run(&point)?;
                store.add(&outcome)?;
                outcome
            }
        };
        let value = |goal| outcome.goals.get(goal).copied();
        let values: Option<Vec<f64>> = common.goal.iter().map(value).collect();
        send(&mut to, &TrialResult { values })?;
    }
    let status = python.wait()?;
    if !status.success() {
        bail!("{} ended with {status}", arguments.python.display());
    }
    let outcomes = store.outcomes()?;
    if outcomes.is_empty() {
        json_option::show("no trials\n")?;
    }
    common.show(&outcomes)
}

fn send(to: &mut impl Write, line: &impl Serialize) -> Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    to.write_all(text.as_bytes())
        .and_then(|()| to.flush())
        .context("Python has ended")
}
