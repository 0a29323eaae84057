//! The compact form of cases about the language and its builtins: expressions over vectors, each
//! with a reference that computes the expected elements.

use super::element::{DOUBLE, Element, Number, Rounding};
use anyhow::{Context, Result, bail};
use harness::session::{Argument, Buffer, Session};
use std::fmt::Write as _;

/// The expected element of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// These bits.
    Bits(u64),
    /// Any NaN.
    Nan,
    /// A value, and the permitted error in units in the last place.
    Near { value: f64, ulps: f64 },
    /// The specification leaves it open.
    Open,
}

impl From<Option<u64>> for Expected {
    /// The bits of a floating-point result; `None` is NaN.
    fn from(bits: Option<u64>) -> Self {
        bits.map_or(Self::Nan, Self::Bits)
    }
}

/// A vector or scalar operand of an expression.
pub struct Operand {
    /// Type of its elements.
    pub element: Element,
    /// Number of elements; 1 for a scalar.
    pub width: usize,
    /// The values of all work-items.
    pub values: Vec<u64>,
}

impl Operand {
    /// An operand with a vector or scalar for each work-item.
    pub fn new(element: Element, width: usize, values: Vec<u64>) -> Self {
        Self {
            element,
            width,
            values,
        }
    }
}

/// Computes the result's elements from the operands' elements in one work-item.
type Reference = Box<dyn Fn(&[&[u64]]) -> Vec<Expected>>;

/// A value that a kernel stores.
pub struct Output {
    /// The value in OpenCL C. The operands are called `a`, `b`, `c`, and `#` is a unique number of
    /// the step.
    pub code: String,
    /// Type of its elements.
    pub element: Element,
    /// Number of elements; 1 for a scalar.
    pub width: usize,
    reference: Reference,
}

impl Output {
    /// An output whose elements depend on all elements of the operands.
    pub fn whole(
        code: impl Into<String>,
        element: Element,
        width: usize,
        reference: impl Fn(&[&[u64]]) -> Vec<Expected> + 'static,
    ) -> Self {
        Self {
            code: code.into(),
            element,
            width,
            reference: Box::new(reference),
        }
    }

    /// An output each of whose elements depends on the same elements of the operands, and on scalar
    /// operands.
    pub fn each(
        code: impl Into<String>,
        element: Element,
        width: usize,
        reference: impl Fn(&[u64]) -> Expected + 'static,
    ) -> Self {
        Self::whole(code, element, width, move |operands| {
            (0..width)
                .map(|lane| {
                    let of_lane = operands
                        .iter()
                        .map(|operand| operand[lane.min(operand.len() - 1)]);
                    reference(&of_lane.collect::<Vec<u64>>())
                })
                .collect()
        })
    }
}

/// Statements, and the values of expressions after them.
pub struct Step {
    /// Statements in OpenCL C, or nothing. `#` is a unique number of the step.
    pub before: String,
    /// The stored values.
    pub outputs: Vec<Output>,
}

impl From<Output> for Step {
    fn from(output: Output) -> Self {
        Self {
            before: String::new(),
            outputs: vec![output],
        }
    }
}

/// Expressions over the same operands.
pub struct Expressions {
    /// The operands `a`, `b`, `c` and so on.
    pub operands: Vec<Operand>,
    /// The steps, in their order.
    pub steps: Vec<Step>,
}

/// Approximate number of elements that one kernel computes per work-item. The time of compilers
/// grows faster than linearly.
const ELEMENTS: usize = 128;

/// The steps of one kernel.
struct Kernel<'a> {
    operands: &'a [Operand],
    steps: &'a [Step],
}

impl Expressions {
    fn kernels(&self) -> impl Iterator<Item = Kernel<'_>> {
        let elements = |step: &Step| {
            step.outputs
                .iter()
                .map(|output| output.width)
                .sum::<usize>()
        };
        let mut all = 0;
        let parts = self.steps.chunk_by(move |step, next| {
            all += elements(step);
            let together = all + elements(next) <= ELEMENTS;
            if !together {
                all = 0;
            }
            together
        });
        parts.map(|steps| Kernel {
            operands: &self.operands,
            steps,
        })
    }
}

/// Work-items of a work-group.
pub const LOCAL: usize = 16;

/// Number of bytes behind each result that must not change.
const GUARD: usize = 128;
const UNTOUCHED: u8 = 0xA7;

/// The places of the results, and their size.
struct Layout {
    starts: Vec<usize>,
    bytes: usize,
}

impl Kernel<'_> {
    fn items(&self) -> usize {
        let vectors = self
            .operands
            .iter()
            .map(|operand| operand.values.len().div_ceil(operand.width));
        vectors.max().unwrap_or(1).next_multiple_of(LOCAL)
    }

    fn outputs(&self) -> impl Iterator<Item = &Output> {
        self.steps.iter().flat_map(|step| &step.outputs)
    }

    fn layout(&self) -> Layout {
        let mut bytes = GUARD;
        let starts = self
            .outputs()
            .map(|output| {
                let start = bytes;
                let size = self.items() * output.width * output.element.bytes;
                bytes = (start + size).next_multiple_of(GUARD) + GUARD;
                start
            })
            .collect();
        Layout { starts, bytes }
    }

    fn names(&self) -> impl Iterator<Item = (char, &Operand)> {
        ('a'..='z').zip(self.operands)
    }

    fn source(&self, number: usize, text: &mut String) -> std::fmt::Result {
        write!(text, "kernel void test{number}(global uchar *results")?;
        for (name, operand) in self.names() {
            write!(text, ", global const {} *in_{name}", operand.element.name)?;
        }
        writeln!(text, ")\n{{\n    const size_t item = get_global_id(0);")?;
        for (name, Operand { element, width, .. }) in self.names() {
            let vector = element.vector(*width);
            let value = match width {
                1 => format!("in_{name}[item]"),
                3 => format!("vload3(item, in_{name})"),
                _ => format!("((global const {vector} *)in_{name})[item]"),
            };
            writeln!(text, "    const {vector} {name} = {value};")?;
        }
        let layout = self.layout();
        let mut starts = layout.starts.iter();
        for (place, step) in self.steps.iter().enumerate() {
            let own = |code: &str| code.replace('#', &place.to_string());
            if !step.before.is_empty() {
                writeln!(text, "    {}", own(&step.before))?;
            }
            for (output, start) in step.outputs.iter().zip(&mut starts) {
                let code = own(&output.code);
                let name = output.element.name;
                let vector = output.element.vector(output.width);
                match output.width {
                    3 => writeln!(
                        text,
                        "    vstore3({code}, item, (global {name} *)(results + {start}));"
                    )?,
                    _ => writeln!(
                        text,
                        "    ((global {vector} *)(results + {start}))[item] = {code};"
                    )?,
                }
            }
        }
        writeln!(text, "}}\n")
    }

    fn run(&self, session: &Session, kernel: &opencl3::kernel::Kernel) -> Result<()> {
        let items = self.items();
        let inputs = self.operands.iter().map(|operand| {
            let bytes = operand.element.bytes;
            let values = operand.values.iter().cycle();
            let all: Vec<u8> = values
                .take(items * operand.width)
                .flat_map(|value| value.to_le_bytes()[..bytes].to_vec())
                .collect();
            session.buffer(&all)
        });
        let inputs: Vec<Buffer<u8>> = inputs.collect::<Result<_>>()?;
        let layout = self.layout();
        let results = session.buffer(&vec![UNTOUCHED; layout.bytes])?;
        let mut arguments: Vec<&dyn Argument> = vec![&results];
        arguments.extend(inputs.iter().map(|input| input as &dyn Argument));
        session.run(kernel, &[items], &[LOCAL], &arguments)?;
        self.compare(session, &session.read(&results)?, &layout)
    }

    fn compare(&self, session: &Session, results: &[u8], layout: &Layout) -> Result<()> {
        let items = self.items();
        let mut flushed = Vec::new();
        for operand in self.operands {
            flushed.push(operand.element.is_floating() && !denormals(session, operand.element)?);
        }
        let mut untouched = 0;
        for (output, &start) in self.outputs().zip(&layout.starts) {
            let guard = &results[untouched..start];
            if guard.iter().any(|&byte| byte != UNTOUCHED) {
                bail!("bytes before the result of `{}` were changed", output.code);
            }
            let flushes = output.element.is_floating() && !denormals(session, output.element)?;
            let bytes = output.element.bytes;
            let elements: Vec<u64> = results[start..][..items * output.width * bytes]
                .chunks_exact(bytes)
                .map(element_of)
                .collect();
            untouched = start + elements.len() * bytes;
            let (mut wrong, mut first) = (0, None);
            for item in 0..items {
                let operands: Vec<Vec<u64>> = self
                    .operands
                    .iter()
                    .map(|operand| {
                        let values = operand.values.iter().cycle();
                        // Operands are repeated until all work-items have values.
                        let skip = item * operand.width % operand.values.len();
                        values.skip(skip).take(operand.width).copied().collect()
                    })
                    .collect();
                let lost = operands.iter().zip(self.operands).zip(&flushed).any(
                    |((values, operand), &flushed)| {
                        flushed && values.iter().any(|&bits| operand.element.is_denormal(bits))
                    },
                );
                if lost {
                    continue;
                }
                let slices: Vec<&[u64]> = operands.iter().map(Vec::as_slice).collect();
                let expected = (output.reference)(&slices);
                let got = &elements[item * output.width..][..output.width];
                for (lane, (&got, expected)) in got.iter().zip(&expected).enumerate() {
                    if !fits(output.element, got, expected, flushes) {
                        wrong += 1;
                        first.get_or_insert_with(|| {
                            self.report(output, lane, &operands, got, expected)
                        });
                    }
                }
            }
            if let Some(first) = first {
                let all = elements.len();
                bail!("{wrong} of {all} elements are wrong, first {first}");
            }
        }
        if results[untouched..].iter().any(|&byte| byte != UNTOUCHED) {
            bail!("bytes behind the last result were changed");
        }
        Ok(())
    }

    fn report(
        &self,
        output: &Output,
        lane: usize,
        operands: &[Vec<u64>],
        got: u64,
        expected: &Expected,
    ) -> String {
        let expected = match expected {
            Expected::Bits(bits) => output.element.show(*bits),
            Expected::Nan => "NaN".to_owned(),
            Expected::Near { value, ulps } => format!("{value:?} within {ulps} ulp"),
            Expected::Open => "anything".to_owned(),
        };
        let operands: Vec<String> = self
            .names()
            .zip(operands)
            .map(|((name, operand), values)| {
                let shown: Vec<String> = values
                    .iter()
                    .map(|&bits| operand.element.show(bits))
                    .collect();
                let vector = operand.element.vector(operand.width);
                format!("{vector} {name} = ({})", shown.join(", "))
            })
            .collect();
        format!(
            "element {lane} of `{}` ({}): {}, expected {expected}, for {}",
            output.code,
            output.element.vector(output.width),
            output.element.show(got),
            operands.join(", ")
        )
    }
}

/// The element with these little-endian bytes; all known devices are little-endian.
fn element_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// Whether the device supports denormalised numbers of this type.
fn denormals(session: &Session, element: Element) -> Result<bool> {
    let device = &session.device;
    let config = match element.bytes {
        2 => device.half_fp_config(),
        4 => device.single_fp_config(),
        _ => device.double_fp_config(),
    }
    .with_context(|| format!("what the device can do with {}", element.name))?;
    Ok(config & opencl3::device::CL_FP_DENORM != 0)
}

fn fits(element: Element, got: u64, expected: &Expected, flushes: bool) -> bool {
    let is_denormal = |bits| element.is_floating() && element.is_denormal(bits);
    match *expected {
        Expected::Open => true,
        Expected::Nan => element.is_nan(got),
        Expected::Bits(bits) => {
            got == bits || flushes && is_denormal(bits) && got & !element.sign() == 0
        }
        Expected::Near { value, ulps } => near(element, got, value, ulps, flushes),
    }
}

/// Checks a result with a tolerance in units in the last place. Values beyond the type's range may
/// be infinite.
fn near(element: Element, got: u64, value: f64, ulps: f64, flushes: bool) -> bool {
    let Some(nearest) = element.nearest(value) else {
        return element.is_nan(got);
    };
    if got == nearest {
        return true;
    }
    if element.is_nan(got) {
        return false;
    }
    let (precision, least, _) = element.format();
    let largest = element.double(element.infinity(false) - 1);
    let exponent = if value == 0.0 {
        least
    } else {
        let exponent = ilogb(value.abs().min(largest));
        (exponent + 1 - precision as i32).max(least)
    };
    let unit = power_of_two(exponent);
    if element.number(got) == element.number(element.infinity(value < 0.0)) {
        return value.abs() + ulps * unit > largest;
    }
    // A zero of either sign is accepted.
    let distance = (element.double(got) - value).abs();
    distance <= ulps * unit || flushes && element.is_denormal(nearest) && got & !element.sign() == 0
}

/// A power of two, also a denormalised one, which `powi` does not compute.
fn power_of_two(exponent: i32) -> f64 {
    let number = Number::Finite {
        negative: false,
        digits: 1,
        exponent,
    };
    let bits = DOUBLE.round(number, Rounding::NearestEven);
    f64::from_bits(bits.expect("it is a number"))
}

/// The exponent of a finite number other than zero.
fn ilogb(value: f64) -> i32 {
    match DOUBLE.number(value.to_bits()) {
        Number::Finite {
            digits, exponent, ..
        } => exponent + 127 - digits.leading_zeros() as i32,
        _ => 0,
    }
}

/// Builds all expressions in one program, runs it and compares the results.
///
/// # Errors
/// An element is wrong; the error has its operands.
pub fn check(session: &Session, expressions: &[Expressions]) -> Result<()> {
    check_with(session, "", expressions)
}

/// As [`check`], with functions before the kernels.
///
/// # Errors
/// As [`check`].
pub fn check_with(session: &Session, functions: &str, expressions: &[Expressions]) -> Result<()> {
    let mut source = String::from(
        "#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n\
         #ifdef cl_khr_fp16\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#endif\n\n",
    );
    source += functions;
    let kernels: Vec<Kernel> = expressions.iter().flat_map(Expressions::kernels).collect();
    for (number, kernel) in kernels.iter().enumerate() {
        kernel.source(number, &mut source)?;
    }
    let program = session.program(&source, "")?;
    for (number, kernel) in kernels.iter().enumerate() {
        let name = format!("test{number}");
        kernel
            .run(session, &program.kernel(&name)?)
            .with_context(|| format!("kernel {name}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::element::{DOUBLE, FLOAT, HALF};
    use super::{Expected, fits, near};

    #[test]
    fn limits_are_in_units_of_the_last_place() {
        let float = |value: f32| u64::from(value.to_bits());
        assert!(near(FLOAT, float(1.0000002), 1.0, 2.0, false));
        assert!(!near(FLOAT, float(1.0000004), 1.0, 2.0, false));
        assert!(near(FLOAT, float(f32::INFINITY), 3.5e38, 1.0, false));
        assert!(!near(FLOAT, float(f32::INFINITY), 3.0e38, 1.0, false));
        assert!(!near(FLOAT, float(f32::NEG_INFINITY), 3.5e38, 1.0, false));
        assert!(!near(FLOAT, float(f32::NAN), 1.0, 1e9, false));
        assert!(near(FLOAT, float(f32::NAN), f64::NAN, 1.0, false));
        assert!(near(HALF, 3, 2f64.powi(-24), 2.0, false));
        assert!(!near(HALF, 4, 2f64.powi(-24), 2.0, false));
        assert!(near(DOUBLE, 3.0f64.to_bits(), 3.0, 0.0, false));
        assert!(near(DOUBLE, 7, DOUBLE.double(5), 2.0, false));
        assert!(!near(DOUBLE, 8, DOUBLE.double(5), 2.0, false));
        let small = 1.7664046159392116e-307f64;
        assert!(near(DOUBLE, small.to_bits() + 2, small, 2.0, false));
        assert!(!near(DOUBLE, small.to_bits() + 3, small, 2.0, false));
        assert!(near(DOUBLE, f64::MAX.to_bits() - 3, f64::MAX, 3.0, false));
    }

    #[test]
    fn zeros_replace_denormals_only_where_they_are_flushed() {
        assert!(fits(HALF, 0x8000, &Expected::Bits(0x8001), true));
        assert!(!fits(HALF, 0x8000, &Expected::Bits(0x8001), false));
        assert!(!fits(HALF, 0, &Expected::Bits(0x8000), true));
        assert!(!fits(HALF, 0x7E00, &Expected::Bits(0x7C00), true));
        assert!(fits(HALF, 0xFE01, &Expected::Nan, false));
    }
}
