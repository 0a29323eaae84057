//! Some random kernels on MOCL3, in processes of their own.

mod built;

/// Enough to notice what breaks many kernels; `cargo xtask random-kernels` runs more.
const KERNELS: &str = "200";

#[test]
fn kernels_give_what_the_interpreter_gives() {
    built::run_seeds(&["random-kernels", "--kernels", KERNELS, "--seed", "1"]);
}
