//! A kernel of the library.

use crate::call::{ComputeError, RawOperand};
use crate::operands::{Compute, Memory};
use crate::precision::Precision;
use crate::schedule::{Call, Schedule, ScheduleKind};
use built_in_kernels::Declaration;
use device_sim::machine::Machine;

/// A kernel of one precision.
#[derive(Debug)]
pub struct VendorKernel {
    declaration: Declaration,
    precision: Precision,
    schedule: ScheduleKind,
    /// Vector operations that a result takes, of functions of each element.
    operations: u64,
    compute: Compute,
}

impl VendorKernel {
    pub(crate) fn new(
        declaration: Declaration,
        precision: Precision,
        (schedule, operations): (ScheduleKind, u64),
        compute: Compute,
    ) -> Self {
        Self {
            declaration,
            precision,
            schedule,
            operations,
            compute,
        }
    }

    /// Its name and arguments.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Computes it on the host's threads. Arrays may overlap; if several that it writes have an element in
    /// common, that has either value.
    ///
    /// # Errors
    /// The elements of a sparse matrix are none of it.
    ///
    /// # Safety
    /// The operands are those of its arguments: their sizes have been checked, and each array's memory is
    /// valid, and not accessed by others meanwhile.
    pub unsafe fn compute(&self, operands: &[RawOperand]) -> Result<(), ComputeError> {
        // SAFETY: as the caller promises.
        unsafe {
            match self.compute {
                Compute::ByPrecision { single, double } => match self.precision {
                    Precision::Half | Precision::Single => {
                        Memory::<f32>::new(&self.declaration, operands).run(single)
                    }
                    Precision::Double => {
                        Memory::<f64>::new(&self.declaration, operands).run(double)
                    }
                },
                Compute::InDouble(double) => {
                    Memory::<f64>::new(&self.declaration, operands).run(double)
                }
            }
        }
    }

    /// The sizes and numbers among operands, by the names of the arguments.
    pub fn values(&self, operands: &[RawOperand]) -> Vec<(&str, f64)> {
        let arguments = self.declaration.arguments.iter().zip(operands);
        let values = arguments.filter_map(|(argument, operand)| match *operand {
            RawOperand::Array { .. } => None,
            RawOperand::Size(size) => Some((argument.name.as_str(), size as f64)),
            RawOperand::Number(number) => Some((argument.name.as_str(), number)),
        });
        values.collect()
    }

    /// What `arrays` arrays of the machine do in a launch with these sizes and numbers; others are 0.
    pub fn schedule(&self, machine: &Machine, arrays: u64, values: &[(&str, f64)]) -> Schedule {
        let call = Call {
            name: &self.declaration.name,
            precision: self.precision,
            operations: self.operations,
            values,
        };
        self.schedule.schedule(&call, machine, arrays.max(1))
    }
}
