//! The interpreter: packets are issued one after the other, results are written when their latency is over,
//! and a read before that gives the old value.

mod accessed;
mod conflict;
mod decoded;
mod destination;
mod environment;
mod interpreter;
mod lanes;
mod memory_access;
mod pending;
mod registers;

pub use decoded::{Code, CodeAddresses, ResolveError};
pub use environment::{Access, Environment, Fault, Side};
pub use interpreter::{RETURN, run};
pub use registers::{Registers, Vector};
