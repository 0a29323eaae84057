//! `mocl3 predict`: predicts the time of an algorithm from a model, without running anything, or that of a
//! program's launches without executing them.

mod evaluation;
mod launches;
mod model;
mod text;

use crate::comma_separated::csv_writer;
use crate::json_option::{JsonOption, show};
use crate::record_run::{self, write_file};
use anyhow::{Context, Result, anyhow, bail};
use evaluation::{Evaluator, Line};
use mocl3_shared::arguments::machine::MachineOptions;
use mocl3_shared::terminal::columns;
use model::{Curve, Model};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Maximum size of a model, bytes.
const LARGEST_FILE: u64 = 1 << 20;

/// Examples at the end of the help.
pub const EXAMPLES: &str = "\
Examples:
  mocl3 predict examples/predict/htmt.toml
  mocl3 predict examples/predict/htmt.toml --parameter q=10
  mocl3 predict examples/predict/htmt.toml --curve figure-7 --csv figure-7.csv
  mocl3 predict --machine ft-m7032 -- ./program its arguments
  mocl3 predict --compare -- ./program";

/// Arguments of `mocl3 predict`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The model, a TOML file.
    #[arg(
        value_name = "MODEL",
        required_unless_present = "program",
        conflicts_with = "program"
    )]
    model: Option<PathBuf>,
    /// Give a parameter another value, in its unit; may be repeated.
    #[arg(long = "parameter", value_name = "NAME=NUMBER")]
    parameters: Vec<String>,
    /// Compute the points of this curve of the model.
    #[arg(long, value_name = "NAME")]
    curve: Option<String>,
    /// Write the curve's points into this file, as comma-separated values.
    #[arg(long, value_name = "FILE", requires = "curve")]
    csv: Option<PathBuf>,
    /// Execute the program's kernels, too, and compare the prediction with the simulation.
    #[arg(long, requires = "program")]
    compare: bool,
    #[command(flatten)]
    machine: MachineOptions,
    #[command(flatten)]
    json: JsonOption,
    /// Predict the launches of this program with these arguments. Kernels whose time depends on the
    /// contents of buffers are executed; the others are not, so that what the program computes is wrong.
    #[arg(last = true, value_name = "PROGRAM")]
    program: Vec<OsString>,
}

/// Evaluates the model or runs the program, and prints.
///
/// # Errors
/// The file is no model, a parameter is unknown, a file cannot be read or written, or the program
/// cannot be run or launched no kernel.
pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.model {
        Some(model) => run_model(model, arguments),
        None => run_program(arguments),
    }
}

fn run_program(arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.parameters.is_empty() || arguments.curve.is_some() {
        bail!("a program has no parameters and curves; models do");
    }
    let program = arguments.program.clone();
    let program = record_run::Arguments::of_program(program, arguments.machine.clone());
    let is_printed = arguments.json.is_printed();
    let (launches, exit_code) = launches::run(&program, arguments.compare, is_printed)?;
    if arguments.json.write(&launches)? {
        show(&launches.text(columns(&io::stdout())))?;
    }
    Ok(ExitCode::from(exit_code))
}

fn run_model(model: &Path, arguments: &Arguments) -> Result<ExitCode> {
    if !arguments.machine.is_empty() {
        bail!("a model has a machine of its own; `--parameter` changes its numbers");
    }
    let path = model.display();
    let text = environment::files::read_text(model, LARGEST_FILE)
        .with_context(|| format!("cannot read {path}"))?;
    let model: Model = toml::from_str(&text).with_context(|| format!("{path} is no model"))?;
    let mut evaluator = Evaluator::new(&model).with_context(|| path.to_string())?;
    for parameter in &arguments.parameters {
        let (name, value) = parameter
            .split_once('=')
            .with_context(|| format!("{parameter}: a parameter has the form name=number"))?;
        let value: f64 = value
            .trim()
            .parse()
            .map_err(|_| anyhow!("{parameter}: `{value}` is no number"))?;
        evaluator.set(name.trim(), value)?;
    }
    if let Some(name) = &arguments.curve {
        let curve = find(&model, name)?;
        let lines = evaluator.lines(curve)?;
        if let Some(file) = &arguments.csv {
            let csv = csv(curve, &lines)?;
            write_file(file, |file| file.write_all(&csv))?;
        }
        if arguments.json.write(&lines)? {
            show(&text::curve(curve, &lines, columns(&io::stdout())))?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let prediction = evaluator.predict()?;
    if arguments.json.write(&prediction)? {
        show(&text::text(&prediction, columns(&io::stdout())))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn find<'m>(model: &'m Model, name: &str) -> Result<&'m Curve> {
    let found = model.curve.iter().find(|curve| curve.name == name);
    let names: Vec<&str> = model
        .curve
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    match found {
        Some(curve) => Ok(curve),
        None if names.is_empty() => bail!("the model has no curves"),
        None => bail!("the model has no curve `{name}`, but {}", names.join(", ")),
    }
}

/// A row for each value of `x`, a column for each line.
fn csv(curve: &Curve, lines: &[Line]) -> Result<Vec<u8>> {
    let mut writer = csv_writer();
    let names = lines.iter().map(|line| &line.name);
    writer.write_record([&curve.x].into_iter().chain(names))?;
    for place in 0..lines.first().map_or(0, |line| line.points.len()) {
        let x = lines[0].points[place].0;
        let values = lines.iter().map(|line| line.points[place].1);
        writer.write_record([x].into_iter().chain(values).map(|one| format!("{one:e}")))?;
    }
    Ok(writer.into_inner()?)
}

#[cfg(test)]
mod tests;
