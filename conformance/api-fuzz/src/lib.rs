//! Random sequences of API calls with valid, stale, foreign, null and garbage arguments.
//!
//! A sequence is determined by its seed. A model tracks which objects are alive, the number of
//! references to each, which commands may be pending, and the contents of memory objects. With it
//! most calls are plausible and get past the checks of arguments, and each result can be judged:
//! a call with invalid arguments must return one of the codes that the specification names for
//! them, and a call without faults must succeed.
//!
//! The model does not use the cases of the crate `error-cases`: each of those is one invalid call with
//! one code, while a random call has any combination of invalid arguments in any state of its objects.
//! The codes that the specification names for each function are those of `error-cases`, and a fault
//! with another code is an error of the model.
//!
//! Sequences run in processes of their own, so that crashes and hangs are found from outside.
//!
//! Every step has a random generator of its own, and objects are picked by a ranking that does not
//! depend on the other objects: a failing sequence can be minimised by leaving out steps.

mod call;
mod callbacks;
pub mod command_line;
mod commands;
mod contents;
mod functions;
mod ids;
mod memory;
mod model;
mod objects;
mod runner;
mod sequence;
mod steps;
mod worker;
