//! Between host and device.

use super::Case;

pub const CASES: &[Case] = &[];
