//! Random sequences of API calls with valid, stale, foreign, null and garbage arguments.
//!
//! A sequence follows from its seed. A model knows which objects are alive, how many
//! references each has, which commands may be pending and what memory objects hold; so
//! most calls are plausible and lead deep, and each result can be judged: an invalid
//! argument must bring one of the codes that the specification names for what is wrong,
//! and a call without fault must succeed. Crashes and hangs are found from outside:
//! sequences run in processes of their own.
//!
//! Every step draws from a generator of its own, and objects are picked by a ranking that
//! does not depend on the others: what fails can be made smaller by leaving out steps.

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
