//! Grids whose points depend on their neighbours over several steps.

mod diffusion;
mod pyramids;
mod sweeps;

pub use diffusion::CASES as DIFFUSION;
pub use pyramids::CASES as PYRAMIDS;
pub use sweeps::CASES as SWEEPS;

use super::{Case, Category, ensure_each, ensure_each_close, floats, integers, source};
