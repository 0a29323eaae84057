//! The table of functions, read from `functions.toml`.

use crate::compute;
use crate::function::{Compute, Function};
use built_in_kernels::{ArgumentRow, declaration};
use once_cell::sync::Lazy;
use serde::Deserialize;

/// The table as text.
const TEXT: &str = include_str!("../functions.toml");

/// What computes each function, by name.
const COMPUTE: [(&str, Compute); 11] = [
    ("real_fir", compute::real_fir),
    ("complex_fir", compute::complex_fir),
    ("adaptive_fir", compute::adaptive_fir),
    ("iir", compute::iir),
    ("vector_dot", compute::vector_dot),
    ("vector_add", compute::vector_add),
    ("vector_max", compute::vector_max),
    ("fft_256", compute::fft_256),
    ("dct_64", compute::dct_64),
    ("correlation", compute::correlation),
    ("matrix_multiply", compute::matrix_multiply),
];

static FUNCTIONS: Lazy<Vec<Function>> =
    Lazy::new(|| read(TEXT).expect("the table of functions is tested"));

/// All functions.
pub fn all() -> &'static [Function] {
    &FUNCTIONS
}

/// The function of that name.
pub fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    function: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    what: String,
    result: String,
    arguments: Vec<ArgumentRow>,
}

/// Reads a table.
///
/// # Errors
/// What is wrong with it.
fn read(text: &str) -> Result<Vec<Function>, String> {
    let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    table.function.into_iter().map(Row::function).collect()
}

impl Row {
    fn function(self) -> Result<Function, String> {
        let known = COMPUTE.iter().find(|(name, _)| *name == self.name);
        let Some((_, compute)) = known else {
            return Err(format!("no code computes {}", self.name));
        };
        let texts = [self.name, self.what, self.result];
        Ok(Function {
            declaration: declaration(texts, self.arguments, Vec::new())?,
            compute: *compute,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use built_in_kernels::ArgumentKind;

    #[test]
    fn each_function_has_code_and_arrays_of_its_sizes() {
        assert_eq!(all().len(), COMPUTE.len());
        for function in all() {
            let most = |name: &str| {
                let mut arguments = function.arguments.iter();
                let argument = arguments.find(|argument| argument.name == name)?;
                match argument.kind {
                    ArgumentKind::Size { most, .. } => Some(most),
                    _ => None,
                }
            };
            for argument in &function.arguments {
                if let ArgumentKind::Array { elements, .. } = &argument.kind {
                    let mut value = |name: &str| most(name).map(|most| most as f64).ok_or(());
                    let count = elements.evaluate(&mut value).unwrap();
                    assert!(count.fract() == 0.0 && (1.0..1e8).contains(&count));
                }
            }
        }
    }

    #[test]
    fn declarations_are_those_of_opencl_c() {
        assert_eq!(
            find("real_fir").unwrap().to_string(),
            "kernel void real_fir(global const float* x, global const float* h, global float* y, \
             uint n, uint taps)"
        );
        assert!(find("sine").is_none());
    }

    #[test]
    fn sizes_have_ranges() {
        let taps = &find("real_fir").unwrap().arguments[4];
        assert_eq!(taps.check_size(4096), Ok(()));
        let error = taps.check_size(0).unwrap_err().to_string();
        assert_eq!(error, "argument taps is 0, which is not between 1 and 4096");
    }
}
