//! Several simulated nodes, each of which is a platform, and the clocks of their host programs.

use crate::process::{compile, run_with};
use crate::session::vendors;
use std::process::Command;

#[test]
fn nodes_are_platforms_with_simulated_time_of_their_own() {
    let program = compile("nodes");
    for threads in ["1", "4"] {
        let variables = [("MOCL3_NODES", "3"), ("MOCL3_HOST_THREADS", threads)];
        assert_eq!(run_with(&program, &variables), "right\n");
    }
}

/// A number that is none leaves one platform, and the log says why.
#[test]
fn numbers_of_nodes_are_checked() {
    let program = compile("device_types");
    for (value, warns) in [("", false), ("2", false), ("0", true), ("two", true)] {
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_NODES", value)
            .env_remove("MOCL3_DEVICE_TYPE")
            .env_remove("MOCL3_LOG")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            printed.contains("all: 4, 4 in a context"),
            "{value}: {printed}"
        );
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(log.contains("MOCL3_NODES"), warns, "{value}: {log}");
    }
}
