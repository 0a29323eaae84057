//! Data races (`MOCL3_CHECK=races`). A shadow says of each granule of global and local memory which
//! work-item wrote and which one read it last. Checked code compares its accesses with that
//! ([`shadow_word`]), reports conflicts to the [`checker`], and calls the functions of [`access`]
//! for accesses that it does not check itself.
//!
//! Groups of a launch with words of global memory run one after another, so that findings are the same
//! in each run. Arguments whose accesses cannot be races have none ([`exclusive`]).

pub mod access;
pub mod checker;
pub mod exclusive;
pub mod shadow_word;
pub mod shadows;
