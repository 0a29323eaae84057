//! Some random sequences of API calls on MOCL3, in processes of their own.

use harness::built::run_seeds;

const EXECUTABLE: &str = env!("CARGO_BIN_EXE_api-fuzz");

/// Enough to call every function often; `cargo xtask fuzz-api` makes more.
const CALLS: &str = "120000";

#[test]
fn calls_do_what_the_model_says() {
    let text = run_seeds(
        EXECUTABLE,
        &["fuzz-api", "--calls", CALLS, "--seed", "1"],
        &[],
    );
    // Of each function, some calls were without fault.
    assert!(!text.contains("never with success"), "{text}");
}
