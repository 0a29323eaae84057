//! The machine description: every number of the machine, and where it is from.

mod array;
mod clusters;
mod dma;
mod flatten;
mod host;
mod launch;
mod locks;
mod memories;
mod opencl_limits;
mod placement;
mod quantity;

pub use array::{Accesses, Array, Code, Division, Latencies, Registers, Slots};
pub use clusters::{Affinity, AffinityDomain, Clusters};
pub use dma::Dma;
pub use flatten::flatten;
pub use host::HostCosts;
pub use launch::{Completion, LaunchCosts, LaunchModel, Runtime, Start, Synchronisation};
pub use locks::LockCosts;
pub use memories::{
    ArrayMemory, ClusterMemory, DataCache, Memories, Port, ProgramCache, ScalarMemory, Scratchpad,
};
pub use opencl_limits::{ImageLimits, OpenClLimits};
pub use placement::{CodePlace, Placement};
pub use quantity::{Quantity, Source};

use environment::{MACHINE, files};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The description of the built-in MT-3000.
pub const MT3000: &str = include_str!("../../machines/mt3000.toml");

/// Most bytes that a description may have. The built-in one has fewer than 40 KB.
pub const LARGEST_FILE: u64 = 1 << 20;

/// A machine, read from TOML.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name, which device names show.
    pub name: String,
    /// Who makes it.
    pub vendor: String,
    /// The acceleration clusters.
    pub clusters: Clusters,
    /// Each acceleration array.
    pub array: Array,
    /// The memories.
    pub memory: Memories,
    /// The DMA engine of an array.
    pub dma: Dma,
    /// What hardware locks cost.
    pub locks: LockCosts,
    /// How kernels are launched.
    pub launch: LaunchModel,
    /// Where stack and code are, unless the environment says otherwise.
    pub layout: Placement,
    /// What host commands cost.
    pub host: HostCosts,
    /// What OpenCL programs are granted of it.
    pub open_cl: OpenClLimits,
}

/// Why a machine description cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum MachineError {
    /// The file cannot be read.
    #[error("machine description {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Not TOML, or not a machine: the sentence has line and column.
    #[error("machine description: {0}")]
    Malformed(#[from] toml::de::Error),
    /// Numbers that no machine can have.
    #[error("machine description: {0}")]
    Impossible(String),
}

impl Machine {
    /// The built-in MT-3000.
    pub fn mt3000() -> Self {
        Self::parse(MT3000).expect("the built-in description is tested")
    }

    /// The machine that `MOCL3_MACHINE` names (a TOML file), or else MT-3000.
    ///
    /// # Errors
    /// A sentence: the file is no machine.
    pub fn from_environment() -> Result<Self, String> {
        match MACHINE.get() {
            Some(path) => {
                Self::read(Path::new(&path)).map_err(|error| format!("{MACHINE}: {error}"))
            }
            None => Ok(Self::mt3000()),
        }
    }

    /// Reads a description from a file.
    ///
    /// # Errors
    /// It is no regular file of at most [`LARGEST_FILE`] bytes, or cannot be read; what `parse`
    /// finds.
    pub fn read(path: &Path) -> Result<Self, MachineError> {
        let text =
            files::read_text(path, LARGEST_FILE).map_err(|error| MachineError::Unreadable {
                path: path.display().to_string(),
                error,
            })?;
        Self::parse(&text)
    }

    /// Reads a description.
    ///
    /// # Errors
    /// Text that is no TOML, unknown or missing keys, numbers that contradict each other.
    pub fn parse(text: &str) -> Result<Self, MachineError> {
        let machine: Self = toml::from_str(text)?;
        machine.check()?;
        Ok(machine)
    }

    /// Cycles that a duration takes at least; nanoseconds.
    pub fn cycles(&self, nanoseconds: u64) -> u64 {
        scaled(nanoseconds, self.clusters.clock.value, 1_000_000_000)
    }

    /// Nanoseconds that cycles take at least.
    pub fn nanoseconds(&self, cycles: u64) -> u64 {
        scaled(cycles, 1_000_000_000, self.clusters.clock.value)
    }

    fn check(&self) -> Result<(), MachineError> {
        let limits = &self.open_cl;
        let within = [
            (
                "open_cl.work_group_size",
                &limits.work_group_size,
                1,
                1 << 15,
            ),
            (
                "open_cl.largest_allocation",
                &limits.largest_allocation,
                self.memory.ddr.size.value / 4,
                self.memory.ddr.size.value,
            ),
            ("open_cl.base_alignment", &limits.base_alignment, 128, 4096),
            (
                "open_cl.argument_block",
                &limits.argument_block,
                1024,
                1 << 16,
            ),
            (
                "open_cl.constant_arguments",
                &limits.constant_arguments,
                8,
                u32::MAX.into(),
            ),
            ("open_cl.cache_line", &limits.cache_line, 1, 1 << 16),
            ("open_cl.cache", &limits.cache, 1, 1 << 40),
            (
                "open_cl.constant_buffer",
                &limits.constant_buffer,
                1 << 16,
                self.memory.ddr.size.value,
            ),
        ];
        let images = &limits.images;
        // OpenCL 1.2, table 4.3. Kernels have coordinates that are `int`, or `float` where
        // there are samplers: beyond 2^24 these leave out pixels.
        let (whole, sampled) = (i32::MAX as u64, 1 << 24);
        let of_images = [
            ("width_2d", &images.width_2d, 8192, sampled),
            ("height_2d", &images.height_2d, 8192, sampled),
            ("width_3d", &images.width_3d, 2048, sampled),
            ("height_3d", &images.height_3d, 2048, sampled),
            ("depth_3d", &images.depth_3d, 2048, sampled),
            ("array", &images.array, 2048, sampled),
            ("buffer", &images.buffer, 65_536, whole),
            ("pitch_alignment", &images.pitch_alignment, 1, whole),
            (
                "base_address_alignment",
                &images.base_address_alignment,
                1,
                whole,
            ),
            ("read_arguments", &images.read_arguments, 128, whole),
            ("write_arguments", &images.write_arguments, 8, whole),
            ("samplers", &images.samplers, 16, whole),
        ];
        let of_images = of_images.into_iter().map(|(name, quantity, least, most)| {
            (format!("open_cl.images.{name}"), quantity, least, most)
        });
        let within = within
            .into_iter()
            .map(|(name, quantity, least, most)| (name.to_owned(), quantity, least, most));
        let parts = [
            ("clusters", self.clusters.limits()),
            ("array", self.array.limits()),
            ("memory", self.memory.limits()),
            ("dma", self.dma.limits()),
            ("locks", self.locks.limits()),
            ("launch", self.launch.limits()),
            ("layout", self.layout.limits()),
            ("host", self.host.limits()),
        ];
        let of_parts = parts.into_iter().flat_map(|(part, limits)| {
            let full = move |(name, quantity, least, most)| {
                (format!("{part}.{name}"), quantity, least, most)
            };
            limits.into_iter().map(full)
        });
        // Those of OpenCL's limits depend on the machine's.
        for (name, quantity, least, most) in of_parts.chain(within).chain(of_images) {
            if !(least..=most).contains(&quantity.value) {
                return Err(MachineError::Impossible(format!(
                    "{name} is {}, which is not between {least} and {most}",
                    quantity.value
                )));
            }
        }
        self.clusters.affinity.check(self.clusters.arrays.value)?;
        self.launch.check()?;
        self.layout.check()?;
        let powers_of_two = [
            ("open_cl.base_alignment", &limits.base_alignment),
            ("open_cl.images.pitch_alignment", &images.pitch_alignment),
            (
                "open_cl.images.base_address_alignment",
                &images.base_address_alignment,
            ),
        ];
        for (name, quantity) in powers_of_two.into_iter().chain(self.memory.powers_of_two()) {
            if !quantity.value.is_power_of_two() {
                return Err(MachineError::Impossible(format!(
                    "{name} is no power of two"
                )));
            }
        }
        Ok(())
    }
}

/// `value * by / of`, rounded up; the largest number if it is too large.
pub(crate) fn scaled(value: u64, by: u64, of: u64) -> u64 {
    let exact = (u128::from(value) * u128::from(by)).div_ceil(of.into());
    exact.try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mt3000_has_its_published_shape() {
        let machine = Machine::mt3000();
        assert_eq!(machine.clusters.count.value, 4);
        assert_eq!(machine.clusters.arrays.value, 24);
        assert_eq!(machine.array.lanes.value, 16);
        assert_eq!(machine.memory.am.size.value, 768 << 10);
    }

    #[test]
    fn unknown_keys_are_refused_with_their_line() {
        let text = MT3000.replace("[array]", "[array]\nwheels = 3");
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(
            error.contains("wheels") && error.contains("line"),
            "{error}"
        );
    }

    #[test]
    fn impossible_numbers_are_refused_by_name() {
        let text = MT3000.replace("value = 655_360", "value = 1_000_000");
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("memory.am.local_memory"), "{error}");
        let text = MT3000.replace(
            "layout]\nstack = { value = 20",
            "layout]\nstack = { value = 30",
        );
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("layout.stack"), "{error}");
        let text = MT3000.replace("line = { value = 64", "line = { value = 96");
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("memory.port.line"), "{error}");
        let text = MT3000.replace("array = { value = 2048", "array = { value = 20");
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("open_cl.images.array"), "{error}");
        let text = MT3000.replace(
            "pitch_alignment = { value = 1,",
            "pitch_alignment = { value = 3,",
        );
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("open_cl.images.pitch_alignment"), "{error}");
        let text = MT3000.replace(
            "width_2d = { value = 16384",
            "width_2d = { value = 16777217",
        );
        let error = Machine::parse(&text).unwrap_err().to_string();
        assert!(error.contains("open_cl.images.width_2d"), "{error}");
    }

    /// The built-in machine with another number.
    fn with(name: &str, value: u64) -> Result<Machine, MachineError> {
        let mut description: toml::Table = MT3000.parse().unwrap();
        let mut place = &mut description;
        for key in name.split('.') {
            place = place[key].as_table_mut().unwrap();
        }
        place["value"] = i64::try_from(value).unwrap().into();
        Machine::parse(&toml::to_string(&description).unwrap())
    }

    #[test]
    fn each_number_has_a_largest_value() {
        for (name, number) in flatten(MT3000).unwrap() {
            assert_eq!(with(&name, number.value).unwrap(), Machine::mt3000());
            let error = with(&name, i64::MAX as u64).expect_err(&name).to_string();
            let part = match name.contains("affinity") {
                true => "clusters.affinity",
                false => &name,
            };
            assert!(error.contains(part), "{name}: {error}");
        }
    }

    #[test]
    fn zero_is_a_value_where_it_means_that_there_is_no_such_thing() {
        let all = flatten(MT3000).unwrap();
        let names = all.iter().map(|(name, _)| name.as_str());
        let accepted: Vec<_> = names.filter(|name| with(name, 0).is_ok()).collect();
        let latencies = all.iter().map(|(name, _)| name.as_str());
        let mut expected: Vec<_> = latencies
            .filter(|name| name.starts_with("array.latency.") || name.starts_with("launch.costs."))
            .collect();
        expected.extend([
            "array.access.stack_misses",
            "array.division.double_steps",
            "array.division.half_steps",
            "array.division.seed",
            "array.division.single_steps",
            "clusters.barriers",
            "dma.row",
            "dma.start",
            "host.cache_line",
            "host.enqueue",
            "host.row",
            "host.start",
            "layout.stack",
            "locks.release",
            "locks.take",
            "memory.gsm.size",
            "memory.hbsm.size",
        ]);
        expected.sort_unstable();
        assert_eq!(accepted, expected);
    }

    #[test]
    fn affinity_domains_lie_within_each_other() {
        let with = |lines: &str| {
            let number = |line: &str| {
                let (name, value) = line.split_once('=').unwrap();
                format!("{name} = {{ value = {value}, source = \"assumed\", note = \"\" }}\n")
            };
            let (before, rest) = MT3000.split_once("[clusters.affinity]\n").unwrap();
            let (_, after) = rest.split_once("\n[array]").unwrap();
            let domains: String = lines.split_whitespace().map(number).collect();
            let text = format!("{before}[clusters.affinity]\n{domains}\n[array]{after}");
            Machine::parse(&text).map(|machine| machine.clusters.affinity)
        };
        let affinity = with("numa=12 l3_cache=6 l1_cache=2").unwrap();
        let arrays = AffinityDomain::ALL.map(|domain| affinity.arrays(domain));
        assert_eq!(arrays, [Some(12), None, Some(6), None, Some(2)]);
        assert_eq!(with("").unwrap(), Affinity::default());
        with("numa=16 l2_cache=4").unwrap();
        for bad in [
            "numa=0",
            "l1_cache=25",
            "numa=4 l4_cache=8",
            "numa=12 l2_cache=5",
        ] {
            let error = with(bad).unwrap_err().to_string();
            assert!(error.contains("clusters.affinity"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Machine::read(Path::new("/no/such.toml")).unwrap_err();
        assert!(error.to_string().contains("/no/such.toml"));
    }

    /// `docs/generated/machine-numbers.md` shows every number with unit and source.
    #[test]
    fn the_documentation_has_every_number() {
        let row = |(name, number): &(String, Quantity)| {
            format!(
                "| `{name}` | {} | {} | {} | {} |",
                number.value, number.unit, number.source, number.note
            )
        };
        let expected: Vec<String> = flatten(MT3000).unwrap().iter().map(row).collect();
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/generated/machine-numbers.md");
        let text = std::fs::read_to_string(path).unwrap();
        for row in &expected {
            assert!(
                text.contains(row),
                "docs/generated/machine-numbers.md lacks\n{row}"
            );
        }
        assert_eq!(text.matches("\n| `").count(), expected.len());
    }
}
