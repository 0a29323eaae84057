//! Declarations of OpenCL's built-in kernels: their arguments, the sizes of arrays, and what a launch has to
//! meet. Tables give them as rows; `accelerator-functions` and `vendor-kernels` have the tables, and compute
//! the kernels.

mod declaration;
mod row;

pub use declaration::{
    Access, Argument, ArgumentKind, CallError, Declaration, Element, Requirement,
};
pub use row::{ArgumentRow, RequirementRow, declaration};
