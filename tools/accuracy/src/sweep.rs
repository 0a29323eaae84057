//! Runs one function in all forms of code over its inputs and finds the worst errors.

use crate::case::Case;
use crate::format::{Format, Rounding};
use crate::function::{Denormals, Function, Limit};
use crate::platform::{Form, Platform};
use crate::reference::Answer;
use crate::samples;
use crate::types::Type;
use anyhow::Result;
use rayon::prelude::*;

/// Maximum number of exceeded limits that are reported with an example.
const EXAMPLES: usize = 4;

/// Settings of a sweep.
pub struct Settings<'a> {
    /// The forms of code.
    pub forms: &'static [Form],
    /// Additional build options.
    pub options: &'a str,
    /// Inputs per function besides the special values.
    pub samples: usize,
    /// For options that relax OpenCL's limits: only normal and finite arguments and
    /// results are compared, with a limit of at least `RELAXED`.
    pub relaxed: bool,
    /// Functions of one `half` are tested on all 65,536 values, whatever `samples` is.
    pub all_halves: bool,
}

/// The limit of relaxed arithmetic, units in the last place: that of `half_` functions.
const RELAXED: f64 = 8192.0;

/// The result with the largest error.
#[derive(Clone, Debug, Default)]
pub struct Worst {
    /// The error in units in the last place; with absolute limits, as a fraction of the limit.
    /// Infinite if a special value is wrong.
    pub error: f64,
    /// The arguments with that error.
    pub input: String,
}

/// The results of one form of code.
pub struct OfForm {
    /// The form of code.
    pub form: &'static Form,
    /// The result with the largest error, within the limits or not.
    pub worst: Worst,
    /// Number of results beyond a limit.
    pub broken: usize,
    /// Messages about the first of these results.
    pub examples: Vec<String>,
}

/// The results of a function.
pub struct SweepOutcome {
    /// Number of inputs.
    pub inputs: usize,
    /// The results by form of code.
    pub forms: Vec<OfForm>,
}

impl SweepOutcome {
    /// Whether all results are within their limits.
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
    settings: &Settings<'_>,
) -> Result<SweepOutcome> {
    let seed = function
        .name
        .bytes()
        .fold(0, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
    let inputs = samples::inputs(function, settings.samples, settings.all_halves, seed);
    let mut runs = Vec::new();
    for form in settings.forms {
        if form.width == 1 || function.has_vectors {
            runs.push((
                form,
                platform.run(function, form, settings.options, &inputs)?,
            ));
        }
    }
    Ok(judge(function, &inputs, &runs, settings.relaxed))
}

/// The results of a form of code: of each result of the function, its bits by input.
pub type OfRun = (&'static Form, Vec<Vec<u64>>);

/// Compares results with the right ones. `relaxed` is that of the settings.
pub fn judge(
    function: &Function,
    inputs: &[Vec<u64>],
    runs: &[OfRun],
    relaxed: bool,
) -> SweepOutcome {
    let none = || -> Vec<OfForm> {
        let empty = |form| OfForm {
            form,
            worst: Worst::default(),
            broken: 0,
            examples: Vec::new(),
        };
        runs.iter().map(|(form, _)| empty(*form)).collect()
    };
    let judge_input = |mut forms: Vec<OfForm>, (index, bits): (usize, &Vec<u64>)| {
        let case = Case {
            format: function.format,
            types: &function.arguments,
            bits,
        };
        let expected = (function.reference)(&case);
        if relaxed && !is_ordinary(&case, function, &expected) {
            return forms;
        }
        let is_unspecified = function.denormals == Denormals::Unspecified;
        if is_unspecified && has_denormals(&case, function, &expected) {
            return forms;
        }
        let without_denormals = WithoutDenormals::new(function, &case);
        for (so_far, (_, results)) in forms.iter_mut().zip(runs) {
            for (number, answer) in expected.iter().enumerate() {
                let (mut limit, kind) = (function.limits[number], function.results[number]);
                if relaxed && matches!(answer, Answer::Value(_)) {
                    limit = relax(limit);
                }
                let bits = results[number][index];
                let (error, holds) = error(&case, answer, limit, kind, bits);
                let holds = holds || without_denormals.holds(number, limit, kind, bits);
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
    let forms = inputs
        .par_iter()
        .enumerate()
        .fold(none, judge_input)
        .reduce(none, merge);
    SweepOutcome {
        inputs: inputs.len(),
        forms,
    }
}

/// The results of two sets of inputs together.
fn merge(mut a: Vec<OfForm>, b: Vec<OfForm>) -> Vec<OfForm> {
    for (a, b) in a.iter_mut().zip(b) {
        if b.worst.error > a.worst.error {
            a.worst = b.worst;
        }
        a.broken += b.broken;
        a.examples.extend(b.examples);
        a.examples.truncate(EXAMPLES);
    }
    a
}

/// Whether no argument or result is a denormal, and none beyond the largest power of two
/// whose reciprocal is normal, OpenCL C 3.0's domain of relaxed reciprocals.
fn is_ordinary(case: &Case<'_>, function: &Function, expected: &[Answer]) -> bool {
    let normal = |kind: Type, value: f64| match kind {
        Type::Floating(format) => {
            let least = f64::from(format.smallest_exponent()).exp2();
            (least..=1.0 / least).contains(&value.abs())
        }
        Type::Integer(..) => true,
    };
    let arguments = case.types.iter().zip(case.values());
    let results = function.results.iter().zip(expected);
    arguments
        .into_iter()
        .all(|(kind, value)| normal(*kind, value))
        && results.into_iter().all(|(kind, answer)| match answer {
            Answer::Value(exact) => normal(*kind, exact.to_f64()),
            Answer::OneOf(values) => values.iter().all(|value| normal(*kind, *value)),
            Answer::Integer(_) | Answer::Any => true,
        })
}

/// Whether an argument or a result is a denormal.
fn has_denormals(case: &Case<'_>, function: &Function, expected: &[Answer]) -> bool {
    let denormal = |kind: Type, value: f64| match kind {
        Type::Floating(format) => value != 0.0 && flushed(format, value) == 0.0,
        Type::Integer(..) => false,
    };
    let arguments = case.types.iter().zip(case.values());
    let results = function.results.iter().zip(expected);
    arguments
        .into_iter()
        .any(|(kind, value)| denormal(*kind, value))
        || results.into_iter().any(|(kind, answer)| match answer {
            Answer::Value(exact) => denormal(*kind, exact.to_f64()),
            _ => false,
        })
}

/// Alternative results of a function that may replace denormal arguments and results by zeros.
struct WithoutDenormals<'a> {
    function: &'a Function,
    /// The arguments with zeros in place of denormals.
    arguments: Option<Vec<u64>>,
}

impl<'a> WithoutDenormals<'a> {
    fn new(function: &'a Function, case: &Case<'_>) -> Self {
        let may_be_zeros = matches!(
            function.denormals,
            Denormals::MayBeZeros | Denormals::MayBeZerosUnrounded
        );
        let arguments = may_be_zeros.then(|| {
            let arguments = case.types.iter().zip(case.bits);
            arguments
                .map(|(kind, bits)| match kind {
                    Type::Floating(format) => format.bits(flushed(*format, format.value(*bits))),
                    Type::Integer(..) => *bits,
                })
                .collect()
        });
        Self {
            function,
            arguments,
        }
    }

    fn holds(&self, number: usize, limit: Limit, kind: Type, bits: u64) -> bool {
        let Some(arguments) = &self.arguments else {
            return false;
        };
        let case = Case {
            format: self.function.format,
            types: &self.function.arguments,
            bits: arguments,
        };
        let answer = &(self.function.reference)(&case)[number];
        let becomes_zero = match (answer, kind) {
            (Answer::Value(exact), Type::Floating(format)) => {
                let least = f64::from(format.smallest_exponent()).exp2();
                let rounded = format.round(exact, Rounding::Nearest);
                let is_small = match self.function.denormals {
                    Denormals::MayBeZerosUnrounded => *exact.as_abs() < least,
                    _ => rounded.abs() < least,
                };
                is_small && same(0f64.copysign(rounded), format.value(bits))
            }
            _ => false,
        };
        becomes_zero || error(&case, answer, limit, kind, bits).1
    }
}

/// Zero of the same sign in place of a denormal.
fn flushed(format: Format, value: f64) -> f64 {
    let least = f64::from(format.smallest_exponent()).exp2();
    if value.abs() < least {
        0f64.copysign(value)
    } else {
        value
    }
}

fn relax(limit: Limit) -> Limit {
    match limit {
        Limit::Exact => Limit::Ulp(RELAXED),
        Limit::Ulp(limit) => Limit::Ulp(limit.max(RELAXED)),
        other => other,
    }
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
                Limit::Absolute(_) if exact.is_nan() => met(got.is_nan()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions;

    /// Whether a function of one float may give `result`.
    fn may_give(name: &str, argument: f32, results: &[u64], number: usize) -> bool {
        let functions = functions::all();
        let function = functions
            .iter()
            .find(|f| f.name == name && matches!(f.format, Format::Single))
            .unwrap();
        let case = Case {
            format: function.format,
            types: &function.arguments,
            bits: &[u64::from(argument.to_bits())],
        };
        let (limit, kind) = (function.limits[number], function.results[number]);
        let answer = &(function.reference)(&case)[number];
        let bits = results[number];
        error(&case, answer, limit, kind, bits).1
            || WithoutDenormals::new(function, &case).holds(number, limit, kind, bits)
    }

    #[test]
    fn half_functions_may_take_denormals_as_zeros() {
        let bits = |value: f32| [u64::from(value.to_bits())];
        let denormal = f32::from_bits(1);
        assert!(may_give("half_rsqrt", denormal, &bits(f32::INFINITY), 0));
        assert!(may_give(
            "half_rsqrt",
            -denormal,
            &bits(f32::NEG_INFINITY),
            0
        ));
        assert!(may_give("half_recip", f32::MAX, &bits(0.0), 0));
        assert!(!may_give("half_recip", f32::MAX, &bits(-0.0), 0));
        assert!(!may_give("half_recip", 2.0, &bits(0.0), 0));
        assert!(!may_give("half_rsqrt", denormal, &bits(1.0), 0));
        assert!(!may_give("rsqrt", denormal, &bits(f32::INFINITY), 0));
    }

    #[test]
    fn native_functions_are_not_held_to_denormals() {
        let functions = functions::all();
        let skipped = |name: &str, argument: f32| {
            let function = functions.iter().find(|f| f.name == name).unwrap();
            let case = Case {
                format: function.format,
                types: &function.arguments,
                bits: &[u64::from(argument.to_bits())],
            };
            has_denormals(&case, function, &(function.reference)(&case))
        };
        assert!(skipped("native_log", f32::from_bits(1)));
        assert!(skipped("native_exp", -88.0));
        assert!(skipped("native_recip", f32::MAX));
        for argument in [0.0, 1.0, -80.0, f32::NAN, f32::INFINITY] {
            assert!(!skipped("native_exp", argument), "{argument}");
        }
    }

    #[test]
    fn lgamma_has_no_sign_at_a_pole() {
        let infinity = u64::from(f32::INFINITY.to_bits());
        for sign in [-1i32, 0, 1] {
            let results = [infinity, u64::from(sign as u32)];
            assert!(may_give("lgamma_r", -2.0, &results, 1), "{sign}");
        }
        assert!(!may_give("lgamma_r", 2.5, &[0, 0], 1));
    }
}
