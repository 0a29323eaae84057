//! The host CPU as a compilation target.

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target, TargetMachine, TargetTriple,
};
use once_cell::sync::Lazy;

/// What all modules are compiled for.
pub const TRIPLE: &str = "x86_64-unknown-linux-gnu";

/// Name and features of the CPU this process runs on, as LLVM writes them.
pub struct HostCpu {
    /// For example `znver3`.
    pub name: String,
    /// For example `+avx2,+fma,-avx512f`.
    pub features: String,
}

/// The CPU this process runs on.
pub static HOST_CPU: Lazy<HostCpu> = Lazy::new(|| HostCpu {
    name: TargetMachine::get_host_cpu_name().to_string(),
    features: TargetMachine::get_host_cpu_features().to_string(),
});

static INITIALISED: Lazy<()> = Lazy::new(|| {
    Target::initialize_x86(&InitializationConfig::default());
});

/// A target machine for the host CPU.
pub fn machine(optimise: bool) -> TargetMachine {
    Lazy::force(&INITIALISED);
    let triple = TargetTriple::create(TRIPLE);
    let level = if optimise {
        OptimizationLevel::Aggressive
    } else {
        OptimizationLevel::None
    };
    Target::from_triple(&triple)
        .ok()
        .and_then(|target| {
            target.create_target_machine(
                &triple,
                &HOST_CPU.name,
                &HOST_CPU.features,
                level,
                RelocMode::PIC,
                CodeModel::Default,
            )
        })
        .expect("LLVM was built with the x86 target")
}
