//! Platforms and extension functions.
