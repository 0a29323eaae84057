//! Programs of the generator csmith, as C on the host and as OpenCL C on the platform.
//!
//! csmith makes C programs without undefined behaviour that end with a checksum of their
//! global variables. `translation` turns one into a text that is both C99 and OpenCL C:
//! the host's compiler says what each work-item has to compute, and the platform computes it
//! in each of several `configurations`. Lidbury et al. took this approach first (CLsmith,
//! PLDI 2015, doi 10.1145/2737924.2737986).

pub mod command_line;
mod configurations;
mod external;
mod prologue;
mod runner;
mod translation;
