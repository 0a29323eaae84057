//! Runs one of the compiler's own passes on textual LLVM IR: for `mocl3 opt` and the before/after
//! tests in `tests/passes/`.
//!
//! Passes work on the function `k`, or on the only kernel. Comment lines of the IR are settings:
//!
//! | setting | |
//! | --- | --- |
//! | `; local size: 16,1,1` | the local size is known |
//! | `; large grid` | global ids may exceed 31 bits |
//! | `; without offset` | the global offset is zero |
//! | `; unoptimised` | as with `-cl-opt-disable` |
//! | `; lanes: 8` | lanes of vectors (default 4), on a host with registers of 256 bits |
//! | `; lanes by cost: 32` | at most 32 lanes, as the cost model chooses, on a host with AVX-512 |
//! | `; stack: 20` | per cent of scratchpad memory that the stack has (default 20); 0: it is in DDR |
//! | `; code in GSM` | the machine's code is in global shared memory, not in DDR |
//! | `; arguments: other, image 4277 4318 16, sampler 37` | the arguments: an image's channel order and data type as OpenCL numbers them and bytes of a pixel, a sampler's bits |

mod analyses;
mod error;
mod input;
mod interchanges;
mod runner;
mod transformations;

pub use error::PassError;
pub use input::DIVIDER;
pub use runner::{PASSES, Pass, run};
