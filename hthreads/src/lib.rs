//! The machine's own programming interface, hthreads, over the simulated machine.
