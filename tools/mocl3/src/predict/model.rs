//! Models: the file's form. docs/prediction.md describes it.

use serde::Deserialize;

/// A model of an algorithm on a machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// What is modelled.
    pub title: String,
    /// Where it comes from.
    pub source: String,
    /// Numbers that `--set` may change.
    pub parameter: Vec<Parameter>,
    /// Values that follow from them.
    #[serde(default)]
    pub definition: Vec<Definition>,
    /// What the machine does at a rate: a memory, a network, units.
    pub level: Vec<Level>,
    /// The phases of the algorithm.
    pub phase: Vec<Phase>,
    /// How often each phase runs, and which overlap.
    pub step: Vec<Step>,
    /// The work of the whole algorithm, and the machine's peak.
    pub work: Option<Work>,
    /// Functions to plot.
    #[serde(default)]
    pub curve: Vec<Curve>,
}

/// A number.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name in expressions.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// What it is, and where it comes from.
    pub note: String,
}

/// A published value, with which a computed one is compared.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The value, in the unit of what is computed.
    pub value: f64,
    /// Percent by which the computed value may differ: half of the last digit that is printed,
    /// usually.
    pub within: f64,
}

/// A value that follows from others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// Its name in expressions.
    pub name: String,
    /// How it is computed. Phases are their times, in seconds; `T` is the total, `P` the rate of the
    /// work.
    pub expression: String,
    /// Its unit.
    #[serde(default)]
    pub unit: String,
    /// What it is.
    pub note: String,
    /// The published value.
    pub published: Option<Published>,
}

/// What the machine does at a rate.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// Its name.
    pub name: String,
    /// What is counted: words, operations.
    pub unit: String,
    /// Seconds for one of them.
    pub time: String,
}

/// A phase, which uses one level.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Its name in expressions, where it is its time in seconds.
    pub name: String,
    /// What it does.
    pub what: String,
    /// The level.
    pub level: String,
    /// How many of the level's units it takes.
    pub amount: String,
    /// The published time.
    pub published: Option<Published>,
}

/// A step of the schedule: the steps follow one another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Phases that overlap: the longest one counts.
    pub phases: Vec<String>,
    /// How often the step runs.
    pub times: String,
}

/// The work of the algorithm.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// What is counted.
    pub unit: String,
    /// How many.
    pub amount: String,
    /// The machine's peak, per second.
    pub peak: String,
}

/// A function of one parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Its name, which `--curve` selects.
    pub name: String,
    /// The parameter.
    pub x: String,
    /// Its first value.
    pub from: f64,
    /// Its last value.
    pub to: f64,
    /// The number of points.
    pub points: u32,
    /// What is plotted.
    pub y: String,
    /// One line for each: a name, and parameters with other values.
    pub series: Vec<Series>,
}

/// A line of a plot.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Parameters with other values.
    #[serde(default)]
    pub set: std::collections::BTreeMap<String, f64>,
}
