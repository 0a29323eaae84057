//! What is known of one kernel: its interface, the arguments it takes, what a version of its code
//! is specialised for, and the resources that version needs.

pub mod checks;
pub mod image_argument;
pub mod interface;
pub mod resource_use;
pub mod specialisation;
