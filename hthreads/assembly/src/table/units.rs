//! The units of an array: 5 scalar and 6 vector ones issue an instruction each in a cycle.

use serde::{Deserialize, Serialize};

/// A unit, in the order of the performance monitor's events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Unit {
    /// Scalar integer and bit operations.
    Sieu,
    /// Scalar arithmetic.
    Smac1,
    /// Scalar arithmetic.
    Smac2,
    /// Branches and the sequence of instructions.
    Sbr,
    /// Scalar memory.
    Sld,
    /// Vector integer and bit operations.
    Vieu,
    /// Vector arithmetic.
    Vmac1,
    /// Vector arithmetic.
    Vmac2,
    /// Vector arithmetic.
    Vmac3,
    /// Vector memory.
    Vls0,
    /// Vector memory.
    Vls1,
}

/// All units.
const ALL: [Unit; 11] = [
    Unit::Sieu,
    Unit::Smac1,
    Unit::Smac2,
    Unit::Sbr,
    Unit::Sld,
    Unit::Vieu,
    Unit::Vmac1,
    Unit::Vmac2,
    Unit::Vmac3,
    Unit::Vls0,
    Unit::Vls1,
];

impl Unit {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sieu => "SIEU",
            Self::Smac1 => "SMAC1",
            Self::Smac2 => "SMAC2",
            Self::Sbr => "SBR",
            Self::Sld => "SLD",
            Self::Vieu => "VIEU",
            Self::Vmac1 => "VMAC1",
            Self::Vmac2 => "VMAC2",
            Self::Vmac3 => "VMAC3",
            Self::Vls0 => "VLS0",
            Self::Vls1 => "VLS1",
        }
    }

    /// The number of its kind: SIEU, SMAC, SBR, SLD, VIEU, VMAC, VLS.
    pub fn kind(self) -> usize {
        match self {
            Self::Sieu => 0,
            Self::Smac1 | Self::Smac2 => 1,
            Self::Sbr => 2,
            Self::Sld => 3,
            Self::Vieu => 4,
            Self::Vmac1 | Self::Vmac2 | Self::Vmac3 => 5,
            Self::Vls0 | Self::Vls1 => 6,
        }
    }

    /// The suffix by which code selects it, of those that have several alternatives.
    pub fn suffix(self) -> Option<&'static str> {
        match self {
            Self::Smac1 | Self::Vmac1 => Some("M1"),
            Self::Smac2 | Self::Vmac2 => Some("M2"),
            Self::Vmac3 => Some("M3"),
            _ => None,
        }
    }
}

/// A set of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units(pub u16);

impl Units {
    /// SIEU.
    pub const SIEU: Self = Self(1);
    /// SMAC1 and SMAC2.
    pub const SMAC: Self = Self(6);
    /// SIEU, SMAC1, SMAC2.
    pub const SMAC_SIEU: Self = Self(7);
    /// SBR.
    pub const SBR: Self = Self(8);
    /// SLD.
    pub const SLD: Self = Self(16);
    /// VIEU.
    pub const VIEU: Self = Self(32);
    /// VMAC1.
    pub const VMAC1: Self = Self(64);
    /// VMAC1 to VMAC3.
    pub const VMAC: Self = Self(64 + 128 + 256);
    /// VIEU and VMAC1 to VMAC3.
    pub const VMAC_VIEU: Self = Self(32 + 64 + 128 + 256);
    /// VLS0 and VLS1.
    pub const VLS: Self = Self(512 + 1024);
    /// All of the vector unit.
    pub const ALL_VECTOR: Self = Self(32 + 64 + 128 + 256 + 512 + 1024);

    /// The units in it.
    pub fn iter(self) -> impl Iterator<Item = Unit> {
        let units = (0u32..).zip(ALL);
        units.filter_map(move |(bit, unit)| (self.0 >> bit & 1 != 0).then_some(unit))
    }

    /// Those that a suffix of an instruction selects; `None` if it does not have that one.
    pub fn with_suffix(self, suffix: &str) -> Option<Self> {
        let of_predecessors = match suffix {
            "L" => Self::SIEU.0 | Self::VIEU.0,
            "LS" => Self::SLD.0 | Self::VLS.0,
            _ => 0,
        };
        let named = (0u32..).zip(ALL).filter(|(_, unit)| {
            let own = unit
                .suffix()
                .is_some_and(|own| own.eq_ignore_ascii_case(suffix));
            own || unit.name() == suffix
        });
        let selected = named.fold(of_predecessors, |bits, (bit, _)| bits | 1 << bit);
        let selected = self.0 & selected;
        (selected != 0).then_some(Self(selected))
    }

    /// Their names.
    pub fn names(self) -> String {
        let names: Vec<&str> = self.iter().map(Unit::name).collect();
        names.join("/")
    }
}
