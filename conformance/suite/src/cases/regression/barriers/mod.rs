//! Barriers among loops, branches and returns, and private variables that are live across them.
//! Compilers that run a work-group as one function split it into regions there.

mod branches;
mod loops;
mod variables;

pub use branches::{
    BEFORE_EXIT, BEFORE_RETURN, EARLY_RETURN, RETURN_NEVER_EXECUTED, UNDER_CONDITION,
};
pub use loops::{
    AFTER_INNER_LOOP, BETWEEN_LOOPS, IN_LOOP, LOOP_VARIABLES, LOOPS_OF_ALL_LENGTHS,
    TWO_CONDITIONAL_BARRIERS, VARIABLE_COUNT,
};
pub use variables::{
    ARRAY_AND_VECTOR, LOADED_BEFORE_BARRIER, LOCAL_POINTERS, PRODUCTS_OF_IDS, UNSET_VARIABLE,
};
