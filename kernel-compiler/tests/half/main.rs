//! `cl_khr_fp16` (OpenCL 1.2 extensions, section 9.5): results against binary16 computed
//! here, for all halves where a function has one argument.

mod arithmetic;
mod binary16;
mod conversions;
mod decomposition;
mod functions;
mod memory;
#[path = "../running/mod.rs"]
mod running;

/// What every kernel begins with.
const ENABLE: &str = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n";

/// Without F16C the compiler's own library converts; it has to be found, and to round
/// once.
#[test]
fn a_host_without_half_precision_gives_the_same_results() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["arithmetic::", "conversions::", "memory::loads"])
        .env("MOCL3_HOST_CPU", "x86-64")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("11 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
