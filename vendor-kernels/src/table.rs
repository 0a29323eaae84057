//! The table of kernels, read from `kernels.toml`.

use crate::compute;
use crate::kernel::VendorKernel;
use crate::precision::Precision;
use crate::schedule::ScheduleKind;
use built_in_kernels::{ArgumentRow, RequirementRow, declaration};
use once_cell::sync::Lazy;
use serde::Deserialize;

/// The table as text.
const TEXT: &str = include_str!("../kernels.toml");

static KERNELS: Lazy<Vec<VendorKernel>> =
    Lazy::new(|| read(TEXT).expect("the table of kernels is tested"));

/// All kernels.
pub fn all() -> &'static [VendorKernel] {
    &KERNELS
}

/// The kernel of that name.
pub fn find(name: &str) -> Option<&'static VendorKernel> {
    KERNELS
        .iter()
        .find(|kernel| kernel.declaration().name == name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    kernel: Vec<Row>,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    /// Functions for which the row stands.
    #[serde(default)]
    functions: Vec<FunctionRow>,
    /// As of functions; 0 where the schedule knows it.
    #[serde(default)]
    operations: u64,
    precisions: Vec<Precision>,
    what: String,
    result: String,
    schedule: ScheduleKind,
    arguments: Vec<ArgumentRow>,
    #[serde(default)]
    requires: Vec<RequirementRow>,
}

/// A function of each element.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct FunctionRow {
    name: String,
    what: String,
    /// Vector operations that a result takes.
    operations: u64,
}

/// Reads a table.
///
/// # Errors
/// What is wrong with it.
fn read(text: &str) -> Result<Vec<VendorKernel>, String> {
    let table: Table = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut kernels = Vec::new();
    for row in table.kernel {
        let of_functions = row
            .functions
            .iter()
            .map(|function| row.of_function(function));
        let mut rows: Vec<Row> = of_functions.collect();
        if rows.is_empty() {
            rows.push(row);
        }
        for row in rows {
            for precision in &row.precisions {
                kernels.push(row.kernel(*precision)?);
            }
        }
    }
    Ok(kernels)
}

impl Row {
    /// The row of one of its functions.
    fn of_function(&self, function: &FunctionRow) -> Self {
        let FunctionRow {
            name,
            what,
            operations,
        } = function;
        Self {
            operations: *operations,
            name: self.name.replace('@', name),
            what: self.what.replace('@', what),
            result: self.result.replace('@', name),
            ..self.clone()
        }
    }

    fn kernel(&self, precision: Precision) -> Result<VendorKernel, String> {
        let Some(compute) = compute::find(&self.name) else {
            return Err(format!("no code computes {}", self.name));
        };
        let arguments = self.arguments.iter().map(|argument| {
            let mut argument = argument.clone();
            argument.type_name = precision.type_name(&argument.type_name);
            argument
        });
        let name = self.name.replace('?', precision.letter());
        let texts = [name, self.what.clone(), self.result.clone()];
        let declaration = declaration(texts, arguments.collect(), self.requires.clone())?;
        let schedule = (self.schedule, self.operations);
        Ok(VendorKernel::new(declaration, precision, schedule, compute))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use built_in_kernels::ArgumentKind;

    #[test]
    fn each_kernel_has_code_and_arrays_and_requirements_of_its_sizes() {
        assert_eq!(all().len(), 3 * (27 + 32 + 4) + 3 * 2 + 3);
        for kernel in all() {
            let declaration = kernel.declaration();
            let one = |wanted: &str| {
                let mut arguments = declaration.arguments.iter();
                let argument = arguments.find(|argument| argument.name == wanted)?;
                match argument.kind {
                    ArgumentKind::Size { most, .. } => Some(most.min(7)),
                    _ => None,
                }
            };
            for argument in &declaration.arguments {
                if let ArgumentKind::Array { .. } = argument.kind {
                    assert!(argument.bytes(&one) > 0, "{declaration}: {}", argument.name);
                }
            }
            let checked = declaration.check(&one);
            let is_band = declaration.name.ends_with("bmv") || declaration.name.ends_with("bsv");
            assert_eq!(checked.is_err(), is_band, "{declaration}");
        }
    }

    #[test]
    fn declarations_are_those_of_opencl_c() {
        let declared = |name: &str| find(name).unwrap().declaration().to_string();
        assert_eq!(
            declared("daxpy"),
            "kernel void daxpy(uint n, double alpha, global const double* x, int incx, \
             global double* y, int incy)"
        );
        assert_eq!(
            declared("vh_sin"),
            "kernel void vh_sin(global const half* x, global half* y, uint n)"
        );
        assert!(declared("hscal").contains("float alpha"));
        assert!(find("zgemm").is_none());
    }
}
