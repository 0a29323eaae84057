//! `libmocl3_smpi.so`: an OpenCL layer (Khronos' cl_loader_layers) between MPI programs that
//! SimGrid's SMPI simulates and the platforms of MOCL3, one for each node. Each rank sees the
//! platform of its node. Around every call, the clock of SimGrid and that of the node are made
//! equal, so that the time of kernels and transfers takes part in SimGrid's schedule
//! (docs/co-simulation.md).
//!
//! SimGrid ends ranks by C++ exceptions, which pass through the layer's functions (`C-unwind`).
//!
//! SimGrid is found at run time. In a process without it the layer changes nothing.

mod blocking;
mod callbacks;
mod calls;
mod functions;
mod layer;
mod node_clock;
mod overrides;
mod rank;
mod report;
mod simgrid;
mod target;
mod waits;
