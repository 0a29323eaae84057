//! The host CPU as a compilation target.

use crate::shim;
use crate::target_pool::{Kind, PooledMachine};
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

/// The CPU this process runs on, or what of it `MOCL3_HOST_CPU` leaves to be used.
pub static HOST_CPU: Lazy<HostCpu> = Lazy::new(|| {
    let mut host = HostCpu {
        name: TargetMachine::get_host_cpu_name().to_string(),
        features: TargetMachine::get_host_cpu_features().to_string(),
    };
    // The host's features are those of its instructions. LLVM has others for what its model is tuned for.
    if shim::has_feature(
        &machine_for(&host, OptimizationLevel::Aggressive),
        FAST_GATHER,
    ) {
        host.features.push(',');
        host.features.push_str(FAST_GATHER);
    }
    let Some(asked) = environment::HOST_CPU.get() else {
        return host;
    };
    host.at_level(&asked.to_string_lossy())
        .unwrap_or_else(|sentence| {
            log::warn!(
                "{}: {sentence}; code is made for this host",
                environment::HOST_CPU
            );
            host
        })
});

/// Gathers are faster than a load for each lane.
pub const FAST_GATHER: &str = "+fast-gather";

/// The levels of the x86-64 ABI, and what each has beyond the one before.
const LEVELS: &[(&str, &[&str])] = &[
    ("x86-64", &[]),
    (
        "x86-64-v2",
        &[
            "+cx16", "+sahf", "+popcnt", "+sse3", "+sse4.1", "+sse4.2", "+ssse3",
        ],
    ),
    (
        "x86-64-v3",
        &[
            "+avx", "+avx2", "+bmi", "+bmi2", "+f16c", "+fma", "+lzcnt", "+movbe",
        ],
    ),
];

impl HostCpu {
    /// Whether it has a feature, written as LLVM does: `+avx2`.
    pub fn has(&self, feature: &str) -> bool {
        self.features.split(',').any(|known| known == feature)
    }

    /// This CPU, with the instructions of a level and no others.
    fn at_level(&self, level: &str) -> Result<Self, String> {
        let at = LEVELS
            .iter()
            .position(|(name, _)| *name == level)
            .ok_or_else(|| {
                let names: Vec<&str> = LEVELS.iter().map(|(name, _)| *name).collect();
                format!("`{level}` is none of {}", names.join(", "))
            })?;
        let mut features: Vec<&str> = LEVELS[..=at]
            .iter()
            .flat_map(|(_, features)| features.iter().copied())
            .collect();
        if features.contains(&"+avx2") && self.has(FAST_GATHER) {
            features.push(FAST_GATHER);
        }
        if let Some(missing) = features.iter().find(|feature| !self.has(feature)) {
            return Err(format!("this host has no {}", &missing[1..]));
        }
        Ok(Self {
            name: level.into(),
            features: features.join(","),
        })
    }
}

/// Whether the host estimates reciprocals and those of square roots to 14 bits, in vectors of each length.
pub fn has_reciprocal_estimates() -> bool {
    HOST_CPU.has("+avx512f") && HOST_CPU.has("+avx512vl")
}

/// Whether the host has instructions that load and store those of consecutive elements of `bits` bits that a mask names.
pub fn has_masked_access(bits: u64) -> bool {
    let feature = match bits {
        32 | 64 => "+avx",
        _ => "+avx512bw",
    };
    HOST_CPU.has(feature)
}

static INITIALISED: Lazy<()> = Lazy::new(|| {
    Target::initialize_x86(&InitializationConfig::default());
});

/// A target machine for the host CPU.
pub fn machine(optimise: bool) -> PooledMachine {
    PooledMachine::take(
        match optimise {
            true => Kind::Host,
            false => Kind::HostUnoptimised,
        },
        new_machine,
    )
}

/// One that makes code in the least time, for functions without vectors.
pub fn quick_machine() -> PooledMachine {
    PooledMachine::take(Kind::HostQuick, new_machine)
}

/// A target machine that does not depend on the host, so that the output of passes does not either.
pub fn any_machine(optimise: bool) -> PooledMachine {
    PooledMachine::take(
        match optimise {
            true => Kind::Any,
            false => Kind::AnyUnoptimised,
        },
        new_machine,
    )
}

/// A target machine that does not return to the pool.
pub fn new_machine(kind: Kind) -> TargetMachine {
    static ANY: Lazy<HostCpu> = Lazy::new(|| HostCpu {
        name: "x86-64-v4".into(),
        features: String::new(),
    });
    let cpu = match kind {
        Kind::Host | Kind::HostUnoptimised | Kind::HostQuick => &HOST_CPU,
        Kind::Any | Kind::AnyUnoptimised => &ANY,
    };
    let level = match kind {
        Kind::Host | Kind::Any => OptimizationLevel::Aggressive,
        // Not `None`: there, instruction selection may take minutes for vectors of 64 bytes.
        Kind::HostUnoptimised | Kind::AnyUnoptimised => OptimizationLevel::Less,
        Kind::HostQuick => OptimizationLevel::None,
    };
    machine_for(cpu, level)
}

fn machine_for(cpu: &HostCpu, level: OptimizationLevel) -> TargetMachine {
    Lazy::force(&INITIALISED);
    let triple = TargetTriple::create(TRIPLE);
    Target::from_triple(&triple)
        .ok()
        .and_then(|target| {
            target.create_target_machine(
                &triple,
                &cpu.name,
                &cpu.features,
                level,
                RelocMode::PIC,
                CodeModel::Default,
            )
        })
        .expect("LLVM was built with the x86 target")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_all_that_is_used_and_must_be_there() {
        let host = HostCpu {
            name: "nehalem".into(),
            features: "+cx16,+sahf,+popcnt,+sse3,+sse4.1,+sse4.2,+ssse3,-avx,+aes".into(),
        };
        let least = host.at_level("x86-64").ok().unwrap();
        assert_eq!((&*least.name, &*least.features), ("x86-64", ""));
        let level = host.at_level("x86-64-v2").ok().unwrap();
        assert!(level.has("+sse4.2") && !level.has("+aes"));
        assert_eq!(
            host.at_level("x86-64-v3").err().unwrap(),
            "this host has no avx"
        );
        assert!(host.at_level("z80").err().unwrap().contains("x86-64-v2"));
    }

    #[test]
    fn gathers_are_fast_at_a_level_if_they_are_on_the_host() {
        let features = LEVELS.iter().flat_map(|(_, features)| features.iter());
        let features: Vec<&str> = features.copied().collect();
        let host = |more: &str| HostCpu {
            name: "alderlake".into(),
            features: features.join(",") + more,
        };
        let has_fast_gather =
            |more, level| host(more).at_level(level).ok().unwrap().has(FAST_GATHER);
        assert!(has_fast_gather(",+fast-gather", "x86-64-v3"));
        assert!(!has_fast_gather("", "x86-64-v3"));
        assert!(!has_fast_gather(",+fast-gather", "x86-64-v2"));
    }

    #[test]
    fn models_differ_in_how_fast_gathers_are() {
        let has_fast_gather = |name: &str| {
            let cpu = HostCpu {
                name: name.into(),
                features: String::new(),
            };
            shim::has_feature(
                &machine_for(&cpu, OptimizationLevel::Aggressive),
                FAST_GATHER,
            )
        };
        assert!(has_fast_gather("alderlake"));
        assert!(!has_fast_gather("haswell"));
    }
}
