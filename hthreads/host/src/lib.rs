//! The host library of hthreads, `libhthread_host.so`: the C functions that `hthread_host.h` declares,
//! over the clusters of the simulated machine. As in the machine's own library, what a program does
//! wrong is a message on its standard error, and mostly the end of the process.

mod abi;
mod arithmetic;
mod checking;
mod core_sets;
mod cores;
mod devices;
mod error;
mod handlers;
mod images;
mod interrupts;
mod launching;
mod leaks;
mod libmt;
mod low_level;
mod recorder;
mod slots;
mod timed_launches;
mod units;
