//! Transformations of a kernel's IR other than work-group formation and vectorisation.

pub mod counter_slice;
pub mod footprints;
pub mod image_specialisation;
pub mod index_narrowing;
pub mod instrumentation;
pub mod integer_narrowing;
pub mod interleaved_vectors;
pub mod lower_masked_access;
mod masked_calls;
pub mod masked_load;
pub mod nest_jam;
pub mod reciprocal_estimates;
pub mod rounded_half;
pub mod safe_division;
pub mod sine_and_cosine;
pub mod single_lane_store;
pub mod static_allocas;
pub mod streaming_store;
pub mod varying_trip_counts;
pub mod wide_masks;
