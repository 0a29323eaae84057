//! `cl_mocl3_performance_counters`, as `icd/include/CL/cl_mocl3.h` has it: docs/extensions.md.

use crate::api::info::InfoValue;
use runtime::recording::performance_counters::Counter;

/// `CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3`
pub const CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3: u32 = 0x4D4F_4301;
/// `CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3`
pub const CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3: u32 = 0x4D4F_4302;
/// `CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3`
pub const CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3: u32 = 0x4D4F_4303;
/// `CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3`
pub const CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3: u32 = 0x4D4F_4304;

/// Bytes of `cl_performance_counter_mocl3::name`.
const NAME: usize = 64;
/// Bytes of its `unit`.
const UNIT: usize = 16;
/// Bytes of its `description`.
const DESCRIPTION: usize = 176;

/// A `cl_performance_counter_mocl3`.
pub struct Described {
    name: &'static str,
    unit: &'static str,
    description: &'static str,
}

/// The counters of a table.
pub fn described<T>(counters: &'static [Counter<T>]) -> Vec<Described> {
    let described = |counter: &Counter<T>| Described {
        name: counter.name,
        unit: counter.unit,
        description: counter.description,
    };
    counters.iter().map(described).collect()
}

impl InfoValue for Described {
    fn with_bytes<R>(&self, use_bytes: impl FnOnce(&[u8]) -> R) -> R {
        let mut bytes = [0; NAME + UNIT + DESCRIPTION];
        let (name, rest) = bytes.split_at_mut(NAME);
        let (unit, description) = rest.split_at_mut(UNIT);
        for (to, text) in [
            (name, self.name),
            (unit, self.unit),
            (description, self.description),
        ] {
            // A NUL stays behind it.
            let length = text.len().min(to.len() - 1);
            to[..length].copy_from_slice(&text.as_bytes()[..length]);
        }
        use_bytes(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runtime::recording::performance_counters::{ARRAY_COUNTERS, LAUNCH_COUNTERS};

    #[test]
    fn texts_have_room() {
        for one in described(LAUNCH_COUNTERS)
            .iter()
            .chain(&described(ARRAY_COUNTERS))
        {
            assert!(!one.name.is_empty() && one.name.len() < NAME);
            assert!(one.unit.len() < UNIT);
            assert!(one.description.len() < DESCRIPTION);
            one.with_bytes(|bytes| {
                assert_eq!(bytes.len(), 256);
                assert!(bytes.starts_with(one.name.as_bytes()));
                assert_eq!(bytes[one.name.len()], 0);
                assert!(bytes[NAME + UNIT..].starts_with(one.description.as_bytes()));
            });
        }
    }

    /// The page has every counter, and the header every value.
    #[test]
    fn page_and_header_say_the_same() {
        let page = include_str!("../../../../docs/extensions.md");
        let rows = |counters: Vec<Described>| -> Vec<String> {
            let row = |one: &Described| {
                let (name, unit, description) = (one.name, one.unit, one.description);
                format!("| `{name}` | {unit} | {description} |\n")
            };
            counters.iter().map(row).collect()
        };
        for row in rows(described(LAUNCH_COUNTERS))
            .iter()
            .chain(&rows(described(ARRAY_COUNTERS)))
        {
            assert!(page.contains(row), "docs/extensions.md lacks {row}");
        }
        let header = include_str!("../../../include/CL/cl_mocl3.h");
        for (name, value) in [
            (
                "CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3",
                CL_DEVICE_PERFORMANCE_COUNTERS_MOCL3,
            ),
            (
                "CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3",
                CL_PROFILING_COMMAND_PERFORMANCE_COUNTERS_MOCL3,
            ),
            (
                "CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3",
                CL_DEVICE_ARRAY_PERFORMANCE_COUNTERS_MOCL3,
            ),
            (
                "CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3",
                CL_PROFILING_COMMAND_ARRAY_PERFORMANCE_COUNTERS_MOCL3,
            ),
        ] {
            let line = header.lines().find_map(|line| {
                let mut words = line.split_whitespace();
                (words.next() == Some("#define") && words.next() == Some(name))
                    .then(|| words.next().unwrap_or_default().to_owned())
            });
            assert_eq!(line, Some(format!("0x{value:08X}")), "{name}");
            assert!(
                page.contains(&format!("`{name}` | `0x{value:08X}`")),
                "{name}"
            );
        }
    }
}
