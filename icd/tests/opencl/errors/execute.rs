//! Kernels put into queues.
