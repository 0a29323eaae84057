//! Runs one function in all forms of code over its inputs and finds the worst errors.

use crate::format::Rounding;
use crate::functions::{Case, Function, Limit, Type};
use crate::platform::{Form, Platform};
use crate::reference::Answer;
use crate::samples;
use anyhow::Result;
use rayon::prelude::*;

/// How many examples of broken limits are kept.
const EXAMPLES: usize = 4;

/// The worst result.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    /// Units in the last place; for absolute limits, parts of the limit. Infinite where
    /// a special value was not met.
    pub error: f64,
    /// The arguments.
    pub input: String,
}

/// What came of one form of code.
pub struct OfForm {
    /// The form.
    pub form: &'static Form,
    /// The worst result within and beyond the limits.
    pub worst: Worst,
    /// How many results broke a limit.
    pub broken: usize,
    /// Sentences about the first of them.
    pub examples: Vec<String>,
}

/// What came of a function.
pub struct Outcome {
    /// How many inputs it was tried on.
    pub inputs: usize,
    /// By form.
    pub forms: Vec<OfForm>,
}

impl Outcome {
    /// Whether no limit was broken.
    pub fn holds(&self) -> bool {
        self.forms.iter().all(|form| form.broken == 0)
    }
}

/// Sweeps a function.
///
/// # Errors
/// A kernel cannot be built or run.
pub fn sweep(
    platform: &Platform,
    function: &Function,
    forms: &'static [Form],
    options: &str,
    samples: usize,
) -> Result<Outcome> {
    let seed = function
        .name
        .bytes()
        .fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
    let inputs = samples::inputs(function, samples, seed);
    let mut runs = Vec::new();
    for form in forms {
        if form.width == 1 || function.has_vectors {
            runs.push((form, platform.run(function, form, options, &inputs)?));
        }
    }
    let none = || -> Vec<OfForm> {
        let empty = |form| OfForm {
            form,
            worst: Worst::default(),
            broken: 0,
            examples: Vec::new(),
        };
        runs.iter().map(|(form, _)| empty(*form)).collect()
    };
    let judge = |mut forms: Vec<OfForm>, (index, bits): (usize, &Vec<u64>)| {
        let case = Case {
            format: function.format,
            types: &function.arguments,
            bits,
        };
        let expected = (function.reference)(&case);
        for (so_far, (_, results)) in forms.iter_mut().zip(&runs) {
            for (number, answer) in expected.iter().enumerate() {
                let (limit, kind) = (function.limits[number], function.results[number]);
                let bits = results[number][index];
                let (error, holds) = error(&case, answer, limit, kind, bits);
                if error > so_far.worst.error || so_far.worst.input.is_empty() && error > 0.0 {
                    so_far.worst = Worst {
                        error,
                        input: case.show(),
                    };
                }
                if !holds {
                    so_far.broken += 1;
                    if so_far.examples.len() < EXAMPLES {
                        so_far
                            .examples
                            .push(sentence(&case, number, answer, kind, bits, error));
                    }
                }
            }
        }
        forms
    };
    let merge = |mut a: Vec<OfForm>, b: Vec<OfForm>| {
        for (a, b) in a.iter_mut().zip(b) {
            if b.worst.error > a.worst.error {
                a.worst = b.worst;
            }
            a.broken += b.broken;
            a.examples.extend(b.examples);
            a.examples.truncate(EXAMPLES);
        }
        a
    };
    let forms = inputs
        .par_iter()
        .enumerate()
        .fold(none, judge)
        .reduce(none, merge);
    Ok(Outcome {
        inputs: inputs.len(),
        forms,
    })
}

/// The error of one result, and whether it is within its limit.
fn error(case: &Case<'_>, answer: &Answer, limit: Limit, kind: Type, bits: u64) -> (f64, bool) {
    let met = |met: bool| {
        if met {
            (0.0, true)
        } else {
            (f64::INFINITY, false)
        }
    };
    let got = match kind {
        Type::Floating(format) => format.value(bits),
        Type::Integer(..) => f64::NAN,
    };
    match answer {
        Answer::Any => (0.0, true),
        Answer::Integer(right) => met(right.contains(&kind.integer(bits))),
        Answer::OneOf(right) => met(right.iter().any(|right| same(*right, got))),
        Answer::Value(exact) => {
            let Type::Floating(format) = kind else {
                unreachable!("integers have integral answers");
            };
            let error = format.error(got, exact);
            match limit {
                Limit::Exact => (error, same(format.round(exact, Rounding::Nearest), got)),
                Limit::Ulp(limit) => (error, error <= limit),
                Limit::None => (error, error.is_finite()),
                Limit::Absolute(limit) => {
                    let difference = (got - exact.to_f64()).abs();
                    let part = difference / (limit(case) + format.step(0.0, 1));
                    (part, part <= 1.0)
                }
            }
        }
    }
}

/// All NaNs are the same, zeros of different signs are not.
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn sentence(
    case: &Case<'_>,
    number: usize,
    answer: &Answer,
    kind: Type,
    bits: u64,
    error: f64,
) -> String {
    let right = match answer {
        Answer::Any => "anything".into(),
        Answer::Integer(right) => format!("{right:?}"),
        Answer::OneOf(right) => format!("{right:?}"),
        Answer::Value(exact) => match kind {
            Type::Floating(format) => {
                kind.show(format.bits(format.round(exact, Rounding::Nearest)))
            }
            Type::Integer(..) => exact.to_string(),
        },
    };
    let which = if number == 0 { "" } else { "second result " };
    format!(
        "({}): {which}{} instead of {right}, {error:.2} ulp",
        case.show(),
        kind.show(bits)
    )
}
