//! Writes the vector code of a plan.

mod builder;
mod descending;
mod instructions;
mod integer_division;
mod lane_patterns;
mod lane_values;
mod linearise;
mod masks;
mod memory;
mod packed_elements;
mod progression;
mod scalarize;
pub mod strip_mining;
mod tables;
mod uniform_atomics;
mod versions;
