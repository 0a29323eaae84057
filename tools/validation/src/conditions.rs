//! What all measurements have in common: the number of arrays, and the environment.

use std::process::Command;

/// Arrays of a cluster, and work-groups of launches that use them all.
pub const ARRAYS: usize = 24;

/// Environment variables that change the results; they are removed.
const NOT_INHERITED: [&str; 6] = [
    "HT_MEM_LAYOUT_POS",
    "HT_CODE_LAYOUT_POS",
    "MOCL3_DEVICES",
    "MOCL3_DEVICE_TYPE",
    "MOCL3_PROFILING_TIME",
    "MOCL3_RECORD",
];

/// Removes these variables from a command's environment.
pub fn in_order(command: &mut Command) -> &mut Command {
    for variable in NOT_INHERITED {
        command.env_remove(variable);
    }
    command
}
