//! What the arrays of a cluster do while they execute a kernel of the library: the steps of code that is tuned
//! by hand for this family of machines, with its transfers, waits and barriers. `device_sim` finds the times.

mod launch;
mod multiply;
mod steps;
mod streams;
mod transforms;

pub(crate) use launch::Call;
pub use launch::Schedule;
pub use multiply::by_panels;
pub use multiply::kernels::micro_kernel;

use device_sim::machine::Machine;
use serde::Deserialize;

/// How a kernel is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScheduleKind {
    /// Vectors are streamed through AM.
    Vectors,
    /// The same with a function of each element.
    Elements,
    /// A matrix is streamed through AM; vectors stay there.
    Matrix,
    /// The same on one array, since elements depend on those before.
    Solve,
    /// The elements of a sparse matrix are streamed, and those of the vector gathered.
    Sparse,
    /// Matrices are multiplied by blocks.
    Multiply,
    /// Lines are transformed in AM, dimension by dimension.
    Transform,
}

impl ScheduleKind {
    pub(crate) fn schedule(self, call: &Call<'_>, machine: &Machine, arrays: u64) -> Schedule {
        match self {
            Self::Vectors => streams::vectors(call, machine, arrays),
            Self::Elements => streams::elements(call, machine, arrays),
            Self::Matrix => streams::matrix(call, machine, arrays),
            Self::Solve => streams::matrix(call, machine, 1),
            Self::Sparse => streams::sparse(call, machine, arrays),
            Self::Multiply => multiply::of_call(call, machine, arrays),
            Self::Transform => transforms::transform(call, machine, arrays),
        }
    }
}

#[cfg(test)]
mod tests;
