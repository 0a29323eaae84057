//! The interpreter: packets are issued one after the other, results are written when their latency is over,
//! and a read before that gives the old value.

mod conflict;
mod decoded;
mod destination;
mod environment;
mod interpreter;
mod memory_access;
mod pending;
mod registers;

pub use decoded::{Code, CodeAddresses, ResolveError};
pub use environment::{Environment, Fault, Side};
pub use interpreter::{RETURN, run};
pub use registers::{Registers, Vector};
