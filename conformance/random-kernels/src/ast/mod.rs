//! A kernel as data, with everything that running it requires. Names are numbers. Types are
//! explicit: C's implicit conversions play no part.

mod expression;
mod operator;
mod program;
mod statement;
mod variable;

pub use expression::{Components, Expression, Kind, Place, Pointer, Step};
pub use operator::{Builtin, Comparison, Operator, WorkItem, comparison_type};
pub use program::{Contents, Function, Geometry, Program};
pub use statement::{Argument, Atomic, Block, Case, Initial, Label, Statement};
pub use variable::{Space, Variable, VariableId};
