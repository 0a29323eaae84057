//! Event times on the simulated machine (docs/queues.md, "Simulated time").

mod active_lanes;
mod binaries;
mod counter_slices;
mod counters;
mod processes;
mod recordings;
mod rules;
mod waits;
