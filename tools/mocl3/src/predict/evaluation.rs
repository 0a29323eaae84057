//! Computes the values of a model.

use super::model::{Model, Published};
use expression::{Expression, ParseError};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// The total time.
pub const TOTAL: &str = "T";

/// The rate of the work.
pub const RATE: &str = "P";

/// Points of a curve at most.
const MOST_POINTS: u32 = 100_000;

/// Why a model cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// An expression is none.
    #[error("{0}: `{1}`: {2}")]
    Expression(String, String, ParseError),
    /// A name that means nothing.
    #[error("{0}: there is no `{1}`")]
    Unknown(String, String),
    /// Two things have one name.
    #[error("`{0}` is defined twice")]
    Twice(String),
    /// A value depends on itself.
    #[error("`{0}` depends on itself")]
    Cycle(String),
    /// A value is no number: a division by zero.
    #[error("`{0}` is no finite number")]
    NotFinite(String),
    /// Only parameters can be set.
    #[error("there is no parameter `{0}`, but {1}")]
    NoParameter(String, String),
    /// A curve has fewer than two points, or too many.
    #[error("curve `{0}` has {1} points, not 2 to {MOST_POINTS}")]
    Points(String, u32),
}

/// A model whose expressions are parsed.
pub struct Evaluator<'m> {
    model: &'m Model,
    /// Values of parameters.
    parameters: BTreeMap<&'m str, f64>,
    expressions: HashMap<String, Expression>,
    /// Levels of phases.
    steps: Vec<Expression>,
}

/// A computed value and the published one.
#[derive(Clone, Debug, Serialize)]
pub struct Computed {
    /// The name.
    pub name: String,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// What it is.
    pub note: String,
    /// The published value.
    pub published: Option<f64>,
    /// Whether the value is within the tolerance of the published one.
    pub agrees: Option<bool>,
}

/// A computed phase.
#[derive(Clone, Debug, Serialize)]
pub struct ComputedPhase {
    /// The level that it uses.
    pub level: String,
    /// How many units of the level it takes.
    pub amount: f64,
    /// The unit.
    pub amount_unit: String,
    /// The amount as the model has it.
    pub amount_expression: String,
    /// Its time.
    #[serde(flatten)]
    pub time: Computed,
}

/// A computed step.
#[derive(Clone, Debug, Serialize)]
pub struct ComputedStep {
    /// The phases that overlap.
    pub phases: Vec<String>,
    /// The longest of them.
    pub longest: String,
    /// How often it runs.
    pub times: f64,
    /// Seconds of all runs.
    pub seconds: f64,
    /// The same in percent of the total.
    pub percent: f64,
}

/// The prediction.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// What is modelled.
    pub title: String,
    /// Where the model comes from.
    pub source: String,
    /// The parameters.
    pub parameters: Vec<Computed>,
    /// The phases.
    pub phases: Vec<ComputedPhase>,
    /// The steps.
    pub steps: Vec<ComputedStep>,
    /// Seconds of all steps.
    pub seconds: f64,
    /// The level that the longest step uses.
    pub bound: String,
    /// Work per second; null if the model has none.
    pub rate: Option<f64>,
    /// The work's unit.
    pub work_unit: Option<String>,
    /// The rate in percent of the peak.
    pub efficiency_percent: Option<f64>,
    /// The definitions.
    pub definitions: Vec<Computed>,
}

/// A line of a plot.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// Values that are being computed, or are.
#[derive(Default)]
struct Values {
    known: HashMap<String, f64>,
    open: Vec<String>,
}

impl<'m> Evaluator<'m> {
    /// Parses a model's expressions.
    ///
    /// # Errors
    /// An expression is none, or a name has two meanings.
    pub fn new(model: &'m Model) -> Result<Self, ModelError> {
        let parameters = model.parameter.iter();
        let mut evaluator = Self {
            model,
            parameters: parameters
                .map(|one| (one.name.as_str(), one.value))
                .collect(),
            expressions: HashMap::new(),
            steps: Vec::new(),
        };
        if evaluator.parameters.len() < model.parameter.len() {
            let mut names: Vec<&str> = model
                .parameter
                .iter()
                .map(|one| one.name.as_str())
                .collect();
            names.sort_unstable();
            let double = names.windows(2).find(|two| two[0] == two[1]);
            let name = double.map_or("", |two| two[0]);
            return Err(ModelError::Twice(name.to_owned()));
        }
        for one in &model.definition {
            evaluator.add(&one.name, &one.expression)?;
        }
        for one in &model.level {
            evaluator.add(&level(&one.name), &one.time)?;
        }
        for one in &model.phase {
            evaluator.add(&amount(&one.name), &one.amount)?;
            let product = format!("{} * {}", amount(&one.name), level(&one.level));
            let is_level = model.level.iter().any(|level| level.name == one.level);
            if !is_level {
                return Err(ModelError::Unknown(one.name.clone(), one.level.clone()));
            }
            evaluator.add(&one.name, &product)?;
        }
        for (place, step) in model.step.iter().enumerate() {
            let longest = format!("max({})", step.phases.join(", "));
            for phase in &step.phases {
                if !model.phase.iter().any(|one| one.name == *phase) {
                    return Err(ModelError::Unknown(
                        format!("step {}", place + 1),
                        phase.clone(),
                    ));
                }
            }
            let times = parse("step", &step.times)?;
            let longest = parse("step", &longest)?;
            evaluator.steps.push(times.clone());
            let all = Expression::Binary(
                expression::Operator::Multiply,
                Box::new(times),
                Box::new(longest),
            );
            evaluator.expressions.insert(step_name(place), all);
        }
        let steps: Vec<String> = (0..model.step.len()).map(step_name).collect();
        evaluator.add(TOTAL, &steps.join(" + "))?;
        if let Some(work) = &model.work {
            evaluator.add(RATE, &format!("({}) / {TOTAL}", work.amount))?;
            evaluator.add(PEAK, &work.peak)?;
        }
        Ok(evaluator)
    }

    fn add(&mut self, name: &str, text: &str) -> Result<(), ModelError> {
        let expression = parse(name, text)?;
        let before = self.expressions.insert(name.to_owned(), expression);
        match before.is_some() || self.parameters.contains_key(name) {
            true => Err(ModelError::Twice(name.to_owned())),
            false => Ok(()),
        }
    }

    /// Gives a parameter another value.
    ///
    /// # Errors
    /// There is no such parameter.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ModelError> {
        match self.parameters.get_mut(name) {
            Some(known) => {
                *known = value;
                Ok(())
            }
            None => {
                let names: Vec<&str> = self.parameters.keys().copied().collect();
                Err(ModelError::NoParameter(name.to_owned(), names.join(", ")))
            }
        }
    }

    fn value(&self, name: &str, user: &str, values: &mut Values) -> Result<f64, ModelError> {
        if let Some(value) = self.parameters.get(name).or_else(|| values.known.get(name)) {
            return Ok(*value);
        }
        let Some(expression) = self.expressions.get(name) else {
            return Err(ModelError::Unknown(user.to_owned(), name.to_owned()));
        };
        if values.open.iter().any(|open| open == name) {
            return Err(ModelError::Cycle(name.to_owned()));
        }
        values.open.push(name.to_owned());
        let value = expression.evaluate(&mut |inner| self.value(inner, name, values))?;
        values.open.pop();
        if !value.is_finite() {
            return Err(ModelError::NotFinite(name.to_owned()));
        }
        values.known.insert(name.to_owned(), value);
        Ok(value)
    }

    /// Computes all values.
    ///
    /// # Errors
    /// Unknown names, values that depend on themselves or are no numbers.
    pub fn predict(&self) -> Result<Prediction, ModelError> {
        let mut values = Values::default();
        let seconds = self.value(TOTAL, TOTAL, &mut values)?;
        let mut phases = Vec::new();
        for phase in &self.model.phase {
            let level = self.model.level.iter().find(|one| one.name == phase.level);
            let time = self.value(&phase.name, &phase.name, &mut values)?;
            phases.push(ComputedPhase {
                level: phase.level.clone(),
                amount: self.value(&amount(&phase.name), &phase.name, &mut values)?,
                amount_unit: level.map_or_else(String::new, |level| level.unit.clone()),
                amount_expression: phase.amount.clone(),
                time: computed(
                    &phase.name,
                    time,
                    "s",
                    &phase.what,
                    phase.published.as_ref(),
                ),
            });
        }
        let steps = self.computed_steps(seconds, &mut values)?;
        let longest = steps
            .iter()
            .max_by(|one, other| one.seconds.total_cmp(&other.seconds));
        let bound = longest.and_then(|step| {
            let phase = phases.iter().find(|phase| phase.time.name == step.longest);
            phase.map(|phase| phase.level.clone())
        });
        let mut definitions = Vec::new();
        for one in &self.model.definition {
            let value = self.value(&one.name, &one.name, &mut values)?;
            let published = one.published.as_ref();
            definitions.push(computed(&one.name, value, &one.unit, &one.note, published));
        }
        let (mut rate, mut efficiency_percent) = (None, None);
        if self.model.work.is_some() {
            let of = self.value(RATE, RATE, &mut values)?;
            rate = Some(of);
            efficiency_percent = Some(of * 100.0 / self.value(PEAK, PEAK, &mut values)?);
        }
        let parameters = self.model.parameter.iter();
        Ok(Prediction {
            title: self.model.title.clone(),
            source: self.model.source.clone(),
            parameters: parameters
                .map(|one| {
                    let value = self.parameters[one.name.as_str()];
                    computed(&one.name, value, &one.unit, &one.note, None)
                })
                .collect(),
            phases,
            steps,
            seconds,
            bound: bound.unwrap_or_default(),
            rate,
            work_unit: self.model.work.as_ref().map(|work| work.unit.clone()),
            efficiency_percent,
            definitions,
        })
    }

    fn computed_steps(
        &self,
        total: f64,
        values: &mut Values,
    ) -> Result<Vec<ComputedStep>, ModelError> {
        let mut steps = Vec::new();
        for (place, step) in self.model.step.iter().enumerate() {
            let mut longest = (f64::NEG_INFINITY, String::new());
            for phase in &step.phases {
                let time = self.value(phase, phase, values)?;
                if time > longest.0 {
                    longest = (time, phase.clone());
                }
            }
            let seconds = self.value(&step_name(place), TOTAL, values)?;
            let times = self.steps[place].evaluate(&mut |name| self.value(name, "step", values))?;
            steps.push(ComputedStep {
                phases: step.phases.clone(),
                longest: longest.1,
                times,
                seconds,
                percent: seconds * 100.0 / total,
            });
        }
        Ok(steps)
    }

    /// The lines of a curve of the model.
    ///
    /// # Errors
    /// Those of `predict`, unknown parameters, or too many points.
    pub fn lines(&self, curve: &super::model::Curve) -> Result<Vec<Line>, ModelError> {
        if !(2..=MOST_POINTS).contains(&curve.points) {
            return Err(ModelError::Points(curve.name.clone(), curve.points));
        }
        let mut lines = Vec::new();
        for series in &curve.series {
            let mut varied = Self {
                model: self.model,
                parameters: self.parameters.clone(),
                expressions: self.expressions.clone(),
                steps: self.steps.clone(),
            };
            for (name, value) in &series.set {
                varied.set(name, *value)?;
            }
            let mut points = Vec::new();
            for number in 0..curve.points {
                let part = f64::from(number) / f64::from(curve.points - 1);
                let x = curve.from + (curve.to - curve.from) * part;
                varied.set(&curve.x, x)?;
                let y = varied.value(&curve.y, &curve.name, &mut Values::default())?;
                points.push((x, y));
            }
            lines.push(Line {
                name: series.name.clone(),
                points,
            });
        }
        Ok(lines)
    }
}

/// The peak's name among the expressions. It and the following have characters that no model's names
/// start with.
const PEAK: &str = "_peak";

fn amount(phase: &str) -> String {
    format!("_amount_{phase}")
}

fn level(level: &str) -> String {
    format!("_level_{level}")
}

fn step_name(place: usize) -> String {
    format!("_step_{place}")
}

fn parse(name: &str, text: &str) -> Result<Expression, ModelError> {
    Expression::parse(text)
        .map_err(|error| ModelError::Expression(name.to_owned(), text.to_owned(), error))
}

fn computed(
    name: &str,
    value: f64,
    unit: &str,
    note: &str,
    published: Option<&Published>,
) -> Computed {
    Computed {
        name: name.to_owned(),
        value,
        unit: unit.to_owned(),
        note: note.to_owned(),
        published: published.map(|published| published.value),
        agrees: published.map(|published| {
            let difference = (value - published.value).abs();
            difference <= published.value.abs() * published.within / 100.0
        }),
    }
}
