//! What the library makes from the table of functions, `functions.in`.

use crate::abi::entry_point::functions;

include!("functions.in");
