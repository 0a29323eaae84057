//! What users can see of a compilation: its stages, dumps of them, and remarks.

pub mod dump;
pub mod remarks;
pub mod stage;
