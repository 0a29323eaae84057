//! Memory objects of any kind.
